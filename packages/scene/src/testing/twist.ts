import type { Body } from 'pliant';

/** Slices of 10 cm along a bar of 2 m. */
const SLICES = 20;
const sliceOf = (x: number) => Math.min(SLICES - 1, Math.max(0, Math.floor((x + 1) * 10)));

/** Rotation of each slice of a bar along x about its middle (rad), in (−π, π]. */
function turnsOf({ restPositions: rest, positions: x, particleCount }: Body): number[] {
  const middle = Array.from({ length: SLICES }, () => [0, 0, 0]);
  for (let i = 0; i < particleCount; i++) {
    const sum = middle[sliceOf(rest[3 * i])];
    for (const a of [1, 2]) sum[a] += x[4 * i + a];
    sum[0]++;
  }
  const turns = Array.from({ length: SLICES }, () => [0, 0]);
  for (let i = 0; i < particleCount; i++) {
    const slice = sliceOf(rest[3 * i]);
    const [count, sumY, sumZ] = middle[slice];
    const [y, z] = [x[4 * i + 1] - sumY / count, x[4 * i + 2] - sumZ / count];
    turns[slice][0] += rest[3 * i + 1] * z - rest[3 * i + 2] * y;
    turns[slice][1] += rest[3 * i + 1] * y + rest[3 * i + 2] * z;
  }
  return turns.map(([sin, cos]) => Math.atan2(sin, cos));
}

/**
 * The angle (rad) between the ends of a bar, summed from slice to slice. The rotation of the ends alone would include
 * turns by which parts have slipped past each other: a bar that slipped by a whole turn somewhere is untwisted there.
 */
export class Twist {
  now = 0;
  most = 0;

  look(bar: Body): void {
    const turns = turnsOf(bar);
    this.now = 0;
    for (let n = 1; n < SLICES; n++) this.now += ((turns[n] - turns[n - 1] + 5 * Math.PI) % (2 * Math.PI)) - Math.PI;
    this.most = Math.max(this.most, this.now);
  }
}
