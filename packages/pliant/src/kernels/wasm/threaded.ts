import { Row } from '../../state/fields.js';
import type { State } from '../../state/state.js';
import { type JobFunction, Pool } from '../../threads/pool.js';
import { RUN } from '../constants.js';
import {
  type IntegrateParameters,
  type Kernels,
  type LevelRows,
  NO_DRAG,
  type PlaneContact,
  type Threads,
} from '../kernels.js';
import type { Exports } from './exports.js';
import { planeInto, SCRATCH, SCRATCH_START, type ScratchRegion } from './scratchMap.js';

/** The exports that run as jobs. Their first two parameters are a range of rows, and they write only rows of that range. */
const JOBS = [
  'matchClusters',
  'dampParticles',
  'describeMotions',
  'sumCoarse',
  'blendCoarse',
  'blendClusters',
  'urgeParticles',
  'advanceParticles',
  'limitClusters',
  'limitParticles',
  'updateVelocities',
  'flowClusters',
  'boundParticles',
  'boundLeaves',
  'touchBody',
  'measureRange',
  'describeContacts',
  'strainParticles',
  'weighMotion',
  'countNonFinite',
  'urgeClusters',
  'urgeByLaw',
  'squareWays',
  'boundRuns',
  'meetPlane',
  'listPairs',
  'keepStart',
  'returnStart',
  'brakeParticles',
  'markNearing',
] as const satisfies (keyof Exports)[];

/** Numbers of the jobs, by name. */
const JOB = Object.fromEntries(JOBS.map((name, n) => [name, n])) as Record<(typeof JOBS)[number], number>;

/** Jobs of one range at most, for each thread: a thread that is late leaves work to the others, and at the end waits for half a job of another. */
const PER_THREAD = 12;

/**
 * Rows of the smallest job. To hand over a job takes about 0.3 µs, and these take 5 to 10. PARTICLES is for kernels that gather from clusters, STREAM for those
 * that do a few operations for each particle.
 */
const GRAIN = {
  MEMBERSHIPS: 2048,
  PARTICLES: 512,
  STREAM: 2048,
  COARSE: 16,
  CONTACTS: 32,
  URGES: 96,
  PAIRED: 256,
  MARKED: 32,
};

/** Clusters of a body from which on jobs find those that others have come near: together they are some 30 µs. Smaller bodies are a job each, so that many of them run at the same time. */
const MARKED = 256;

/**
 * Particles of awake bodies from which on steps are run by threads, and below which they no longer are, unless the user gave the number of threads. Smaller
 * worlds gain less than waking the workers takes.
 */
const ENOUGH = { FROM: 3000, TO: 2000 };

/** How many threads: at most so many; `always`, or only if a world has ENOUGH particles. */
export interface ThreadsWanted {
  most: number;
  always: boolean;
}

/** The bodies whose integration waits for `close`: numbers of each, in rows. */
const Pending = { START: 0, END: 1, H: 2, MAX_SPEED: 3, JOBS_FROM: 4, JOBS_TO: 5, STAND: 6, LENGTH: 9 } as const;

/**
 * Kernels whose ranges are divided between threads. Results have the same bits for any number of threads: a job writes only rows of its own range, and sums over a
 * whole body are added up on the calling thread, in the order that one thread has.
 */
export class ThreadedKernels {
  private readonly pool: Pool;
  /** Whether the present step, or the last one, is run by threads. */
  private isOn = false;
  private isStepping = false;
  private isOpen = false;
  private perCluster = 1;
  private fineness = 1;
  private readonly even: Float32Array;
  private readonly motion: Float64Array;
  private readonly plane: Float64Array;
  private readonly planeSums: Float64Array;
  private integrations = new Float64Array(Pending.LENGTH * 64);
  private integrationCount = 0;
  /** Bodies whose trees wait for `close`: first and end of their clusters. */
  private trees = new Uint32Array(2 * 64);
  private treeCount = 0;
  /** Bodies whose contact with themselves waits for `close`: their first particles and their jobs. */
  private touches = new Uint32Array(2 * 64);
  private touchCount = 0;

  constructor(
    private readonly state: State,
    private readonly wasm: Exports,
    private readonly alone: Kernels,
    module: WebAssembly.Module,
    private readonly wanted: ThreadsWanted,
  ) {
    const start = { module, memory: state.memory, functions: JOBS };
    const functions = JOBS.map((name) => wasm[name] as JobFunction);
    this.pool = new Pool(start, functions, SCRATCH_START, wanted.most);
    const numbersAt = ({ at, bytes }: ScratchRegion) => new Float64Array(state.memory.buffer, at, bytes / 8);
    this.motion = numbersAt(SCRATCH.DAMP_MOTION);
    this.plane = numbersAt(SCRATCH.PLANE_GIVEN);
    this.planeSums = numbersAt(SCRATCH.PLANE_SUMS);
    this.even = new Float32Array(state.memory.buffer, SCRATCH.INTEGRATE_EVEN.at, 3);
  }

  /** The interface to the step. */
  get threads(): Threads {
    const owner = this;
    return {
      get count() {
        return owner.isOn ? owner.pool.threads : 1;
      },
      begin: (particles) => this.begin(particles),
      end: () => this.end(),
      ready: () => this.pool.ready(),
      divideFinely: (times) => {
        this.fineness = times;
      },
      dispose: () => this.pool.dispose(),
    };
  }

  private begin(particles: number): void {
    this.isOn = this.wanted.always || particles >= (this.isOn ? ENOUGH.TO : ENOUGH.FROM);
    this.isStepping = this.isOn;
    if (!this.isOn) return;
    const { membership, cluster } = this.state.count;
    this.perCluster = membership / Math.max(1, cluster);
    this.pool.begin();
  }

  private end(): void {
    if (!this.isStepping) return;
    this.isStepping = this.isOpen = false;
    this.pool.end();
  }

  private get clusterGrain(): number {
    return Math.max(1, Math.ceil(GRAIN.MEMBERSHIPS / this.perCluster));
  }

  /** Into how many jobs a range is divided: 1 if it is not worth it. */
  private partsOf(rows: number, grain: number): number {
    if (!this.isStepping) return 1;
    const { threads } = this.pool;
    return threads > 1 ? Math.max(1, Math.min(Math.floor((rows * this.fineness) / grain), PER_THREAD * threads)) : 1;
  }

  /** The same for jobs over runs of particles: 1 if a body is one run. */
  private runsOf(start: number, end: number): number {
    return end - start < 2 * RUN.PARTICLES ? 1 : this.partsOf(end - start, GRAIN.STREAM);
  }

  // biome-ignore format: one line a call
  /** Adds the jobs of a range, with the arguments that all have in common. */
  private divide(job: number, start: number, end: number, parts: number, a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0): void {
    const rows = end - start;
    for (let n = 0, from = start; n < parts; n++) {
      const to = start + Math.floor(((n + 1) * rows) / parts);
      this.pool.add(job, from, to, a, b, c, d, e, f, g, h, i, j);
      from = to;
    }
  }

  // biome-ignore format: one line a call
  /** The same for jobs that take whole runs of particles, whose sums they leave (assembly/velocity.ts). */
  private divideRuns(job: number, start: number, end: number, parts: number, a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, j = 0): void {
    const runs = Math.max(1, Math.floor((end - start) / RUN.PARTICLES));
    // Jobs of one run and jobs of two would leave a thread to wait for the longer ones.
    const jobs = runs < 2 * parts ? Math.max(1, Math.min(runs, this.pool.room)) : parts;
    for (let n = 0, from = start; n < jobs; n++) {
      const to = n === jobs - 1 ? end : start + RUN.PARTICLES * Math.floor(((n + 1) * runs) / jobs);
      this.pool.add(job, from, to, a, b, c, d, e, f, g, h, i, j);
      from = to;
    }
  }

  /** Runs all jobs, and returns the sum of their results. */
  private total(): number {
    const { added } = this.pool;
    this.pool.run();
    return this.pool.sumResults(0, added);
  }

  open(): void {
    this.isOpen = this.isStepping && this.pool.threads > 1;
  }

  close(touched = 0): number {
    if (!this.isOpen) return touched;
    this.isOpen = false;
    if (this.integrationCount > 0) this.finishIntegrations();
    this.pool.run();
    for (let n = 0; n < this.treeCount; n++) this.wasm.boundInner(this.trees[2 * n], this.trees[2 * n + 1]);
    this.treeCount = 0;
    return this.appendTouches(touched);
  }

  matchClusters(start: number, end: number, mode: number): void {
    const parts = this.partsOf(end - start, this.clusterGrain);
    if (parts === 1 && !this.isOpen) {
      this.wasm.matchClusters(start, end, mode);
      return;
    }
    this.divide(JOB.matchClusters, start, end, parts, mode);
    if (!this.isOpen) this.pool.run();
  }

  dampParticles(start: number, end: number, share: number, motion: Float64Array): void {
    const parts = this.partsOf(end - start, GRAIN.STREAM);
    if (parts === 1) {
      this.alone.dampParticles(start, end, share, motion);
      return;
    }
    this.motion.set(motion);
    this.divide(JOB.dampParticles, start, end, parts, share, SCRATCH.DAMP_MOTION.at);
    this.pool.run();
  }

  integrateParticles(start: number, end: number, p: IntegrateParameters): void {
    const { pool } = this;
    const parts = this.partsOf(end - start, GRAIN.PARTICLES);
    if (parts === 1 && !this.isOpen) {
      this.alone.integrateParticles(start, end, p);
      return;
    }
    const [rigid, forces, bent] = [+p.rigid, +p.forces, +(p.bent ?? false)];
    // Jobs of all bodies run together, and read these rows. They take 40 ns a cluster: those of a body with many are jobs before these.
    const { share, motion: m, stand } = p.drag ?? NO_DRAG;
    let thin = 0;
    if (p.lawful) {
      const [first, last] = [p.clusterStart ?? 0, p.clusterEnd ?? 0];
      const urges = this.partsOf(last - first, GRAIN.URGES);
      if (urges > 1 && pool.added > 0) this.finishIntegrations();
      if (urges > 1) {
        // biome-ignore format: one line a call
        this.divide(JOB.urgeClusters, first, last, urges, start, p.h, p.damping, share, m[0], m[1], m[2], m[3], m[4], m[5]);
        thin = this.total();
      }
      // biome-ignore format: one line a call
      else thin = this.wasm.urgeClusters(first, last, start, p.h, p.damping, share, m[0], m[1], m[2], m[3], m[4], m[5]);
    }
    if (pool.room < parts) this.finishIntegrations();
    const from = pool.added;
    if (p.lawful) {
      const { v } = this.state.views;
      const [ux, uy, uz] = [v[Row.v * start], v[Row.v * start + 1], v[Row.v * start + 2]];
      // biome-ignore format: one line a call
      this.divideRuns(JOB.urgeByLaw, start, end, parts, start, p.h, p.gravityX, p.gravityY, p.gravityZ, Math.fround(p.damping) + share, forces + (thin > 0 ? 2 : 0), ux, uy, uz);
    }
    // biome-ignore format: one line a call
    else
      this.divideRuns(
        JOB.urgeParticles,
        start,
        end,
        parts,
        start,
        p.h,
        p.gravityX,
        p.gravityY,
        p.gravityZ,
        p.damping,
        rigid,
        forces,
        bent,
      );
    let at = Pending.LENGTH * this.integrationCount++;
    if (at === this.integrations.length) {
      const longer = new Float64Array(2 * at);
      longer.set(this.integrations);
      this.integrations = longer;
    }
    this.integrations[at++] = start;
    this.integrations[at++] = end;
    this.integrations[at++] = p.h;
    this.integrations[at++] = p.maxSpeed;
    this.integrations[at++] = from;
    this.integrations[at++] = pool.added;
    this.integrations.set(stand, at);
    if (!this.isOpen) this.finishIntegrations();
  }

  /** Runs the first part of all integrations that wait, sums up each of the bodies, and runs the rest. */
  private finishIntegrations(): void {
    const { pool, wasm, integrations, even } = this;
    pool.run();
    const count = this.integrationCount;
    this.integrationCount = 0;
    // The list of jobs is written anew while the sums of later bodies are still to be read: their results are taken first.
    for (let n = 0; n < count; n++) {
      const at = Pending.LENGTH * n;
      const bound = pool.sumResults(integrations[at + Pending.JOBS_FROM], integrations[at + Pending.JOBS_TO]);
      integrations[at + Pending.JOBS_FROM] = bound;
    }
    for (let n = 0; n < count; n++) {
      const at = Pending.LENGTH * n;
      const [start, end] = [integrations[at + Pending.START], integrations[at + Pending.END]];
      const stand = at + Pending.STAND;
      wasm.evenUrges(
        start,
        end,
        integrations[at + Pending.JOBS_FROM],
        integrations[stand],
        integrations[stand + 1],
        integrations[stand + 2],
      );
      const parts = this.partsOf(end - start, GRAIN.STREAM);
      const [h, maxSpeed] = [integrations[at + Pending.H], integrations[at + Pending.MAX_SPEED]];
      this.divide(JOB.advanceParticles, start, end, parts, h, maxSpeed, even[0], even[1], even[2]);
    }
    pool.run();
  }

  sumLevels(rows: LevelRows, mode: number): void {
    const { coarseStart, coarseEnd, clusterStart, clusterEnd, tieStart } = rows;
    const parts = this.partsOf(clusterEnd - clusterStart, this.clusterGrain);
    if (parts === 1) {
      this.wasm.sumLevels(coarseStart, coarseEnd, clusterStart, clusterEnd, tieStart, mode);
      return;
    }
    this.divide(JOB.describeMotions, clusterStart, clusterEnd, parts, mode);
    this.pool.run();
    const { coarseLevel } = this.state.views;
    for (let from = coarseStart; from < coarseEnd; ) {
      let to = from + 1;
      while (to < coarseEnd && coarseLevel[to] === coarseLevel[from]) to++;
      this.divide(
        JOB.sumCoarse,
        from,
        to,
        this.partsOf(to - from, GRAIN.COARSE),
        coarseStart,
        clusterStart,
        tieStart,
        mode,
      );
      this.pool.run();
      from = to;
    }
  }

  blendLevels(rows: LevelRows, mode: number, pull: number, drag: number): void {
    const { coarseStart, coarseEnd, clusterStart, clusterEnd, tieStart } = rows;
    const parts = this.partsOf(clusterEnd - clusterStart, this.clusterGrain);
    if (parts === 1) {
      this.wasm.blendLevels(coarseStart, coarseEnd, clusterStart, clusterEnd, tieStart, mode, pull, drag);
      return;
    }
    const { coarseLevel } = this.state.views;
    for (let to = coarseEnd; to > coarseStart; ) {
      let from = to - 1;
      while (from > coarseStart && coarseLevel[from - 1] === coarseLevel[to - 1]) from--;
      this.divide(JOB.blendCoarse, from, to, this.partsOf(to - from, GRAIN.COARSE), coarseStart, tieStart, mode);
      this.pool.run();
      to = from;
    }
    this.divide(JOB.blendClusters, clusterStart, clusterEnd, parts, coarseStart, tieStart, mode, pull, drag);
    this.pool.run();
  }

  limitClusters(start: number, end: number, conserving: boolean, bent = false): number {
    const parts = this.partsOf(end - start, this.clusterGrain);
    if (parts === 1) return this.wasm.limitClusters(start, end, conserving, bent);
    this.divide(JOB.limitClusters, start, end, parts, +conserving, +bent);
    return this.total();
  }

  limitParticles(start: number, end: number, omega: number, conserving: boolean, all: boolean, bent = false): number {
    const parts = this.partsOf(end - start, GRAIN.PARTICLES);
    if (parts === 1) return this.wasm.limitParticles(start, end, omega, conserving, all, bent);
    this.divide(JOB.limitParticles, start, end, parts, omega, +conserving, +all, +bent);
    return this.total();
  }

  updateVelocities(start: number, end: number, h: number): void {
    const parts = this.partsOf(end - start, GRAIN.STREAM);
    if (parts === 1 && !this.isOpen) {
      this.wasm.updateVelocities(start, end, h);
      return;
    }
    this.divide(JOB.updateVelocities, start, end, parts, h);
    if (!this.isOpen) this.pool.run();
  }

  flowClusters(
    start: number,
    end: number,
    flowRate: number,
    hardening: number,
    dissipative: boolean,
    lawful = false,
  ): number {
    const parts = this.partsOf(end - start, this.clusterGrain);
    if (parts === 1) return this.wasm.flowClusters(start, end, flowRate, hardening, dissipative, lawful);
    this.divide(JOB.flowClusters, start, end, parts, flowRate, hardening, +dissipative, +lawful);
    return this.total();
  }

  boundParticles(first: number, last: number): void {
    const parts = this.partsOf(last - first, GRAIN.STREAM);
    if (parts === 1 && !this.isOpen) {
      this.wasm.boundParticles(first, last);
      return;
    }
    this.divide(JOB.boundParticles, first, last, parts);
    if (!this.isOpen) this.pool.run();
  }

  boundClusters(start: number, end: number, pad: number): void {
    const parts = this.partsOf(end - start, this.clusterGrain);
    if (parts === 1 && !this.isOpen) {
      this.wasm.boundClusters(start, end, pad);
      return;
    }
    this.divide(JOB.boundLeaves, 2 * start, 2 * end - 1, parts, start, pad);
    if (!this.isOpen) {
      this.pool.run();
      this.wasm.boundInner(start, end);
      return;
    }
    if (2 * this.treeCount === this.trees.length) this.trees = twiceAsLong(this.trees);
    this.trees[2 * this.treeCount] = start;
    this.trees[2 * this.treeCount++ + 1] = end;
  }

  // biome-ignore format: one line a call
  touchWithin(start: number, end: number, first: number, last: number, margin: number, skip: number, quick: boolean, h: number, round: number, touched: number): number {
    if (!this.isOpen) return this.wasm.touchWithin(start, end, first, last, margin, skip, quick, h, round, touched);
    let length = touched;
    const isShort = this.wasm.hasShortLists(start);
    const isMarked = !isShort && end - start >= MARKED;
    const parts = isMarked ? this.partsOf(end - start, GRAIN.MARKED) : isShort ? this.partsOf(end - start, GRAIN.PAIRED) : 1;
    const isDivided = parts > 1;
    if (this.pool.room === 0 || (isDivided && this.pool.added > 0)) {
      this.pool.run();
      length = this.appendTouches(touched);
    }
    if (isDivided && isMarked) {
      this.divide(JOB.markNearing, 2 * start, 2 * end - 1, parts, start);
      this.pool.run();
      return this.wasm.touchMarked(start, end, first, last, margin, skip, quick, h, round, length);
    }
    if (isDivided) {
      this.divide(JOB.listPairs, 2 * start, 2 * end - 1, parts, start, end, first, last);
      return this.total() > 0
        ? this.wasm.touchWithin(start, end, first, last, margin, skip, quick, h, round, length)
        : this.wasm.touchListedPairs(start, end, first, last, margin, skip, quick, h, round, length, parts);
    }
    if (2 * this.touchCount === this.touches.length) this.touches = twiceAsLong(this.touches);
    this.touches[2 * this.touchCount] = first;
    this.touches[2 * this.touchCount++ + 1] = this.pool.added;
    this.pool.add(JOB.touchBody, start, end, first, last, margin, skip, +quick, h, round);
    return length;
  }

  /** Appends the particles that the bodies of the last batch found to `touching`, body by body, and returns its new length. */
  private appendTouches(touched: number): number {
    const { touching, moved } = this.state.views;
    for (let n = 0; n < this.touchCount; n++) {
      const [first, job] = [this.touches[2 * n], this.touches[2 * n + 1]];
      const last = first + this.pool.sumResults(job, job + 1);
      for (let k = first; k < last; k++) touching[touched++] = moved[k];
    }
    this.touchCount = 0;
    return touched;
  }

  measureTouches(count: number, deepest: number): number {
    const parts = this.partsOf(count, GRAIN.CONTACTS);
    if (parts === 1) return this.wasm.measureTouches(count, deepest);
    this.divide(JOB.measureRange, 0, count, parts, deepest);
    this.pool.run();
    return this.wasm.keepTouches(count);
  }

  describeContacts(count: number): void {
    this.divide(JOB.describeContacts, 0, count, this.partsOf(count, GRAIN.CONTACTS));
    this.pool.run();
  }

  strainParticles(count: number, before: boolean): void {
    this.divide(JOB.strainParticles, 0, count, this.partsOf(count, GRAIN.PARTICLES), +before);
    this.pool.run();
  }

  weighMotion(count: number, h: number): void {
    this.divide(JOB.weighMotion, 0, count, this.partsOf(count, GRAIN.STREAM), h);
    this.pool.run();
  }

  sumSquaredWays(start: number, end: number): number {
    const parts = this.runsOf(start, end);
    if (parts === 1) return this.wasm.sumSquaredWays(start, end);
    this.divideRuns(JOB.squareWays, start, end, parts);
    this.pool.run();
    return this.wasm.addSquaredWays(start, end);
  }

  boundBody(first: number, last: number, start: number, pad: number): void {
    const parts = this.runsOf(first, last);
    if (parts === 1) {
      this.wasm.boundBody(first, last, start, pad);
      return;
    }
    this.divideRuns(JOB.boundRuns, first, last, parts);
    this.pool.run();
    this.wasm.boundRoot(first, last, start, pad);
  }

  meetPlane(out: Float64Array, start: number, end: number, plane: PlaneContact): number {
    const parts = this.runsOf(start, end);
    if (parts === 1) return this.alone.meetPlane(out, start, end, plane);
    this.divideRuns(JOB.meetPlane, start, end, parts, planeInto(this.plane, plane), SCRATCH.PLANE_GIVEN.at, 1);
    const count = this.total();
    if (count === 0) return 0;
    this.wasm.addPlaneSums(start, end);
    out.set(this.planeSums);
    return count;
  }

  keepStart(start: number, end: number): void {
    this.stream(JOB.keepStart, start, end);
  }

  returnStart(start: number, end: number): void {
    this.stream(JOB.returnStart, start, end);
  }

  brakeParticles(start: number, end: number, keep: number): void {
    this.stream(JOB.brakeParticles, start, end, keep);
  }

  /** Runs a job of a few operations for each particle. */
  private stream(job: number, start: number, end: number, a = 0): void {
    this.divide(job, start, end, this.partsOf(end - start, GRAIN.STREAM), a);
    this.pool.run();
  }

  countNonFinite(start: number, end: number): number {
    const parts = this.partsOf(end - start, GRAIN.STREAM);
    if (parts === 1) return this.wasm.countNonFinite(start, end);
    this.divide(JOB.countNonFinite, start, end, parts);
    return this.total();
  }
}

function twiceAsLong(list: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(2 * list.length);
  longer.set(list);
  return longer;
}

/** The kernels of a world with threads: those above, and the others as they are on one thread. */
export function withThreads(alone: Kernels, threaded: ThreadedKernels): Kernels {
  return {
    ...alone,
    threads: threaded.threads,
    open: () => threaded.open(),
    close: (touched) => threaded.close(touched),
    matchClusters: (start, end, mode) => threaded.matchClusters(start, end, mode),
    dampParticles: (start, end, share, motion) => threaded.dampParticles(start, end, share, motion),
    integrateParticles: (start, end, p) => threaded.integrateParticles(start, end, p),
    sumLevels: (rows, mode) => threaded.sumLevels(rows, mode),
    blendLevels: (rows, mode, pull, drag) => threaded.blendLevels(rows, mode, pull, drag),
    limitClusters: (start, end, conserving, bent) => threaded.limitClusters(start, end, conserving, bent),
    limitParticles: (start, end, omega, conserving, all, bent) =>
      threaded.limitParticles(start, end, omega, conserving, all, bent),
    updateVelocities: (start, end, h) => threaded.updateVelocities(start, end, h),
    flowClusters: (start, end, flowRate, hardening, dissipative, lawful) =>
      threaded.flowClusters(start, end, flowRate, hardening, dissipative, lawful),
    boundParticles: (first, last) => threaded.boundParticles(first, last),
    boundClusters: (start, end, pad) => threaded.boundClusters(start, end, pad),
    touchWithin: (...p) => threaded.touchWithin(...p),
    measureTouches: (count, deepest) => threaded.measureTouches(count, deepest),
    describeContacts: (count) => threaded.describeContacts(count),
    strainParticles: (count, before) => threaded.strainParticles(count, before),
    weighMotion: (count, h) => threaded.weighMotion(count, h),
    countNonFinite: (start, end) => threaded.countNonFinite(start, end),
    sumSquaredWays: (start, end) => threaded.sumSquaredWays(start, end),
    keepStart: (start, end) => threaded.keepStart(start, end),
    returnStart: (start, end) => threaded.returnStart(start, end),
    brakeParticles: (start, end, keep) => threaded.brakeParticles(start, end, keep),
    boundBody: (first, last, start, pad) => threaded.boundBody(first, last, start, pad),
    meetPlane: (out, start, end, plane) => threaded.meetPlane(out, start, end, plane),
  };
}
