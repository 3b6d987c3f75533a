import type { Body } from '../body/body.js';
import type { Views } from '../state/layout.js';

/** Way of a particle in a substep at most, in spacings, beside the way of the whole body: a node that passes a triangle from its side to the other within a substep may miss it. */
const LONGEST = 0.5;
/** Particles whose mean velocity is that of the body. */
const SAMPLE = 32;

/** Substeps that the contacts of a sheet or a cord with itself need in a step of dt (s). */
export function substepsOfFolds({ v }: Views, { rows, spacing = 0 }: Body, dt: number): number {
  const [start, end] = [4 * rows.particleStart, 4 * rows.particleEnd];
  const step = 4 * Math.ceil((end - start) / 4 / SAMPLE);
  let mx = 0;
  let my = 0;
  let mz = 0;
  let count = 0;
  for (let o = start; o < end; o += step) {
    mx += v[o];
    my += v[o + 1];
    mz += v[o + 2];
    count++;
  }
  mx /= count;
  my /= count;
  mz /= count;
  let most = 0;
  for (let o = start; o < end; o += 4) {
    const x = v[o] - mx;
    const y = v[o + 1] - my;
    const z = v[o + 2] - mz;
    const square = x * x + y * y + z * z;
    if (square > most) most = square;
  }
  const way = Math.min(Math.sqrt(most) * dt, Number.MAX_SAFE_INTEGER);
  return spacing > 0 ? Math.max(1, Math.ceil(way / (LONGEST * spacing))) : 1;
}
