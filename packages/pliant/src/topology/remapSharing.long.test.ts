import { expect, it } from 'vitest';
import { BACKENDS, type Backend } from '../kernels/kernels.js';
import { random } from '../math/random.js';
import { findNeighbours, WALKED } from '../proxy/neighbours.js';
import { disturb } from '../testing/bodies.js';
import { testSeed } from '../testing/seed.js';
import { validate } from '../validate.js';
import { World } from '../world.js';
import { appendNeighbours } from './editRows.js';
import { TopologyDraft } from './topologyDraft.js';
import { writeDraft } from './writeDraft.js';

/** A block of 13³ particles, in 6³ clusters of 3³ that share a layer with the next. */
async function makeWorld(backend: Backend) {
  const world = await World.create({ gravity: [0, 0, 0], sleepSpeed: 0, substeps: 1, backend });
  const cells = [0, 1, 2, 3, 4, 5].map((n) => [2 * n, 2 * n + 1, 2 * n + 2]);
  const side = Array.from({ length: 13 }, (_, n) => n);
  const points = side.flatMap((k) => side.flatMap((j) => side.flatMap((i) => [i / 9, j / 9, k / 9])));
  const cluster = (x: number[], y: number[], z: number[]) => ({
    members: z.flatMap((k) => y.flatMap((j) => x.map((i) => (k * 13 + j) * 13 + i))),
  });
  const clusters = cells.flatMap((x) => cells.flatMap((y) => cells.map((z) => cluster(x, y, z))));
  const body = world.addBody({ points: Float64Array.from(points), clusters, material: { particleMass: 1, raw: {} } });
  body.core.history.noteBreak();
  disturb(world, testSeed('remapSharing'), 0.01, 3);
  return { world, body };
}

type Made = Awaited<ReturnType<typeof makeWorld>>;

/** Splits clusters of a body at random, copies particles, and now and then ends a cluster. */
function rearrange({ world, body }: Made, next: () => number): void {
  const draft = new TopologyDraft();
  draft.begin(world.state.views, body.rows, false);
  for (let n = 0; n < 50; n++) {
    const c = Math.floor(draft.clusters * next());
    const a = Math.floor(3 * next());
    if (draft.memberCount(c) < 6) continue;
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

/** Gives a body, the only one of its world, whole lists and a tree of its rest shape. */
function listWhole({ world: { state }, body }: Made): void {
  const { views: s, count } = state;
  const { clusterStart, clusterEnd } = body.rows;
  const start = s.memberStart.slice(clusterStart, clusterEnd + 1);
  const particle = s.memberParticle.slice(0, start[start.length - 1]).map((i) => s.ancestor[i]);
  const whole = findNeighbours({ start, particle }, body.builtPositions, body.core.contact.pad);
  state.reserve({ neighbour: whole.list.length });
  count.neighbour = whole.list.length;
  appendNeighbours(state.views, 0, whole, body.rows);
}

it.each(BACKENDS)(
  'short lists name exactly the clusters that share particles, and find the contacts of whole ones, to the last bit (%s)',
  async (backend) => {
    const [short, whole] = [await makeWorld(backend), await makeWorld(backend)];
    let found = 0;
    const { kernels } = short.world;
    const measure = kernels.measureTouches.bind(kernels);
    kernels.measureTouches = (count, deepest) => {
      found += count;
      return measure(count, deepest);
    };
    const [next, again] = [random(testSeed('remapSharing')), random(testSeed('remapSharing'))];
    const { rows } = short.body;
    for (let n = 0; n < 16; n++) {
      rearrange(short, next);
      rearrange(whole, again);
      listWhole(whole);
      expect(validate(short.world)).toEqual([]);
      expect(validate(whole.world)).toEqual([]);
      const { neighbourStart } = short.world.state.views;
      // Beside those that share a particle, every list has one entry: the root.
      if (rows.clusterEnd - rows.clusterStart > WALKED)
        for (let c = 3 * rows.clusterStart; c < 3 * rows.clusterEnd; c += 3)
          expect(neighbourStart[c + 3] - neighbourStart[c + 1]).toBe(1);
      else found = 0;
      short.world.step();
      whole.world.step();
      expect(short.world.positions).toEqual(whole.world.positions);
    }
    expect(rows.clusterEnd - rows.clusterStart).toBeGreaterThan(WALKED + 50);
    // Contacts of the steps with short lists.
    expect(found).toBeGreaterThan(100);
  },
);
