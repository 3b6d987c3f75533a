import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import type { ShapeOptions } from '../sample/shape.js';
import { stayedIn } from '../testing/balance.js';
import type { WorldOptions } from '../world/options.js';
import { World } from '../world.js';
import { RestState } from './restState.js';

const block = (y: number, more: BodyOptions = {}): BodyOptions => ({
  shape: { type: 'box', size: [0.5, 0.3, 0.5] },
  sampling: { spacing: 0.1, method: 'grid' },
  clustering: { count: 4 },
  position: [0, y, 0],
  material: { raw: { rotation: 'covariance', damping: 0.5, bodyDamping: 0.05, stiffness: 0.9 } },
  ...more,
});

async function onGround(bodies: BodyOptions[], options: WorldOptions = {}): Promise<World> {
  const world = await World.create({ dt: 1 / 120, ...options });
  world.addCollider({ type: 'plane', normal: [0, 1, 0] });
  for (const body of bodies) world.addBody(body);
  return world;
}
const run = (world: World, seconds: number) => {
  for (let n = 0; n < Math.round(seconds / world.dt); n++) world.step();
};

describe('bodies at rest', () => {
  it('fall asleep together, stand still to the last bit', async () => {
    const world = await onGround([block(0.15), block(0.47)]);
    run(world, 4);
    expect(world.bodies.map((b) => b.asleep)).toEqual([true, true]);
    const place = world.positions.slice();
    world.drainEvents();
    run(world, 1);
    expect(world.positions).toEqual(place);
    expect(world.measure().kineticEnergy).toBe(0);
    // They touch as they did, and no one says that they parted.
    expect(world.contactPairs().length).toBe(1);
    expect(world.drainEvents()).toEqual([]);
  });

  it('wake when something touches them, and only those that feel it', async () => {
    const world = await onGround([block(0.15), block(0.15, { position: [3, 0.15, 0] })]);
    run(world, 3);
    expect(world.bodies.map((b) => b.asleep)).toEqual([true, true]);
    world.addBody(block(1));
    run(world, 0.5);
    expect(world.bodies.map((b) => b.asleep)).toEqual([false, true, false]);
    run(world, 5);
    expect(world.bodies.map((b) => b.asleep)).toEqual([true, true, true]);
  });

  it('are met where they are, also when they were put to sleep before their first step', async () => {
    const at = (y: number) => block(y, { position: [10, y, 0] });
    const world = await onGround([at(0.15), at(0.6)]);
    world.bodies[0].sleep();
    run(world, 1);
    expect(world.bodies[0].asleep).toBe(false);
    // On the floor it would be at 0.15.
    expect(world.measure(world.bodies[1]).com[1]).toBeGreaterThan(0.35);
  });

  it('are not moved by one that touches them and is about to fall asleep itself', async () => {
    const world = await onGround([block(0.15), block(0.44)], { gravity: [0, 0, 0] });
    const [lower, upper] = world.bodies;
    lower.sleep();
    upper.core.restState.slowTime = 0.1;
    const place = lower.positions.slice();
    const before = world.measure(upper).com[1];
    world.step();
    expect(world.contactPairs()[0].count).toBeGreaterThan(10);
    expect(lower.asleep).toBe(true);
    expect(lower.positions).toEqual(place);
    expect(lower.velocities.every((v) => v === 0)).toBe(true);
    // It moves off alone, and not by more than it was in.
    const way = world.measure(upper).com[1] - before;
    expect(way).toBeGreaterThan(0);
    expect(way).toBeLessThan(0.0101);
  });

  it.each<[string, (world: World) => void]>([
    ['an impulse', (w) => w.bodies[0].applyImpulse([1, 0, 0])],
    ['a force', (w) => w.bodies[0].applyForce([1, 0, 0])],
    ['another material', (w) => w.bodies[0].setMaterial({ raw: { stiffness: 0.2 } })],
    ['a pin', (w) => w.bodies[0].pin(3)],
    ['gravity', (w) => (w.gravity = [0, -5, 0])],
    ['an obstacle', (w) => w.addCollider({ type: 'sphere', centre: [9, 9, 9], radius: 1 })],
    ['wake()', (w) => w.bodies[0].wake()],
    ['the loss of what it leaned on', (w) => w.removeBody(w.bodies[1])],
  ])('are woken by %s', async (_, act) => {
    const world = await onGround([block(0.47), block(0.15)]);
    run(world, 4);
    expect(world.bodies[0].asleep).toBe(true);
    act(world);
    expect(world.bodies[0].asleep).toBe(false);
  });

  it('are woken by an obstacle that comes near and by a force field, each for itself', async () => {
    const world = await onGround([block(0.15), block(0.15, { position: [5, 0.15, 0] })]);
    run(world, 3);
    const ball = world.addCollider({ type: 'sphere', centre: [-3, 0.2, 0], radius: 0.2, velocity: [1, 0, 0] });
    run(world, 1.5);
    expect(world.bodies.map((b) => b.asleep)).toEqual([true, true]);
    run(world, 1.5);
    expect(world.bodies.map((b) => b.asleep)).toEqual([false, true]);
    world.removeCollider(ball);
    run(world, 4);
    expect(world.bodies.every((b) => b.asleep)).toBe(true);
    world.addForceField({ type: 'uniform', vector: [0, 1, 0], bodies: [world.bodies[1]] });
    run(world, 0.1);
    expect(world.bodies.map((b) => b.asleep)).toEqual([true, false]);
  });

  it.each(['skin', 'planes'] as const)(
    'are woken where an obstacle comes to their surface, with exits %s',
    async (exits) => {
      const world = await onGround([block(0.15, { contact: { exits, fraction: 0 } })]);
      const ball = world.addCollider({ type: 'sphere', centre: [-0.5, 0.15, 0], radius: 0.2, velocity: [0.12, 0, 0] });
      // Colliders that are new wake it in the first step.
      world.step();
      const [body] = world.bodies;
      body.sleep();
      while (body.asleep) world.step();
      // The surface is at −0.25 m, the outermost particles at −0.2 m; the ball comes by 1 mm a step.
      const edge = ball.bounds[3];
      expect(edge).toBeGreaterThan(-0.25 - 0.004);
      expect(edge).toBeLessThan(-0.25 + 0.002);
    },
  );

  it('never sleep where sleepSpeed is 0', async () => {
    const world = await onGround([block(0.15)], { sleepSpeed: 0 });
    run(world, 3);
    expect(world.bodies[0].asleep).toBe(false);
  });
});

it('slow bodies in free flight are not braked: a pair that drifts together keeps its momentum', async () => {
  const world = await World.create({ dt: 1 / 120, gravity: [0, 0, 0] });
  world.addBody(block(0.15, { velocity: [0, 0.02, 0] }));
  world.addBody(block(0.46));
  const { momentum } = world.measure();
  for (let n = 0; n < 240; n++) world.step();
  expect(world.bodies.map((b) => b.asleep)).toEqual([false, false]);
  expect(world.measure().momentum[1] / momentum[1]).toBeCloseTo(1, 3);
});

it('a body that swings at a multiple of the frequency of the checks does not fall asleep in mid-swing', async () => {
  // A block whose lowest layer is held is stretched and let go. Returns when its uppermost layer passed its place at rest, and whether it slept.
  const swing = async (young: number, seconds: number) => {
    const world = await World.create({ dt: 1 / 120, gravity: [0, 0, 0] });
    const bar = world.addBody({
      shape: { type: 'box', size: [0.3, 0.6, 0.3] },
      sampling: { spacing: 0.1, method: 'grid' },
      material: { young, poisson: 0, dampingRatio: 0 },
    });
    const rest = bar.restPositions;
    for (let i = 0; i < bar.particleCount; i++) {
      const up = Math.max(0, rest[3 * i + 1] + 0.25);
      if (up < 0.01) bar.pin(i);
      else bar.positions[4 * i + 1] += 0.05 * up;
    }
    const top = world.nearestParticle([0, 0.3, 0])!.particle;
    const passages: number[] = [];
    let [last, slept] = [1, false];
    for (let n = 1; n <= seconds / world.dt; n++) {
      world.step();
      slept ||= bar.asleep;
      const off = bar.positions[4 * top + 1] - rest[3 * top + 1];
      if (off > 0 !== last > 0) passages.push(n * world.dt);
      last = off;
    }
    world.dispose();
    return { passages, slept };
  };
  const { passages } = await swing(8e4, 2);
  const frequency = (passages.length - 1) / 2 / (passages[passages.length - 1] - passages[0]);
  // Checks are 0.25 s apart.
  const { slept, passages: all } = await swing(8e4 * (4 / frequency) ** 2, 3);
  expect(all.length / 2 / 3).toBeCloseTo(4, 0);
  expect(slept).toBe(false);
});

describe('drift between two checks', () => {
  /** Drift (m/s) of a body that is `off(k)` m/s times the time between checks from where it was, at the looks k = 1 to 8. */
  const driftOf = (off: (k: number) => number, whole = 0) => {
    const rest = new RestState();
    rest.bent = 1;
    for (let k = 1; k <= 8; k++) rest.trend += (k - 4.5) * off(k);
    return { drift: rest.check(Math.max(off(8), whole), off(8), 5.25), driven: rest.driven };
  };

  it('is the speed of a body that goes on evenly, and nothing of one that trembles or stands', () => {
    expect(driftOf((k) => k / 8)).toEqual({ drift: 1, driven: 1 });
    expect(driftOf((k) => k / 16).drift).toBe(0.5);
    expect(driftOf(() => 0.5)).toEqual({ drift: 0, driven: 0 });
    expect(driftOf(() => 0)).toEqual({ drift: 0, driven: 0 });
  });

  it('drives a body only if it goes on from check to check', () => {
    expect(driftOf((k) => k / 80).driven).toBeCloseTo(0.1, 6);
    // It swings as a whole.
    expect(driftOf((k) => k / 8, 80).driven).toBeCloseTo(0.05, 6);
  });
});

it('a soft table does not sleep before its legs are in balance', async () => {
  const leg = (x: number, z: number): ShapeOptions => ({
    type: 'box',
    size: [0.12, 0.5, 0.12],
    position: [x, -0.35, z],
  });
  const shape: ShapeOptions = {
    type: 'union',
    of: [{ type: 'box', size: [1, 0.3, 0.6] }, leg(0.4, 0.2), leg(0.4, -0.2), leg(-0.4, 0.2), leg(-0.4, -0.2)],
  };
  const { seconds, awake } = await stayedIn({
    hz: 60,
    body: { shape, sampling: { count: 800 }, material: { young: 3e4, poisson: 0.3 }, position: [0, 0.75, 0] },
  });
  expect(seconds).toBeLessThan(4);
  // Of its size, in a second without the brake of the sleep stage: 0.0023. It was 0.0052 when a body slept that crept against the brake.
  expect(awake).toBeLessThan(0.004);
});
