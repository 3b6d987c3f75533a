import { type Body, PliantError } from 'pliant';
import { keepMasses, keepStart, MEASURES, REST_SPEED, type Run, type Value } from './named.js';
import { columnsOf, partsOf, type Request } from './request.js';
import type { MeasureContext, UserModule } from './userModule.js';

/** Values and series of a run, as plain data. */
export interface Recorded {
  /** The value of every column. */
  values: Record<string, Value>;
  /** Series by column: values at the times of the same number. */
  series: Record<string, { times: number[]; values: Value[] }>;
}

/** Takes the measures of a run: call `frame` with 0 before the first step and after every step, then `finish`. */
export class Recorder {
  private readonly recorded: Recorded = { values: {}, series: {} };
  private readonly over = new Map<string, { min: number; max: number; sum: number; count: number }>();
  private restSince: number | undefined;
  private readonly userMemory: Record<string, unknown> = {};

  constructor(
    private readonly run: Run,
    private readonly requests: readonly Request[],
    private readonly steps: number,
    private readonly user: UserModule | undefined,
  ) {
    keepStart(run);
    keepMasses(run);
    const names = run.world.bodies.map((body) => body.name);
    for (const { body, text } of requests)
      if (body !== undefined && !names.includes(body))
        throw new PliantError(
          '--measure',
          `--measure ${text}: there is no body ${JSON.stringify(body)}; expected one of ${names.map((name) => JSON.stringify(name)).join(', ')}.`,
        );
    for (const request of requests) {
      const columns = columnsOf(request);
      for (const column of columns)
        if (request.when.type === 'series') this.recorded.series[column] = { times: [], values: [] };
        else this.recorded.values[column] = null;
    }
  }

  /** Takes what is due at a step. */
  frame(step: number): void {
    const { world } = this.run;
    if (this.user?.step) this.callUser('step', this.user.step, world.bodies);
    for (const request of this.requests) {
      const { when, kind } = request;
      if (kind === 'run') this.watchRest();
      else if (when.type === 'series') {
        if (step % when.every === 0) this.takeSeries(request);
      } else if (when.type === 'over') this.takeOver(request);
      else if (when.type === 'times') this.takeTimes(request, step);
      else if (step === this.steps) this.takeEnd(request);
    }
  }

  finish(): Recorded {
    const { values } = this.recorded;
    for (const request of this.requests) {
      const { when } = request;
      if (request.kind === 'run') values[request.name] = this.restSince ?? null;
      else if (when.type === 'over')
        for (const column of columnsOf(request)) {
          const sums = this.over.get(column);
          if (sums) values[column] = plain(when.how === 'mean' ? sums.sum / sums.count : sums[when.how]);
        }
    }
    return this.recorded;
  }

  private takeSeries(request: Request): void {
    const taken = this.valuesOf(request);
    columnsOf(request).forEach((column, k) => {
      const { times, values } = this.recorded.series[column];
      times.push(this.run.world.time);
      values.push(taken[k]);
    });
  }

  private takeOver(request: Request): void {
    const taken = this.valuesOf(request);
    columnsOf(request).forEach((column, k) => {
      const value = Number(taken[k]);
      const sums = this.over.get(column) ?? { min: value, max: value, sum: 0, count: 0 };
      sums.min = Math.min(sums.min, value);
      sums.max = Math.max(sums.max, value);
      sums.sum += value;
      sums.count++;
      this.over.set(column, sums);
    });
  }

  /** A time is that of the step nearest to it. */
  private takeTimes(request: Request, step: number): void {
    const { times } = request.when as { times: number[] };
    const due = times.flatMap((time, k) => (Math.round(time / this.run.world.dt) === step ? [k] : []));
    if (due.length === 0) return;
    const [taken, columns] = [this.valuesOf(request), columnsOf(request)];
    for (const k of due)
      taken.forEach((value, p) => {
        this.recorded.values[columns[k * taken.length + p]] = value;
      });
  }

  private takeEnd(request: Request): void {
    const taken = this.valuesOf(request);
    columnsOf(request).forEach((column, k) => {
      this.recorded.values[column] = taken[k];
    });
  }

  private watchRest(): void {
    const { world } = this.run;
    const speed = MEASURES.speed.of(this.run, world.bodies) as number;
    if (!(speed < REST_SPEED)) this.restSince = undefined;
    else this.restSince ??= world.time;
  }

  /** The value of a request now, one for each of its parts. */
  private valuesOf(request: Request): Value[] {
    const { name, part, body, kind } = request;
    const bodies = body === undefined ? this.run.world.bodies : this.partsOfBody(body);
    if (kind === 'user') return [this.callUser(name, this.user!.measures[name], bodies)];
    const value = bodies.length > 0 ? MEASURES[name].of(this.run, bodies) : null;
    if (!Array.isArray(value)) return [plain(value as Value)];
    const all = MEASURES[name].parts!;
    return partsOf(request).map((p) => plain(value[all.indexOf(p ?? part!)]));
  }

  /** A body of the scene and everything that came off it. */
  private partsOfBody(name: string): Body[] {
    const own = this.run.built.bodies.find((body) => body.name === name);
    return this.run.world.bodies.filter((body) => body === own || body.builtPositions === own?.builtPositions);
  }

  private callUser(name: string, act: (context: MeasureContext) => unknown, bodies: readonly Body[]): Value {
    const { world, built, scene } = this.run;
    let value: unknown;
    try {
      value = act({ world, bodies, scene, built, memory: this.userMemory });
    } catch (error) {
      throw new MeasureError(
        `measure ${name} threw at ${world.time.toFixed(4)} s: ${(error as Error)?.message ?? error}`,
      );
    }
    if (name === 'step' && act === this.user?.step) return null;
    if (value === null || value === undefined) return null;
    if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') return plain(value);
    throw new MeasureError(
      `measure ${name} returned ${Array.isArray(value) ? 'a list' : `a ${typeof value}`}; expected a number, a text, true, false or nothing`,
    );
  }
}

/** An error of a user's measure. */
export class MeasureError extends Error {}

/** JSON has no NaN and no infinity. */
const plain = (value: Value): Value => (typeof value === 'number' && !Number.isFinite(value) ? null : value);
