import { squared } from '../../math/elementary.js';

interface Triangles {
  positions: ArrayLike<number>;
  indices: ArrayLike<number>;
}

/** Triangles of a mesh that an edge of another triangle goes through which lay farther than `apart` from it at rest: places where a sheet passes through itself. */
export function crossedTriangles(
  { positions: p, indices }: Triangles,
  rest: ArrayLike<number>,
  apart: number,
): number[] {
  const count = indices.length / 3;
  const middle = (x: ArrayLike<number>, t: number) =>
    [0, 1, 2].map(
      (a) => (x[3 * indices[3 * t] + a] + x[3 * indices[3 * t + 1] + a] + x[3 * indices[3 * t + 2] + a]) / 3,
    );
  const middles = Array.from({ length: count }, (_, t) => middle(p, t));
  const before = Array.from({ length: count }, (_, t) => middle(rest, t));
  const distance2 = (a: number[], b: number[]) => squared(a[0] - b[0]) + squared(a[1] - b[1]) + squared(a[2] - b[2]);
  const vertex = (corner: number) => [0, 1, 2].map((a) => p[3 * indices[corner] + a]);
  const reach2 = (at: number[], t: number) => Math.max(...[0, 1, 2].map((c) => distance2(at, vertex(3 * t + c))));
  // No triangle is wider than a cell, so that triangles that meet are in cells beside each other.
  const cell = 1.5 * Math.max(...middles.slice(0, 200).map((at, t) => Math.sqrt(reach2(at, t))));
  const cells = new Map<string, number[]>();
  middles.forEach((at, t) => {
    const key = at.map((c) => Math.floor(c / cell)).join();
    const list = cells.get(key);
    if (list) list.push(t);
    else cells.set(key, [t]);
  });
  const crossed: number[] = [];
  for (let t = 0; t < count; t++) {
    const [i, j, k] = middles[t].map((c) => Math.floor(c / cell));
    const near: number[] = [];
    for (let a = i - 1; a <= i + 1; a++)
      for (let b = j - 1; b <= j + 1; b++)
        for (let c = k - 1; c <= k + 1; c++) near.push(...(cells.get(`${a},${b},${c}`) ?? []));
    const corners = [0, 1, 2].map((c) => vertex(3 * t + c));
    const meets = near.some(
      (o) =>
        distance2(before[t], before[o]) > apart * apart &&
        [0, 1, 2].some((c) => crosses(vertex(3 * o + c), vertex(3 * o + ((c + 1) % 3)), corners)),
    );
    if (meets) crossed.push(t);
  }
  return crossed;
}

/** Möller and Trumbore 1997. */
function crosses(from: number[], to: number[], [a, b, c]: number[][]): boolean {
  const minus = (u: number[], v: number[]) => u.map((x, k) => x - v[k]);
  const cross = (u: number[], v: number[]) => [
    u[1] * v[2] - u[2] * v[1],
    u[2] * v[0] - u[0] * v[2],
    u[0] * v[1] - u[1] * v[0],
  ];
  const dot = (u: number[], v: number[]) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const [d, e1, e2, s] = [minus(to, from), minus(b, a), minus(c, a), minus(from, a)];
  const h = cross(d, e2);
  const det = dot(e1, h);
  if (Math.abs(det) < 1e-16) return false;
  const u = dot(s, h) / det;
  const q = cross(s, e1);
  const v = dot(d, q) / det;
  const t = dot(e2, q) / det;
  return u >= 0 && v >= 0 && u + v <= 1 && t >= 0 && t <= 1;
}
