import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import { worldWith } from '../testing/bodies.js';

const CUBE = {
  shape: { type: 'box', size: [1, 1, 1] },
  sampling: { method: 'grid', spacing: 0.1 },
  clustering: { count: 8 },
} as const;

/** Heights of the vertices of inner faces above the plane y = 0, lowest and highest of each body. */
function heights(body: Body): [number, number] {
  const { positions, indices, groups } = body.getSkin();
  const [, inner] = groups;
  let [low, high] = [Infinity, -Infinity];
  for (let k = inner.start; k < inner.start + inner.count; k++) {
    low = Math.min(low, positions[3 * indices[k] + 1]);
    high = Math.max(high, positions[3 * indices[k] + 1]);
  }
  return [low, high];
}

describe('the kerf', () => {
  it('draws both faces of a cut apart, and leaves body and rest shape as they are', async () => {
    const { world, body } = await worldWith(CUBE);
    const { bodies } = world.cut(body, { point: [0, 0, 0], normal: [0, 1, 0] });
    for (const part of bodies) {
      const skin = part.getSkin();
      const { rest } = skin;
      const kept = rest.slice();
      skin.update();
      expect(heights(part)[0]).toBeCloseTo(0, 4);
      skin.kerf = 0.02;
      skin.update();
      const [low, high] = heights(part);
      const side = low > 0 ? 1 : -1;
      // The rim moves with the face, along its normal.
      expect(side * low).toBeCloseTo(0.01, 4);
      expect(side * high).toBeCloseTo(0.01, 4);
      expect(skin.rest).toEqual(kept);
      // Outer faces end there too.
      let nearest = Infinity;
      for (const r of skin.indices) nearest = Math.min(nearest, side * skin.positions[3 * r + 1]);
      expect(nearest).toBeCloseTo(0.01, 4);
      skin.kerf = 0;
      skin.update();
      expect(Math.abs(heights(part)[0])).toBeLessThan(1e-4);
    }
  });

  it('opens the slit of a blade that ends in the body, to where it ends', async () => {
    const { world, body } = await worldWith(CUBE);
    world.cut(body, {
      blade: [
        [0, 0, -1],
        [0, 0, 1],
        [1, 0, 1],
        [1, 0, -1],
      ],
    });
    const skin = body.getSkin();
    skin.kerf = 0.02;
    skin.update();
    const { positions, indices, groups } = skin;
    let [opened, atEnd] = [0, 0];
    for (let k = groups[1].start; k < groups[1].start + groups[1].count; k++) {
      const [x, y] = [positions[3 * indices[k]], positions[3 * indices[k] + 1]];
      if (x > 0.4) opened = Math.max(opened, Math.abs(y));
      // On the surface an edge of the mesh may cross the blade next to its end.
      if (x < 1e-4 && Math.abs(positions[3 * indices[k] + 2]) < 0.49) atEnd = Math.max(atEnd, Math.abs(y));
    }
    expect(opened).toBeCloseTo(0.01, 4);
    expect(atEnd).toBeLessThan(1e-4);
  });

  it('lies between rims as fine as the faces', async () => {
    for (const normal of [
      [0, 1, 0],
      [0.3, 1, 0.2],
    ] as const) {
      const { world, body } = await worldWith(CUBE);
      const [part] = world.cut(body, { point: [0, 0.02, 0], normal: [...normal] }).bodies;
      const { positions: p, indices, welded, groups } = part.getSkin();
      const edges = new Map<string, { kinds: number; length: number }>();
      for (let h = 0; h < indices.length; h++) {
        const [u, v] = [indices[h], indices[h % 3 === 2 ? h - 2 : h + 1]];
        const key = [welded[u], welded[v]].sort().join();
        const length = Math.hypot(p[3 * u] - p[3 * v], p[3 * u + 1] - p[3 * v + 1], p[3 * u + 2] - p[3 * v + 2]);
        edges.set(key, { length, kinds: (edges.get(key)?.kinds ?? 0) | (h < groups[1].start ? 1 : 2) });
      }
      const lengths = (kinds: number) =>
        [...edges.values()]
          .filter((edge) => edge.kinds === kinds)
          .map((edge) => edge.length)
          .sort((a, b) => a - b);
      const [rim, face] = [lengths(3), lengths(2)];
      expect(rim.length).toBeGreaterThan(30);
      expect(rim[rim.length - 1]).toBeLessThan(face[Math.floor(0.95 * face.length)]);
      expect(rim[rim.length >> 1]).toBeLessThan(face[face.length >> 1]);
    }
  });

  it('is not part of the mesh that a later cut divides', async () => {
    const run = async (kerf: number) => {
      const { world, body } = await worldWith(CUBE);
      const [part] = world.cut(body, { point: [0, 0, 0], normal: [0, 1, 0] }).bodies;
      part.getSkin().kerf = kerf;
      part.getSkin().update();
      const parts = world.cut(part, { point: [0.02, 0, 0], normal: [1, 0, 0] }).bodies;
      return parts.map((p) => p.getSkin().restMesh.positions);
    };
    expect(await run(0.05)).toEqual(await run(0));
  });

  it('refuses what is no distance', async () => {
    const { body } = await worldWith(CUBE);
    const skin = body.getSkin();
    skin.kerf = -1;
    expect(() => skin.update()).toThrow(/kerf/);
  });
});
