import type { Body } from '../body/body.js';
import { polarInto } from '../math/polar.js';

/** Best rigid motion of a body's rest shape onto where it is, and what is left: rms and largest distance (m). */
export function rigidFit(body: Body): { rms: number; worst: number; rotation: Float64Array } {
  const rest = body.restPositions;
  const x = body.positions;
  const n = body.particleCount;
  const mean = (at: (i: number, a: number) => number) =>
    [0, 1, 2].map((a) => {
      let sum = 0;
      for (let i = 0; i < n; i++) sum += at(i, a);
      return sum / n;
    });
  const from = mean((i, a) => rest[3 * i + a]);
  const to = mean((i, a) => x[4 * i + a]);
  const m = new Float64Array(9);
  for (let i = 0; i < n; i++)
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++) m[3 * b + a] += (x[4 * i + a] - to[a]) * (rest[3 * i + b] - from[b]);
  const rotation = new Float64Array(9);
  polarInto(rotation, m);
  let [squares, worst] = [0, 0];
  for (let i = 0; i < n; i++) {
    let d = 0;
    for (let a = 0; a < 3; a++) {
      let goal = to[a];
      for (let b = 0; b < 3; b++) goal += rotation[3 * b + a] * (rest[3 * i + b] - from[b]);
      d += (x[4 * i + a] - goal) ** 2;
    }
    squares += d;
    worst = Math.max(worst, d);
  }
  return { rms: Math.sqrt(squares / n), worst: Math.sqrt(worst), rotation };
}
