import type { ContactMesh } from './contactMesh.js';

/** What is known of a vertex with respect to the other surface ([H07] 5). */
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
  /** Crossed edges that say colliding, less those that say non-colliding. */
  readonly votes: Int32Array;
  /** Five a vertex: Σ ω, Σ ω n, Σ ω (x − p)·n over its crossed edges · findCrossings. */
  readonly sums: Float64Array;
  /** Vertices with a crossed edge. */
  readonly touched: Uint32Array;
  touchedCount: number;
  /** Colliding vertices, patch by patch (pieces of the surface that hang together), each in breadth-first order. */
  readonly colliding: Uint32Array;
  collidingCount: number;
  /** First of each patch in `colliding`; patches + 1 offsets. */
  readonly componentStart: Uint32Array;
  componentCount: number;
  /** Four a vertex: direction out of the other surface (length 1, or 0 where unknown), depth of a border point (m). */
  readonly directions: Float64Array;
  /** Breadth-first search from one border point: edges to it, −1 where it has not come, and its queue. */
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

/** Forgets what the last pass found. */
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
 * Border points from the votes of their edges, then the rest of the colliding points flooded from them ([H07] 5). Of a closed
 * surface all edges of a vertex agree; where the other surface cuts itself they may not, and the majority counts.
 *
 * A flood that leaks through one wrong vote would drown the whole surface. Points outside of the other's box are surely not
 * colliding and stop it (not for a body against itself); what still leaks, the ray cast throws out.
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

/** One patch: everything that a border point reaches over colliding points. `hops` ≥ 0 marks what is in a patch. */
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
