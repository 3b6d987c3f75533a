import type { BodyOptions } from '../../body/options.js';
import type { Backend } from '../../kernels/kernels.js';
import { enterProxy } from '../../kernels/ts/proxy.js';
import { polarInto } from '../../math/polar.js';
import { ARRAY_NAMES, UNTOUCHED } from '../../state/layout.js';
import { World } from '../../world.js';

/*
 * Finds which particle is in which proxy without a tree: tests every particle against every cluster, with the plain enterProxy in proxies
 * that the plain placeProxy has placed. The plain kernels must give the same results to the bit. The fast kernels compute in f32, of
 * lengths below 2 m (1.2e-7). Where two clusters are equally near, or a particle is on a border, rounding decides. A particle counts as on
 * a border if moving it by NUDGE gives the kernels' result.
 */
const NUDGE = 3e-6;
/** Tolerance of two distances to centres, in squared proxy radii. */
const TIE = 2e-5;
/** Tolerance of two distances between clusters, as a share of the rest distance. */
const NEARER_TIE = 1e-6;

/** A world of the backend under test, and a plain world that judges it. */
export interface Court {
  world: World;
  judge: World;
}

export async function courtOf(backend: Backend, bodies: BodyOptions[]): Promise<Court> {
  const [world, judge] = [await World.create({ backend }), await World.create({ backend: 'ts' })];
  for (const options of bodies) for (const w of [world, judge]) w.addBody(options);
  return { world, judge };
}

/** Copies the state of the world to the judge. */
export function align({ world, judge }: Court): void {
  for (const name of ARRAY_NAMES) judge.state.views[name].set(world.state.views[name] as Float64Array);
}

/**
 * Moves body k near `places[k]`, rotated and bent, as after a step at some speed (m/s). One particle in twenty is ten times as fast as the
 * others.
 */
export function scatter(
  { bodies, dt, state: { views } }: World,
  next: () => number,
  places: number[][],
  speed: number,
  bend: (p: number[]) => number[],
): void {
  const between = (low: number, high: number) => low + (high - low) * next();
  const { x, v, xOld } = views;
  const R = new Float64Array(9);
  bodies.forEach(({ rows, restPositions }, k) => {
    for (let n = 0; n < 9; n++) R[n] = next() - 0.5;
    polarInto(R, R);
    const drift = [0, 1, 2].map(() => between(-speed, speed));
    for (let i = rows.particleStart; i < rows.particleEnd; i++) {
      const o = 3 * (i - rows.particleStart);
      const p = bend(Array.from(restPositions.subarray(o, o + 3)));
      const stray = (next() < 0.05 ? 2 : 0.2) * speed;
      for (let a = 0; a < 3; a++) {
        x[4 * i + a] = places[k][a] + R[a] * p[0] + R[3 + a] * p[1] + R[6 + a] * p[2] + between(-0.01, 0.01);
        v[4 * i + a] = drift[a] + between(-stray, stray);
        xOld[4 * i + a] = x[4 * i + a] - dt * v[4 * i + a];
      }
    }
  });
}

/**
 * Which clusters may answer for which particles, apart from their positions. `slack`: relative change of the distance that two clusters
 * must have come below.
 */
export type Rule = (i: number, c: number, slack: number) => boolean;

interface Answer {
  /** UNTOUCHED for none. */
  cluster: number;
  /** Squared distance to its centre, in proxy radii. */
  off: number;
}

/** The correct results for the judge's current state. */
export class Verdict {
  private readonly box: number[][] = [];

  constructor(
    private readonly judge: World,
    private readonly allowed: Rule,
    private readonly quick: boolean,
  ) {
    const { x, xOld, memberStart, memberParticle } = judge.state.views;
    for (const {
      rows,
      core: { contact },
    } of judge.bodies)
      for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
        judge.kernels.placeProxy(c, judge.dt);
        const members = Array.from(memberParticle.subarray(memberStart[c], memberStart[c + 1]));
        const along = (a: number) => members.flatMap((i) => [x[4 * i + a], xOld[4 * i + a]]);
        this.box[c] = [
          ...[0, 1, 2].map((a) => Math.fround(Math.min(...along(a)) - contact.pad)),
          ...[0, 1, 2].map((a) => Math.fround(Math.max(...along(a)) + contact.pad)),
        ];
      }
  }

  /** Of the clusters whose bounds and proxies a particle enters, the one whose centre is nearest; of equal ones the first. */
  answer(i: number, slack = 0): Answer {
    const { bodyOf } = this.judge.state.views;
    const margin = this.judge.bodies[bodyOf[i]].core.contact.pad;
    let best: Answer = { cluster: UNTOUCHED, off: Number.POSITIVE_INFINITY };
    for (let c = 0; c < this.judge.clusterCount; c++) {
      if (!this.comesTo(i, c, margin) || !this.allowed(i, c, slack)) continue;
      const off = this.offOf(i, c);
      if (off < best.off) best = { cluster: c, off };
    }
    return best;
  }

  /** The results for a particle moved by a little, or with the limit of approaching clusters changed by a little. */
  answersNear(i: number): number[] {
    const { x, xOld } = this.judge.state.views;
    const answers = [this.answer(i, NEARER_TIE), this.answer(i, -NEARER_TIE)];
    for (let o = 4 * i; o < 4 * i + 3; o++)
      for (const by of [NUDGE, -NUDGE]) {
        const places = [x[o], xOld[o]];
        x[o] += by;
        xOld[o] += by;
        answers.push(this.answer(i));
        [x[o], xOld[o]] = places;
      }
    return answers.map(({ cluster }) => cluster);
  }

  /** Whether its path, grown by a margin, meets the cluster's padded bounds over the step. */
  private comesTo(i: number, c: number, margin: number): boolean {
    const { x, xOld } = this.judge.state.views;
    const box = this.box[c];
    for (let a = 0; a < 3; a++) {
      const [now, then] = [x[4 * i + a], xOld[4 * i + a]];
      if (Math.max(now, then) + margin < box[a] || Math.min(now, then) - margin > box[3 + a]) return false;
    }
    return true;
  }

  /**
   * Squared distance in proxy radii of the point of entry (or of the position, if that is enough), rounded to f32 as stored. Infinite if it
   * does not enter.
   */
  private offOf(i: number, c: number): number {
    const s = this.judge.state.views;
    let d2 = 0;
    if (this.quick && s.surfaceParameters[2 * c] > 0)
      for (let a = 0; a < 3; a++) d2 += (s.x[4 * i + a] - s.proxyFrame[20 * c + 12 + a]) ** 2;
    else if (!enterProxy(entry, s, i, c)) return Number.POSITIVE_INFINITY;
    else d2 = entry[0] ** 2 + entry[1] ** 2 + entry[2] ** 2;
    return Math.fround(d2 / s.proxyRadius[c] ** 2);
  }
}
/** Point of entry of a particle into a proxy, in rest space. */
const entry = new Float64Array(3);

export interface Tally {
  found: number;
  borders: number;
  ties: number;
}

/**
 * Errors in the entries `first` to `touched` of the world's `touching`, one line each. Counts contacts found, and those that rounding
 * decided otherwise. Leaves every particle untouched.
 */
export function faults(
  { world, judge }: Court,
  first: number,
  touched: number,
  verdict: Verdict,
  tally: Tally,
): string[] {
  const { touching, touchCluster, touchCentreOffset } = world.state.views;
  const listed = new Set(touching.subarray(first, touched));
  const exact = world.backend === 'ts';
  const lines: string[] = listed.size < touched - first ? ['a particle is listed twice'] : [];
  for (let i = 0; i < judge.particleCount; i++) {
    const ours = verdict.answer(i);
    const theirs = { cluster: touchCluster[i], off: touchCentreOffset[i] };
    touchCluster[i] = UNTOUCHED;
    const isFound = theirs.cluster !== UNTOUCHED;
    if (isFound !== listed.has(i)) lines.push(`particle ${i} is ${isFound ? 'not' : ''} listed`);
    if (isFound) tally.found++;
    if (ours.cluster === theirs.cluster) {
      if (isFound && Math.abs(theirs.off - ours.off) > (exact ? 0 : TIE))
        lines.push(`particle ${i} is ${theirs.off} off its cluster's centre, not ${ours.off}`);
    } else if (!exact && isFound && Math.abs(ours.off - theirs.off) < TIE) tally.ties++;
    else if (!exact && verdict.answersNear(i).includes(theirs.cluster)) tally.borders++;
    else lines.push(`particle ${i} is answered by ${theirs.cluster}, not ${ours.cluster}`);
  }
  return lines;
}
