import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS, type Backend } from '../kernels/kernels.js';
import { random } from '../math/random.js';
import { findNeighbours } from '../proxy/neighbours.js';
import { Flag } from '../state/flags.js';
import { BLOCK, distance, disturb } from '../testing/bodies.js';
import { testSeed } from '../testing/seed.js';
import { validate } from '../validate.js';
import { World } from '../world.js';
import { NO_PIECE } from './pieces.js';
import { TopologyDraft } from './topologyDraft.js';
import { writeDraft } from './writeDraft.js';

/** Three blocks far from each other, none at rest. */
async function threeBlocks(backend: Backend, options: Partial<BodyOptions> = {}) {
  // A fixed number: otherwise new clusters of one body may change the substeps of all.
  const world = await World.create({ gravity: [0, 0, 0], sleepSpeed: 0, substeps: 2, backend });
  for (const x of [-3, 0, 3]) world.addBody({ ...BLOCK, ...options, position: [x, 0, 0] });
  disturb(world, 5, 0.02, 0.5);
  return world;
}

/** Boxes of a body's clusters at rest, as they are in the state and from nothing but the memberships. */
function restBoxes({ state: { views: s } }: World, { rows, builtPositions, core: { contact } }: Body) {
  const all = s.memberStart.slice(rows.clusterStart, rows.clusterEnd + 1);
  const particle = s.memberParticle.slice(all[0], all[all.length - 1]).map((i) => s.ancestor[i]);
  const { boxes } = findNeighbours({ start: all.map((k) => k - all[0]), particle }, builtPositions, contact.pad);
  return [s.restBox.slice(6 * rows.clusterStart, 6 * rows.clusterEnd), boxes];
}

const LEVELS = { clustering: { count: 24 }, levels: {}, material: { raw: {} } };

/** The built particle that number k of a body's rest positions belongs to. */
const ancestorOf = ({ state }: World, { rows }: Body, k: number) =>
  state.views.ancestor[rows.particleStart + Math.floor(k / 3)];

describe.each(BACKENDS)('rearranging a body (%s)', (backend) => {
  it('that stays as it is changes no bit of what follows', async () => {
    const [world, twin] = [await threeBlocks(backend), await threeBlocks(backend)];
    const draft = new TopologyDraft();
    for (let n = 0; n < 10; n++) {
      draft.begin(world.state.views, world.bodies[1].rows);
      writeDraft(world, world.bodies[1], draft);
      world.step();
      twin.step();
    }
    expect(world.positions).toEqual(twin.positions);
    expect(world.bodies.map((b) => b.topologyVersion)).toEqual([0, 10, 0]);
  });

  it.each([
    ['one level', {}, true],
    ['three levels', LEVELS, true],
    ['one level that debris leaves', {}, false],
    ['three levels that debris leaves', LEVELS, false],
  ])('of %s at random keeps mass, momentum and every list, and other bodies alone', async (_, options, keeps) => {
    const next = random(testSeed(`rearranging ${backend}`));
    const [world, twin] = [await threeBlocks(backend, options), await threeBlocks(backend, options)];
    const [, body] = world.bodies;
    const draft = new TopologyDraft();
    const pick = (count: number) => Math.floor(count * next());
    // As fracture says of a body that it leaves debris of.
    body.core.history.noteBreak();
    let gone = 0;
    for (let n = 0; n < 40; n++) {
      const before = world.measure();
      draft.begin(world.state.views, body.rows, n % 2 === 0);
      // Lists made with the body do not know yet how far it reaches in contact: the first split makes them anew.
      if (n === 0) draft.splitCluster(0, (m) => draft.member[4 * m] > 0);
      for (let k = 0; k < 5; k++) {
        const what = next();
        const side = next();
        if (what < 0.3) {
          const c = pick(draft.clusters);
          if (draft.memberCount(c) > 8) draft.splitCluster(c, (m) => draft.member[4 * m] > 0.1 * (side - 0.5));
        } else if (what < 0.86) {
          const i = pick(draft.particles);
          if (draft.linkCount(i) > 1) draft.splitParticle(i, (m) => m === draft.links[draft.linkFirst[i]]);
        } else if (what < 0.9) {
          const i = pick(draft.particles);
          if (draft.linkCount(i) > 1) draft.endMember(draft.links[draft.linkFirst[i]]);
        } else {
          const c = pick(draft.clusters);
          let others = 0;
          for (let d = 0; d < draft.clusters; d++) others += d !== c && draft.memberCount(d) > 0 ? 1 : 0;
          if (others > 2) draft.dropCluster(c);
        }
      }
      const left = { mass: 0, momentum: [0, 0, 0] };
      const [from, masses] = [draft.particleFrom.slice(), draft.particleMass.slice()];
      for (const i of keeps ? [] : draft.dropDebris()) {
        gone++;
        left.mass += masses[i];
        for (let a = 0; a < 3; a++) left.momentum[a] += masses[i] * body.velocities[4 * from[i] + a];
      }
      writeDraft(world, body, draft);
      // Every list of neighbours, too: patched or made anew, it must name each other cluster once, and exactly those as sharing that do.
      expect(validate(world)).toEqual([]);
      world.restore(world.snapshot());
      if (!keeps) expect(body.pieces.ofParticle).not.toContain(NO_PIECE);
      const [boxes, anew] = restBoxes(world, body);
      expect(boxes).toEqual(anew);
      const after = world.measure();
      // Masses are f32: rounded once when a particle splits.
      expect(Math.abs((after.mass + left.mass) / before.mass - 1)).toBeLessThan(1e-6);
      for (let a = 0; a < 3; a++) expect(after.momentum[a] + left.momentum[a]).toBeCloseTo(before.momentum[a], 3);
      // Rest positions have followed their particles.
      const { restPositions: rest, builtPositions: built } = body;
      expect(rest.every((x, k) => x === built[3 * ancestorOf(world, body, k) + (k % 3)])).toBe(true);
      world.step();
      twin.step();
      expect(world.bodies[0].positions).toEqual(twin.bodies[0].positions);
      expect(world.bodies[2].positions).toEqual(twin.bodies[2].positions);
    }
    expect(body.particleCount + gone).toBeGreaterThan(twin.bodies[1].particleCount + 50);
    expect(gone > 0).toBe(!keeps);
  });

  it('holds copies of what clamps and pins hold', async () => {
    const world = await threeBlocks(backend);
    const [, body] = world.bodies;
    const clamp = world.addClamp({ region: { type: 'halfspace', normal: [1, 0, 0], offset: 0.35 }, bodies: [body] });
    const held = clamp.particleCount;
    const { views: s } = world.state;
    const first = body.rows.particleStart;
    const many = (i: number) => s.linkStart[s.gatherRank[first + i] + 1] - s.linkStart[s.gatherRank[first + i]] > 1;
    const all = Array.from({ length: body.particleCount }, (_, i) => i).filter(many);
    const clamped = all.find((i) => s.flags[first + i] & Flag.HELD)!;
    const free = all.find((i) => !(s.flags[first + i] & Flag.HELD))!;
    body.pin(free);
    const draft = new TopologyDraft();
    draft.begin(s, body.rows);
    for (const i of [clamped, free]) draft.splitParticle(i, (m) => m === draft.links[draft.linkFirst[i]]);
    const count = body.particleCount;
    writeDraft(world, body, draft);
    expect(clamp.particleCount).toBe(held + 1);
    expect([body.isPinned(free), body.isPinned(count), body.isPinned(count + 1)]).toEqual([true, false, true]);
    const place = body.positions.slice();
    for (let n = 0; n < 5; n++) world.step();
    for (const i of [clamped, free, count, count + 1])
      for (let a = 0; a < 3; a++) expect(body.positions[4 * i + a]).toBeCloseTo(place[4 * i + a], 6);
  });

  it('lets go of debris that leaves: clamps, pins and hands hold what they held of the rest', async () => {
    // Of clusters that overlap little, each has particles of its own.
    const world = await threeBlocks(backend, { clustering: { count: 8, radius: 'auto', overlap: 1 } });
    const [, body] = world.bodies;
    const { views: s } = world.state;
    const first = body.rows.particleStart;
    const isAlone = (i: number) =>
      s.linkStart[s.gatherRank[first + i] + 1] - s.linkStart[s.gatherRank[first + i]] === 1;
    const inFirst = (i: number) => s.linkCluster[s.linkStart[s.gatherRank[first + i]]] === body.rows.clusterStart;
    const all = Array.from({ length: body.particleCount }, (_, i) => i);
    const goes = all.filter((i) => isAlone(i) && inFirst(i));
    const stays = all.filter((i) => !goes.includes(i));
    expect(goes.length).toBeGreaterThan(2);
    const clamp = world.addClamp({ region: { type: 'halfspace', normal: [0, 0, 1], offset: -10 }, bodies: [body] });
    expect(clamp.particleCount).toBe(all.length);
    const [kept, lost] = [stays[stays.length - 1], goes[goes.length - 1]];
    for (const i of [kept, lost]) body.pin(i);
    const hands = [kept, lost].map((particle) => world.addPick({ body, particle, radius: 0.01 }));
    const rowsOf = (numbers: number[]) => numbers.map((i) => [...body.positions.subarray(4 * i, 4 * i + 4)]);
    const places = rowsOf(stays);
    const draft = new TopologyDraft();
    draft.begin(s, body.rows);
    draft.dropCluster(0);
    expect([...draft.dropDebris()]).toEqual(goes);
    writeDraft(world, body, draft);
    expect(validate(world)).toEqual([]);
    const now = stays.map((_, n) => n);
    expect(rowsOf(now)).toEqual(places);
    expect(clamp.particleCount).toBe(stays.length);
    expect(body.pinnedCount).toBe(1);
    expect(body.isPinned(stays.length - 1)).toBe(true);
    // The hand that held what left is gone with it, the other holds the same particle by its new number.
    expect(world.picks).toEqual([hands[0]]);
    for (let n = 0; n < 5; n++) world.step();
    expect(Math.max(...rowsOf(now).map((x, n) => distance(x, places[n])))).toBeLessThan(1e-6);
    expect(validate(world)).toEqual([]);
  });
});
