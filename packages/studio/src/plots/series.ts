import type { Stage } from 'pliant';
import type { Frame, FrameStats } from '../protocol.js';

/** Simulated seconds that are kept, and the largest number of samples. */
const SPAN = 20;
const ROOM = 1200;

/** The twelve stages of a step in groups for the plot. */
export const STAGE_GROUPS: readonly { name: string; stages: readonly Stage[] }[] = [
  { name: 'matching', stages: ['match', 'levels'] },
  { name: 'limits', stages: ['strainLimit', 'velocity'] },
  { name: 'fracture', stages: ['fracture'] },
  { name: 'flow, reclustering', stages: ['plasticity', 'recluster'] },
  { name: 'contact', stages: ['contact', 'obstacles'] },
  { name: 'rest', stages: ['external', 'integrate', 'sleep'] },
];

export interface Plot {
  id: string;
  title: string;
  unit: string;
  /** Whether lines are stacked. */
  stacked: boolean;
  lines: { name: string; of: (stats: FrameStats) => number }[];
  /** A note beside the names of the lines. */
  note?: string;
}

export const PLOTS: readonly Plot[] = [
  {
    ...plot(
      'energy',
      'Energy',
      'J',
      { name: 'kinetic', of: (s) => s.kineticEnergy },
      { name: 'gravity', of: (s) => s.gravityEnergy },
      { name: 'strain', of: (s) => s.strainEnergy },
    ),
    note: 'Gravity: above the ground or, without one, above the lowest particle of the start. Strain: ½ α m d²/Δt² over the distances d to the goals; limits of strain, flow and levels are not all in it, so the sum need not stay.',
  },
  plot(
    'momentum',
    'Momentum',
    'kg m/s, kg m²/s',
    { name: 'linear', of: (s) => s.momentum },
    { name: 'angular', of: (s) => s.angularMomentum },
  ),
  plot('volume', 'Volume', 'm³', { name: 'volume', of: (s) => s.volume }),
  plot('pieces', 'Pieces', '', { name: 'pieces', of: (s) => s.pieces }),
  plot('clusters', 'Clusters', '', { name: 'clusters', of: (s) => s.clusters }),
  plot('particles', 'Particles', '', { name: 'particles', of: (s) => s.particles }),
  {
    ...plot(
      'stages',
      'Time per step',
      'ms',
      ...STAGE_GROUPS.map(({ name, stages }) => ({
        name,
        of: (s: FrameStats) => stages.reduce((sum, stage) => sum + s.stages[stage], 0),
      })),
    ),
    stacked: true,
  },
];

function plot(id: string, title: string, unit: string, ...lines: Plot['lines']): Plot {
  return { id, title, unit, stacked: false, lines };
}

/** Measurements of the last seconds: a column of times and one for each line of each plot, in ring buffers. */
export class Series {
  private readonly times = new Float64Array(ROOM);
  private readonly columns: Float64Array[];
  private first = 0;
  private count = 0;

  constructor(private readonly lines: readonly ((stats: FrameStats) => number)[]) {
    this.columns = lines.map(() => new Float64Array(ROOM));
  }

  get length(): number {
    return this.count;
  }

  /** Adds a sample. Going back in time drops later samples; a jump forward starts anew. */
  add({ time, stats }: Pick<Frame, 'time' | 'stats'>): void {
    while (this.count > 0 && this.timeAt(this.count - 1) >= time) this.count--;
    while (this.count > 0 && (time - this.timeAt(0) > SPAN || this.count === ROOM)) {
      this.first = (this.first + 1) % ROOM;
      this.count--;
    }
    const at = (this.first + this.count++) % ROOM;
    this.times[at] = time;
    this.lines.forEach((of, k) => {
      this.columns[k][at] = of(stats);
    });
  }

  clear(): void {
    this.count = 0;
  }

  /** Times, then one array for each of the given lines, in order; stacked: cumulative sums. */
  table(lines: readonly number[], stacked: boolean): (number | null)[][] {
    const inOrder = (ring: Float64Array) => Array.from({ length: this.count }, (_, n) => ring[(this.first + n) % ROOM]);
    const values = lines.map((line) => inOrder(this.columns[line]));
    if (stacked)
      for (let k = 1; k < values.length; k++) for (let n = 0; n < this.count; n++) values[k][n] += values[k - 1][n];
    // Values that were not measured (NaN) are gaps.
    return [inOrder(this.times), ...values.map((line) => line.map((value) => (Number.isNaN(value) ? null : value)))];
  }

  latest(line: number): number | undefined {
    return this.count > 0 ? this.columns[line][(this.first + this.count - 1) % ROOM] : undefined;
  }

  private timeAt(n: number): number {
    return this.times[(this.first + n) % ROOM];
  }
}
