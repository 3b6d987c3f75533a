import { Session } from 'node:inspector/promises';
import { World } from 'pliant';
import { expect, it } from 'vitest';
import { report } from '../packages/pliant/src/testing/report.js';

interface Node {
  selfSize: number;
  children: Node[];
}
const sizeOf = ({ selfSize, children }: Node): number => children.reduce((sum, child) => sum + sizeOf(child), selfSize);

it('a step of a body that rests on a plane, is pushed and comes to rest again allocates next to nothing', async () => {
  const world = await World.create({ threads: 1 });
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0 });
  const body = world.addBody({
    shape: { type: 'box', size: [1, 1, 1] },
    sampling: { method: 'grid', spacing: 1 / 9 },
    position: [0, 0.6, 0],
  });
  const run = (steps: number) => {
    for (let n = 0; n < steps; n++) {
      if (n % 100 === 0) body.setVelocity({ linear: [0, 0.5, 0] });
      world.step();
    }
  };
  // Code that is not compiled yet allocates a number for every result.
  run(2000);
  const session = new Session();
  session.connect();
  await session.post('HeapProfiler.startSampling', {
    samplingInterval: 512,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  run(300);
  const { profile } = await session.post('HeapProfiler.stopSampling');
  session.disconnect();
  const bytes = sizeOf(profile.head) / 300;
  report('allocated by a step of a resting cube of 729 particles', bytes, 'B');
  // 90 kB before the way to the surface was a kernel, 400 kB with sums in numbers of a module.
  expect(bytes).toBeLessThan(30_000);
  world.dispose();
});
