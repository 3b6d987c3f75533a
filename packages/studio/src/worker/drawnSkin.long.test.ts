import { type BodyOptions, World } from 'pliant';
import { expect, test } from 'vitest';
import { DrawnSkin, type SkinArrays } from './drawnSkin.js';

async function skinOf(options: BodyOptions) {
  const world = await World.create({ backend: 'ts' });
  const body = world.addBody(options);
  const raw = body.getSkin();
  raw.update();
  const drawn = new DrawnSkin(raw, body.size, true);
  drawn.update();
  return { world, body, raw, drawn };
}

function volumeOf({ positions: x, indices }: SkinArrays): number {
  let sum = 0;
  for (let k = 0; k < indices.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map((n) => x.subarray(3 * indices[k + n], 3 * indices[k + n] + 3));
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}

/** Angles (degrees) between the triangles at each edge, by place; and edges that have not two triangles. */
function foldsOf({ positions: x, indices }: SkinArrays) {
  const key = (v: number) => `${x[3 * v]} ${x[3 * v + 1]} ${x[3 * v + 2]}`;
  const edges = new Map<string, number[][]>();
  for (let k = 0; k < indices.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map((n) => Array.from(x.subarray(3 * indices[k + n], 3 * indices[k + n] + 3)));
    const [u, v] = [b.map((p, i) => p - a[i]), c.map((p, i) => p - a[i])];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...n) || 1;
    for (let n3 = 0; n3 < 3; n3++) {
      const ends = [key(indices[k + n3]), key(indices[k + ((n3 + 1) % 3)])].sort().join();
      const list = edges.get(ends) ?? [];
      list.push(n.map((value) => value / length));
      edges.set(ends, list);
    }
  }
  const angles: number[] = [];
  let open = 0;
  for (const normals of edges.values()) {
    if (normals.length !== 2) open++;
    else {
      const cosine = normals[0].reduce((sum, value, i) => sum + value * normals[1][i], 0);
      angles.push((Math.acos(Math.max(-1, Math.min(1, cosine))) * 180) / Math.PI);
    }
  }
  return { angles, open };
}

test('a ball of few triangles is drawn rounder, and closed', async () => {
  const { world, raw, drawn } = await skinOf({ shape: { type: 'sphere', radius: 0.25 }, sampling: { count: 150 } });
  const exact = (4 / 3) * Math.PI * 0.25 ** 3;
  expect(drawn.indices.length).toBe(4 * raw.indices.length);
  expect(Math.abs(volumeOf(drawn) / exact - 1)).toBeLessThan(0.3 * Math.abs(volumeOf(raw) / exact - 1));
  expect(foldsOf(drawn).open).toBe(0);
  expect(Math.max(...foldsOf(drawn).angles)).toBeLessThan(0.7 * Math.max(...foldsOf(raw).angles));
  world.dispose();
});

test('a box has its edges and its triangles', async () => {
  const { world, raw, drawn } = await skinOf({ shape: { type: 'box', size: [1, 0.5, 0.5] }, sampling: { count: 200 } });
  expect(Array.from(drawn.positions)).toEqual(Array.from(raw.positions));
  expect(Array.from(drawn.indices)).toEqual(Array.from(raw.indices));
  world.dispose();
});

test('where parts of a body meet, folds are smoothed, and it stays closed and as large', async () => {
  const limb = (x: number, degrees: number) => ({
    type: 'capsule' as const,
    ...{ radius: 0.1, height: 0.5, position: [x, -0.3, 0] as const },
    rotation: [0, 0, Math.sin((degrees * Math.PI) / 360), Math.cos((degrees * Math.PI) / 360)] as const,
  });
  const { world, raw, drawn } = await skinOf({
    shape: {
      type: 'union',
      of: [{ type: 'ellipsoid', radii: [0.5, 0.25, 0.25] }, limb(-0.25, 10), limb(0.25, -10)],
    },
    sampling: { count: 800 },
  });
  const sharp = (skin: SkinArrays) => foldsOf(skin).angles.filter((angle) => angle > 60).length;
  expect(sharp(raw)).toBeGreaterThan(12);
  expect(sharp(drawn)).toBeLessThan(0.2 * sharp(raw));
  expect(foldsOf(drawn).open).toBe(foldsOf(raw).open);
  expect(volumeOf(drawn) / volumeOf(raw)).toBeCloseTo(1, 1);
  world.dispose();
});

/** A ring around the y axis of quads: 20 along it, 8 around its tube. */
function ring() {
  const positions: number[] = [];
  const indices: number[] = [];
  const [along, around] = [20, 8];
  for (let i = 0; i < along; i++)
    for (let j = 0; j < around; j++) {
      const [u, v] = [(2 * Math.PI * i) / along, (2 * Math.PI * (j + 0.5)) / around];
      const away = 0.24 + 0.07 * Math.cos(v);
      positions.push(away * Math.cos(u), 0.07 * Math.sin(v), away * Math.sin(u));
      const at = (a: number, b: number) => around * (a % along) + (b % around);
      indices.push(at(i, j), at(i, j + 1), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i + 1, j));
    }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}

test('a coarse ring is drawn round, as large, and closed, also where it is cut', async () => {
  const { world, body, raw, drawn } = await skinOf({ mesh: ring(), sampling: { count: 300 } });
  const largest = (skin: SkinArrays) => Math.max(...foldsOf(skin).angles);
  expect(largest(raw)).toBeGreaterThan(40);
  expect(largest(drawn)).toBeLessThan(32);
  expect(foldsOf(drawn).open).toBe(0);
  expect(volumeOf(drawn) / volumeOf(raw)).toBeCloseTo(1, 1);
  // The outermost line is a circle: in the mesh its corners stick out by 1.2 %.
  const radii: number[] = [];
  for (let o = 0; o < drawn.positions.length; o += 3) {
    const [x, y, z] = drawn.positions.subarray(o, o + 3);
    if (Math.abs(y) < 1e-3 && Math.hypot(x, z) > 0.24) radii.push(Math.hypot(x, z));
  }
  expect(Math.max(...radii) / Math.min(...radii)).toBeLessThan(1.004);
  const [part] = world.cut(body, { point: [0, 0, 0], normal: [1, 0, 0] }).bodies;
  const skin = part.getSkin();
  skin.update();
  const cut = new DrawnSkin(skin, part.size, true);
  cut.update();
  expect(foldsOf(cut).open).toBe(foldsOf(skin).open);
  world.dispose();
});
