/**
 * Detects that an iteration has returned to an earlier state, by Brent's method: one remembered state, renewed at
 * growing intervals, is compared with every later state. Memory is one state. A cycle of length p that begins at step s
 * is found by about step 1.5·max(s, 2p) + p.
 */
export interface CycleWatch {
  /** The length of the cycle if `state` equals the remembered one and something changed in between; otherwise 0. */
  look(state: Float64Array, changed: boolean): number;
  /** Forgets the remembered state. To be called when the rule of the iteration changed. */
  restart(): void;
}

/** The remembered state is replaced after half as many further steps as were made so far, but not before 4. */
const GROWTH = 0.5;
const SHORTEST = 4;

/** `tolerance` is the largest difference of a coordinate that still counts as the same state. */
export function watchCycles(size: number, tolerance: number): CycleWatch {
  const kept = new Float64Array(size);
  let step = 0;
  let keptAt = 0;
  let renewAt = 0;
  let changedSince = false;
  const isBack = (state: Float64Array) => {
    for (let k = 0; k < size; k++) if (!(Math.abs(state[k] - kept[k]) <= tolerance)) return false;
    return true;
  };
  return {
    look(state, changed) {
      step++;
      changedSince ||= changed;
      // A state equal to the one before is no cycle but convergence.
      if (keptAt > 0 && step - keptAt > 1 && changedSince && isBack(state)) return step - keptAt;
      if (step >= renewAt) {
        kept.set(state);
        keptAt = step;
        changedSince = false;
        renewAt = step + Math.max(SHORTEST, Math.ceil(GROWTH * step));
      }
      return 0;
    },
    restart() {
      keptAt = 0;
      renewAt = step + 1;
      changedSince = false;
    },
  };
}
