import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { worldWith } from '../testing/bodies.js';
import { TopologyDraft } from '../topology/topologyDraft.js';
import { Ties } from './bridges.js';

/** A bar of twelve layers of nine; each of its clusters holds those from..to. */
const bar = (...layers: [from: number, to: number][]): BodyOptions => ({
  points: Array.from({ length: 108 }, (_, i) => [
    0.1 * Math.floor(i / 9),
    0.1 * (i % 3),
    0.1 * (Math.floor(i / 3) % 3),
  ]).flat(),
  clusters: layers.map(([from, to]) => ({
    members: Array.from({ length: 9 * (to - from + 1) }, (_, k) => 9 * from + k),
  })),
  reclustering: { threshold: 1e6, every: 1 / 60, fadeOut: 6 / 60, fadeIn: 3 / 60 },
});
/** Layers 0 to 5 and 6 to 11 share nothing: the middle one holds them together, and holds nothing but what they do. */
const BRIDGED = bar([0, 5], [4, 7], [6, 11]);
const OVERLAPPING = bar([0, 6], [4, 7], [5, 11]);

describe('a cluster whose particles are all in others', () => {
  it.each([
    ['holds these together', BRIDGED, true],
    ['does not where they overlap', OVERLAPPING, false],
  ])('%s', async (_, options, expected) => {
    const { world, body } = await worldWith(options);
    const draft = new TopologyDraft();
    draft.begin(world.state.views, body.rows);
    const ties = new Ties();
    ties.begin(draft, [1]);
    expect(ties.needs(1)).toBe(expected);
  });

  it.each([
    ['is replaced by one that holds them together when it leaves', BRIDGED, 1],
    ['is not where they overlap', OVERLAPPING, 0],
  ])('%s', async (_, options, created) => {
    const { world, body } = await worldWith(options, { gravity: [0, 0, 0] });
    body.core.history.noteFlow();
    body.core.history.setFading(true);
    world.state.views.leaving[1] = 1;
    let [added, removed] = [0, 0];
    for (let n = 0; n < 12; n++) {
      world.step();
      for (const event of world.drainEvents())
        if (event.type === 'recluster') {
          added += event.added;
          removed += event.removed;
        }
      expect(world.validate()).toEqual([]);
      expect(body.pieces.count).toBe(1);
    }
    expect([added, removed, body.clusterCount]).toEqual([created, 1, 2 + created]);
    const s = world.state.views;
    for (let c = 0; c < body.clusterCount; c++) expect([s.leaving[c], s.fade[c]]).toEqual([0, 1]);
    if (created === 0) return;
    const layers = new Set(
      Array.from(s.memberParticle.slice(s.memberStart[2], s.memberStart[3]), (i) => Math.floor(i / 9)),
    );
    expect([layers.has(5), layers.has(6)]).toEqual([true, true]);
  });
});
