import { squared } from '../math/elementary.js';
import { Class } from './classify.js';
import type { ContactMesh } from './contactMesh.js';

/**
 * Largest number of vertex visits by the searches of one patch: a few tenths of a millisecond. Beyond it only every n-th border point of
 * the patch is searched from, spread evenly over the patch, which changes the mean direction little.
 */
const MOST_VISITS = 8192;

/**
 * Finds the direction in which every colliding point leaves.
 *
 * Border points: depth and direction are means over their crossed edges (Heidelberger et al. 2004, eqs. 1 to 3), with
 *
 *     ω = 1/|x − p|²,   d = Σ ω (x − p)·n / Σ ω,   r = Σ ω n, normalized.
 *
 * Inner points: r = Σ_b r_b / (edges on the shortest path to border point b) over the border points of their patch, normalized ([H07] 5).
 * Their depth comes from a ray cast later. Directions that cancel are left 0.
 */
export function findDirections(mesh: ContactMesh): void {
  const k = mesh.classes;
  for (let n = 0; n < k.collidingCount; n++) {
    const v = k.colliding[n];
    const o = 4 * v;
    k.directions.fill(0, o, o + 4);
    if (k.of[v] !== Class.BORDER) continue;
    for (let a = 0; a < 3; a++) k.directions[o + a] = k.sums[5 * v + 1 + a];
    // The weight is 0 if only edges of length 0 were crossed.
    k.directions[o + 3] = k.sums[5 * v] > 0 ? k.sums[5 * v + 4] / k.sums[5 * v] : 0;
    normalise(k.directions, o, k.sums[5 * v]);
  }
  for (let patch = 0; patch < k.componentCount; patch++)
    directComponent(mesh, k.componentStart[patch], k.componentStart[patch + 1]);
}

function directComponent(mesh: ContactMesh, from: number, to: number): void {
  const k = mesh.classes;
  let borders = 0;
  for (let n = from; n < to; n++) if (k.of[k.colliding[n]] === Class.BORDER) borders++;
  if (borders === to - from) return;
  const stride = Math.ceil((borders * (to - from)) / MOST_VISITS);
  let turn = 0;
  let total = 0;
  for (let n = from; n < to; n++) {
    const b = k.colliding[n];
    if (k.of[b] !== Class.BORDER || turn++ % stride !== 0) continue;
    addDirection(mesh, b);
    total++;
  }
  for (let n = from; n < to; n++)
    if (k.of[k.colliding[n]] === Class.INNER) normalise(k.directions, 4 * k.colliding[n], total);
}

/** Breadth-first search from one border point over the colliding points of its patch; adds its direction to the inner points. */
function addDirection({ classes: k, topology }: ContactMesh, border: number): void {
  const { hops, queue, directions } = k;
  const { neighbourStart, neighbour } = topology;
  let next = 0;
  let end = 0;
  queue[end++] = border;
  hops[border] = 0;
  while (next < end) {
    const v = queue[next++];
    for (let e = neighbourStart[v]; e < neighbourStart[v + 1]; e++) {
      const w = neighbour[e];
      if (hops[w] >= 0 || k.of[w] < Class.BORDER) continue;
      hops[w] = hops[v] + 1;
      queue[end++] = w;
      if (k.of[w] !== Class.INNER) continue;
      for (let a = 0; a < 3; a++) directions[4 * w + a] += directions[4 * border + a] / hops[w];
    }
  }
  for (let n = 0; n < end; n++) hops[queue[n]] = -1;
}

/** A sum of directions shorter than this share of its weights has cancelled; its remainder is rounding. */
const CANCELLED = 1e-6;

function normalise(x: Float64Array, o: number, weights: number): void {
  const length = Math.sqrt(squared(x[o]) + squared(x[o + 1]) + squared(x[o + 2]));
  const scale = length > CANCELLED * weights && length < Number.POSITIVE_INFINITY ? 1 / length : 0;
  for (let a = 0; a < 3; a++) x[o + a] *= scale;
}
