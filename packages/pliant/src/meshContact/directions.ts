import { squared } from '../math/elementary.js';
import { Class } from './classify.js';
import type { ContactMesh } from './contactMesh.js';

/**
 * Visits that the searches of one patch may take together: a few tenths of a millisecond. Beyond it only every n-th border
 * point of the patch has a say, spread evenly over it; the sum over the rest would look the same.
 */
const MOST_VISITS = 8192;

/**
 * Where every colliding point is to go. Border points: depth and direction as the means over their crossed edges, with
 * ω = 1/|x − p|² (Heidelberger et al. 2004, eqs. 1 to 3):
 *
 *     d = Σ ω (x − p)·n / Σ ω,   r = Σ ω n, brought to length 1.
 *
 * Inner points: r = Σ_b r_b / (edges on the shortest way to border point b) over the border points of their patch, brought
 * to length 1 ([H07] 5); their depth comes of a ray cast later. Directions that cancel are left 0.
 */
export function findDirections(mesh: ContactMesh): void {
  const k = mesh.classes;
  for (let n = 0; n < k.collidingCount; n++) {
    const v = k.colliding[n];
    const o = 4 * v;
    k.directions.fill(0, o, o + 4);
    if (k.of[v] !== Class.BORDER) continue;
    for (let a = 0; a < 3; a++) k.directions[o + a] = k.sums[5 * v + 1 + a];
    // A weight of 0: only edges without length were crossed.
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

/** Breadth-first from one border point over the colliding points of its patch. */
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

/** A sum of directions shorter than this share of its weights has cancelled: what is left is rounding. */
const CANCELLED = 1e-6;

function normalise(x: Float64Array, o: number, weights: number): void {
  const length = Math.sqrt(squared(x[o]) + squared(x[o + 1]) + squared(x[o + 2]));
  const scale = length > CANCELLED * weights && length < Number.POSITIVE_INFINITY ? 1 / length : 0;
  for (let a = 0; a < 3; a++) x[o + a] *= scale;
}
