import type { Body } from '../body/body.js';

/** Writes the strengths of a body's levels into the state. */
export function writeLevelStrengths({ rows, core: { state, levelStrengths } }: Body): void {
  if (!levelStrengths) return;
  state.revision++;
  const { pull, drag, stiffness } = levelStrengths;
  const { coarseStrength, coarseLevel, stiffness: alpha } = state.views;
  for (let c = rows.coarseStart; c < rows.coarseEnd; c++) {
    coarseStrength[2 * c] = pull[coarseLevel[c]];
    coarseStrength[2 * c + 1] = drag[coarseLevel[c]];
  }
  if (stiffness !== undefined) alpha.fill(stiffness, rows.particleStart, rows.particleEnd);
}
