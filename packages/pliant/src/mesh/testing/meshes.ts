import type { Random } from '../../math/random.js';

export interface TestMesh {
  positions: number[];
  indices: number[];
}

/** A box with 8 shared vertices, or with 24 (four per face, as files with normals have them). */
export function boxMesh(size: readonly number[], centre: readonly number[] = [0, 0, 0], split = false): TestMesh {
  const corner = (n: number) => [0, 1, 2].map((axis) => centre[axis] + ((n >> axis) & 1 ? 0.5 : -0.5) * size[axis]);
  const faces = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  const positions = split
    ? faces.flatMap((face) => face.flatMap(corner))
    : Array.from({ length: 8 }, (_, n) => corner(n)).flat();
  const indices = faces.flatMap((face, f) => {
    const [a, b, c, d] = split ? [4 * f, 4 * f + 1, 4 * f + 2, 4 * f + 3] : face;
    return [a, b, c, a, c, d];
  });
  return { positions, indices };
}

/** An icosahedron, each triangle cut in four `level` times, all vertices on the sphere. */
export function icosphere(level: number, radius = 1, centre: readonly number[] = [0, 0, 0]): TestMesh {
  const t = (1 + Math.sqrt(5)) / 2;
  let points = [
    [-1, t, 0], [1, t, 0], [-1, -t, 0], [1, -t, 0], [0, -1, t], [0, 1, t],
    [0, -1, -t], [0, 1, -t], [t, 0, -1], [t, 0, 1], [-t, 0, -1], [-t, 0, 1],
  ]; // biome-ignore format: one vertex per bracket
  let faces = [
    [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11], [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8],
    [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9], [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
  ]; // biome-ignore format: one triangle per bracket
  for (let n = 0; n < level; n++) {
    const middles = new Map<string, number>();
    const middle = (a: number, b: number) => {
      const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
      if (!middles.has(key)) {
        middles.set(key, points.length);
        points.push([0, 1, 2].map((k) => (points[a][k] + points[b][k]) / 2));
      }
      return middles.get(key)!;
    };
    faces = faces.flatMap(([a, b, c]) => {
      const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
      return [
        [a, ab, ca],
        [b, bc, ab],
        [c, ca, bc],
        [ab, bc, ca],
      ];
    });
  }
  points = points.map((p) => p.map((x, k) => centre[k] + (radius * x) / Math.hypot(...p)));
  return { positions: points.flat(), indices: faces.flat() };
}

/** A torus around the y axis with m × n quads. */
export function torusMesh(radius: number, tube: number, m: number, n: number): TestMesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++) {
      const [u, v] = [(2 * Math.PI * i) / m, (2 * Math.PI * j) / n];
      const r = radius + tube * Math.cos(v);
      positions.push(r * Math.cos(u), tube * Math.sin(v), r * Math.sin(u));
      const [a, b] = [i * n + j, ((i + 1) % m) * n + j];
      const [c, d] = [((i + 1) % m) * n + ((j + 1) % n), i * n + ((j + 1) % n)];
      indices.push(a, c, b, a, d, c);
    }
  return { positions, indices };
}

/** Several meshes as one file. */
export function merged(...meshes: TestMesh[]): TestMesh {
  const result: TestMesh = { positions: [], indices: [] };
  for (const { positions, indices } of meshes) {
    const base = result.positions.length / 3;
    result.positions.push(...positions);
    result.indices.push(...indices.map((v) => base + v));
  }
  return result;
}

/** The mesh with the given triangles (all by default) wound the other way. */
export function reversed(
  { positions, indices }: TestMesh,
  which: (triangle: number) => boolean = () => true,
): TestMesh {
  const turned = indices.slice();
  for (let t = 0; t < indices.length / 3; t++)
    if (which(t)) [turned[3 * t + 1], turned[3 * t + 2]] = [indices[3 * t + 2], indices[3 * t + 1]];
  return { positions, indices: turned };
}

/** The mesh without the given triangles. */
export function without({ positions, indices }: TestMesh, which: (triangle: number) => boolean): TestMesh {
  return { positions, indices: indices.filter((_, k) => !which(Math.floor(k / 3))) };
}

/** A point with coordinates in [−range, range]. */
export const randomPoint = (next: Random, range: number): [number, number, number] => [
  (2 * next() - 1) * range,
  (2 * next() - 1) * range,
  (2 * next() - 1) * range,
];

/**
 * Cells of a grid for which `filled(i, j)` is true, extruded along z by `depth`. The mesh is closed and shares its
 * vertices.
 */
export function cellMesh(
  xs: readonly number[],
  ys: readonly number[],
  depth: number,
  filled: (i: number, j: number) => boolean,
): TestMesh {
  const positions: number[] = [];
  const indices: number[] = [];
  const known = new Map<string, number>();
  const vertex = (i: number, j: number, k: number) => {
    const key = `${i} ${j} ${k}`;
    if (!known.has(key)) {
      known.set(key, positions.length / 3);
      positions.push(xs[i], ys[j], (k - 0.5) * depth);
    }
    return known.get(key)!;
  };
  const quad = (a: number, b: number, c: number, d: number) => indices.push(a, b, c, a, c, d);
  const isFilled = (i: number, j: number) => i >= 0 && j >= 0 && i < xs.length - 1 && j < ys.length - 1 && filled(i, j);
  for (let j = 0; j < ys.length - 1; j++)
    for (let i = 0; i < xs.length - 1; i++) {
      if (!isFilled(i, j)) continue;
      quad(vertex(i, j, 1), vertex(i + 1, j, 1), vertex(i + 1, j + 1, 1), vertex(i, j + 1, 1));
      quad(vertex(i, j, 0), vertex(i, j + 1, 0), vertex(i + 1, j + 1, 0), vertex(i + 1, j, 0));
      const wall = (i0: number, j0: number, i1: number, j1: number) =>
        quad(vertex(i0, j0, 0), vertex(i1, j1, 0), vertex(i1, j1, 1), vertex(i0, j0, 1));
      if (!isFilled(i, j - 1)) wall(i, j, i + 1, j);
      if (!isFilled(i + 1, j)) wall(i + 1, j, i + 1, j + 1);
      if (!isFilled(i, j + 1)) wall(i + 1, j + 1, i, j + 1);
      if (!isFilled(i - 1, j)) wall(i, j + 1, i, j);
    }
  return { positions, indices };
}
