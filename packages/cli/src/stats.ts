import { type Backend, PliantError, type Stage, type World, type WorldEvent } from 'pliant';
import { isStatsFrame } from './frames.js';

type Triple = [number, number, number];

/** The state of a world at one frame. Angular momentum is about the origin. */
export interface FrameStats {
  frame: number;
  time: number;
  particles: number;
  clusters: number;
  mass: number;
  com: Triple;
  bboxMin: Triple;
  bboxMax: Triple;
  rms: number;
  kineticEnergy: number;
  momentum: Triple;
  angularMomentum: Triple;
  maxStretch: number;
  probe: [number, Triple][];
}

/** Content of the file of `--stats`. Numbers are not rounded; milliseconds depend on the machine. */
export interface RunStats {
  scene: string;
  backend: Backend;
  threads: number;
  dt: number;
  load: { seconds: number };
  particles: { initial: number; final: number };
  clusters: { initial: number; final: number; perLevel: number[] };
  memberships: number;
  step: { count: number; meanMs: number; medianMs: number; p95Ms: number; stages: Record<Stage, number> };
  finite: boolean;
  events: { fractures: number; splits: number; removed: number; added: number };
  frames: FrameStats[];
}

export function frameStats(world: World, probe: readonly number[]): FrameStats {
  const x = world.positions;
  return {
    frame: world.frame,
    time: world.time,
    particles: world.particleCount,
    clusters: world.clusterCount,
    ...world.measure(),
    maxStretch: world.maxStretch(),
    probe: probe.map((i) => [i, [x[4 * i], x[4 * i + 1], x[4 * i + 2]]]),
  };
}

/** Records a run: create it before the first step, call `step` after every step. */
export class StatsRecorder {
  readonly frames: FrameStats[] = [];
  /** Milliseconds of each step. */
  readonly times: number[] = [];
  private finite = true;
  private readonly initial: { particles: number; clusters: number; memberships: number };
  private fractures = 0;
  private splits = 0;
  private added = 0;
  private removed = 0;

  constructor(
    private readonly world: World,
    private readonly probe: readonly number[],
  ) {
    const last = world.particleCount - 1;
    for (const i of probe)
      if (i > last)
        throw new PliantError('--probe', `--probe names particle ${i}; expected numbers from 0 to ${last}.`);
    this.initial = { particles: world.particleCount, clusters: world.clusterCount, memberships: world.membershipCount };
    this.frames.push(frameStats(world, probe));
  }

  /** To be called after a step that took `ms`. */
  step(ms: number, events: readonly WorldEvent[]): void {
    this.times.push(ms);
    if (events.some((event) => event.type === 'quarantine')) this.finite = false;
    for (const event of events)
      if (event.type === 'fracture') {
        this.fractures++;
        this.splits += event.splits.length;
        this.added += event.copies.length / 2;
        this.removed += event.removed.length;
      }
    if (isStatsFrame(this.world.frame)) this.frames.push(frameStats(this.world, this.probe));
  }

  finish(scene: string, loadSeconds: number): RunStats {
    const { world, times, initial } = this;
    const sorted = [...times].sort((a, b) => a - b);
    return {
      scene,
      backend: world.backend,
      threads: world.threads,
      dt: world.dt,
      load: { seconds: loadSeconds },
      particles: { initial: initial.particles, final: world.particleCount },
      clusters: { initial: initial.clusters, final: world.clusterCount, perLevel: [world.clusterCount] },
      memberships: initial.memberships,
      step: {
        count: times.length,
        meanMs: times.reduce((sum, t) => sum + t, 0) / Math.max(1, times.length),
        medianMs: quantile(sorted, 0.5),
        p95Ms: quantile(sorted, 0.95),
        stages: world.profile.means(),
      },
      finite: this.finite && world.positions.every(Number.isFinite),
      events: { fractures: this.fractures, splits: this.splits, removed: this.removed, added: this.added },
      frames: this.frames,
    };
  }
}

/** Linear interpolation between the two nearest of the sorted values; 0 if there are none. */
export function quantile(sorted: readonly number[], q: number): number {
  if (sorted.length === 0) return 0;
  const at = q * (sorted.length - 1);
  const low = Math.floor(at);
  return sorted[low] + (at - low) * (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]);
}
