import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MaterialOptions } from '../material/material.js';
import { invertInertiaInto } from '../math/inertia.js';
import { random } from '../math/random.js';
import { FIELDS, Row, TRANSFORM_ROW, Transform } from '../state/fields.js';
import { Flag } from '../state/flags.js';
import { disturb } from '../testing/bodies.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { Match } from './kernels.js';
import { body, both, twins } from './testing/twins.js';

/** As in stageParity.long.test.ts: some thirty roundings of f32, as a share of the largest value. */
const ROUNDING = 2e-6;

function difference(pair: { ts: World; wasm: World }, name: 'transform' | 'x' | 'v' | 'elastic'): number {
  const [a, b] = [pair.ts.state.views[name], pair.wasm.state.views[name]];
  let [largest, worst] = [1e-30, 0];
  for (let k = 0; k < a.length; k++) {
    largest = Math.max(largest, Math.abs(a[k]));
    worst = Math.max(worst, Math.abs(a[k] - b[k]));
  }
  expect(Number.isFinite(worst)).toBe(true);
  return worst / largest;
}

const SHAPES = [
  [1.3, 0.9, 1],
  [1, 0.3, 0.2],
  [-0.7, 1, 1],
] as const;

/** Strained, spinning, some particles held, forces waiting, and clusters that pull by shares of their own. */
const disturbed = (seed: number) => (world: World) => {
  disturb(world, seed, 0.03, 1);
  const next = random(seed + 1);
  const { flags, force, transform } = world.state.views;
  for (let i = 0; i < world.particleCount; i++) {
    flags[i] = next() < 0.1 ? Flag.HELD | Flag.FIRM : 0;
    for (let a = 0; a < 3; a++) force[4 * i + a] = 5 * (next() - 0.5);
  }
  for (let c = 0; c < world.clusterCount; c++) transform[TRANSFORM_ROW * c + Transform.SHARE] = 0.6 * next();
};

const step = {
  h: 1 / 240,
  gravityX: 1,
  gravityY: -9.81,
  gravityZ: 0.5,
  damping: 0.05,
  rigid: true,
  maxSpeed: 1e6,
  forces: true,
  lawful: true,
};

/** Damping of the body as a whole, towards a motion that is not its own. */
const drag = {
  share: 0.2,
  motion: Float64Array.of(0.3, -1, 0.5, 2, -0.7, 1.1),
  stand: Float64Array.of(0.02, -0.01, 0.03),
};

/** The motion of a body that dampBody finds in the sums of sumMotions: of its first particle, and ω. */
function motionOf(sums: Float64Array, v: Float32Array): Float64Array {
  const m = sums[3];
  const [r, u] = [Array.from(sums.subarray(0, 3), (a) => a / m), Array.from(sums.subarray(4, 7), (a) => a / m)];
  const cross = (a: number[], b: number[]) => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  const spin = cross(r, u).map((l, a) => sums[7 + a] - m * l);
  const [xx, yy, zz] = r.map((a, n) => sums[10 + n] - m * a * a);
  const [xy, yz, zx] = r.map((a, n) => sums[13 + n] - m * a * r[(n + 1) % 3]);
  const q = new Float64Array(6);
  invertInertiaInto(q, 0, Float64Array.of(yy + zz, xx + zz, xx + yy, -xy, -zx, -yz));
  const w = [[q[0], q[3], q[4]], [q[3], q[1], q[5]], [q[4], q[5], q[2]]].map((row) => row.reduce((sum, a, k) => sum + a * spin[k], 0)); // biome-ignore format: one line
  const turn = cross(w, r);
  return Float64Array.of(...u.map((a, n) => v[n] + a - turn[n]), ...w);
}

const clustersOf = ({ clusterCount }: World) => ({ clusterStart: 0, clusterEnd: clusterCount });

describe('the kernels agree on the elastic law', () => {
  it.each([
    ['rigid goals', { poisson: 0 }, 0],
    ['soft goals', { poisson: 0.3 }, Match.SOFT],
    ['hardly compressible', { poisson: 0.49 }, Match.SOFT],
    ['flowed', { poisson: 0.3, yield: 0.01 }, Match.SOFT | Match.PLASTIC],
  ] as [string, MaterialOptions, number][])('match and integrate: %s', async (_, material, goals) => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.constantFrom(1, 8), fc.constantFrom(...SHAPES), async (n, clusters, stretch) => {
        const pair = await twins({ ...body(clusters), material: { young: 1e5, ...material }, stretch }, disturbed(n));
        const shares = pair.ts.state.views.transform.filter((__, k) => k % TRANSFORM_ROW === Transform.SHARE);
        const mode = goals | Match.METRIC | Match.STRESS | Match.RIGID_MOTION | Match.ELASTIC;
        both(pair, (w) => w.kernels.matchClusters(0, w.clusterCount, mode));
        // F is A_xr A_rr⁻¹: the condition of A_rr, up to (1.15/0.7)² here, multiplies what sums lose; S divides by REST (1 − β).
        expect(difference(pair, 'transform')).toBeLessThan(10 * ROUNDING);
        expect(difference(pair, 'elastic')).toBeLessThan(10 * ROUNDING);
        // A fit leaves the shares of the step in place.
        for (const { state } of [pair.ts, pair.wasm])
          expect(state.views.transform.filter((__, k) => k % TRANSFORM_ROW === Transform.SHARE)).toEqual(shares);
        pair.wasm.state.views.transform.set(pair.ts.state.views.transform);
        pair.wasm.state.views.motion.set(pair.ts.state.views.motion);
        pair.wasm.state.views.oldCentre.set(pair.ts.state.views.oldCentre);
        both(pair, (w) => w.kernels.integrateParticles(0, w.particleCount, { ...step, ...clustersOf(w), drag }));
        for (const name of ['x', 'v'] as const) expect(difference(pair, name), name).toBeLessThan(ROUNDING);
      }),
      { seed: testSeed('elastic law'), numRuns: 8 },
    );
  });

  it('integrate: the damping of the body as a whole is that of all velocities before it, and changes that of the centre as it should', async () => {
    for (const backend of ['ts', 'wasm'] as const) {
      const [together, before] = await Promise.all([0, 1].map(() => World.create({ backend })));
      for (const world of [together, before]) {
        world.addBody({ ...body(8), material: { young: 1e5 } });
        // Places that their clusters explain: there the lever arms of both are alike.
        disturb(world, 11, 0, 1);
      }
      const mode = Match.METRIC | Match.STRESS | Match.RIGID_MOTION;
      const [k, count] = [0.3, before.particleCount];
      const place = Array.from(before.positions.subarray(0, 3));
      const motion = Float64Array.of(0.1, -0.2, 0.3, 1, 2, -0.5);
      const free = { ...step, forces: false, gravityX: 0, gravityY: 0, gravityZ: 0 };
      before.kernels.dampParticles(0, count, k, Float64Array.of(...place, ...motion));
      const damped = before.bodies[0].linearVelocity;
      before.kernels.matchClusters(0, before.clusterCount, mode);
      before.kernels.integrateParticles(0, count, { ...free, ...clustersOf(before) });
      const was = together.bodies[0].linearVelocity;
      const stand = Float64Array.from(damped, (v, a) => v - was[a]);
      together.kernels.matchClusters(0, together.clusterCount, mode);
      together.kernels.integrateParticles(0, count, {
        ...free,
        ...clustersOf(together),
        damping: free.damping * (1 - k),
        drag: { share: k, motion, stand },
      });
      expect(difference({ ts: together, wasm: before }, 'v')).toBeLessThan(ROUNDING);
      const now = together.bodies[0].linearVelocity;
      for (let a = 0; a < 3; a++) expect(now[a]).toBeCloseTo(damped[a], 5);
      expect(Math.hypot(...stand)).toBeGreaterThan(0.01);
    }
  });

  it('the motion of a body is the same by its clusters as by its particles', async () => {
    for (const backend of ['ts', 'wasm'] as const)
      for (const [shift, stretch] of [0, 0.03].flatMap((n) =>
        [undefined, ...SHAPES].map((shape) => [n, shape] as const),
      )) {
        const world = await World.create({ backend });
        // Not the first body of its world.
        world.addBody({ ...body(3), material: { young: 1e5 }, position: [3, 0, 0] });
        const { rows } = world.addBody({ ...body(8), material: { young: 1e5 }, ...(stretch && { stretch }) });
        disturb(world, 5, shift, 1);
        const mode = Match.METRIC | Match.STRESS | Match.RIGID_MOTION;
        world.kernels.matchClusters(0, world.clusterCount, mode);
        const [byParticles, byClusters] = [new Float64Array(16), new Float64Array(16)];
        world.kernels.sumBody(byParticles, rows.particleStart, rows.particleEnd);
        world.kernels.sumMotions(byClusters, rows.clusterStart, rows.clusterEnd, rows.particleStart);
        // Moments, mass, momentum, angular momentum; second moments, of places that their clusters explain.
        for (const [from, end] of [
          [0, 3],
          [3, 4],
          [4, 7],
          [7, 10],
          ...(shift === 0 ? ([[10, 16]] as const) : []),
        ] as const) {
          // biome-ignore format: pairs
          const scale = Math.max(...byParticles.subarray(from, end).map(Math.abs));
          for (let k = from; k < end; k++)
            expect(Math.abs(byClusters[k] - byParticles[k]), `${k}`).toBeLessThan(2 * ROUNDING * scale);
        }
      }
  });

  it('integrate: dampings give a free body no angular momentum, in places that no fit explains, with a few clusters too thin to turn by', async () => {
    for (const backend of ['ts', 'wasm'] as const)
      for (const [size, thin] of [
        [[0.9, 0.8, 0.7], 0],
        [[2, 0.05, 0.05], 1],
      ] as const) {
        const world = await World.create({ backend });
        const { rows } = world.addBody({
          ...body(8),
          shape: { type: 'box', size: [...size] },
          material: { young: 1e5 },
        });
        disturb(world, 5, 0.03, 1);
        const { transform, deformation } = world.state.views;
        world.kernels.matchClusters(0, world.clusterCount, Match.METRIC | Match.STRESS | Match.RIGID_MOTION);
        const thinOnes = deformation.filter((is, k) => k % Row.deformation === FIELDS.deformation.THIN && is > 0);
        if (thin) expect(thinOnes.length).toBeGreaterThan(0);
        // Of the goals, only damping.
        for (let c = 0; c < world.clusterCount; c++) transform[TRANSFORM_ROW * c + Transform.SHARE] = 0;
        const before = world.measure().angularMomentum;
        const sums = new Float64Array(16);
        world.kernels.sumMotions(sums, rows.clusterStart, rows.clusterEnd, rows.particleStart);
        const motion = motionOf(sums, world.state.views.v);
        const damped = {
          ...step,
          ...clustersOf(world),
          forces: false,
          gravityX: 0,
          gravityY: 0,
          gravityZ: 0,
          damping: 0.2,
        };
        world.kernels.integrateParticles(0, world.particleCount, {
          ...damped,
          // Places are the same before and after, so that angular momenta are those of velocities.
          h: 1e-9,
          drag: { share: 0.3, motion, stand: new Float64Array(3) },
        });
        const now = world.measure().angularMomentum;
        expect(Math.hypot(...before)).toBeGreaterThan(0);
        for (let a = 0; a < 3; a++) expect(Math.abs(now[a] - before[a])).toBeLessThan(1e-6 * Math.hypot(...before));
      }
  });

  it('integrate: a cluster that pulls by no share leaves its particles to gravity', async () => {
    const pair = await twins({ ...body(8), material: { young: 1e5 } }, (world) => disturb(world, 7, 0.03, 0));
    for (const world of [pair.ts, pair.wasm]) {
      const { transform, v } = world.state.views;
      for (let c = 0; c < world.clusterCount; c++) transform[TRANSFORM_ROW * c + Transform.SHARE] = 0;
      v.fill(0);
      world.kernels.matchClusters(0, world.clusterCount, Match.METRIC | Match.STRESS);
      world.kernels.integrateParticles(0, world.particleCount, {
        ...step,
        ...clustersOf(world),
        damping: 0,
        forces: false,
      });
      for (let i = 0; i < world.particleCount; i++) expect(v[4 * i + 1]).toBeCloseTo(-9.81 / 240, 6);
    }
  });

  it('a body moves alike for 50 steps, falling on the ground, held and pushed', async () => {
    const pair = await twins(
      { ...body(8), material: { young: 3e5, poisson: 0.3 }, stretch: [1.1, 1, 0.95] },
      (world) => {
        disturb(world, 29, 0.01, 0.2);
        world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.5 });
        world.bodies[0].pin(0);
      },
    );
    for (let n = 0; n < 50; n++)
      both(pair, (w) => {
        w.bodies[0].applyForce([0, 100, 0], 5);
        w.step();
      });
    let worst = 0;
    const [a, b] = [pair.ts.positions, pair.wasm.positions];
    for (let k = 0; k < a.length; k++) worst = Math.max(worst, Math.abs(a[k] - b[k]));
    expect(worst).toBeLessThan(1e-4);
  });
});
