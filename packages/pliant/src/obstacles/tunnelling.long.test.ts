import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { Vec3 } from '../check.js';
import { random } from '../math/random.js';
import { boxMesh, merged, reversed } from '../mesh/testing/meshes.js';
import { BLOCK, worldWith } from '../testing/bodies.js';
import { report } from '../testing/report.js';
import { testSeed } from '../testing/seed.js';
import type { World } from '../world.js';
import type { ColliderOptions } from './options.js';
import { at, close, dust, run, strike, turned } from './testing/specks.js';

/** Walls across x, from thick to none. */
const WALLS: [string, ColliderOptions][] = [
  ['a box of 1 cm', { type: 'box', size: [0.01, 60, 60] }],
  ['a flat box', { type: 'box', size: [0, 60, 60] }],
  ['a mesh of 1 cm', { type: 'mesh', mesh: boxMesh([0.01, 60, 60]) }],
  ['a turned box of 1 cm', { type: 'box', size: [60, 0.01, 60], rotation: turned([0, 0, 1], Math.PI / 2) }],
];

describe('300 m/s at 60 Hz, 5 m a step', () => {
  it.each(WALLS)('does not pass %s, from either side, at any angle, resting on it or not', async (what, wall) => {
    const next = random(testSeed(`tunnel ${what}`));
    const count = 300;
    const points = Array.from({ length: count }, (_, i) => [
      (i % 2 ? 1 : -1) * (i % 3 === 0 ? 1e-4 : 4 * next() + 0.01),
      2 * next() - 1,
      2 * next() - 1,
    ]);
    const { world, body } = await worldWith(dust(points.flat()));
    world.addCollider({ ...wall, friction: 0.5 });
    const rush = () => {
      for (let i = 0; i < count; i++) {
        const side = i % 2 ? 1 : -1;
        const slope = 1.5 * next();
        body.velocities.set([-side * 300, 300 * slope * (2 * next() - 1), 300 * slope * (2 * next() - 1)], 4 * i);
      }
    };
    // Again and again from where the wall put them: on its surface, to rounding.
    for (let n = 0; n < 4; n++) {
      rush();
      world.step();
      for (let i = 0; i < count; i++) expect(at(body, i)[0] * (i % 2 ? 1 : -1)).toBeGreaterThan(0);
    }
    expect(world.drainEvents()).toEqual([]);
  });

  it('meets a small ball, a capsule and a mesh head on, and bounces off them', async () => {
    for (const [collider, surface] of [
      [{ type: 'sphere', centre: [0, 0, 0], radius: 0.01 }, 0.01],
      [{ type: 'capsule', from: [0, -1, 0], to: [0, 1, 0], radius: 0.005 }, 0.005],
      [{ type: 'cylinder', axis: [0, 1, 0.3], point: [0, 0, 0], radius: 0.005 }, 0.005],
      [{ type: 'mesh', mesh: boxMesh([0.02, 1, 1]) }, 0.01],
    ] as const satisfies [ColliderOptions, number][]) {
      const { x, v } = await strike({ ...collider, restitution: 0.5 }, [2.3, 0, 0], [-300, 0, 0], { dt: 1 / 60 });
      expect(x).toEqual(close([surface, 0, 0], 4));
      expect(v[0]).toBeCloseTo(150, 2);
    }
  });

  it('of a whole body ends at the wall, with no particle beyond', async () => {
    for (const [, wall] of WALLS) {
      const { world, body } = await worldWith({ ...BLOCK, position: [-3, 0, 0], velocity: [300, 0, 0] });
      world.addCollider(wall);
      for (let n = 0; n < 60; n++) {
        world.step();
        expect(world.measure().bboxMax[0]).toBeLessThan(1e-6);
      }
      expect(body.enabled).toBe(true);
    }
  });

  it('of the wall instead of the particle is the same, led or steady', async () => {
    for (const [, wall] of WALLS) {
      const { world, body } = await worldWith(dust([2, 0, 0, 3.3, 1, 1, -1, 0, 0]));
      const made = world.addCollider({ ...wall, velocity: [300, 0, 0], friction: 0 });
      world.step();
      expect([at(body, 0)[0], at(body, 1)[0]].every((x) => x > 4.99)).toBe(true);
      expect(at(body, 2)).toEqual([-1, 0, 0]);
      expect(body.velocities[0]).toBeCloseTo(300, 3);
      made.moveTo([-5, 0, 0]);
      world.step();
      // Back by 10 m: now it takes the one that was behind it along, and leaves the others.
      expect(at(body, 2)[0]).toBeLessThan(-4.99);
      expect(at(body, 0)[0]).toBeGreaterThan(4.99);
    }
  });
});

describe('a room', () => {
  /** Six walls of 1 cm around a room of 4 m. */
  const walls: ColliderOptions[] = [0, 1, 2].flatMap((axis) =>
    [-1, 1].map((side) => ({
      type: 'box' as const,
      size: [0, 1, 2].map((a) => (a === axis ? 0.01 : 4.02)) as unknown as Vec3,
      position: [0, 1, 2].map((a) => (a === axis ? 2.005 * side : 0)) as unknown as Vec3,
      friction: 0,
      restitution: 1,
    })),
  );
  const shell: ColliderOptions = {
    type: 'mesh',
    mesh: merged(boxMesh([4.02, 4.02, 4.02]), reversed(boxMesh([4, 4, 4]))),
    friction: 0,
    restitution: 1,
  };

  const farthest = (body: Body) =>
    body.positions.reduce((most, c, k) => (k % 4 < 3 ? Math.max(most, Math.abs(c)) : most), 0);

  it.each<[string, ColliderOptions[]]>([
    ['six boxes', walls],
    ['a mesh with a cavity', [shell]],
  ])('of %s keeps 200 specks of 300 m/s for 300 steps', async (what, colliders) => {
    const next = random(testSeed(`room of ${what}`));
    const points = Array.from({ length: 600 }, () => 3.8 * next() - 1.9);
    const { world, body } = await worldWith(dust(points));
    for (let i = 0; i < 200; i++) for (let a = 0; a < 3; a++) body.velocities[4 * i + a] = 300 * (2 * next() - 1);
    const energy = world.measure().kineticEnergy;
    for (const collider of colliders) world.addCollider(collider);
    let worst = 0;
    for (let n = 0; n < 300; n++) {
      world.step();
      worst = Math.max(worst, farthest(body));
    }
    report(
      'farthest particle (m) and share of the energy that is left',
      { farthest: worst, energy: world.measure().kineticEnergy / energy },
      '',
    );
    expect(worst).toBeLessThan(2.001);
    expect(world.measure().kineticEnergy / energy).toBeLessThan(1.0001);
  });
});

describe('absurd input stays finite', () => {
  const shapes: ColliderOptions[] = [
    { type: 'plane', normal: [1, 1, 0] },
    { type: 'sphere', centre: [0, 0, 0], radius: 0 },
    { type: 'sphere', centre: [0, 0, 0], radius: 1 },
    { type: 'cylinder', axis: [1, 1, 1], point: [0, 0, 0], radius: 0 },
    { type: 'box', size: [0, 0, 0] },
    { type: 'box', size: [0, 2, 2] },
    { type: 'box', size: [2, 2, 2], rotation: turned([0.6, 0.8, 0], 1) },
    { type: 'capsule', from: [-1, 0, 0], to: [1, 0, 0], radius: 0 },
    { type: 'capsule', from: [0, 0, 0], to: [0, 0, 0], radius: 0 },
    { type: 'mesh', mesh: boxMesh([2, 2, 2]), rotation: turned([0, 0.6, 0.8], 2) },
  ];
  const cloud = () => {
    const points: number[] = [];
    for (const x of [-1, 0, 1]) for (const y of [-1, 0, 1]) for (const z of [-1, 0, 1]) points.push(x, y, z);
    return points;
  };
  const expectSound = (world: World, body: Body) => {
    expect(world.drainEvents()).toEqual([]);
    expect(body.enabled).toBe(true);
    expect(body.positions.every(Number.isFinite)).toBe(true);
  };

  it.each(shapes)('%o: centres, edges and corners, standing and at 1e6 m/s', async (options) => {
    for (const speed of [0, 1e6]) {
      const { world, body } = await worldWith(dust(cloud(), [speed, -speed / 3, speed / 7]), { gravity: [0, -10, 0] });
      world.addCollider({ ...options, restitution: 1 });
      run(world, 20);
      expectSound(world, body);
    }
  });

  it.each(shapes)('%o: moving at 1e6 m/s and turning at 1e4 rad/s', async (options) => {
    const { world, body } = await worldWith(dust(cloud(), [1, 2, 3]));
    world.addCollider({ ...options, velocity: [1e6, 0, 0], angularVelocity: [0, 1e4, 1e4] });
    run(world, 10);
    expectSound(world, body);
  });

  it('obstacles that leave no room: crossing, closing, and in each other', async () => {
    const { world, body } = await worldWith(
      { ...BLOCK, material: { raw: { damping: 0.2 } } },
      { gravity: [0, -10, 0] },
    );
    world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.4 });
    for (const side of [-1, 1])
      world.addCollider({ type: 'box', size: [1, 4, 4], position: [side, 0, 0], velocity: [-side, 0, 0] });
    world.addCollider({ type: 'capsule', from: [-1, 0, 0], to: [1, 0, 0], radius: 0.3, angularVelocity: [3, 0, 9] });
    world.addCollider({ type: 'mesh', mesh: boxMesh([0.5, 0.5, 0.5]), velocity: [0, -1, 0] });
    run(world, 120);
    expectSound(world, body);
  });
});
