import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { WALKED } from '../proxy/neighbours.js';
import { hashSnapshot } from '../snapshot/hashSnapshot.js';
import { World } from '../world.js';
import { CASES, withThreads } from './testing/worlds.js';

const DIST = fileURLToPath(new URL('../../dist/index.js', import.meta.url));

/** Runs a program in a process of its own, in which `World` and `wait(ms)` are at hand, and returns what it printed as JSON. */
function run(program: string): Record<string, number> {
  expect(existsSync(DIST), 'build first: npm run build').toBe(true);
  const source = `
    import { World } from ${JSON.stringify(DIST)};
    const print = (value) => process.stdout.write(JSON.stringify(value));
    const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
    const BLOCK = { shape: { type: 'box', size: [1, 1, 1] }, sampling: { count: 300 } };
    // Counts workers that run.
    const threads = process.getBuiltinModule('node:worker_threads');
    let workers = 0;
    threads.Worker = class extends threads.Worker {
      constructor(...given) { super(...given); workers++; this.on('exit', () => workers--); }
    };
    const make = async () => {
      const world = await World.create({ threads: 3 });
      world.addBody(BLOCK);
      await world.kernels.threads.ready();
      for (let n = 0; n < 10; n++) world.step();
      return world;
    };
    ${program}`;
  const output = execFileSync(process.execPath, ['--expose-gc', '--input-type=module', '-e', source], {
    encoding: 'utf8',
  });
  return JSON.parse(output);
}

test('workers take no processor time between steps, and a process ends though they are there', () => {
  const { threads, busy } = run(`
    const world = await make();
    await wait(50);
    const before = process.cpuUsage();
    await wait(300);
    const { user, system } = process.cpuUsage(before);
    print({ threads: world.threads, busy: (user + system) / 300_000 });`);
  expect(threads).toBe(3);
  // Two workers that look out for a job would be busy for 2; the process itself hardly is.
  expect(busy).toBeLessThan(0.3);
});

test('dispose ends the workers', () => {
  expect(
    run(`
    const world = await make();
    const before = workers;
    world.dispose();
    for (let n = 0; n < 100 && workers > 0; n++) await wait(20);
    print({ before, after: workers });`),
  ).toEqual({ before: 2, after: 0 });
});

test('a world that is garbage leaves no workers behind', () => {
  expect(
    run(`
    await make();
    const before = workers;
    for (let n = 0; n < 200 && workers > 0; n++) { gc(); await wait(20); }
    print({ before, after: workers });`),
  ).toEqual({ before: 2, after: 0 });
});

test("a world with threads: 'auto' uses workers while it has enough awake particles", () => {
  const { small, large, asleep } = run(`
    const os = process.getBuiltinModule('node:os');
    os.availableParallelism = () => 2;
    const world = await World.create({ sleepSpeed: 0 });
    world.addBody(BLOCK);
    world.step();
    const small = world.threads;
    const block = world.addBody({ ...BLOCK, sampling: { count: 4000 } });
    world.step();
    for (let n = 0; n < 200 && world.threads === 1; n++) { await wait(10); world.step(); }
    const large = world.threads;
    block.sleep();
    world.step();
    print({ small, large, asleep: world.threads });`);
  expect([small, large, asleep]).toEqual([1, 2, 1]);
});

test.each(CASES)('8 threads give the bits of one: %s', async (_, steps, make) => {
  const first = await make();
  const bytes = first.save();
  first.dispose();
  const hashes = new Set<string>();
  for (const threads of [1, 8]) {
    const world = await withThreads(bytes, threads);
    for (let n = 0; n < Math.min(steps, 4); n++) world.step();
    hashes.add(hashSnapshot(world.snapshot()));
    world.dispose();
  }
  expect(hashes.size).toBe(1);
});

test('threads give the bits of one where a body has broken into so many clusters that pairs of them are sought', async () => {
  const first = await World.create({ threads: 1, gravity: [0, 0, 0] });
  const plate = first.addBody({
    shape: { type: 'box', size: [1, 0.667, 0.067] },
    sampling: { count: 5325 },
    material: { young: 6e4, dampingRatio: 0.1, toughness: 0.0005 },
    clustering: { count: 63, radius: 0.1125 },
    fracture: { boost: 2, falloff: 1 },
  });
  first.addCollider({ type: 'sphere', centre: [0, 0, -0.15], radius: 0.1, velocity: [0, 0, 1] });
  plate.setVelocity({ angular: [3, 2, 9] });
  for (let n = 0; n < 20; n++) first.step();
  expect(plate.clusterCount).toBeGreaterThan(WALKED);
  const bytes = first.save();
  first.dispose();
  const hashes = new Set<string>();
  for (const threads of [1, 2, 5]) {
    const world = await withThreads(bytes, threads);
    for (let n = 0; n < 8; n++) world.step();
    hashes.add(hashSnapshot(world.snapshot()));
    world.dispose();
  }
  expect(hashes.size).toBe(1);
});
