import type { Rows } from '../state/edit.js';
import type { Views } from '../state/layout.js';
import type { Near } from './blend.js';

/**
 * The vertices of a skin as they move: one for each vertex of the rest mesh, or several where the body has come apart there, one a side. Each
 * knows the particles that it follows.
 */
export interface Knots {
  /** Knot of each corner of the mesh; NO_KNOT where its triangle is not shown. */
  readonly corner: Uint32Array;
  /** Vertex of the rest mesh. */
  readonly vertex: Uint32Array;
  /** First particle of each knot; knots + 1 offsets. */
  readonly start: Uint32Array;
  /** Particles, counted from the body's first, and the kernel there. */
  readonly particle: Uint32Array;
  readonly kernel: Float64Array;
}

/** Which particles of a body are copies of each of those that it was built with. */
export interface Copies {
  readonly start: Uint32Array;
  readonly particle: Uint32Array;
}

export function copiesOf({ ancestor }: Views, { particleStart, particleEnd }: Rows, built: number): Copies {
  const start = new Uint32Array(built + 1);
  for (let i = particleStart; i < particleEnd; i++) start[ancestor[i] + 1]++;
  for (let i = 0; i < built; i++) start[i + 1] += start[i];
  const next = start.slice();
  const particle = new Uint32Array(particleEnd - particleStart);
  for (let i = particleStart; i < particleEnd; i++) particle[next[ancestor[i]]++] = i - particleStart;
  return { start, particle };
}

/** The knots of a body that has not come apart: one a vertex, which follows all particles around it. */
export function wholeKnots(indices: Uint32Array, near: Near, copies: Copies): Knots {
  const vertices = near.start.length - 1;
  const vertex = new Uint32Array(vertices);
  for (let v = 0; v < vertices; v++) vertex[v] = v;
  const followed = near.particle.length;
  const particle = new Uint32Array(followed);
  const only = onlyCopies(copies);
  for (let n = 0; n < followed; n++) {
    const i = only[near.particle[n]];
    if (i < 0) return { corner: indices, vertex, ...followCopies(near, copies) };
    particle[n] = i;
  }
  return { corner: indices, vertex, start: near.start, particle, kernel: near.kernel };
}

/** The copy of each particle of which there is one, else −1. */
function onlyCopies({ start, particle }: Copies): Int32Array {
  const only = new Int32Array(start.length - 1);
  for (let n = 0; n < only.length; n++) only[n] = start[n + 1] === start[n] + 1 ? particle[start[n]] : -1;
  return only;
}

/** What vertices follow where particles have gone or are there more than once. */
function followCopies(near: Near, copies: Copies): Near {
  const vertices = near.start.length - 1;
  const start = new Uint32Array(vertices + 1);
  let most = 0;
  for (let n = 0; n < near.particle.length; n++)
    most += copies.start[near.particle[n] + 1] - copies.start[near.particle[n]];
  const particle = new Uint32Array(most);
  const kernel = new Float64Array(most);
  let end = 0;
  for (let v = 0; v < vertices; v++) {
    for (let n = near.start[v]; n < near.start[v + 1]; n++)
      for (let k = copies.start[near.particle[n]]; k < copies.start[near.particle[n] + 1]; k++) {
        particle[end] = copies.particle[k];
        kernel[end++] = near.kernel[n];
      }
    start[v + 1] = end;
  }
  return { start, particle, kernel };
}
