import type { Body } from '../body/body.js';
import { hypot } from '../math/elementary.js';
import type { Views } from '../state/layout.js';
import { fanAround } from './fan.js';

/** The middle surface of a sheet or the middle line of a cord, as far as its particles hold together. It depends on the rest shape and the memberships alone, so that it is made anew rather than saved. */
export interface FoldMesh {
  /** Topology version of the body that it was made for. */
  readonly version: number;
  /** Particles of a node: the node is their mean. 1 for sheets; 3 for cords, whose nodes are sections. */
  readonly per: number;
  /** `per` particles of each node, counted from the body's first. */
  readonly particles: Uint32Array;
  readonly nodes: number;
  /** Places of the nodes in the rest shape, x y z each (m). */
  readonly rest: Float64Array;
  /** Three nodes each. */
  readonly triangles: Uint32Array;
  /** Two nodes each, the lower first. The first `rims` ones are tested against all others: the hem of a sheet, every part of a cord. */
  readonly edges: Uint32Array;
  readonly rims: number;
  /** Triangles and edges of each node. */
  readonly trianglesOf: Lists;
  readonly edgesOf: Lists;
  /** Nodes too near in the rest shape to touch: neighbours in a sheet, so many parts in a cord that a hairpin fits between. Itself is one of them. */
  readonly near: Lists;
  /** Nodes that touch only if the sheet is folded between them: three edges away, the near ones included. Of a cord the near ones. */
  readonly around: Lists;
  /** Distance that parts keep from each other (m). */
  readonly apart: number;
  /** Of each triangle in the rest shape: the radius of the circle through its corners (m). No place in it is farther from the nearest of them. */
  readonly radius: Float64Array;
  /** Of each edge in the rest shape: half of its length (m). */
  readonly half: Float64Array;
  /** The largest radius; the largest distance of the nearest ends of two edges that cross, of which one is tested against all others; the longest edge (m). */
  readonly widest: number;
  readonly crossing: number;
  readonly longest: number;
  /** Distance between neighbouring nodes (m). */
  readonly spacing: number;
}

/** items[start[i]] … items[start[i + 1] − 1] belong to i. */
export interface Lists {
  readonly start: Uint32Array;
  readonly items: Uint32Array;
}

/** Particles of a section of a cord (sample/cord.ts). */
const SECTION = 3;

/** Neighbours farther off than this, and triangles with circles of a radius beyond REACH, in spacings, do not count. Particles of a sheet leave no empty circle wider than 1. */
const FAR = 2.6;
const REACH = 1.3;

/**
 * Distance between the middles of two layers of a sheet beyond its thickness, in spacings: its drawn surface bends between particles and is off the plane of three of them, by s²/8R in a bend of radius R.
 */
const AIR = 0.2;
/** The same for cords, in radii. */
const CORD_AIR = 0.05;

/** Edges from a node to those that it touches only in a fold. Corners fold within two. */
const AROUND = 3;

/** Length of a hairpin between two legs that touch, in distances of their middles: π/2. */
const HAIRPIN = 1.6;

export function buildFoldMesh(s: Views, body: Body, kind: 'sheet' | 'cord'): FoldMesh | undefined {
  const spacing = body.spacing ?? 0;
  const { particleStart: first, particleEnd: last } = body.rows;
  if (!(spacing > 0) || last - first < 4) return undefined;
  return kind === 'cord' ? chainOf(s, body, spacing) : sheetOf(s, body, spacing);
}

function sheetOf(s: Views, body: Body, spacing: number): FoldMesh {
  const { particleStart: first, particleEnd: last } = body.rows;
  const count = last - first;
  const rest = body.restPositions;
  const triangles = findTriangles(s, body, spacing);
  const { edges, rims } = edgesOfTriangles(triangles, count);
  let half = 0;
  for (let i = first; i < last; i++) half += s.reach[i] / count;
  const ring = neighbours(edges, count);
  return {
    ...{ version: body.topologyVersion, per: 1, nodes: count, rest, triangles, edges, rims, spacing },
    particles: Uint32Array.from({ length: count }, (_, i) => i),
    trianglesOf: listBy(triangles, 3, count),
    edgesOf: listBy(edges, 2, count),
    near: within(ring, count, 1),
    around: within(ring, count, AROUND),
    apart: 2 * (half + body.core.contact.settings.margin) + AIR * spacing,
    ...sizesOf(triangles, edges, rims, rest),
  };
}

/** Triangles of all fans, each once, by their lowest corners. */
function findTriangles(s: Views, body: Body, spacing: number): Uint32Array {
  const { particleStart: first, particleEnd: last } = body.rows;
  const count = last - first;
  const rest = body.restPositions;
  /** Of each node: the other corners of triangles of which it is the lowest, as one number. */
  const found: number[][] = Array.from({ length: count }, () => []);
  const seen = new Int32Array(count).fill(-1);
  const around: { node: number; square: number }[] = [];
  for (let i = 0; i < count; i++) {
    around.length = 0;
    seen[i] = i;
    const rank = s.gatherRank[first + i];
    for (let l = s.linkStart[rank]; l < s.linkStart[rank + 1]; l++) {
      const c = s.linkCluster[l];
      for (let m = s.memberStart[c]; m < s.memberStart[c + 1]; m++) {
        const j = s.memberParticle[m] - first;
        if (seen[j] === i) continue;
        seen[j] = i;
        const square = distance2(rest, i, j);
        if (square <= FAR * FAR * spacing * spacing && square > 0) around.push({ node: j, square });
      }
    }
    around.sort((a, b) => a.square - b.square || a.node - b.node);
    const points = around.flatMap(({ node }) => [0, 1, 2].map((a) => rest[3 * node + a] - rest[3 * i + a]));
    fanAround(points, REACH * spacing, (a, b) => {
      const [p, q, r] = [i, around[a].node, around[b].node].sort((m, n) => m - n);
      if (!found[p].includes(count * q + r)) found[p].push(count * q + r);
    });
  }
  const list: number[] = [];
  found.forEach((others, p) => {
    others.sort((a, b) => a - b);
    for (const other of others) list.push(p, Math.floor(other / count), other % count);
  });
  return Uint32Array.from(list);
}

/** The edges of triangles, those with one triangle first. */
function edgesOfTriangles(triangles: Uint32Array, count: number): { edges: Uint32Array; rims: number } {
  const sides = new Map<number, number>();
  for (let t = 0; t < triangles.length; t += 3)
    for (const [a, b] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ]) {
      const key = count * triangles[t + a] + triangles[t + b];
      sides.set(key, (sides.get(key) ?? 0) + 1);
    }
  const keys = [...sides.keys()].sort((a, b) => a - b);
  const hem = keys.filter((key) => sides.get(key) === 1);
  const inner = keys.filter((key) => sides.get(key) !== 1);
  return {
    edges: Uint32Array.from([...hem, ...inner].flatMap((key) => [Math.floor(key / count), key % count])),
    rims: hem.length,
  };
}

/** Sections as nodes. Sections that were divided or copied are left out. */
function chainOf(s: Views, body: Body, spacing: number): FoldMesh | undefined {
  const { particleStart: first, particleEnd: last } = body.rows;
  const sections = body.builtPositions.length / 3 / SECTION;
  const bySection: number[][] = Array.from({ length: Math.ceil(sections) }, () => []);
  for (let i = first; i < last; i++) bySection[Math.floor(s.ancestor[i] / SECTION)].push(i - first);
  const whole = bySection.map((list, k) => (isWhole(s, first, list, k) ? list : undefined));
  const particles: number[] = [];
  const links: number[] = [];
  let [before, node] = [-1, 0];
  whole.forEach((list, k) => {
    if (!list) return;
    particles.push(...list);
    if (before === k - 1 && k > 0 && holdTogether(s, first, whole[k - 1]!, list)) links.push(node - 1, node);
    before = k;
    node++;
  });
  if (links.length < 4) return undefined;
  const rest = new Float64Array(3 * node);
  let radius = 0;
  for (let n = 0; n < node; n++) {
    const trio = particles.slice(SECTION * n, SECTION * (n + 1));
    for (let a = 0; a < 3; a++) for (const i of trio) rest[3 * n + a] += body.restPositions[3 * i + a] / SECTION;
    for (const i of trio) {
      const p = body.restPositions;
      radius += hypot(p[3 * i] - rest[3 * n], p[3 * i + 1] - rest[3 * n + 1], p[3 * i + 2] - rest[3 * n + 2]);
      radius += s.reach[first + i];
    }
  }
  radius /= SECTION * node;
  const edges = Uint32Array.from(links);
  const apart = 2 * (radius + body.core.contact.settings.margin) + CORD_AIR * radius;
  const near = within(neighbours(edges, node), node, Math.ceil((HAIRPIN * apart) / spacing) + 1);
  return {
    ...{ version: body.topologyVersion, per: SECTION, nodes: node, rest, edges, rims: edges.length / 2, spacing },
    ...{ triangles: new Uint32Array(0), apart, ...sizesOf(new Uint32Array(0), edges, edges.length / 2, rest) },
    particles: Uint32Array.from(particles),
    trianglesOf: listBy(new Uint32Array(0), 3, node),
    edgesOf: listBy(edges, 2, node),
    near,
    around: near,
  };
}

const isWhole = ({ ancestor }: Views, first: number, list: readonly number[], k: number) =>
  list.length === SECTION && list.every((i, n) => ancestor[first + i] === SECTION * k + n);

/** Whether a particle of one section shares a cluster with one of the other. */
function holdTogether({ gatherRank, linkStart, linkCluster }: Views, first: number, a: number[], b: number[]): boolean {
  const held = new Set<number>();
  const links = (i: number) => [linkStart[gatherRank[first + i]], linkStart[gatherRank[first + i] + 1]];
  for (const i of a) for (let [l, end] = links(i); l < end; l++) held.add(linkCluster[l]);
  return b.some((i) => {
    for (let [l, end] = links(i); l < end; l++) if (held.has(linkCluster[l])) return true;
    return false;
  });
}

/** For each node the primitives of `width` corners that have it as a corner, in ascending order. */
function listBy(corners: Uint32Array, width: number, count: number): Lists {
  const start = new Uint32Array(count + 1);
  for (const node of corners) start[node + 1]++;
  for (let n = 0; n < count; n++) start[n + 1] += start[n];
  const [next, items] = [start.slice(), new Uint32Array(corners.length)];
  for (let k = 0; k < corners.length; k++) items[next[corners[k]]++] = Math.floor(k / width);
  return { start, items };
}

/** The other ends of the edges of each node. */
function neighbours(edges: Uint32Array, count: number): number[][] {
  const lists: number[][] = Array.from({ length: count }, () => []);
  for (let e = 0; e < edges.length; e += 2) {
    lists[edges[e]].push(edges[e + 1]);
    lists[edges[e + 1]].push(edges[e]);
  }
  return lists;
}

/** The nodes at most `steps` edges away from each node, itself included. */
function within(ring: readonly number[][], count: number, steps: number): Lists {
  const start = new Uint32Array(count + 1);
  const items: number[] = [];
  const seen = new Int32Array(count).fill(-1);
  for (let i = 0; i < count; i++) {
    const from = items.length;
    items.push(i);
    seen[i] = i;
    for (let step = 0, begin = from; step < steps; step++) {
      const end = items.length;
      for (let k = begin; k < end; k++)
        for (const j of ring[items[k]])
          if (seen[j] !== i) {
            seen[j] = i;
            items.push(j);
          }
      begin = end;
    }
    start[i + 1] = items.length;
  }
  return { start, items: Uint32Array.from(items) };
}

function sizesOf(triangles: Uint32Array, edges: Uint32Array, rims: number, rest: Float64Array) {
  const half = Float64Array.from({ length: edges.length / 2 }, (_, e) =>
    Math.sqrt(distance2(rest, edges[2 * e], edges[2 * e + 1]) / 4),
  );
  const radius = Float64Array.from({ length: triangles.length / 3 }, (_, t) => {
    const [a, b, c] = triangles.subarray(3 * t, 3 * t + 3);
    const [ab, bc, ca] = [distance2(rest, a, b), distance2(rest, b, c), distance2(rest, c, a)];
    // abc/4A, with 16 A² = 2 (a²b² + b²c² + c²a²) − a⁴ − b⁴ − c⁴.
    const area16 = 2 * (ab * bc + bc * ca + ca * ab) - ab * ab - bc * bc - ca * ca;
    const longest = Math.max(ab, bc, ca);
    return area16 > 0 ? Math.sqrt(Math.min((ab * bc * ca) / area16, longest)) : Math.sqrt(longest);
  });
  const most = (list: Float64Array) => list.reduce((sum, value) => Math.max(sum, value), 0);
  // Edges that cross in their middles, at right angles, have the farthest ends.
  const crossing = hypot(most(half.subarray(0, rims)), most(half), 0);
  return { half, radius, crossing, longest: 2 * most(half), widest: most(radius) };
}

export function distance2(p: ArrayLike<number>, i: number, j: number): number {
  const [x, y, z] = [p[3 * i] - p[3 * j], p[3 * i + 1] - p[3 * j + 1], p[3 * i + 2] - p[3 * j + 2]];
  return x * x + y * y + z * z;
}

/**
 * Nodes three edges away or less touch what is around each other only where the sheet is folded between them: where their distance is at most this share of that in the rest shape. Otherwise every part of a flat sheet
 * would be a candidate.
 */
export const FOLDED = 0.65;

/** The distance (m) up to which node i may touch what has j as its nearest corner. */
export function foldedWithin({ around, rest }: FoldMesh, i: number, j: number): number {
  for (let k = around.start[i]; k < around.start[i + 1]; k++)
    if (around.items[k] === j) return FOLDED * Math.sqrt(distance2(rest, i, j));
  return Number.POSITIVE_INFINITY;
}
