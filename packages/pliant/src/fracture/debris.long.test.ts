import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS, type Backend } from '../kernels/kernels.js';
import { edgeFaults } from '../skin/testing/closed.js';
import { BLOCK, distance, worldWith } from '../testing/bodies.js';
import { refusal } from '../testing/refusal.js';
import { NO_PIECE } from '../topology/pieces.js';
import { TopologyDraft } from '../topology/topologyDraft.js';
import { writeDraft } from '../topology/writeDraft.js';
import { run } from './testing/pulled.js';

/**
 * A kilogram in 12 clusters: every half of one is likely to end. Particles that are not all equally stiff are not freed of the momentum that
 * rounding gives them all together, debris or not.
 */
const CRUMBLING: BodyOptions = {
  shape: { type: 'box', size: [0.8, 0.6, 0.3] },
  sampling: { count: 300 },
  clustering: { count: 12 },
  material: { mass: 1, toughness: 0.1, raw: { rotation: 'covariance', stiffness: (_, y) => 0.8 + 0.1 * y } },
  contact: { mode: 'none' },
};

/** It, thrown apart. */
async function crumbling(backend: Backend, debris?: boolean) {
  const body = { ...CRUMBLING, fracture: { minMass: 0.5 / 12, debris } };
  const made = await worldWith(body, { backend });
  const [x, v] = [made.body.positions, made.body.velocities];
  for (let o = 0; o < v.length; o += 4) for (let a = 0; a < 3; a++) v[o + a] = (x[o] > 0.1 ? 15 : 9) * x[o + a];
  return made;
}

const isDebris = (body: Body) => (i: number) => body.pieces.ofParticle[i] === NO_PIECE;
const numbers = ({ particleCount }: Body) => Array.from({ length: particleCount }, (_, i) => i);
const rowsOf = ({ positions: x, velocities: v }: Body, which: number[]) =>
  which.map((i) => [...x.subarray(4 * i, 4 * i + 4), ...v.subarray(4 * i, 4 * i + 3)]);

/** Edges of what shows a body that do not have as many triangles one way as the other. */
function openEdges(body: Body): number {
  const { indices, welded } = body.getSkin();
  return edgeFaults(indices.map((k) => welded[k])).open;
}

describe.each(BACKENDS)('particles that are left in no cluster (%s)', (backend) => {
  it('stay by default: the body keeps its mass, and they fly on as they were', async () => {
    const { world, body } = await crumbling(backend);
    let first: { rows: number[][]; which: number[] } | undefined;
    for (let n = 0; n < 60; n++) {
      const [event] = run(world, 1);
      expect(world.validate()).toEqual([]);
      expect(Math.abs(world.measure().mass - 1)).toBeLessThan(1e-6);
      if (!event) continue;
      expect(event.removed.length).toBe(0);
      const which = numbers(body).filter(isDebris(body));
      if (!first && which.length > 0) first = { which, rows: rowsOf(body, which) };
    }
    // Nothing acts on debris here: it has kept its mass, and its velocity but for rounding of where it is.
    const now = rowsOf(body, first!.which);
    expect(now.map((row) => row[3])).toEqual(first!.rows.map((row) => row[3]));
    const changes = now.map((row, n) => distance(row.slice(4), first!.rows[n].slice(4)));
    expect(Math.max(...changes)).toBeLessThan(1e-3 * Math.hypot(...now[0].slice(4)));
  });

  it('leave if they are not wanted, with exactly their mass, and all else goes on as if they had stayed', async () => {
    const [keeping, leaving] = [await crumbling(backend, true), await crumbling(backend, false)];
    const { body } = leaving;
    let [gone, mass] = [0, 0];
    for (let n = 0; n < 60; n++) {
      const before = leaving.world.measure().mass;
      const [[event], [twin]] = [run(leaving.world, 1), run(keeping.world, 1)];
      expect(leaving.world.validate()).toEqual([]);
      expect(event?.splits).toEqual(twin?.splits);
      expect(body.pieces.ofParticle).not.toContain(NO_PIECE);
      // The same particles in the same order, to the last bit, without the debris.
      const kept = keeping.body;
      const others = numbers(kept).filter((i) => !isDebris(kept)(i));
      expect(rowsOf(body, numbers(body))).toEqual(rowsOf(kept, others));
      const debris = numbers(kept).filter(isDebris(kept));
      const left = debris.reduce((sum, i) => sum + kept.positions[4 * i + 3], 0);
      expect(Math.abs(leaving.world.measure().mass + left - 1)).toBeLessThan(1e-6);
      if (!event?.removed.length) continue;
      gone += event.removed.length;
      mass += before - leaving.world.measure().mass;
    }
    expect(gone).toBeGreaterThan(0);
    expect(mass).toBeGreaterThan(0.01);
    expect(numbers(keeping.body).filter(isDebris(keeping.body)).length).toBe(gone);
    expect(body.particleCount).toBe(keeping.body.particleCount - gone);
  });

  it('are gone for snapshots and skins as well', async () => {
    const { world, body } = await crumbling(backend, false);
    const start = world.snapshot();
    const built = body.particleCount;
    body.getSkin().update();
    run(world, 60);
    expect(body.particleCount).toBeLessThan(built);
    const end = [...body.positions];
    body.getSkin().update();
    expect(body.getSkin().positions.every(Number.isFinite)).toBe(true);
    expect(openEdges(body)).toBe(0);
    world.restore(start);
    expect(body.particleCount).toBe(built);
    expect(world.validate()).toEqual([]);
    body.getSkin().update();
    expect(openEdges(body)).toBe(0);
    run(world, 60);
    expect([...body.positions]).toEqual(end);
  });
});

/** Volume within what shows a body (m³). */
function volumeShown(body: Body): number {
  const { positions: x, indices } = body.getSkin();
  const at = (t: number, k: number, a: number) => x[3 * indices[3 * t + k] + a];
  let sum = 0;
  for (let t = 0; t < indices.length / 3; t++)
    for (let a = 0; a < 3; a++) {
      const [b, c] = [(a + 1) % 3, (a + 2) % 3];
      sum += at(t, 0, a) * (at(t, 1, b) * at(t, 2, c) - at(t, 1, c) * at(t, 2, b));
    }
  return sum / 6;
}

describe('the skin of a body that debris left', () => {
  it('shows as much less as is gone, whether it was asked for before or after', async () => {
    const shown: number[] = [];
    for (const before of [true, false]) {
      const { world, body } = await worldWith({ ...BLOCK, clustering: { count: 30 } });
      const { mass } = world.measure();
      if (before) body.getSkin().update();
      const draft = new TopologyDraft();
      draft.begin(world.state.views, body.rows);
      for (let c = 0; c < 8; c++) draft.dropCluster(c);
      draft.dropDebris();
      writeDraft(world, body, draft);
      body.core.history.noteBreak();
      const left = world.measure().mass / mass;
      expect(left).toBeLessThan(0.97);
      body.getSkin().update();
      shown.push(volumeShown(body) / (0.9 * 0.8 * 0.7));
      // Shares are blurred: pockets of a few particles show less than they held.
      expect(Math.abs(shown[0] - left)).toBeLessThan(0.025);
      expect(openEdges(body)).toBe(0);
    }
    expect(shown[1]).toBe(shown[0]);
  });
});

describe('the option fracture.debris', () => {
  it('is a switch', async () => {
    const { world } = await worldWith(CRUMBLING);
    const wrong = { ...CRUMBLING, fracture: { debris: 'gone' as never } };
    expect(refusal(() => world.addBody(wrong))).toMatch('body.fracture.debris is "gone"; expected true or false');
  });
});
