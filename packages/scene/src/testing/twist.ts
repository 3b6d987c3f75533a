import type { Body } from 'pliant';

/** How far the end of a bar along x beyond `side` times 0.85 m is turned about that axis, in (−π, π]. */
function turnOf({ restPositions: rest, positions: x }: Body, side: number): number {
  let [sin, cos] = [0, 0];
  for (let i = 0; i < rest.length / 3; i++) {
    if (side * rest[3 * i] < 0.85) continue;
    sin += rest[3 * i + 1] * x[4 * i + 2] - rest[3 * i + 2] * x[4 * i + 1];
    cos += rest[3 * i + 1] * x[4 * i + 1] + rest[3 * i + 2] * x[4 * i + 2];
  }
  return Math.atan2(sin, cos);
}

/** Follows the angle (rad) between the ends of a bar through whole turns; to be asked often enough to see less than half a turn. */
export class Twist {
  now = 0;
  most = 0;
  private last = 0;

  look(bar: Body): void {
    const angle = turnOf(bar, 1) - turnOf(bar, -1);
    this.now += ((angle - this.last + 5 * Math.PI) % (2 * Math.PI)) - Math.PI;
    this.last = angle;
    this.most = Math.max(this.most, this.now);
  }
}
