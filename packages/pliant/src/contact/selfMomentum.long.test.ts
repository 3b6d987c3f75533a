import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS } from '../kernels/kernels.js';
import { random } from '../math/random.js';
import { Flag } from '../state/flags.js';
import { spinOf } from '../testing/bodies.js';
import { keptEnergy } from '../testing/energy.js';
import { report } from '../testing/report.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';

/** A U of two legs, 30 cm thick and 1.2 m high, on a foot; the gap between them is along x. */
const fork = (gap: number): BodyOptions['shape'] => ({
  type: 'union',
  of: [
    { type: 'box', size: [0.3, 1.2, 0.3], position: [-0.15 - gap / 2, 0.6, 0] },
    { type: 'box', size: [0.3, 1.2, 0.3], position: [0.15 + gap / 2, 0.6, 0] },
    { type: 'box', size: [gap + 0.6, 0.3, 0.3], position: [0, 0.15, 0] },
  ],
});

/** Back at rest in its shape, drifting and turning, legs closing at 1 to 8 m/s. */
function launch(body: Body, between: (low: number, high: number) => number): void {
  const { positions: x, velocities: v, previousPositions: xOld, restPositions: rest, particleCount: count } = body;
  const drift = [between(-1, 1), between(-1, 1), between(-1, 1)];
  const [wx, wy, wz] = [between(-2, 2), between(-2, 2), between(-2, 2)];
  const closing = between(1, 8);
  body.resetPlasticity();
  for (let i = 0; i < count; i++) {
    const [px, py, pz] = rest.subarray(3 * i, 3 * i + 3);
    const turning = [wy * pz - wz * py, wz * px - wx * pz, wx * py - wy * px];
    for (let a = 0; a < 3; a++) {
      x[4 * i + a] = xOld[4 * i + a] = rest[3 * i + a];
      v[4 * i + a] = drift[a] + turning[a];
    }
    v[4 * i] -= (closing * Math.sign(px) * Math.max(0, py - 0.3)) / 0.9;
  }
}

const kineticEnergy = (world: World) => world.measure().kineticEnergy;

/** Launches the body of a world and watches it for 0.4 s: what contact alone changed of its momenta in all, and its highest energy, as shares of what it had. */
function collide(
  world: World,
  seed: number,
  energyOf: (world: World) => number,
): { momentum: number; spin: number; energy: number } {
  const next = random(seed);
  launch(world.bodies[0], (low, high) => low + (high - low) * next());
  const before = world.measure();
  const bustle = Math.sqrt(2 * before.mass * before.kineticEnergy);
  const worst = { momentum: 0, spin: 0, energy: 0 };
  const { profile } = world;
  const mark = profile.mark.bind(profile);
  let [momentumBefore, spinBefore] = [before.momentum, spinOf(world)];
  profile.mark = (stage) => {
    if (stage === 'recluster') [momentumBefore, spinBefore] = [world.measure().momentum, spinOf(world)];
    if (stage === 'contact') {
      worst.momentum += distance(world.measure().momentum, momentumBefore) / bustle;
      // By a lever arm of half a metre.
      worst.spin += distance(spinOf(world), spinBefore) / (0.5 * bustle);
    }
    mark(stage);
  };
  for (let k = 0; k < 0.4 / world.dt; k++) {
    world.step();
    worst.energy = Math.max(worst.energy, energyOf(world) / before.kineticEnergy);
  }
  profile.mark = mark;
  return worst;
}

/** Counts the contacts that are found. */
function countContacts({ kernels }: World): () => number {
  const describeContacts = kernels.describeContacts.bind(kernels);
  let contacts = 0;
  kernels.describeContacts = (count) => {
    contacts += count;
    describeContacts(count);
  };
  return () => contacts;
}

const distance = (a: readonly number[], b: readonly number[]) => Math.hypot(...a.map((c, k) => c - b[k]));

describe('a free body that touches itself', () => {
  it('keeps both momenta to rounding and wins no energy, over 1 000 random contacts of its legs', async () => {
    const next = random(testSeed('self-contacts'));
    const between = (low: number, high: number) => low + (high - low) * next();
    const oneOf = <T>(list: readonly T[]) => list[Math.floor(next() * list.length)];
    let [touched, worstMomentum, worstSpin, worstEnergy] = [0, 0, 0, 0];
    for (let n = 0; n < 50; n++) {
      const dt = 1 / oneOf([30, 60, 120]);
      // Where nothing is damped, limited or flows it is known what a step keeps; the kinetic energy swings by it.
      const exact = n % 5 === 0;
      const backend = n % 10 === 9 ? 'ts' : 'wasm';
      const options: BodyOptions = {
        shape: fork(between(0.12, 0.3)),
        sampling: { method: oneOf(['grid', 'blue-noise']), spacing: between(0.09, 0.12), seed: 1 + n },
        clustering: { count: Math.floor(between(10, 25)) },
        material: {
          friction: oneOf([0, 0.4, 1]),
          restitution: exact ? oneOf([0, 0.5, 1]) : oneOf([0, 0.5]),
          ...(n % 5 === 4 && { yield: 0.05 }),
          raw: {
            ...(n % 5 === 4 && { flowRate: 0.3 }),
            rotation: 'covariance',
            stiffness: between(0.1, 0.9),
            damping: exact ? 0 : oneOf([0, 0.02, 0.3]),
            limit: exact ? { iterations: 0 } : oneOf([{}, { iterations: 0 }, { gamma: 0.1 }]),
          },
        },
        ...(n % 5 === 3 ? { levels: {} } : {}),
      };
      const energyOf = exact ? keptEnergy : kineticEnergy;
      const worlds: World[] = [];
      const worldOf = async (self: boolean) => {
        const world = await World.create({ gravity: [0, 0, 0], sleepSpeed: 0, dt, backend });
        world.addBody({ ...options, contact: { self } });
        worlds.push(world);
        return world;
      };
      const world = await worldOf(true);
      const contacts = countContacts(world);
      let control: World | undefined;
      for (let trial = 0; trial < 20; trial++) {
        const found = contacts();
        const seed = 1000 * n + trial;
        const { momentum, spin, energy } = collide(world, seed, energyOf);
        worstMomentum = Math.max(worstMomentum, momentum);
        worstSpin = Math.max(worstSpin, spin);
        if (contacts() > found) touched++;
        // The energy that the limit of stiff levels adds without any contact is measured apart.
        let own = 1;
        if (energy > 1) own = Math.max(1, collide((control ??= await worldOf(false)), seed, energyOf).energy);
        worstEnergy = Math.max(worstEnergy, energy / own);
      }
      for (const one of worlds) one.dispose();
    }
    report(
      '1000 self-contacts: how many touched, and by what share momenta were off and energy grew',
      { touched, momentum: worstMomentum, spin: worstSpin, energy: worstEnergy },
      '',
    );
    expect(touched).toBeGreaterThan(700);
    expect(worstMomentum).toBeLessThan(5e-7);
    expect(worstSpin).toBeLessThan(5e-7);
    expect(worstEnergy).toBeLessThan(1.001);
  });

  it('does not spin itself up: 10 000 steps of the hovering cube', async () => {
    const world = await World.create({ gravity: [0, 0, 0], sleepSpeed: 0 });
    const contacts = countContacts(world);
    world.addBody({
      shape: { type: 'box', size: [1, 1, 1] },
      sampling: { method: 'grid', spacing: 0.0909091 },
      clustering: { count: 66 },
      levels: { weights: { type: 'gaussian', to: 'fine' } },
      material: { raw: { rotation: 'covariance', stiffness: 0.1, damping: 0.02 } },
      stretch: [2, 1, 1],
    });
    const highest: number[] = [];
    let spin = 0;
    for (let k = 0; k < 10_000; k++) {
      world.step();
      const { kineticEnergy } = world.measure();
      const window = Math.floor(k / 500);
      highest[window] = Math.max(highest[window] ?? 0, kineticEnergy);
      spin = Math.max(spin, Math.hypot(...spinOf(world)));
    }
    expect(contacts()).toBeGreaterThan(0);
    // 1000 kg that move at up to 6 m/s: rounding is some 1e-4 kg m²/s.
    expect(spin).toBeLessThan(2e-3);
    // Until nothing but rounding moves.
    for (let n = 1; n < highest.length; n++) expect(highest[n]).toBeLessThan(Math.max(highest[n - 1], 1e-6));
    expect(highest.at(-1)).toBeLessThan(1e-3);
  });
});

describe.each(BACKENDS)('a squashed cube (%s)', (backend) => {
  it('is touched by its surface alone: what is compressed inside is no contact', async () => {
    const world = await World.create({ backend });
    world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.4 });
    const body = world.addBody({
      shape: { type: 'box', size: [1, 1, 1] },
      sampling: { method: 'grid', spacing: 1 / 17 },
      // Soft: α = 0.8 of so many clusters lets it be pressed to a third.
      material: { raw: {} },
      position: [0, 0.8, 0],
    });
    const { views } = world.state;
    const { kernels } = world;
    const measureTouches = kernels.measureTouches.bind(kernels);
    let [touches, inside] = [0, 0];
    kernels.measureTouches = (count, deepest) => {
      const kept = measureTouches(count, deepest);
      touches += kept;
      for (const i of views.touching.subarray(0, kept)) if (views.flags[i] & Flag.INNER) inside++;
      return kept;
    };
    // How much deeper than 1.5 spacings a contact is that is resolved, beside what the two sides can have come in the step (m).
    let deepest = 0;
    const describeContacts = kernels.describeContacts.bind(kernels);
    kernels.describeContacts = (count) => {
      const { x, xOld, touch, touching } = views;
      let stride = 0;
      for (let o = 0; o < 4 * body.particleCount; o += 4)
        stride = Math.max(stride, Math.hypot(x[o] - xOld[o], x[o + 1] - xOld[o + 1], x[o + 2] - xOld[o + 2]));
      for (const i of touching.subarray(0, count))
        deepest = Math.max(deepest, touch[4 * i + 3] - 1.5 / 17 - 2 * stride);
      describeContacts(count);
    };
    let lowest = 1;
    for (let k = 0; k < 60; k++) {
      world.step();
      let top = 0;
      for (let o = 1; o < body.positions.length; o += 4) top = Math.max(top, body.positions[o]);
      lowest = Math.min(lowest, top);
    }
    expect(lowest).toBeLessThan(0.5);
    expect(touches).toBeGreaterThan(0);
    expect(inside).toBe(0);
    expect(deepest).toBeLessThan(1e-6);
  });
});
