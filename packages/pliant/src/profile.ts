/** The stages of a step, in order. The same words name the folders, the kernels and the docs. */
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
export type Stage = (typeof STAGES)[number];

/** Milliseconds per stage: of the last step, and summed over all steps. Never read by the step itself. */
export class Profile {
  steps = 0;
  readonly last = emptyStages();
  readonly total = emptyStages();
  private started = 0;

  /** @internal */
  begin(): void {
    this.steps++;
    this.started = performance.now();
  }

  /** @internal Everything since the previous mark was `stage`. */
  mark(stage: Stage): void {
    const now = performance.now();
    this.last[stage] = now - this.started;
    this.total[stage] += now - this.started;
    this.started = now;
  }

  /** Mean milliseconds per step and stage. */
  means(): Record<Stage, number> {
    const means = emptyStages();
    for (const stage of STAGES) means[stage] = this.steps > 0 ? this.total[stage] / this.steps : 0;
    return means;
  }

  reset(): void {
    this.steps = 0;
    for (const stage of STAGES) this.last[stage] = this.total[stage] = 0;
  }
}

const emptyStages = () => Object.fromEntries(STAGES.map((s) => [s, 0])) as Record<Stage, number>;
