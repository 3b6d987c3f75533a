import { sameBits } from '../../plainData.js';
import { ARRAY_NAMES, type ArrayLayout, type ArrayName, LAYOUT } from '../../state/layout.js';
import type { Counts, State } from '../../state/state.js';

export type StateArray = Float32Array | Float64Array | Uint32Array;

/** Arrays that are kept from step to step; scratch is unused between steps. */
export const KEPT = ARRAY_NAMES.filter((name) => LAYOUT[name].kind !== 'scratch');
const SCRATCH = ARRAY_NAMES.filter((name) => LAYOUT[name].kind === 'scratch');

/** Number of entries of an array that are in use: of the last row of an offset table only the first. */
export const usedOf = ({ of, width, extra = 0 }: ArrayLayout, count: Counts) => width * count[of] + extra;

/**
 * Copies of the arrays up to the rows in use. An array that equals the one in `before` is shared with it: most arrays
 * describe bodies and change only with them, so that a series of snapshots of a scene costs little more than the moving
 * parts. `fixed`: no constant array was written since. Other arrays are compared up to the first difference. (Comparing
 * all takes longer than copying all: 1.8 and 0.3 ms for 5000 particles, the fastest of 60.)
 */
export function saveArrays(
  state: State,
  before?: Record<ArrayName, StateArray>,
  fixed = false,
): Record<ArrayName, StateArray> {
  const arrays = {} as Record<ArrayName, StateArray>;
  for (const name of KEPT) {
    const used = state.views[name].subarray(0, usedOf(LAYOUT[name], state.count));
    const same = before && (LAYOUT[name].kind === 'constant' ? fixed : sameBits(used, before[name]));
    arrays[name] = same ? before[name] : used.slice();
  }
  return arrays;
}

/** Writes the arrays back. `state.count` must be that of the snapshot, and the capacity sufficient. */
export function loadArrays(state: State, arrays: Record<ArrayName, StateArray>): void {
  for (const name of KEPT) state.views[name].set(arrays[name]);
  for (const name of SCRATCH) {
    const layout: ArrayLayout = LAYOUT[name];
    if (layout.idle !== undefined) state.views[name].fill(layout.idle);
  }
}
