import { buildEdges } from '../mesh/edges.js';

const end = (h: number) => (h % 3 === 2 ? h - 2 : h + 1);
const third = (h: number) => (h % 3 === 0 ? h + 2 : h - 1);

/**
 * Finds pairs of triangles of a closed surface that lie back to back, with the same three knots. They enclose nothing
 * and can be left out. Returns 1 for each such triangle. `corner` gives the knot of each corner.
 */
export function findFlaps(corner: Uint32Array): Uint8Array {
  const isFlap = new Uint8Array(corner.length / 3);
  const { edgeCount, first, next, valence } = buildEdges(corner);
  for (let e = 0; e < edgeCount; e++) {
    if (valence[e] < 4) continue;
    for (let g = first[e]; g >= 0; g = next[g])
      for (let h = next[g]; h >= 0; h = next[h]) {
        const [s, t] = [Math.floor(g / 3), Math.floor(h / 3)];
        if (isFlap[s] || isFlap[t] || corner[g] === corner[h] || corner[third(g)] !== corner[third(h)]) continue;
        isFlap[s] = isFlap[t] = 1;
      }
  }
  return isFlap;
}

/**
 * Separates a closed surface where it touches itself along an edge, so that each edge has two triangles. `corner` gives
 * the knot of each corner and is rewritten. Knots from `count` on are new; the returned list tells which knot each is a
 * copy of.
 *
 * Where more than two triangles meet at an edge, they are paired, one of each direction, and of the same cell if
 * possible. Corners at a knot that are connected by pairs keep one knot. An edge at both ends of which the pairs are
 * connected by other triangles stays as it is. `isWhole` tells for which knots all triangles are given; other knots are
 * not changed.
 */
export function partPinches(
  corner: Uint32Array,
  cell: Uint32Array,
  count: number,
  isWhole: (knot: number) => boolean,
): number[] {
  const { edgeCount, first, next, valence } = buildEdges(corner);
  const pinched = new Set<number>();
  for (let e = 0; e < edgeCount; e++)
    if (valence[e] > 2) for (const k of [first[e], end(first[e])]) if (isWhole(corner[k])) pinched.add(corner[k]);
  const copies: number[] = [];
  if (pinched.size === 0) return copies;
  const parent = Int32Array.from(corner.keys());
  const root = (k: number) => {
    while (parent[k] !== k) k = parent[k] = parent[parent[k]];
    return k;
  };
  const join = (j: number, k: number) => {
    const [a, b] = [root(j), root(k)];
    parent[Math.max(a, b)] = Math.min(a, b);
  };
  const [up, down]: number[][] = [[], []];
  for (let e = 0; e < edgeCount; e++) {
    const a = corner[first[e]];
    if (!pinched.has(a) && !pinched.has(corner[end(first[e])])) continue;
    up.length = down.length = 0;
    for (let h = first[e]; h >= 0; h = next[h]) (corner[h] === a ? up : down).push(h);
    for (let n = 0; n < Math.min(up.length, down.length); n++) {
      const same = down.findIndex((h, m) => m >= n && cell[Math.floor(h / 3)] === cell[Math.floor(up[n] / 3)]);
      if (same > n) [down[n], down[same]] = [down[same], down[n]];
      join(up[n], end(down[n]));
      join(end(up[n]), down[n]);
    }
  }
  // The first fan at a knot keeps the knot; the others get copies.
  const keeper = new Map<number, number>();
  const number = new Map<number, number>();
  for (let k = 0; k < corner.length; k++) {
    const knot = corner[k];
    if (!pinched.has(knot)) continue;
    const fan = root(k);
    if (!keeper.has(knot)) keeper.set(knot, fan);
    if (keeper.get(knot) === fan) continue;
    if (!number.has(fan)) number.set(fan, count + copies.push(knot) - 1);
    corner[k] = number.get(fan)!;
  }
  return copies;
}
