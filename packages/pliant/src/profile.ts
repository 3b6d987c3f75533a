/** The stages of a step, in the order in which they run. */
export const STAGES = [
  'external',
  'match',
  'levels',
  'integrate',
  'strainLimit',
  'velocity',
  'fracture',
  'plasticity',
  'recluster',
  'contact',
  'obstacles',
  'sleep',
] as const;
/** A stage of the step. */
export type Stage = (typeof STAGES)[number];

/** Time that each stage of the step took. Reading it does not affect the simulation. */
export class Profile {
  /** Number of steps since the world began or since `reset`. */
  steps = 0;
  /** Milliseconds of each stage in the last step. */
  readonly last = emptyStages();
  /** Milliseconds of each stage, summed over `steps` steps. */
  readonly total = emptyStages();
  private started = 0;

  /** @internal */
  begin(): void {
    this.steps++;
    for (const stage of STAGES) this.last[stage] = 0;
    this.started = performance.now();
  }

  /** @internal Adds the time since the previous mark to `stage`. */
  mark(stage: Stage): void {
    const now = performance.now();
    this.last[stage] += now - this.started;
    this.total[stage] += now - this.started;
    this.started = now;
  }

  /** Mean milliseconds per step of each stage. */
  means(): Record<Stage, number> {
    const means = emptyStages();
    for (const stage of STAGES) means[stage] = this.steps > 0 ? this.total[stage] / this.steps : 0;
    return means;
  }

  /** Sets all times and `steps` to 0. */
  reset(): void {
    this.steps = 0;
    for (const stage of STAGES) this.last[stage] = this.total[stage] = 0;
  }
}

const emptyStages = () => Object.fromEntries(STAGES.map((s) => [s, 0])) as Record<Stage, number>;
