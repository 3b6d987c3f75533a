/** Particles of a thin body, and the volume that each stands for as a multiple of the mean. */
export interface ThinSampling {
  positions: Float64Array;
  shares: Float64Array;
}

/**
 * The middle of a body that is thin by intent: the middle surface of a sheet, or the middle line of a cord. Particles farther apart than the body is thick are placed along it, so that
 * every part of a sheet has one layer and every part of a cord has the same section. Particles at random heights in the thickness would make a sheet thick here and thin there.
 */
export interface Middle {
  readonly kind: 'sheet' | 'cord';
  /** Least spacing (m) with which particles lie along the middle: the thickness of a sheet, the radius of a cord. */
  readonly from: number;
  /** Largest spacing (m): the length of a cord, the diagonal of a sheet. A wider one would place no fewer particles. */
  readonly to: number;
  /** How far the surface lies from the middle (m). */
  readonly half: number;
  /** Whether a regular lattice can be laid along the middle. */
  readonly hasGrid: boolean;
  /** About how many particles a spacing gives. */
  expect(spacing: number): number;
  /** The particles at this spacing. */
  sample(spacing: number, seed: number, method: 'grid' | 'blue-noise'): ThinSampling;
}

/** A middle whose particles are mapped by `place`, which changes a point (x, y, z at an offset) in place. */
export function placedMiddle(middle: Middle, place: (points: Float64Array, offset: number) => void): Middle {
  return {
    ...middle,
    sample(spacing, seed, method) {
      const found = middle.sample(spacing, seed, method);
      for (let o = 0; o < found.positions.length; o += 3) place(found.positions, o);
      return found;
    },
  };
}
