// The cube that every engine drops: the same edge, count of vertices and mass.

/** Length of an edge (m). */
export const EDGE = 1;
/** Mass (kg): 1000 kg/m³. */
export const MASS = 1000;
/** Vertices along an edge: 1331, 4913 and 19 683 in all. */
export const SIZES = [11, 17, 27];

/** A cell's six tetrahedra around the diagonal from its corner 000 to 111: the way from one to the other along three edges, in every order of the axes. */
const ORDERS = [
  [0, 1, 2],
  [1, 2, 0],
  [2, 0, 1],
  [0, 2, 1],
  [2, 1, 0],
  [1, 0, 2],
];

/**
 * A cube of n × n × n vertices about the origin, x running fastest.
 * `axisEdges` are the edges along the axes, `edges` all edges of the tetrahedra, `triangles` the surface, its sides outwards.
 */
export function makeCube(n) {
  if (!Number.isInteger(n) || n < 2) throw new Error(`n is ${n}; expected a whole number of at least 2`);
  const stride = [1, n, n * n];
  const count = n ** 3;
  const spacing = EDGE / (n - 1);
  const positions = new Float64Array(3 * count);
  const [axisEdges, tetrahedra, triangles] = [[], [], []];
  const edges = new Map();
  for (let i = 0; i < count; i++) {
    const at = stride.map((s) => Math.floor(i / s) % n);
    for (let a = 0; a < 3; a++) {
      positions[3 * i + a] = at[a] * spacing - EDGE / 2;
      if (at[a] < n - 1) axisEdges.push([i, i + stride[a]]);
    }
    if (at.every((k) => k < n - 1))
      for (const order of ORDERS) {
        const corners = [i];
        for (const a of order) corners.push(corners.at(-1) + stride[a]);
        const [p, q, r, s] = corners;
        // Odd orders of the axes turn the other way round: all volumes are positive.
        tetrahedra.push((order[1] - order[0] + 3) % 3 === 1 ? corners : [p, r, q, s]);
        for (const [k, a] of corners.entries()) for (const b of corners.slice(k + 1)) edges.set(a * count + b, [a, b]);
      }
    for (let a = 0; a < 3; a++) {
      const [u, v] = [stride[(a + 1) % 3], stride[(a + 2) % 3]];
      const isSide = at[a] === 0 || at[a] === n - 1;
      if (!isSide || at[(a + 1) % 3] === n - 1 || at[(a + 2) % 3] === n - 1) continue;
      const [b, c, d] = [i + u, i + u + v, i + v];
      triangles.push(...(at[a] === 0 ? [[i, c, b], [i, d, c]] : [[i, b, c], [i, c, d]])); // biome-ignore format: one side a pair
    }
  }
  return { n, count, spacing, positions, axisEdges, edges: [...edges.values()], tetrahedra, triangles };
}
