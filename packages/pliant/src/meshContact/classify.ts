import type { ContactMesh } from './contactMesh.js';

/** State of a vertex with respect to the other surface ([H07] 5). */
export const Class = {
  /** No edge of it crosses the other surface, and no border point reaches it. */
  UNKNOWN: 0,
  /** Non-colliding: on the outer side of the nearest triangle along an edge. */
  OUTSIDE: 1,
  /** Colliding, with an edge that leads outside. */
  BORDER: 2,
  /** Colliding, reached from a border point without passing a non-colliding one. */
  INNER: 3,
} as const;

/** Scratch of a contact mesh for one pass of its edges against another's triangles. */
export interface Classes {
  readonly of: Uint8Array;
  /** Number of crossed edges that vote colliding, minus those that vote non-colliding. */
  readonly votes: Int32Array;
  /** Five a vertex: Σ ω, Σ ω n, Σ ω (x − p)·n over its crossed edges · findCrossings. */
  readonly sums: Float64Array;
  /** Vertices with a crossed edge. */
  readonly touched: Uint32Array;
  touchedCount: number;
  /** Colliding vertices by patches (connected parts of the surface), each in breadth-first order. */
  readonly colliding: Uint32Array;
  collidingCount: number;
  /** First of each patch in `colliding`; patches + 1 offsets. */
  readonly componentStart: Uint32Array;
  componentCount: number;
  /** Four a vertex: direction out of the other surface (length 1, or 0 where unknown), depth of a border point (m). */
  readonly directions: Float64Array;
  /** Breadth-first search from one border point: number of edges to it, −1 if not reached; and the queue. */
  readonly hops: Int32Array;
  readonly queue: Uint32Array;
  /** Per triangle of this contact mesh: number of the edge that was last tested against it. */
  readonly seen: Uint32Array;
  lastSeen: number;
}

export const newClasses = (vertices: number, triangles: number): Classes => ({
  of: new Uint8Array(vertices),
  votes: new Int32Array(vertices),
  sums: new Float64Array(5 * vertices),
  touched: new Uint32Array(vertices),
  touchedCount: 0,
  colliding: new Uint32Array(vertices),
  collidingCount: 0,
  componentStart: new Uint32Array(vertices + 1),
  componentCount: 0,
  directions: new Float64Array(4 * vertices),
  hops: new Int32Array(vertices).fill(-1),
  queue: new Uint32Array(vertices),
  seen: new Uint32Array(triangles),
  lastSeen: 0,
});

/** Clears the results of the last pass. */
export function clearClasses(k: Classes): void {
  for (let n = 0; n < k.collidingCount; n++) k.of[k.colliding[n]] = Class.UNKNOWN;
  for (let n = 0; n < k.touchedCount; n++) {
    const v = k.touched[n];
    k.of[v] = Class.UNKNOWN;
    k.votes[v] = 0;
    k.sums.fill(0, 5 * v, 5 * v + 5);
  }
  k.touchedCount = 0;
  k.collidingCount = 0;
  k.componentCount = 0;
}

/**
 * Finds border points by the votes of their edges, then floods the other colliding points from them ([H07] 5). If the other surface is
 * closed, all edges of a vertex agree. Where that surface intersects itself they may not, and the majority decides.
 *
 * A flood that leaks through one wrong vote would cover the whole surface. Points outside the other's box are certainly not colliding and
 * stop it (not for a body against itself). The ray cast rejects points that leak nevertheless.
 */
export function classify(mesh: ContactMesh, other: ContactMesh): void {
  const k = mesh.classes;
  for (let n = 0; n < k.touchedCount; n++) {
    const v = k.touched[n];
    k.of[v] = k.votes[v] > 0 ? Class.BORDER : Class.OUTSIDE;
  }
  k.componentStart[0] = 0;
  for (let n = 0; n < k.touchedCount; n++) {
    const v = k.touched[n];
    if (k.of[v] !== Class.BORDER || k.hops[v] >= 0) continue;
    flood(mesh, v, other);
    k.componentStart[++k.componentCount] = k.collidingCount;
  }
  for (let n = 0; n < k.collidingCount; n++) k.hops[k.colliding[n]] = -1;
}

/** Collects one patch: all points that a border point reaches over colliding points. `hops` ≥ 0 marks points of a patch. */
function flood({ classes: k, topology, positions }: ContactMesh, from: number, other: ContactMesh): void {
  const { neighbourStart, neighbour } = topology;
  const everywhere = other.classes === k;
  let next = k.collidingCount;
  k.colliding[k.collidingCount++] = from;
  k.hops[from] = 0;
  while (next < k.collidingCount) {
    const v = k.colliding[next++];
    for (let e = neighbourStart[v]; e < neighbourStart[v + 1]; e++) {
      const w = neighbour[e];
      if (k.hops[w] >= 0 || k.of[w] === Class.OUTSIDE) continue;
      if (k.of[w] === Class.UNKNOWN) {
        if (!everywhere && !within(other.bounds, positions, w)) continue;
        k.of[w] = Class.INNER;
      }
      k.hops[w] = 0;
      k.colliding[k.collidingCount++] = w;
    }
  }
}

const within = (b: Float64Array, x: Float32Array, v: number) =>
  x[3 * v] >= b[0] &&
  x[3 * v] <= b[3] &&
  x[3 * v + 1] >= b[1] &&
  x[3 * v + 1] <= b[4] &&
  x[3 * v + 2] >= b[2] &&
  x[3 * v + 2] <= b[5];
