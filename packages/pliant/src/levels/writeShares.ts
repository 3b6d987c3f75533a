import type { Body } from '../body/body.js';

/** Writes the shares of a body's levels into the state. */
export function writeLevelShares({ rows, core: { state, shares } }: Body): void {
  if (!shares) return;
  state.revision++;
  const { pull, drag, stiffness } = shares;
  const { coarseShare, coarseLevel, stiffness: alpha } = state.views;
  for (let c = rows.coarseStart; c < rows.coarseEnd; c++) {
    coarseShare[2 * c] = pull[coarseLevel[c]];
    coarseShare[2 * c + 1] = drag[coarseLevel[c]];
  }
  if (stiffness !== undefined) alpha.fill(stiffness, rows.particleStart, rows.particleEnd);
}
