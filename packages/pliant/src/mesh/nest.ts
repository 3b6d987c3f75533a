import { buildBvh } from './bvh.js';
import { buildDipoles, windingNumber } from './winding.js';

/** One component of a surface. */
export interface Shell {
  indices: Uint32Array;
  /** minX, minY, minZ, maxX, maxY, maxZ. */
  bounds: Float64Array;
  /** Signed, by the shell's own winding. */
  volume: number;
  closed: boolean;
}

export interface Nesting {
  /** Shell → the smallest closed shell around it, −1 for none. */
  container: Int32Array;
  /** True when the boxes of two shells meet and neither is nested in the other: their insides may overlap. */
  overlapping: boolean;
}

/** Number of vertices of a shell that are tested for being inside another shell, spread evenly over the shell. */
const PROBES = 32;

/**
 * Share of the probes that must be inside. It is below 1, because a cavity may touch its container, where the test of a
 * probe is arbitrary.
 */
const NESTED_SHARE = 0.9;

/** Finds which closed shells lie within which. Hierarchies are built only for shells whose box holds another's. */
export function findNesting(positions: Float64Array, shells: readonly Shell[]): Nesting {
  const container = new Int32Array(shells.length).fill(-1);
  let overlapping = false;
  const tests = new Map<number, (shell: Shell) => boolean>();
  const within = (inner: number, outer: number) => {
    if (!shells[outer].closed || !holds(shells[outer].bounds, shells[inner].bounds)) return false;
    let test = tests.get(outer);
    if (!test) tests.set(outer, (test = containmentTest(positions, shells[outer])));
    return test(shells[inner]);
  };
  for (let a = 0; a < shells.length; a++)
    for (let b = a + 1; b < shells.length; b++) {
      if (!meets(shells[a].bounds, shells[b].bounds)) continue;
      const [outer, inner] = Math.abs(shells[a].volume) >= Math.abs(shells[b].volume) ? [a, b] : [b, a];
      if (!within(inner, outer)) overlapping = true;
      else if (
        shells[inner].closed &&
        (container[inner] < 0 || Math.abs(shells[outer].volume) < Math.abs(shells[container[inner]].volume))
      )
        container[inner] = outer;
    }
  return { container, overlapping };
}

function containmentTest(positions: Float64Array, outer: Shell): (inner: Shell) => boolean {
  const bvh = buildBvh(positions, outer.indices);
  const dipoles = buildDipoles(bvh);
  return (inner) => {
    const probes = Math.min(PROBES, inner.indices.length);
    let inside = 0;
    for (let k = 0; k < probes; k++) {
      const v = 3 * inner.indices[Math.floor((k * inner.indices.length) / probes)];
      const winding = windingNumber(bvh, dipoles, positions[v], positions[v + 1], positions[v + 2]);
      if (Math.abs(winding) > 0.5) inside++;
    }
    return inside >= NESTED_SHARE * probes;
  };
}

const holds = (a: Float64Array, b: Float64Array) => [0, 1, 2].every((k) => a[k] <= b[k] && b[k + 3] <= a[k + 3]);
const meets = (a: Float64Array, b: Float64Array) => [0, 1, 2].every((k) => a[k] <= b[k + 3] && b[k] <= a[k + 3]);
