import { expect, it, vi } from 'vitest';
import { random } from '../math/random.js';
import type * as Neighbours from '../proxy/neighbours.js';
import { disturb } from '../testing/bodies.js';
import { testSeed } from '../testing/seed.js';
import { validate } from '../validate.js';
import { World } from '../world.js';
import { TopologyDraft } from './topologyDraft.js';
import { writeDraft } from './writeDraft.js';

/** Number of clusters above which bodies that break have short lists, for the worlds below. */
const bound = vi.hoisted(() => ({ walked: 0 }));
vi.mock('../proxy/neighbours.js', async (original) => {
  const module = await original<typeof Neighbours>();
  return Object.defineProperty({ ...module }, 'WALKED', { get: () => bound.walked });
});

/** A block of 9³ particles, in 4³ clusters of 3³ that share a layer with the next. */
async function makeWorld() {
  const world = await World.create({ gravity: [0, 0, 0], sleepSpeed: 0, substeps: 1 });
  const at = (i: number, j: number, k: number) => (k * 9 + j) * 9 + i;
  const cells = [0, 1, 2, 3].map((n) => [2 * n, 2 * n + 1, 2 * n + 2]);
  const points: number[] = [];
  for (let k = 0; k < 9; k++) for (let j = 0; j < 9; j++) for (let i = 0; i < 9; i++) points.push(i / 9, j / 9, k / 9);
  const clusters = cells.flatMap((x) =>
    cells.flatMap((y) =>
      cells.map((z) => ({ members: x.flatMap((i) => y.flatMap((j) => z.map((k) => at(i, j, k)))) })),
    ),
  );
  const body = world.addBody({ points: Float64Array.from(points), clusters, material: { particleMass: 1, raw: {} } });
  body.core.history.noteBreak();
  disturb(world, testSeed('remapSharing'), 0.01, 3);
  return { world, body };
}

/** Splits some clusters of a body at random, ends one now and then, and copies particles. */
function rearrange({ world, body }: Awaited<ReturnType<typeof makeWorld>>, next: () => number): void {
  const draft = new TopologyDraft();
  draft.begin(world.state.views, body.rows, false);
  for (let n = 0; n < 6; n++) {
    const c = Math.floor(draft.clusters * next());
    const a = Math.floor(3 * next());
    if (draft.memberCount(c) < 8) continue;
    draft.hold(c);
    draft.splitCluster(c, (m) => draft.member[4 * m + a] > 0);
  }
  for (let n = 0; n < 10; n++) {
    const i = Math.floor(draft.particles * next());
    if (draft.linkCount(i) > 1) draft.splitParticle(i, (m) => m === draft.links[draft.linkFirst[i]]);
  }
  if (next() < 0.3) draft.dropCluster(Math.floor(draft.clusters * next()));
  writeDraft(world, body, draft);
}

it('short lists find the same contacts, to the last bit, and name exactly the clusters that share particles', async () => {
  const [many, few] = [await makeWorld(), await makeWorld()];
  const found = [0, 0];
  [many, few].forEach(({ world: { kernels } }, n) => {
    const measure = kernels.measureTouches.bind(kernels);
    kernels.measureTouches = (count) => {
      found[n] += count;
      return measure(count);
    };
  });
  const random1 = random(testSeed('remapSharing'));
  const random2 = random(testSeed('remapSharing'));
  for (let n = 0; n < 40; n++) {
    bound.walked = Number.POSITIVE_INFINITY;
    rearrange(many, random1);
    many.world.step();
    bound.walked = 100;
    rearrange(few, random2);
    few.world.step();
    expect(validate(few.world)).toEqual([]);
    expect(few.world.positions).toEqual(many.world.positions);
  }
  const { rows } = few.body;
  const lists = few.world.state.views.neighbourStart.slice(3 * rows.clusterStart, 3 * rows.clusterEnd + 1);
  // Beside those that share a particle, every list has one entry: the root.
  for (let c = 0; c < rows.clusterEnd - rows.clusterStart; c++) expect(lists[3 * c + 3] - lists[3 * c + 1]).toBe(1);
  expect(rows.clusterEnd - rows.clusterStart).toBeGreaterThan(150);
  expect(found[0]).toBeGreaterThan(100);
});
