import { expect, test } from 'vitest';
import { World } from '../world.js';

test('a rigid body that sleeps in a snapshot wakes as a rigid body, at a touch within the step', async () => {
  const world = await World.create();
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0 });
  const wood = { density: 600, young: 1e10 };
  const brick = world.addBody({
    shape: { type: 'box', size: [0.2, 0.1, 0.1] },
    sampling: { count: 60 },
    material: wood,
    position: [0, 0.05, 0],
  });
  while (!brick.asleep && world.time < 5) world.step();
  expect(brick.asleep).toBe(true);
  expect(brick.maxYoung).toBe(Number.POSITIVE_INFINITY);
  world.addBody({
    shape: { type: 'sphere', radius: 0.05 },
    sampling: { count: 60 },
    material: wood,
    position: [0.06, 0.3, 0],
    velocity: [0, -3, 0],
  });
  const bytes = world.save();
  const run = () => {
    let woken = false;
    for (let n = 0; n < 12; n++) {
      world.step();
      woken ||= !brick.asleep;
    }
    expect(woken).toBe(true);
    return [world.positions.slice(), world.velocities.slice()];
  };
  const wanted = run();
  world.restore(bytes);
  expect(run()).toEqual(wanted);
});

test('a soft body that sleeps in a snapshot pulls as before when a touch wakes it within the step', async () => {
  const world = await World.create();
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0 });
  const soft = { density: 1000, young: 5e4 };
  const slab = world.addBody({
    shape: { type: 'box', size: [0.4, 0.2, 0.4] },
    sampling: { count: 120 },
    material: soft,
    position: [0, 0.1, 0],
  });
  world.step();
  slab.sleep();
  world.addBody({
    shape: { type: 'sphere', radius: 0.1 },
    sampling: { count: 60 },
    material: soft,
    position: [0.05, 0.24, 0],
    velocity: [0, -3, 0],
  });
  const bytes = world.save();
  const run = (one: World) => {
    for (let n = 0; n < 12; n++) one.step();
    expect(one.bodies[0].asleep).toBe(false);
    return [one.positions.slice(), one.velocities.slice()];
  };
  const wanted = run(world);
  const other = await World.create();
  other.restore(bytes);
  expect(run(other)).toEqual(wanted);
});

test('a rigid body that was cut after its last step is restored in another world', async () => {
  const make = async () => {
    const world = await World.create();
    world.addBody({
      shape: { type: 'box', size: [0.2, 0.1, 0.1] },
      sampling: { count: 60 },
      material: { young: 1e10 },
    });
    return world;
  };
  const world = await make();
  world.step();
  const before = world.bodies[0].particleCount;
  world.cut(world.bodies[0], { point: [0.01, 0, 0], normal: [1, 0.2, 0] });
  expect(world.bodies[0].particleCount).not.toBe(before);
  const [plain, bytes] = [world.snapshot(), world.save()];
  const run = (cut: World) => {
    for (let n = 0; n < 5; n++) cut.step();
    return [cut.positions.slice(), cut.velocities.slice()];
  };
  const wanted = run(world);
  for (const saved of [plain, bytes]) {
    const other = await make();
    other.restore(saved);
    expect(run(other)).toEqual(wanted);
  }
});

test('a body that was put to sleep while it fell is where it was when a touch wakes it within the step (fuzz, seed 124001)', async () => {
  const world = await World.create({ dt: 1 / 30 });
  const capsule = world.addBody({ sampling: { count: 106 }, shape: { type: 'capsule', radius: 0.139, height: 0.1 } });
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.533 });
  for (let n = 0; n < 12; n++) world.step();
  capsule.sleep();
  world.addBody({
    material: { yield: 0.02 },
    velocity: [-2.86, -2.69, 0.843],
    sampling: { count: 38, shell: 0.216 },
    shape: { type: 'cylinder', radius: 0.242, height: 0.56 },
  });
  const kept = world.snapshot();
  const run = () => {
    for (let n = 0; n < 5; n++) world.step();
    expect(capsule.asleep).toBe(false);
    return [world.positions.slice(), world.velocities.slice()];
  };
  const wanted = run();
  world.restore(kept);
  expect(run()).toEqual(wanted);
});
