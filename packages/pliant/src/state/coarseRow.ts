/** Offsets in a row of `sums` and of `coarseFit`. Only rows of `coarseFit` have R and SPIN. */
export const Fit = { A: 0, CENTRE: 9, V: 12, TURN: 15, INERTIA: 18, SUMS: 24, R: 24, SPIN: 33, WIDTH: 36 } as const;

/** Offsets in a row of `coarseGoal`. */
export const Goal = { MATRIX: 0, PLACE: 9, V: 12, SPIN: 15, WIDTH: 18 } as const;
