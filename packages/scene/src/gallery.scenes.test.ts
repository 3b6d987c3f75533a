import type { World } from 'pliant';
import { describe, expect, test } from 'vitest';
import { report } from '../../pliant/src/testing/report.js';
import { loadOwn as load, runOwn as run, sceneNames } from './testing/gallery.js';

const size = (world: World, axis: number) => {
  const { bboxMin, bboxMax } = world.measure();
  return bboxMax[axis] - bboxMin[axis];
};

describe('our own scenes', () => {
  test('each has a title, words and a camera, and none a warning', async () => {
    const names = sceneNames();
    expect(names).toEqual([
      'ball-into-wall',
      'broken-heart',
      'bullet',
      'cantilever',
      'chain',
      'clay',
      'cloth',
      'compressed-beam',
      'compressed-putty',
      'convergence-bar',
      'creature-on-cylinders',
      'cut',
      'drop',
      'falling-ball',
      'falling-bunny',
      'four-bunnies',
      'head',
      'hello',
      'hollow-ball',
      'hovering-cube',
      'materials',
      'obstacles',
      'pile',
      'plastic-bar',
      'plate-ductile',
      'plate-strong',
      'plate-weak',
      'plinko',
      'projectile-sheet',
      'quadratic-bar',
      'rope',
      'skin-patch',
      'sphere-on-beam',
      'sphere-on-sheet',
      'squeezed-cube',
      'stack',
      'stretched-cube',
      'swiss-cheese',
      'taffy',
      'three-bunnies',
      'tilted-planes',
      'torn-creature',
      'trout',
      'turning-planes',
      'twisted-bar',
      'twisted-bar-fracture',
      'wall',
    ]);
    for (const name of names) {
      const scene = await load(name);
      expect(scene.title && scene.description, name).toBeTruthy();
      expect(scene.cameras.length, name).toBeGreaterThan(0);
      expect(scene.warnings, name).toEqual([]);
      for (const { name: variant, description } of scene.variants!) {
        expect(description, `${name}#${variant}`).toBeTruthy();
        expect((await load(name, variant)).warnings, `${name}#${variant}`).toEqual([]);
      }
    }
  });

  test('where things have weight there is a floor: what is cut off or let go does not fall for ever', async () => {
    for (const name of sceneNames()) {
      const { gravity, actors } = await load(name);
      if (gravity.every((value) => value === 0)) continue;
      const floors = actors.filter(
        ({ kind, options }) => kind === 'collider' && options.type === 'plane' && options.normal[1] > 0.99,
      );
      expect(floors.length, name).toBeGreaterThan(0);
    }
  });

  test('drop: stays above the ground, keeps its size and comes to rest', async () => {
    const { world } = await run('drop', 4);
    const { bboxMin, com, kineticEnergy, mass } = world.measure();
    expect(bboxMin[1]).toBeGreaterThanOrEqual(0);
    expect(com[1]).toBeGreaterThan(0.2);
    expect(size(world, 0)).toBeGreaterThan(0.8);
    // It fell at 4 m/s; what is left is below 1 m/s for the body as a whole.
    expect(kineticEnergy).toBeLessThan(0.5 * mass);
  });

  test('drop: sleeps where it is in balance', async () => {
    const { world, bodies } = await run('drop', 4);
    const [body] = bodies;
    expect(body.asleep).toBe(true);
    const before = body.positions.slice();
    // A second in which it may not sleep and is not braked.
    (world.core.settings as { sleepSpeed: number }).sleepSpeed = 0;
    body.wake();
    for (let k = 0; k < 60; k++) world.step();
    let sum = 0;
    for (let o = 0; o < before.length; o += 4)
      for (let a = 0; a < 3; a++) sum += (body.positions[o + a] - before[o + a]) ** 2;
    const moved = Math.sqrt(sum / body.particleCount) / body.size;
    report('moved in a second after sleep, of its size', moved, '');
    // It sleeps after 3.3 s, and its legs still give way a little: by 0.0020 to 0.0042, by chance, where it falls from up to 5 mm higher. It was 0.0124 when it slept while it crept against the brake.
    expect(moved).toBeLessThan(0.006);
    // Two seconds later it stands.
    for (let k = 0; k < 120; k++) world.step();
    const later = body.positions.slice();
    for (let k = 0; k < 60; k++) world.step();
    let crept = 0;
    for (let o = 0; o < later.length; o += 4)
      for (let a = 0; a < 3; a++) crept += (body.positions[o + a] - later[o + a]) ** 2;
    report('creeps in a second, of its size', Math.sqrt(crept / body.particleCount) / body.size, '');
    // 0.0005, with limbs as stiff as the body. It was 0.0021.
    expect(Math.sqrt(crept / body.particleCount) / body.size).toBeLessThan(0.001);
  });

  test('stretched-cube: keeps its centre and its momenta, and gets its shape back', async () => {
    const { world, bodies } = await run('stretched-cube', 200 / 60);
    const { com, momentum, angularMomentum, mass } = world.measure();
    for (const v of [...com, ...momentum.map((p) => p / mass), ...angularMomentum.map((l) => l / mass)])
      expect(Math.abs(v)).toBeLessThan(1e-5);
    // Its orientation is free: the shape is compared by what a turn leaves alone.
    const rest = bodies[0].restPositions;
    const rms = Math.sqrt(rest.reduce((sum, c) => sum + c * c, 0) / (rest.length / 3));
    expect(world.measure().rms / rms).toBeCloseTo(1, 1);
    expect(world.maxStretch()).toBeLessThan(1.1);
  });

  test('cantilever: its held end stays, its free end hangs lower and still', async () => {
    const { world, bodies } = await run('cantilever', 4);
    const rest = bodies[0].restPositions;
    const { positions } = bodies[0];
    for (let i = 0; i < rest.length / 3; i++)
      if (rest[3 * i] < -0.85) expect(positions[4 * i + 1]).toBeCloseTo(rest[3 * i + 1], 5);
    expect(world.measure().bboxMin[1]).toBeLessThan(-0.3);
    expect(world.measure().bboxMin[1]).toBeGreaterThan(-1.5);
    expect(world.measure().kineticEnergy).toBeLessThan(5);
  });

  test('twisted-bar: the ends are turned against each other, then both clamps let go', async () => {
    const { world, clamps } = await run('twisted-bar', 3);
    expect(world.measure().kineticEnergy).toBeGreaterThan(0);
    expect([...clamps.values()].map((clamp) => clamp.active)).toEqual([true, true]);
    for (let frame = 0; frame < 60; frame++) world.step();
    expect([...clamps.values()].map((clamp) => clamp.active)).toEqual([false, false]);
    expect(size(world, 0)).toBeGreaterThan(1.5);
  });

  test('projectile-sheet: the ball bulges the sheet, whose ends stay', async () => {
    const { world } = await run('projectile-sheet', 1);
    const { bboxMin, bboxMax } = world.measure();
    expect(bboxMax[2]).toBeGreaterThan(0.25);
    expect([bboxMin[1], bboxMax[1]]).toEqual([expect.closeTo(-0.7, 1), expect.closeTo(0.7, 1)]);
  });

  test('plinko: the ball reaches the ground between the walls, outside all pegs', async () => {
    const { world, scene } = await run('plinko', 5);
    const { com, bboxMin, bboxMax } = world.measure();
    expect(com[1]).toBeLessThan(1);
    expect(bboxMin[1]).toBeGreaterThanOrEqual(0);
    expect([bboxMin[0] >= -1.7001, bboxMax[0] <= 1.7001]).toEqual([true, true]);
    const pegs = scene.actors.flatMap(({ options }) =>
      'type' in options && options.type === 'cylinder' ? [options] : [],
    );
    const x = world.positions;
    for (const { point, radius } of pegs)
      for (let i = 0; i < world.particleCount; i++)
        expect(Math.hypot(x[4 * i] - point[0], x[4 * i + 1] - point[1])).toBeGreaterThan(0.999 * radius);
  });

  test('tilted-planes: the ring lies in the trough, behind none of its planes', async () => {
    const { world } = await run('tilted-planes', 4);
    const x = world.positions;
    for (const plane of world.colliders)
      for (let i = 0; i < world.particleCount; i++) {
        const height = [0, 1, 2].reduce((sum, a) => sum + plane.direction[a] * x[4 * i + a], 0);
        expect(height).toBeGreaterThan(plane.offset - 1e-5);
      }
    expect(world.measure().com[1]).toBeLessThan(0.6);
  });

  test('the creature of the first scene stands up straight and waits', async () => {
    const { world } = await run('hello', 3);
    const { bboxMax, com, kineticEnergy, mass } = world.measure();
    // 1.41 m tall at rest, with its ears; it sags a little and does not fall over.
    expect(bboxMax[1]).toBeGreaterThan(1.25);
    expect(Math.hypot(com[0], com[2])).toBeLessThan(0.1);
    expect(kineticEnergy / mass).toBeLessThan(1e-3);
  });
});
