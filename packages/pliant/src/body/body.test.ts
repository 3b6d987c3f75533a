import { describe, expect, it } from 'vitest';
import { BACKENDS, Match } from '../kernels/kernels.js';
import type { Field } from '../material/field.js';
import { BLOCK, worldWith } from '../testing/bodies.js';
import { linksOf } from '../testing/links.js';
import { refusal } from '../testing/refusal.js';
import { report } from '../testing/report.js';

const ONE = { ...BLOCK, clustering: { count: 1 } };
const PER_STEP = { ...ONE, material: { raw: {} } };

describe('the start of a body', () => {
  it('stretches positions about the given point and leaves the rest shape alone', async () => {
    const { world, body } = await worldWith({ ...BLOCK, stretch: [2, 1, 0.5], stretchCentre: [1, 0, -1] });
    const { positions: plain } = (await worldWith(BLOCK)).body;
    for (let o = 0; o < plain.length; o += 4) {
      expect(body.positions[o]).toBeCloseTo(1 + 2 * (plain[o] - 1), 5);
      expect(body.positions[o + 1]).toBeCloseTo(plain[o + 1], 6);
      expect(body.positions[o + 2]).toBeCloseTo(-1 + 0.5 * (plain[o + 2] + 1), 5);
      expect(body.restPositions[(3 * o) / 4]).toBeCloseTo(plain[o], 6);
    }
    expect(body.previousPositions.slice()).toEqual(body.positions.slice());
    expect(world.maxStretch()).toBeCloseTo(2, 5);
  });

  it('moves as v + ω × r about its centre of mass, wherever it is', async () => {
    const { world, body } = await worldWith({
      ...BLOCK,
      position: [5, -3, 2],
      velocity: [1, 2, 3],
      angularVelocity: [0, 0, 2],
    });
    const { com, momentum, mass } = world.measure();
    expect(momentum.map((p) => p / mass)).toEqual([1, 2, 3].map((u) => expect.closeTo(u, 5)));
    const [x, v] = [body.positions, body.velocities];
    for (let o = 0; o < x.length; o += 4) {
      expect(v[o]).toBeCloseTo(1 - 2 * (x[o + 1] - com[1]), 5);
      expect(v[o + 1]).toBeCloseTo(2 + 2 * (x[o] - com[0]), 5);
      expect(v[o + 2]).toBeCloseTo(3, 6);
    }
  });
});

describe.each(BACKENDS)('impulses and forces (%s)', (backend) => {
  it('an impulse changes the momentum by exactly itself, at once', async () => {
    const { world, body } = await worldWith(ONE, { backend });
    body.applyImpulse([30, -20, 10]);
    expect(world.measure().momentum).toEqual([30, -20, 10].map((p) => expect.closeTo(p, 4)));
    const { mass } = world.measure();
    for (let o = 0; o < body.velocities.length; o += 4) expect(body.velocities[o]).toBeCloseTo(30 / mass, 6);
    body.applyImpulse([0, 0, 5], 17);
    expect(world.measure().momentum[2]).toBeCloseTo(15, 4);
    expect(body.velocities[4 * 17 + 2] - body.velocities[2]).toBeCloseTo(5 / body.positions[4 * 17 + 3], 4);
    world.step();
    expect(world.measure().momentum).toEqual([30, -20, 15].map((p) => expect.closeTo(p, 3)));
  });

  it('a force acts for one step, gives f h of momentum, and adds to those before it', async () => {
    const { world, body } = await worldWith(ONE, { backend });
    body.applyForce([600, 0, 0]);
    body.applyForce([0, 120, 0], 3);
    body.applyForce([0, 120, 0], 3);
    expect(world.measure().momentum).toEqual([0, 0, 0]);
    world.step();
    expect(world.measure().momentum).toEqual([10, 4, 0].map((p) => expect.closeTo(p, 3)));
    world.step();
    expect(world.measure().momentum).toEqual([10, 4, 0].map((p) => expect.closeTo(p, 3)));
    expect(world.state.views.force.every((f) => f === 0)).toBe(true);
  });

  it('a body that is switched off keeps its force until it moves again', async () => {
    const { world, body } = await worldWith(ONE, { backend });
    body.applyForce([600, 0, 0]);
    body.enabled = false;
    world.step();
    expect(world.measure().momentum[0]).toBe(0);
    body.enabled = true;
    world.step();
    expect(world.measure().momentum[0]).toBeCloseTo(10, 3);
  });

  it('refuse what is no vector and no particle', async () => {
    const { body } = await worldWith(ONE, { backend });
    expect(refusal(() => body.applyImpulse([1, Number.NaN, 0]))).toBe(
      'impulse is [1, NaN, 0]; expected three finite numbers.',
    );
    expect(refusal(() => body.applyForce([1, 0] as never))).toBe('force is [1, 0]; expected three finite numbers.');
    const count = body.particleCount;
    expect(refusal(() => body.applyForce([1, 0, 0], count))).toBe(
      `particle is ${count}; expected an integer in [0, ${count}).`,
    );
    expect(refusal(() => body.pin(-1))).toBe(`particle is -1; expected an integer in [0, ${count}).`);
    expect(refusal(() => body.unpin(0.5))).toContain('particle is 0.5; expected an integer');
  });
});

describe.each(BACKENDS)('a pinned particle (%s)', (backend) => {
  it('stays where it is to the last bit, whatever pulls, until it is let go', async () => {
    const { world, body } = await worldWith({ ...ONE, velocity: [1, 0, 0] }, { backend, gravity: [0, -9.81, 0] });
    const last = body.particleCount - 1;
    const place = [0, last].map((i) => body.positions.slice(4 * i, 4 * i + 4));
    body.pin(0);
    body.pin(last);
    body.applyImpulse([0, 500, 0]);
    for (let n = 0; n < 60; n++) {
      body.applyForce([300, 0, 0]);
      world.step();
    }
    expect([0, last].map((i) => body.positions.slice(4 * i, 4 * i + 4))).toEqual(place);
    // The rest of the body swings on its two pins.
    expect(world.measure().kineticEnergy).toBeGreaterThan(0);

    body.unpin(0);
    body.unpin(last);
    const { momentum, mass } = world.measure();
    for (let n = 0; n < 60; n++) world.step();
    expect(world.measure().momentum[1]).toBeCloseTo(momentum[1] - 9.81 * mass, 1);
    expect(body.positions[1]).toBeLessThan(place[0][1] - 1);
  });
});

describe('setMaterial', () => {
  it('changes how a body behaves from the next step on; what is not named stays', async () => {
    const { world, body } = await worldWith({
      ...ONE,
      material: { raw: { stiffness: 0, damping: 0, limit: { iterations: 0 } } },
    });
    body.positions[0] += 0.1;
    const strayed = body.positions[0];
    world.step();
    expect(body.positions[0]).toBe(strayed);
    body.setMaterial({ raw: { stiffness: 1 } });
    world.step();
    // α = 1 takes the particle all the way to its goal in one step.
    expect(strayed - body.positions[0]).toBeGreaterThan(0.09);
    expect(body.material).toMatchObject({ damping: 0, rotation: 'covariance', limit: { iterations: 0, gamma: 0.3 } });

    body.setMaterial({ yield: 0.2, toughness: 3, raw: { limit: { gamma: 0.5 }, dampingMode: 'linear' } });
    expect(body.material).toMatchObject({ dampingMode: 'linear', limit: { iterations: 0, gamma: 0.5 } });
    const { limit, width, yieldLimit, toughness } = world.state.views;
    expect(limit[0]).toBeCloseTo(0.5 * width[0], 6);
    expect(yieldLimit[5]).toBeCloseTo(0.2, 6);
    expect(toughness[5]).toBe(3);
  });

  it('touches its own body alone', async () => {
    const { world, body } = await worldWith(PER_STEP);
    const [before, after] = [world.bodies[0], world.addBody({ ...PER_STEP, position: [3, 0, 0] })];
    const middle = world.addBody({ ...PER_STEP, position: [6, 0, 0] });
    world.removeBody(after);
    middle.setMaterial({ raw: { stiffness: 0.25, limit: { gamma: 0.1 } } });
    const { stiffness, limit, width } = world.state.views;
    expect(stiffness.slice(0, body.particleCount).every((a) => a === Math.fround(0.8))).toBe(true);
    expect(stiffness.slice(body.particleCount, 2 * body.particleCount).every((a) => a === 0.25)).toBe(true);
    expect(limit[0]).toBeCloseTo(0.3 * width[0], 6);
    expect(limit[1]).toBeCloseTo(0.1 * width[1], 6);
    expect(before.material.limit.gamma).toBe(0.3);
  });

  it('refuses masses and bad values, and then has changed nothing', async () => {
    const { world, body } = await worldWith(PER_STEP);
    for (const key of ['mass', 'density', 'particleMass'] as const)
      expect(refusal(() => body.setMaterial({ [key]: 2 }))).toBe(
        `material.${key} is 2; expected nothing: masses are fixed once a body is built.`,
      );
    expect(refusal(() => body.setMaterial({ toughness: -1, raw: { stiffness: 0.1 } }))).toContain(
      'material.toughness is -1',
    );
    expect(refusal(() => body.setMaterial({ raw: { stiffness: 0.1, damping: 2 } }))).toContain(
      'material.raw.damping is 2',
    );
    expect(refusal(() => body.setMaterial({ stifness: 1 } as never))).toContain('material.stifness is not an option');
    expect(world.state.views.stiffness[0]).toBe(Math.fround(0.8));
    expect(body.material.damping).toBe(0.02);
  });
});

describe('material that varies over the body (C6)', () => {
  /** Both ends of a bar are held and pulled apart; returns how far each half's middle has strayed from its goal. */
  async function straysOfHalves(stiffness: Field) {
    const { world, body } = await worldWith(
      {
        shape: { type: 'box', size: [2, 0.4, 0.4] },
        sampling: { method: 'grid', spacing: 0.1 },
        clustering: { count: 12, radius: 0.35 },
        material: { raw: { stiffness, damping: 0.1, limit: { iterations: 0 } } },
      },
      { gravity: [0, -9.81, 0], dt: 1 / 120 },
    );
    world.addClamp({ region: { type: 'box', min: [-9, -9, -9], max: [-0.9, 9, 9] } });
    world.addClamp({ region: { type: 'box', min: [0.9, -9, -9], max: [9, 9, 9] } });
    for (let n = 0; n < 600; n++) world.step();
    // A soft half needs more strain to carry the same load: mean squared distance of particles from their blended goals.
    world.kernels.matchClusters(0, world.clusterCount, Match.COVARIANCE);
    const strays = [0, 0];
    const { transform: t } = world.state.views;
    for (let i = 0; i < body.particleCount; i++) {
      const [rest, d] = [body.restPositions[3 * i], [0, 0, 0]];
      if (Math.abs(rest) > 0.85) continue;
      for (const { cluster: c, p, w } of linksOf(world, i))
        for (let a = 0; a < 3; a++)
          d[a] +=
            w *
            (t[20 * c + 16 + a] +
              t[20 * c + 12 + a] +
              t[20 * c + a] * p[0] +
              t[20 * c + 4 + a] * p[1] +
              t[20 * c + 8 + a] * p[2] -
              body.positions[4 * i + a]);
      strays[rest < 0 ? 0 : 1] += Math.hypot(...d);
    }
    return strays;
  }

  it('the stiffer half deforms less, given as a function or particle by particle', async () => {
    const [soft, stiff] = await straysOfHalves((x) => (x < 0 ? 0.1 : 1));
    report('distance that each half strays, summed', { soft, stiff }, 'm');
    expect(soft).toBeGreaterThan(3 * stiff);
    const [left, right] = await straysOfHalves(0.3);
    expect(left / right).toBeCloseTo(1, 1);
    const list = Array.from({ length: 320 }, (_, i) => (i % 20 < 10 ? 0.1 : 1));
    const halves = await straysOfHalves(list);
    expect(Math.max(...halves)).toBeGreaterThan(3 * Math.min(...halves));
  });

  it('the vertices of a mesh carry the values of the particles near them', async () => {
    const { world, body } = await worldWith({
      mesh: {
        positions: [0, 1, 2, 3, 4, 5, 6, 7].flatMap((n) => [n & 1, (n >> 1) & 1, (n >> 2) & 1]),
        indices: [
          0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6,
        ],
      },
      sampling: { method: 'grid', spacing: 0.2 },
      material: { raw: { stiffness: { vertices: [0, 1, 0, 1, 0, 1, 0, 1] } } },
    });
    const { stiffness } = world.state.views;
    for (let i = 0; i < body.particleCount; i++) {
      const x = body.positions[4 * i];
      if (x < 0.25) expect(stiffness[i]).toBeLessThan(0.5);
      if (x > 0.75) expect(stiffness[i]).toBeGreaterThan(0.5);
    }
  });
});
