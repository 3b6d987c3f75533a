/** Work for the queue: plain data, so that it can travel to another process or machine. */
export interface Job {
  /** Identity: two jobs with the same id have the same result. Letters, digits and hyphens. */
  id: string;
  /** Name of the task, a key of `Tasks`. */
  task: string;
  /** Argument of the task's `run`. */
  input: unknown;
  /** Files that the task may ask for: where each lies on this machine, by the SHA-256 of its content. */
  files?: Readonly<Record<string, string>>;
  /** The job runs code that came with it. Only workers that allow that take it. */
  runsCode?: boolean;
}

/** Given to a task beside its input. */
export interface TaskContext {
  /** The content of a file of the job, by its hash. */
  file(hash: string): Promise<Uint8Array>;
}

/** The module of a task exports `run`. Its result is plain data (JSON). */
export interface TaskModule {
  /** Does the work of one job. */
  run(input: unknown, context: TaskContext): Promise<unknown>;
}

/** Addresses (file:) of the modules of tasks by their names. */
export type Tasks = Readonly<Record<string, string>>;

/**
 * How a job ended. 'done': `value` is the result. 'refused': the task threw a PliantError, as it will everywhere. 'failed': it threw something else. 'killed': its process died, each time it was
 * tried. 'over time': it took longer than allowed.
 */
export type Outcome =
  | { status: 'done'; value: unknown }
  | { status: 'refused' | 'failed' | 'killed' | 'over time'; reason: string };
