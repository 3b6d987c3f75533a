/**
 * Many runs of scenes: `sweep` runs every combination of varied settings and writes tables, plots and a page; `runJobs` is the queue under it, on all cores of this machine or, by Redis, on many machines;
 * `runWorker` is what each of those runs.
 *
 * @module @pliant/sweep
 */

export { codeVersion } from './hash.js';
export { MEASURES, type NamedMeasure, RUN_MEASURES, type Run, TIMINGS, type Value } from './measure/named.js';
export { parseRequest, type Request, type When } from './measure/request.js';
export type { MeasureContext } from './measure/userModule.js';
export { DEFAULT_MEASURES, type Plan, type PlannedRun, planSweep, type SweepRequest } from './plan.js';
export { type QueueOptions, type RunJobsOptions, runJobs } from './queue/runJobs.js';
export type { Job, Outcome, TaskContext, TaskModule, Tasks } from './queue/task.js';
export { runWorker, type WorkerOptions } from './queue/worker.js';
export type { SimulationInput, SimulationResult } from './simulate.js';
export { NotWritten, type StoredRun } from './store.js';
export { type SweepOptions, type SweepSummary, sweep } from './sweep.js';
export type { Picture } from './thumbnail/render.js';
export { type Axis, parseVariation, type Variation } from './vary/combinations.js';
export type { Values } from './vary/values.js';
