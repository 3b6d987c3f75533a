import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { buildWorld } from '../buildWorld.js';
import { parseClusterFile } from '../clusterFile.js';
import { loadScene } from '../loadScene.js';
import { hasReference, REFERENCE, readDisk, researchScenes, SCENES } from '../testing/reference.js';

const load = (name: string) => loadScene(join(SCENES, name), readDisk);

describe.skipIf(!hasReference)('the research scenes', () => {
  test('all 28 load as they are', async () => {
    expect(researchScenes()).toHaveLength(28);
    for (const name of researchScenes()) {
      const scene = await load(name);
      expect(scene.format, name).toBe('research');
      expect(scene.bodies.length, name).toBeGreaterThan(0);
    }
  });

  test('brokenHeartRecluster, which the original cannot load, does, and says what is odd', async () => {
    const { warnings, gravity, bodies } = await load('brokenHeartRecluster.json');
    expect(gravity).toEqual([0, 0, 0]);
    expect(warnings.some((line) => line.startsWith('minClusters is [2], which is not a number'))).toBe(true);
    expect(bodies[0].options.reclustering?.threshold).toBe(1.25);
  });

  test('the cubes mention the key that nobody reads', async () => {
    const { warnings } = await load('CubeComparisons/default.json');
    expect(warnings).toEqual(['kernel weight is not a field of a research scene: ignored.']);
  });

  /** Scenes of each kind: a free body, a pinned one, cylinders, two bodies under two clamps. */
  const WITH_CLUSTERS = ['CubeComparisons-default', 'convergenceTest_7', 'plinko', 'dropWithHold'];
  test.each(WITH_CLUSTERS)('%s starts where the original starts, and moves with it for 10 frames', async (name) => {
    const results = JSON.parse(readFileSync(join(REFERENCE, 'results', `${name}.json`), 'utf8'));
    const file = join(REFERENCE, 'clusters', `${name}.json`);
    const list = await parseClusterFile(readFileSync(file), file);
    const { world } = await buildWorld(await loadScene(join(REFERENCE, 'scenes', results.file), readDisk), {
      clusters: { list, file },
      // The recorded frames show no contact before the 10th; where proxies overlap at rest ours would act at once.
      contact: 'none',
    });
    expect(world.membershipCount).toBe(results.memberships);
    const [start, later] = [0, 10].map((frame) => results.frames.find((f: { frame: number }) => f.frame === frame));
    const diagonal = Math.hypot(...[0, 1, 2].map((a) => start.bboxMax[a] - start.bboxMin[a]));
    for (const { frame, probe } of [start, later]) {
      while (world.frame < frame) world.step();
      for (const [i, place] of probe) {
        const here = world.positions.subarray(4 * i, 4 * i + 3);
        expect(Math.hypot(here[0] - place[0], here[1] - place[1], here[2] - place[2]) / diagonal).toBeLessThan(1e-5);
      }
    }
  });

  test('clusters of another scene are refused', async () => {
    const file = join(REFERENCE, 'clusters/plinko.json');
    const clusters = { list: await parseClusterFile(readFileSync(file), file), file };
    await expect(buildWorld(await load('CubeComparisons/default.json'), { clusters })).rejects.toThrow(
      /expected a particle number from 0 to 1330/,
    );
  });
});
