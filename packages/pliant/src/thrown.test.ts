import { describe, expect, it } from 'vitest';
import type { Body } from './body/body.js';
import type { BodyOptions } from './body/options.js';
import { BACKENDS } from './kernels/kernels.js';
import type { ShapeOptions } from './sample/shape.js';
import { hashSnapshot } from './snapshot/hashSnapshot.js';
import { BLOCK } from './testing/bodies.js';
import { World } from './world.js';

/** An error that a user's function throws is no refusal: the call throws that same object. */
class Mine extends Error {}

/** A function that throws at its n-th call. */
function throwing<T>(n: number, value: T): () => T {
  let calls = 0;
  return () => {
    if (++calls >= n) throw new Mine('mine');
    return value;
  };
}

const BALL: ShapeOptions = { type: 'implicit', distance: () => -1, min: [0, 0, 0], max: [1, 1, 1] };
const IMPLICIT: BodyOptions = { shape: BALL, sampling: { method: 'grid', spacing: 0.2 } };

/** A body that has been pushed and waits for its next step, on a floor, in a clamp. */
async function pushedWorld(backend: 'wasm' | 'ts' = 'wasm') {
  const world = await World.create({ backend });
  const body = world.addBody({ ...BLOCK, position: [0, 1, 0] });
  world.addCollider({ type: 'plane', normal: [0, 1, 0] });
  const region = { type: 'halfspace', normal: [1, 0, 0], offset: 0.3 } as const;
  world.addClamp({ region, velocity: [0, 0.5, 0] });
  for (let n = 0; n < 5; n++) world.step();
  body.applyForce([10, 0, 0]);
  return { world, body };
}

const stateOf = (world: World) => hashSnapshot(world.snapshot());

describe('a function that throws leaves the world as it was', () => {
  it.each<[string, (world: World, body: Body) => unknown]>([
    ['density', (world) => world.addBody({ ...BLOCK, material: { density: throwing(100, 1000) } })],
    ['young', (world) => world.addBody({ ...BLOCK, material: { young: throwing(100, 1e5) } })],
    ['stiffness', (world) => world.addBody({ ...BLOCK, material: { raw: { stiffness: throwing(100, 0.5) } } })],
    ['yield', (world) => world.addBody({ ...BLOCK, material: { yield: throwing(100, 0.1) } })],
    ['toughness of another body', (world) => world.addBody({ ...BLOCK, material: { toughness: throwing(100, 1) } })],
    [
      'distance',
      (world) => world.addBody({ ...IMPLICIT, shape: { ...BALL, distance: throwing(20, -1) } as ShapeOptions }),
    ],
    ['onProgress', (world) => world.addBody(BLOCK, { onProgress: throwing(2, undefined) })],
    ['setMaterial', (_, body) => body.setMaterial({ toughness: throwing(100, 1), young: 1e5, dampingRatio: 0.5 })],
    ['filter of castRay', (world) => world.castRay([0, 5, 0], [0, -1, 0], { bodies: throwing(1, true) })],
    ['filter of overlapSphere', (world) => world.overlapSphere([0, 1, 0], 1, { bodies: throwing(1, true) })],
    ['filter of nearestParticle', (world) => world.nearestParticle([0, 1, 0], { bodies: throwing(1, true) })],
  ])('%s', async (_, act) => {
    const { world, body } = await pushedWorld();
    const before = stateOf(world);
    expect(() => act(world, body)).toThrow(Mine);
    expect(world.bodies).toEqual([body]);
    expect(stateOf(world)).toBe(before);
    expect(world.validate()).toEqual([]);
    world.step();
    expect(world.frame).toBe(6);
  });

  it('distance, asked anew for the surface that shows the body', async () => {
    const { world } = await pushedWorld();
    let isBroken = false;
    const distance = (x: number, y: number, z: number) => {
      if (isBroken) throw new Mine('mine');
      return Math.max(x, y, z) - 0.9;
    };
    const body = world.addBody({ ...IMPLICIT, shape: { ...BALL, distance } as ShapeOptions });
    const before = stateOf(world);
    isBroken = true;
    expect(() => body.getSkin().update()).toThrow(Mine);
    expect(stateOf(world)).toBe(before);
    isBroken = false;
    body.getSkin().update();
    expect(body.getSkin().positions.length).toBeGreaterThan(0);
  });
});

describe.each(BACKENDS)('a force function that throws (%s)', (backend) => {
  it('keeps the step from taking place, and the next one is as if nothing had been', async () => {
    const ends: string[] = [];
    for (const isTried of [true, false]) {
      const { world, body } = await pushedWorld(backend);
      // A second body sleeps until a field reaches it; a clamp is about to let go.
      const other = world.addBody({ points: [5, 0, 0, 5, 1, 0] });
      other.sleep();
      world.addClamp({ region: { type: 'sphere', centre: [5, 0, 0], radius: 0.1 }, lifetime: 0.99 * world.dt });
      world.step();
      other.sleep();
      body.applyForce([0, 0, 10]);
      let isBroken = isTried;
      world.addForceField({ type: 'uniform', vector: [1, 0, 0] });
      world.addForceField({
        type: 'custom',
        at: (x, _y, _z, _vx, _vy, _vz, _time, out) => {
          if (isBroken && x > 0.2) throw new Mine('mine');
          out[1] = 1;
        },
      });
      const before = stateOf(world);
      for (let n = 0; isTried && n < 3; n++) {
        expect(() => world.step()).toThrow(Mine);
        expect(stateOf(world)).toBe(before);
        expect([world.frame, other.asleep, world.drainEvents()]).toEqual([6, true, []]);
      }
      isBroken = false;
      world.step();
      expect(other.asleep).toBe(false);
      expect(world.drainEvents().map(({ type }) => type)).toEqual(['release']);
      for (let n = 0; n < 5; n++) world.step();
      ends.push(stateOf(world));
    }
    expect(ends[0]).toBe(ends[1]);
  });

  it('ends `advance` after the steps before it; their time is gone, that of the others is kept', async () => {
    const { world } = await pushedWorld(backend);
    const start = world.frame;
    let isBroken = true;
    world.addForceField({
      type: 'custom',
      at: (_x, _y, _z, _vx, _vy, _vz, time) => {
        if (isBroken && time > (start + 1.5) * world.dt) throw new Mine('mine');
      },
    });
    expect(() => world.advance(3.5 * world.dt)).toThrow(Mine);
    expect(world.frame).toBe(start + 2);
    isBroken = false;
    expect(world.advance(0)).toEqual({ steps: 1, alpha: expect.closeTo(0.5, 9) });
  });
});
