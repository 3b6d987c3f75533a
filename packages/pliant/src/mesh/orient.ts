import { cubed } from '../math/elementary.js';
import { findComponents } from './components.js';
import { buildEdges, type Edges, endOf, startOf, triangleOf } from './edges.js';
import { findNesting, type Shell } from './nest.js';
import { signedVolume } from './volume.js';

export interface Orientation {
  /** The triangles, each wound so that the body is on its inner side. */
  indices: Uint32Array;
  /** Triangle → 1 when its second and third corner were swapped. */
  reversed: Uint8Array;
  /** Number of triangles that were reversed. */
  flipped: number;
  /** Number of parts that are connected by manifold edges. */
  components: number;
  /** Edges with one triangle. */
  boundaryEdges: number;
  /** Edges with more than two triangles. */
  nonManifoldEdges: number;
  /** Edges across which no consistent winding exists (a Möbius strip has some). */
  twistedEdges: number;
  /** True when the triangles at some edge do not cancel: then the winding number takes values between the integers. */
  open: boolean;
  /** Two vertices for each edge at which the triangles do not cancel. */
  boundary: Uint32Array;
  /**
   * The signed volume of the whole surface; undefined if that is not the body's volume (open or overlapping shells).
   */
  volume: number | undefined;
}

/**
 * An open piece is reversed only when its cone volume is clearly negative: below this fraction of (bounding box)³. A flat
 * sheet has none and keeps the winding of the file.
 */
const CLEAR_VOLUME = 1e-6;

/**
 * Gives a surface of one or several shells a consistent winding, outward on the outside.
 *
 * Within a component the winding of the majority of its area is taken. Then each outermost shell is turned to positive
 * volume. Everything nested in it is turned with it, so that its relation to its container stays that of the file: a
 * shell wound against its container is a cavity, one wound like it a solid within a solid.
 */
export function orient(positions: Float64Array, indices: Uint32Array): Orientation {
  const edges = buildEdges(indices);
  const components = findComponents(positions, indices, edges);
  const shells = collectShells(positions, indices, components);
  const { container, overlapping } = findNesting(positions, shells);

  // Containers first: a container is larger than its content.
  const turn = new Uint8Array(shells.length);
  const bySize = shells
    .map((_, s) => s)
    .sort((a, b) => Math.abs(shells[b].volume) - Math.abs(shells[a].volume) || a - b);
  for (const s of bySize) turn[s] = container[s] >= 0 ? turn[container[s]] : isInverted(shells[s]) ? 1 : 0;

  const oriented = indices.slice();
  const { reversed } = components;
  let flipped = 0;
  for (let t = 0; t < reversed.length; t++) {
    reversed[t] ^= turn[components.of[t]];
    if (!reversed[t]) continue;
    flipped++;
    oriented[3 * t + 1] = indices[3 * t + 2];
    oriented[3 * t + 2] = indices[3 * t + 1];
  }
  const boundary = findBoundary(indices, edges, reversed);
  const open = boundary.length > 0;
  const solidInSolid = shells.some(
    (shell, s) => container[s] >= 0 && Math.sign(shell.volume) === Math.sign(shells[container[s]].volume),
  );
  return {
    indices: oriented,
    reversed,
    flipped,
    components: components.count,
    boundaryEdges: edges.valence.reduce((sum, v) => sum + (v === 1 ? 1 : 0), 0),
    nonManifoldEdges: edges.valence.reduce((sum, v) => sum + (v > 2 ? 1 : 0), 0),
    twistedEdges: components.twistedEdges,
    open,
    boundary,
    volume: open || overlapping || solidInSolid ? undefined : signedVolume(positions, oriented),
  };
}

/** Each component as a mesh of its own, with its majority winding. */
function collectShells(
  positions: Float64Array,
  indices: Uint32Array,
  components: ReturnType<typeof findComponents>,
): Shell[] {
  const size = new Uint32Array(components.count);
  for (const c of components.of) size[c] += 3;
  const parts = Array.from(size, (n) => new Uint32Array(n));
  const filled = new Uint32Array(components.count);
  for (let t = 0; t < components.of.length; t++) {
    const c = components.of[t];
    const swap = components.reversed[t];
    parts[c][filled[c]++] = indices[3 * t];
    parts[c][filled[c]++] = indices[3 * t + 1 + swap];
    parts[c][filled[c]++] = indices[3 * t + 2 - swap];
  }
  return parts.map((part, c) => {
    const bounds = new Float64Array(6).fill(Number.POSITIVE_INFINITY, 0, 3).fill(Number.NEGATIVE_INFINITY, 3, 6);
    for (const v of part)
      for (let axis = 0; axis < 3; axis++) {
        bounds[axis] = Math.min(bounds[axis], positions[3 * v + axis]);
        bounds[axis + 3] = Math.max(bounds[axis + 3], positions[3 * v + axis]);
      }
    return { indices: part, bounds, volume: signedVolume(positions, part), closed: components.closed[c] === 1 };
  });
}

/**
 * The edges at which the surface does not cancel: per edge, the triangles that run one way minus those that run the
 * other. An edge is listed as often as these numbers differ.
 */
function findBoundary(indices: Uint32Array, edges: Edges, reversed: Uint8Array): Uint32Array {
  const boundary: number[] = [];
  for (let e = 0; e < edges.edgeCount; e++) {
    const a = startOf(indices, edges.first[e]);
    const b = endOf(indices, edges.first[e]);
    let balance = 0;
    for (let h = edges.first[e]; h >= 0; h = edges.next[h])
      balance += (startOf(indices, h) === a) === (reversed[triangleOf(h)] === 0) ? 1 : -1;
    for (let n = 0; n < Math.abs(balance); n++) boundary.push(a, b);
  }
  return Uint32Array.from(boundary);
}

function isInverted({ volume, closed, bounds }: Shell): boolean {
  if (closed) return volume < 0;
  const size = Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
  return volume < -CLEAR_VOLUME * cubed(size);
}
