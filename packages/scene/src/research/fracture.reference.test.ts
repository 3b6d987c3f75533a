import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Body, NO_PIECE, type World } from 'pliant';
import { describe, expect, test } from 'vitest';
import { report } from '../../../pliant/src/testing/report.js';
import { buildWorld } from '../buildWorld.js';
import { parseClusterFile } from '../clusterFile.js';
import { loadScene } from '../loadScene.js';
import { hasReference, REFERENCE, readDisk } from '../testing/reference.js';

interface Frame {
  frame: number;
  particles: number;
  clusters: number;
  /** Mean over the clusters of their largest elastic stretch. */
  meanSigmaFe: number;
}

interface Result {
  file: string;
  particles: number;
  clusters: number;
  maxClusters: number;
  frames: Frame[];
}

const STEPS = 200;
/** Issue 4: the 2016 program comes to 1.0 to 2.3 times, its last version to 11. */
const MOST_GROWN = 2.3;

const names = hasReference ? readdirSync(join(REFERENCE, 'clusters')).map((file) => file.replace(/\.json$/, '')) : [];
const resultOf = (name: string): Result => JSON.parse(readFileSync(join(REFERENCE, 'results', `${name}.json`), 'utf8'));

async function worldOf(name: string): Promise<World> {
  const file = join(REFERENCE, 'clusters', `${name}.json`);
  const clusters = { list: await parseClusterFile(readFileSync(file), file), file };
  const scene = await loadScene(join(REFERENCE, 'scenes', resultOf(name).file), readDisk);
  return (await buildWorld(scene, { clusters })).world;
}

/** The particles of a body and the number of its splits, at each of the recorded frames. */
function runThrough(world: World, { frames }: Result) {
  const start = world.particleCount;
  let splits = 0;
  const at = new Map<number, { grown: number; splits: number }>();
  for (let step = 0; step <= STEPS; step++) {
    if (step > 0) world.step();
    for (const event of world.drainEvents()) if (event.type === 'fracture') splits += event.splits.length;
    if (step === STEPS || frames.some(({ frame }) => frame === step))
      at.set(step, { grown: world.particleCount / start, splits });
  }
  return at;
}

/** In how many pieces the particles of a body are that were beyond ±x at rest. */
function piecesBeyond({ restPositions, pieces }: Body, x: number): number {
  return new Set(pieces.ofParticle.filter((p, i) => p !== NO_PIECE && Math.abs(restPositions[3 * i]) > x)).size;
}

/**
 * The reference does not say which pieces its bodies are in, so that splits are compared on every scene, whatever the pieces. It says how many
 * clusters there were at most: so often, at least, it has split. The one scene on which ours splits more often has other pieces, see below.
 */
const OTHERWISE = 'cubeSplitter';

describe.skipIf(!hasReference)('the research scenes that break', () => {
  const broke: string[] = [];

  test.each(names)(
    `%s has at most ${MOST_GROWN} times its particles after ${STEPS} steps, and no more splits`,
    async (name) => {
      const world = await worldOf(name);
      const result = resultOf(name);
      const there = result.maxClusters - result.clusters;
      if (!world.bodies.some((body) => body.core.breaks)) {
        world.dispose();
        expect(there).toBe(0);
        return;
      }
      broke.push(name);
      const { grown, splits } = runThrough(world, result).get(STEPS)!;
      world.dispose();
      const last = result.frames[result.frames.length - 1];
      report(
        'particles as a factor and splits, here and there',
        { grown: [grown, last.particles / result.particles], splits: [splits, there] },
        '',
      );
      expect(grown).toBeLessThanOrEqual(MOST_GROWN);
      if (name !== OTHERWISE) expect(splits).toBeLessThanOrEqual(there);
    },
  );

  test('are ten', () => {
    expect(broke).toHaveLength(10);
  });

  /**
   * A bar between two clamps. Clusters split in another order here, the most overloaded first: the cracks leave bridges in other places. (Taken the
   * other way round, as there, ours has 10, 11 and 12 splits at frames 50, 100 and 150, as there, and parts at step 126.)
   */
  test(`${OTHERWISE} splits more often, but into other pieces: it still holds where the original has parted`, async () => {
    const result = resultOf(OTHERWISE);
    const world = await worldOf(OTHERWISE);
    const at = runThrough(world, result);
    // While both hold, ours has split no more often.
    for (const { frame, clusters } of result.frames)
      if (frame <= 100) expect(at.get(frame)!.splits).toBeLessThanOrEqual(clusters - result.clusters);
    // Theirs has gone slack at the end though its clamps go on.
    const stretchThere = (at: number) => result.frames.find(({ frame }) => frame === at)!.meanSigmaFe - 1;
    expect(stretchThere(STEPS)).toBeLessThan(stretchThere(100) / 4);
    // Ours is one piece from clamp to clamp.
    expect(piecesBeyond(world.bodies[0], 0.7)).toBe(1);
    expect(at.get(STEPS)!.splits).toBeLessThanOrEqual(14);
    world.dispose();
  });
});
