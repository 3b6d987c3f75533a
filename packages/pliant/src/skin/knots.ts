import { counting } from '../scratch.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { Near } from './blend.js';
import type { KeptWeights } from './keptWeights.js';

/**
 * The vertices of a render mesh as they move: one for each vertex of the rest mesh, or several where the body has come
 * apart there, one for each side. Each has a list of the particles that it follows.
 */
export interface Knots {
  /** Knot of each corner of the mesh; NO_KNOT where its triangle is not shown. */
  readonly corner: Uint32Array;
  /** Vertex of the rest mesh. */
  readonly vertex: Uint32Array;
  /** First particle of each knot, and the end of its list. Several knots may have one list. */
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  /** Particles, the nearest first, and their kernel. */
  readonly particle: Uint32Array;
  readonly kernel: Float32Array;
  /** The body's particle, counted from its first, that each number in `particle` stands for. */
  readonly own: Uint32Array;
  /** For each knot an earlier one that follows the same particles, −1 where there is none. */
  readonly like?: Int32Array;
  /** Of a torn body: the vertex of its cells whose particles each knot follows, and what is known of these. */
  readonly base?: Uint32Array;
  readonly kept?: KeptWeights | undefined;
  /** If knots whose shares are kept list their nearest particle alone: the knots with all particles. */
  readonly full?: () => Knots;
}

/** Particles of a body by ancestor: those of ancestor a are particle[start[a]] … particle[start[a + 1] − 1]. */
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

/** The knots of a body that has not come apart: one for each vertex, which follows all particles around it. */
export function wholeKnots(indices: Uint32Array, near: Near, s: Views, rows: Rows, built: number): Knots {
  const vertex = counting(near.start.length - 1);
  const own = onlyCopies(s, rows, built);
  const { particle } = near;
  for (let n = 0; n < particle.length; n++)
    if (own[particle[n]] >= SEVERAL) {
      const copies = copiesOf(s, rows, built);
      const lists = replaceByCopies(near, copies);
      return { corner: indices, vertex, ...lists, end: lists.start.subarray(1), own: counting(copies.particle.length) };
    }
  return { corner: indices, vertex, ...near, end: near.start.subarray(1), own };
}

/** By ancestor: the body's one particle of it; SEVERAL or NONE otherwise. */
function onlyCopies({ ancestor }: Views, { particleStart, particleEnd }: Rows, built: number): Uint32Array {
  const only = new Uint32Array(built).fill(NONE);
  for (let i = particleStart; i < particleEnd; i++) {
    const a = ancestor[i];
    only[a] = only[a] === NONE ? i - particleStart : SEVERAL;
  }
  return only;
}
const NONE = 0xffffffff;
const SEVERAL = 0xfffffffe;

/** Replaces ancestors by the body's particles of them: none, one or several. */
function replaceByCopies(near: Near, copies: Copies): Near {
  const vertices = near.start.length - 1;
  const start = new Uint32Array(vertices + 1);
  let most = 0;
  for (let n = 0; n < near.particle.length; n++)
    most += copies.start[near.particle[n] + 1] - copies.start[near.particle[n]];
  const particle = new Uint32Array(most);
  const kernel = new Float32Array(most);
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
