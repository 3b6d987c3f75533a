import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/options.js';
import { worldWith } from '../testing/bodies.js';
import { NO_PIECE } from '../topology/pieces.js';
import type { RenderSkin } from './renderSkin.js';
import type { SkinMesh } from './skinMesh.js';
import { crackFigures } from './testing/cracks.js';

const BAR: BodyOptions = {
  shape: { type: 'box', size: [2, 0.4, 0.4] },
  sampling: { method: 'grid', spacing: 0.1 },
  clustering: { count: 16 },
  material: { toughness: 0.2, raw: { rotation: 'covariance', stiffness: 0.8, damping: 0.1 } },
};

/** A bar whose ends are drawn apart, half a metre a second each, for two seconds. */
async function torn({ ask = true, each = (_: Body) => {}, fracture = {} as BodyOptions['fracture'] } = {}) {
  const { world, body } = await worldWith({ ...BAR, fracture });
  if (ask) expect(body.getSkin().version).toBe(1);
  for (const side of [1, -1])
    world.addClamp({
      region: { type: 'halfspace', normal: [side, 0, 0], offset: 0.8 },
      velocity: [0.5 * side, 0, 0],
      bodies: [body],
    });
  for (let n = 0; n < 120; n++) {
    world.step();
    each(body);
  }
  expect(body.pieces.count).toBeGreaterThan(1);
  return { world, body };
}

/** The longest edge of any triangle, in lengths that it has at rest. */
function worstStretch({ positions: x, indices, welded, restMesh }: RenderSkin, rest: Float64Array): number {
  expect(restMesh.positions.length).toBeGreaterThan(0);
  let worst = 0;
  for (let k = 0; k < indices.length; k++) {
    const [u, v] = [indices[k], indices[k % 3 === 2 ? k - 2 : k + 1]];
    const now = Math.hypot(x[3 * u] - x[3 * v], x[3 * u + 1] - x[3 * v + 1], x[3 * u + 2] - x[3 * v + 2]);
    const [p, q] = [3 * welded[u], 3 * welded[v]];
    worst = Math.max(worst, now / Math.hypot(rest[p] - rest[q], rest[p + 1] - rest[q + 1], rest[p + 2] - rest[q + 2]));
  }
  return worst;
}

function areaOf(p: Float64Array, indices: ArrayLike<number>, start: number, count: number): number {
  let sum = 0;
  for (let k = start; k < start + count; k += 3) {
    const [a, b, c] = [3 * indices[k], 3 * indices[k + 1], 3 * indices[k + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    sum += Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx) / 2;
  }
  return sum;
}

/** Area at rest of the outer faces that are shown. */
function outerArea(skin: RenderSkin): number {
  const { shown } = skin as unknown as { shown: SkinMesh };
  const outer = shown.indices.filter((_, k) => !shown.inner?.[Math.floor(k / 3)]);
  return areaOf(shown.positions, outer, 0, outer.length);
}

/** How many triangles follow particles of more than one piece. */
function spanning({ indices, particle }: RenderSkin, { pieces: { ofParticle } }: Body): number {
  let count = 0;
  for (let k = 0; k < indices.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map((n) => ofParticle[particle[indices[k + n]]]);
    expect(a).not.toBe(NO_PIECE);
    if (a !== b || a !== c) count++;
  }
  return count;
}

describe('the skin of a body that breaks', () => {
  it('comes apart with it: no triangle spans two pieces or is drawn out across the gap', async () => {
    const seen = new Set<number>();
    const { body } = await torn({
      each: (body) => {
        const skin = body.getSkin();
        skin.update();
        seen.add(skin.version);
      },
    });
    const skin = body.getSkin();
    // All of it is still there, in more triangles, and behind it the faces of the cracks.
    const [outer, inner] = skin.groups;
    expect(outer.start).toBe(0);
    expect(outer.count).toBeGreaterThan(skin.restMesh.indices.length);
    const { positions, indices } = skin.restMesh;
    expect(outerArea(skin) / areaOf(positions, indices, 0, indices.length)).toBeCloseTo(1, 9);
    expect(inner).toEqual({ start: outer.count, count: skin.indices.length - outer.count, kind: 'inner' });
    expect(spanning(skin, body)).toBe(0);
    // The ends have gone a metre each; where the bar held together it is drawn out by its toughness.
    const places = new Float64Array(3 * (1 + Math.max(...skin.welded)));
    const { knots, shown } = skin as unknown as { knots: { vertex: Uint32Array }; shown: SkinMesh };
    knots.vertex.forEach((v, n) => {
      places.set(shown.positions.subarray(3 * v, 3 * v + 3), 3 * n);
    });
    expect(worstStretch(skin, places)).toBeLessThan(2.5);
    // Arrays were replaced as it broke, and not in each of the 120 steps.
    expect(seen.size).toBeGreaterThan(1);
    expect(seen.size).toBeLessThan(60);
    expect(skin.positions.every(Number.isFinite)).toBe(true);
  });

  it('has faces as rough as the option says, drawn out along the grain, and moves the same', async () => {
    const bars = [];
    for (const fracture of [{}, { roughness: 1 }, { roughness: 1, grain: 'x' as const }])
      bars.push((await torn({ ask: false, fracture })).body);
    const [smooth, rough, fibrous] = bars.map((body) => {
      const skin = body.getSkin();
      const figures = crackFigures(body);
      expect({ ...figures, filled: 1, smooth: 1 }).toEqual({
        ...figures,
        unseen: 0,
        spanning: 0,
        open: 0,
        filled: 1,
        smooth: 1,
      });
      expect(Math.abs(figures.filled - 1)).toBeLessThan(1e-9);
      return skin;
    });
    for (const body of bars) expect(body.positions).toEqual(bars[0].positions);
    // Points of the cracks at rest, the same in all three but for their places.
    const placesOf = (skin: RenderSkin) => (skin as unknown as { shown: SkinMesh }).shown.positions;
    const moved = (skin: RenderSkin, axis: number) => {
      const [places, others] = [placesOf(skin), placesOf(smooth)];
      expect(places.length).toBe(others.length);
      let most = 0;
      for (let o = axis; o < places.length; o += 3) most = Math.max(most, Math.abs(places[o] - others[o]));
      return most;
    };
    expect(moved(rough, 0)).toBeGreaterThan(0.015);
    expect(moved(rough, 0)).toBeLessThan(0.04);
    expect(moved(fibrous, 1)).toBeGreaterThan(0.01);
    // Points on the mesh keep to their edges, and so move along the grain a little.
    expect(moved(fibrous, 0)).toBeLessThan(0.4 * moved(rough, 0));
  });

  it('keeps its seams: vertices that are one are at one place, with or without creases', async () => {
    const { body } = await torn();
    body.getSkin().update();
    const { welded, positions, vertexCount } = body.getSkin();
    const first = new Map<number, number>();
    let split = 0;
    for (let v = 0; v < vertexCount; v++) {
      const other = first.get(welded[v]);
      if (other === undefined) {
        first.set(welded[v], v);
        continue;
      }
      split++;
      expect(positions.subarray(3 * v, 3 * v + 3)).toEqual(positions.subarray(3 * other, 3 * other + 3));
    }
    expect(split).toBeGreaterThan(50);
  });

  it('is divided among the bodies that its pieces become, and stays where it was', async () => {
    const { world, body } = await torn();
    const skin = body.getSkin();
    skin.update();
    const triangles = skin.indices.length;
    const version = skin.version;
    const sum = (s: RenderSkin) => s.positions.reduce((total, x) => total + x, 0) / Math.max(1, s.positions.length);
    const before = bounds([skin]);
    const bodies = world.separate(body);
    expect(body.getSkin()).toBe(skin);
    expect(skin.version).toBeGreaterThan(version);
    expect(bodies.reduce((total, b) => total + b.getSkin().indices.length, 0)).toBe(triangles);
    for (const b of bodies) {
      expect(spanning(b.getSkin(), b)).toBe(0);
      expect(Number.isFinite(sum(b.getSkin()))).toBe(true);
    }
    bounds(bodies.map((b) => b.getSkin())).forEach((x, k) => {
      expect(x).toBeCloseTo(before[k], 2);
    });
    // And they go on by themselves.
    for (let n = 0; n < 30; n++) world.step();
    for (const b of bodies) b.getSkin().update();
    expect(bounds(bodies.map((b) => b.getSkin()))[3]).toBeGreaterThan(before[3] + 0.1);
  });

  it('asked for only then, a piece shows its own part of the mesh', async () => {
    const { world, body } = await torn({ ask: false });
    const bodies = world.separate(body);
    const parts = bodies.map((b) => outerArea(b.getSkin()));
    const { positions, indices } = bodies[0].getSkin().restMesh;
    const whole = areaOf(positions, indices, 0, indices.length);
    const total = parts.reduce((sum, n) => sum + n, 0);
    expect(total).toBeGreaterThan(0.9 * whole);
    expect(total).toBeLessThan(1.03 * whole);
    expect(Math.max(...parts)).toBeLessThan(0.8 * whole);
    for (const b of bodies) {
      const [low, high] = [bounds([b.getSkin()]), bodyBounds(b)];
      // Half a spacing around its particles, what a crack draws out, and its faces, which stand where particles were.
      for (let a = 0; a < 3; a++) if (b.getSkin().vertexCount > 0) expect(low[a]).toBeGreaterThan(high[a] - 0.2);
    }
  });
});

function bounds(skins: RenderSkin[]): number[] {
  const out = [9e9, 9e9, 9e9, -9e9, -9e9, -9e9];
  for (const { positions } of skins)
    positions.forEach((x, k) => {
      out[k % 3] = Math.min(out[k % 3], x);
      out[3 + (k % 3)] = Math.max(out[3 + (k % 3)], x);
    });
  return out;
}

function bodyBounds({ positions }: Body): number[] {
  const out = [9e9, 9e9, 9e9];
  for (let o = 0; o < positions.length; o++) if (o % 4 < 3) out[o % 4] = Math.min(out[o % 4], positions[o]);
  return out;
}
