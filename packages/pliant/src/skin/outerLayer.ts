import { FIELDS, Row } from '../state/fields.js';
import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { Knots } from './knots.js';

/**
 * How far the outermost particles of a body with an elastic law are from where their clusters carry them. Clusters are
 * wider than the dent of a floor: carried by them alone, the surface of a ball that rests goes through it. So a knot
 * moves by the mean of what the outermost particles around it are off, by the same kernel.
 */
export class OuterLayer {
  /** First entry of each knot; knots + 1 offsets. */
  private readonly start: Uint32Array;
  /** Per entry: number of the particle among `particles`, and its share. Shares of a knot sum to 1. */
  private readonly entry: Uint32Array;
  private readonly share: Float32Array;
  /** The outermost particles that carry knots, counted from the body's first, and how far each is off (m). */
  private readonly particles: Uint32Array;
  private readonly off: Float64Array;

  constructor({ flags }: Views, { particleStart }: Rows, { vertex, start, particle, kernel }: Knots) {
    const number = new Map<number, number>();
    const entry: number[] = [];
    const share: number[] = [];
    this.start = new Uint32Array(vertex.length + 1);
    for (let n = 0; n < vertex.length; n++) {
      let sum = 0;
      for (let k = start[n]; k < start[n + 1]; k++) {
        const i = particle[k];
        if (flags[particleStart + i] & Flag.INNER || kernel[k] === 0) continue;
        if (!number.has(i)) number.set(i, number.size);
        entry.push(number.get(i)!);
        share.push(kernel[k]);
        sum += kernel[k];
      }
      for (let k = this.start[n]; k < share.length; k++) share[k] /= sum;
      this.start[n + 1] = share.length;
    }
    this.entry = Uint32Array.from(entry);
    this.share = Float32Array.from(share);
    this.particles = Uint32Array.from(number.keys());
    this.off = new Float64Array(3 * this.particles.length);
  }

  /** Measures how far the particles are off. `frames` are those of the body's clusters, with their centres in the world. */
  fit(s: Views, { particleStart, clusterStart }: Rows, frames: Float64Array): void {
    const { particles, off } = this;
    for (let n = 0; n < particles.length; n++) {
      const row = particleStart + particles[n];
      const rank = s.gatherRank[row];
      for (let a = 0; a < 3; a++) off[3 * n + a] = s.x[Row.x * row + a];
      for (let l = s.linkStart[rank]; l < s.linkStart[rank + 1]; l++) {
        const p = Row.link * l;
        const w = s.link[p + FIELDS.link.WEIGHT];
        const f = 12 * (s.linkCluster[l] - clusterStart);
        for (let a = 0; a < 3; a++)
          off[3 * n + a] -=
            w *
            (frames[f + 9 + a] +
              frames[f + a] * s.link[p] +
              frames[f + 3 + a] * s.link[p + 1] +
              frames[f + 6 + a] * s.link[p + 2]);
      }
    }
  }

  /** Moves the knots, x y z each. */
  addTo(places: Float32Array): void {
    const { start, entry, share, off } = this;
    for (let n = 0; n < start.length - 1; n++)
      for (let k = start[n]; k < start[n + 1]; k++)
        for (let a = 0; a < 3; a++) places[3 * n + a] += share[k] * off[3 * entry[k] + a];
  }
}
