import { checkNumber } from '../check.js';
import { exp } from '../math/elementary.js';
import { Scratch } from '../scratch.js';
import { sidesAlong } from '../spatial/grid.js';
import { withKernels } from '../spatial/wasm/workspace.js';
import { holdIn, LAW, largestFor, meanWeight, rateOf } from '../state/elasticity.js';
import { Elasticity, TRANSFORM_ROW, Transform } from '../state/fields.js';
import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';

/** The elastic law of a material: its settings in units of their own (SPEC N1). */
export interface ElasticLaw {
  /** Mean of Young's modulus over the particles as it was asked for (Pa). */
  readonly young: number;
  /** Poisson's ratio ν. */
  readonly poisson: number;
  /** Damping ratio ζ of the first stretching mode. */
  readonly dampingRatio: number;
  /** Time constant (s) by which strain beyond the yield becomes permanent; 0 is at once. */
  readonly flowTime: number;
  /** Rise of the yield per unit of plastic strain. */
  readonly hardening: number;
}

/** Pa. From a breath of gas to beyond diamond: E/ρ stays within f32 for every density that is accepted. */
export const YOUNG_RANGE = { min: 1e-3, max: 1e15 } as const;

export const LAW_DEFAULTS = { poisson: 0.3, dampingRatio: 0.1, flowTime: 0, hardening: 0 } as const;

/** A body without `young` is as stiff as one that its own weight shortens by this share, standing on its smallest side. */
const SAG = 0.05;
/** m/s². */
const GRAVITY = 9.81;

/** Young's modulus (Pa) of a body of this density (kg/m³) and length (m) that sags by SAG: half of its weight, on average, presses on each section. */
export function youngBySag(density: number, length: number): number {
  const young = (density * GRAVITY * length) / (2 * SAG);
  // A lone point has no volume, and so no density.
  return Math.min(Math.max(young, YOUNG_RANGE.min), YOUNG_RANGE.max) || YOUNG_RANGE.min;
}

/** β of linear goals of nearest volume for a Poisson's ratio: ν/(1 − ν) = β/(3 − 2β). */
export function betaOf(poisson: number): number {
  const ratio = poisson / (1 - poisson);
  return (3 * ratio) / (1 + 2 * ratio);
}

/** The settings of the law but for its modulus, checked; what is not given is as it was, or the default. */
export function resolveLaw(
  path: string,
  { poisson, dampingRatio, flowTime, hardening }: Partial<Omit<ElasticLaw, 'young'>>,
  base: ElasticLaw | undefined,
): ElasticLaw {
  return {
    young: base?.young ?? 0,
    poisson: checkNumber(`${path}.poisson`, poisson ?? base?.poisson ?? LAW_DEFAULTS.poisson, { min: 0, max: 0.49 }),
    dampingRatio: checkNumber(`${path}.dampingRatio`, dampingRatio ?? base?.dampingRatio ?? LAW_DEFAULTS.dampingRatio, {
      min: 0,
      max: 10,
    }),
    flowTime: checkNumber(`${path}.flowTime`, flowTime ?? base?.flowTime ?? LAW_DEFAULTS.flowTime, { min: 0 }),
    hardening: checkNumber(`${path}.hardening`, hardening ?? base?.hardening ?? LAW_DEFAULTS.hardening, { min: 0 }),
  };
}

/** Damping of whole clusters, as a multiple of that of the body: it takes the ringing of single clusters, which no one wants to see. */
const CLUSTER_DAMPING = 2;

/** The share of a motion within one cluster that both dampings take in a substep of h seconds, that of the body with this rate (1/s). */
const dampedIn = (rate: number, h: number): number => 1 - exp(-(1 + CLUSTER_DAMPING) * rate * h);

interface LawfulBody {
  rows: Rows;
  topologyVersion: number;
  restPositions: Float64Array;
  core: { breaks: boolean; turn?: Float64Array };
  reclustering: { threshold: number };
}

/**
 * A body of one cluster that reaches less than 1/BEYOND of its modulus is rigid: that is nearer to what was asked for. A ball of soft rubber, 50 cm wide,
 * reaches half of it and is seen to give way when it lands; a brick of 20 cm reaches a twentieth.
 */
const BEYOND = 4;

/** The numbers that the elastic law of a body needs in a step. They are computed again after a restore. */
export class LawState {
  /** 1/h² for the longest substep h in which all but the stiffest clusters reach the modulus asked for (1/s²). */
  stiffest = 0;
  /** For each cluster of the body: the largest b·MOST that is stable, and the mean weight of its members in it. */
  private largest = new Float64Array(0);
  private weights = new Float64Array(0);
  /** Of each cluster of the body: the share b by which it pulls in substeps of `h` seconds. */
  private shares = new Float32Array(0);
  /** k_d of clusters and of the body as a whole, shares of a step. */
  damping = 0;
  bodyDamping = 0;
  /** The share of the modulus that clusters reach in this substep (1). */
  reached = 1;
  /** 2 ζ/ω of the first stretching mode, with the modulus that is reached (s): the time by which a material that is damped by its rate of strain lags behind its stress. */
  relaxation = 0;
  /** Whether the body moves as a rigid one in this substep: it has one cluster, and its modulus is far beyond what that reaches. */
  rigid = false;
  /** Angular frequency of the first stretching mode along its longest side (rad/s), with the modulus that was asked for. */
  private firstMode = 0;
  private version = -1;
  private breaks = false;
  private h = 0;
  /** Whether the body was rigid when its damping was found. */
  private dampedRigid = false;
  /** Whether α of the particles is not yet that of the clusters and of h. */
  private isStale = false;

  constructor(readonly law: ElasticLaw) {}

  /** Finds what depends on clusters and particles, if these have changed since. */
  look(
    { state: { views } }: { state: { views: Views } },
    { rows, topologyVersion, restPositions, core: { breaks, turn }, reclustering }: LawfulBody,
  ): void {
    if (this.version === topologyVersion && this.breaks === breaks) return;
    this.version = topologyVersion;
    this.breaks = breaks;
    this.h = 0;
    const { clusterStart, clusterEnd } = rows;
    this.weights = Float64Array.from({ length: clusterEnd - clusterStart }, (_, k) =>
      meanWeight(views, clusterStart + k),
    );
    this.largest = new Float64Array(clusterEnd - clusterStart);
    this.shares = new Float32Array(clusterEnd - clusterStart);
    const side = Math.max(...sidesAlong(restPositions, turn));
    // A point does not vibrate.
    this.firstMode = side > 0 ? (Math.PI * Math.sqrt(meanModulus(views, rows))) / side : 0;
    this.bound(0);
    const undamped = stiffestOf(ratesOf(views, rows, this.largest));
    // The longest substep without damping is longer than the one with it, so that no more of the velocity is damped than this says.
    if (undamped > 0) this.bound(dampedIn(this.dampingRate, 1 / Math.sqrt(undamped)));
    const stiff = ratesOf(views, rows, this.largest);
    // Of bodies that break, or flow without end, thin clusters are splinters or about to be replaced.
    const isKept = !breaks && !(reclustering.threshold < Number.POSITIVE_INFINITY);
    const limb = isKept ? stiffestLimb(views, rows, stiff) : 0;
    this.stiffest = Math.max(stiffestOf(stiff), limb / SOFTEST);
  }

  /** Writes `largest` for substeps in which damping takes the share `damped` of the velocity. */
  private bound(damped: number): void {
    const beta = betaOf(this.law.poisson);
    const margin = this.breaks ? LAW.MARGIN_OF_SPLINTERS : LAW.MARGIN;
    for (let k = 0; k < this.largest.length; k++) this.largest[k] = largestFor(this.weights[k], beta, damped, margin);
  }

  /** Damping of the body's first stretching mode if it has all of its modulus (1/s). */
  private get dampingRate(): number {
    return 2 * this.law.dampingRatio * this.firstMode;
  }

  /** Whether substeps of h seconds are far too long for the modulus. */
  isBeyond(h: number): boolean {
    return this.stiffest * h * h > BEYOND;
  }

  /** Decides whether the body is rigid in substeps of h seconds. A body that yields or breaks is not: that needs strains. Nor is one with held particles, which bends. */
  judge(
    { flags }: Views,
    { clusterStart, clusterEnd, particleStart, particleEnd }: Rows,
    h: number,
    firm: boolean,
  ): void {
    this.rigid = firm && clusterEnd === clusterStart + 1 && this.isBeyond(h);
    if (this.rigid) for (let i = particleStart; i < particleEnd; i++) if (flags[i] & Flag.HELD) this.rigid = false;
  }

  /** Weights within clusters have changed, though the topology has not. */
  forget(): void {
    this.version = -1;
  }

  /**
   * Writes how far clusters pull in a step of h seconds: those of a rigid body not at all, as its particles are placed. With `all`, α of the particles too, if clusters or h are others than before.
   * Returns whether that wrote α.
   */
  pull(s: Views, rows: Rows, h: number, all: boolean): boolean {
    const { transform, elasticity } = s;
    const isSame = this.h === h && this.dampedRigid === this.rigid;
    if (!isSame) {
      // Damping lowers the bounds, and lower bounds lower the modulus, which lowers the damping. The damping at the highest bounds is the largest.
      this.bound(0);
      this.bound(dampedIn(this.dampingRate * Math.sqrt(this.reachedAt(s, rows, h)), h));
    }
    const { shares } = this;
    if (!isSame) {
      for (let k = 0; k < shares.length; k++)
        shares[k] = this.rigid ? 0 : shareOf(elasticity, rows.clusterStart + k, h, this.largest[k]);
      this.damp(s, rows, h);
    }
    for (let k = 0, o = TRANSFORM_ROW * rows.clusterStart + Transform.SHARE; k < shares.length; k++, o += TRANSFORM_ROW)
      transform[o] = shares[k];
    if (!all || !this.isStale) return false;
    writeStiffness(s, rows, h, betaOf(this.law.poisson), this.largest);
    this.isStale = false;
    return true;
  }

  private damp(s: Views, rows: Rows, h: number): void {
    this.isStale = true;
    this.h = h;
    this.dampedRigid = this.rigid;
    // A body that reaches a share of its modulus swings slower by its root. With the frequency of glass, damping would take most of every motion.
    // Particles of a rigid body have no motion beside that of the whole.
    this.reached = this.rigid ? 0 : this.reachedAt(s, rows, h);
    const rate = this.dampingRate * Math.sqrt(this.reached);
    const frequency = this.firstMode * Math.sqrt(this.reached);
    this.relaxation = frequency > 0 ? (2 * this.law.dampingRatio) / frequency : 0;
    this.bodyDamping = 1 - exp(-rate * h);
    this.damping = 1 - exp(-CLUSTER_DAMPING * rate * h);
  }

  /** The share of the modulus that clusters reach in steps of h, as of springs in a row: the harmonic mean by mass. */
  reachedAt({ elasticity, clusterMass }: Views, { clusterStart, clusterEnd }: Rows, h: number): number {
    let [compliance, mass] = [0, 0];
    for (let c = clusterStart; c < clusterEnd; c++) {
      const rate = elasticity[12 * c + Elasticity.RATE];
      mass += clusterMass[c];
      const reached = rate > 0 ? shareOf(elasticity, c, h, this.largest[c - clusterStart]) / (rate * h * h) : 1;
      compliance += clusterMass[c] / reached;
    }
    return mass > 0 ? mass / compliance : 1;
  }
}

/** Mean of E/ρ over the mass. */
function meanModulus({ modulus, x }: Views, { particleStart, particleEnd }: Rows): number {
  let [sum, mass] = [0, 0];
  for (let i = particleStart; i < particleEnd; i++) {
    sum += x[4 * i + 3] * modulus[i];
    mass += x[4 * i + 3];
  }
  return mass > 0 ? sum / mass : 0;
}

/** b of a cluster, bounded so that its stiffest axis stays below `largest`. */
export function shareOf(elasticity: Float64Array, c: number, h: number, largest: number = LAW.ALONE): number {
  const o = 12 * c;
  return Math.min(elasticity[o + Elasticity.RATE] * h * h, largest / elasticity[o + Elasticity.MOST]);
}

/** Clusters of this share of the mass may be softer than asked for: slivers at edges, which would otherwise decide about the substeps of all. */
const SLIVERS = 0.05;

/**
 * How many times softer than asked for these may be. Those of cubes, balls and bars are up to 1.7 times, as their neighbours hold the same particles. Ears, fingers and tails are slivers by their mass too: ears of a bunny, 4 %
 * of it in one cluster, were 7 times softer than it in substeps of 1/120 s, and as stiff as it in half of that.
 */
const SOFTEST = 2;

/** The largest rate of the clusters with enough members to be a part that is seen. */
function stiffestLimb({ memberStart }: Views, { clusterStart }: Rows, { rates }: ClusterRates): number {
  let most = 0;
  for (let k = 0; k < rates.length; k++)
    if (memberStart[clusterStart + k + 1] - memberStart[clusterStart + k] >= LAW.FEW) most = Math.max(most, rates[k]);
  return most;
}

/** Of some clusters, one number each: 1/h² for the longest step h in which the cluster reaches its modulus (1/s²), and its mass (kg). */
interface ClusterRates {
  rates: Float64Array;
  masses: Float64Array;
}

/** Two numbers a cluster, of one function at a time. */
const rateRoom = new Scratch(Float64Array);
const massRoom = new Scratch(Float64Array);

/** Those of a body. The next call overwrites them. */
function ratesOf(
  { elasticity, clusterMass }: Views,
  { clusterStart, clusterEnd }: Rows,
  largest: Float64Array,
): ClusterRates {
  const rates = rateRoom.take(clusterEnd - clusterStart);
  const masses = massRoom.take(rates.length);
  for (let c = clusterStart; c < clusterEnd; c++) {
    const o = 12 * c;
    const k = c - clusterStart;
    rates[k] = (elasticity[o + Elasticity.RATE] * elasticity[o + Elasticity.MOST]) / largest[k];
    masses[k] = clusterMass[c];
  }
  return { rates, masses };
}

/** Clusters that are in no world yet. */
interface Loose {
  start: Uint32Array;
  particle: Uint32Array;
  weight: Float64Array;
  count: number;
}

/** The rates of clusters that are in no world yet. `modulus` is E/ρ of each particle (m²/s²). */
export function clusterRates(
  clusters: Loose,
  positions: Float64Array,
  masses: Float64Array,
  modulus: Float64Array,
  beta: number,
): ClusterRates {
  const sums =
    withKernels((space) => {
      const [starts, particles] = [space.putWords(clusters.start), space.putWords(clusters.particle)];
      const [weights, points] = [space.putReals(clusters.weight), space.putReals(positions)];
      const [mass, moduli, out] = [
        space.putReals(masses),
        space.putReals(modulus),
        space.takeReals(LOOSE_SUMS * clusters.count),
      ];
      space.kernels.weighClusters(starts, clusters.count, particles, weights, points, mass, moduli, out);
      return space.reals(out, LOOSE_SUMS * clusters.count).slice();
    }) ?? weighPlain(clusters, positions, masses, modulus);
  const [rates, clusterMasses] = [new Float64Array(clusters.count), new Float64Array(clusters.count)];
  for (let c = 0; c < clusters.count; c++) {
    const o = LOOSE_SUMS * c;
    const [mass, sum, own] = [sums[o], sums[o + 1], sums[o + 2]];
    rates[c] = rateOf(sums.subarray(o + 3, o + LOOSE_SUMS), sum, beta, own / mass);
    clusterMasses[c] = mass;
  }
  return { rates, masses: clusterMasses };
}

/** Sums over the members of a cluster: mass, Σ m E/ρ, Σ m w, and the moments xx yy zz xy xz yz about its centre of mass. */
const LOOSE_SUMS = 9;

function weighPlain(
  { start, particle, weight, count }: Loose,
  positions: Float64Array,
  masses: Float64Array,
  modulus: Float64Array,
): Float64Array {
  const sums = new Float64Array(LOOSE_SUMS * count);
  for (let c = 0; c < count; c++) {
    const last = start[c + 1];
    let mass = 0;
    let sum = 0;
    let own = 0;
    let cx = 0;
    let cy = 0;
    let cz = 0;
    for (let k = start[c]; k < last; k++) {
      const i = particle[k];
      const m = masses[i] * weight[k];
      mass += m;
      sum += m * modulus[i];
      own += m * weight[k];
      cx += m * positions[3 * i];
      cy += m * positions[3 * i + 1];
      cz += m * positions[3 * i + 2];
    }
    const moment = sums.subarray(LOOSE_SUMS * c + 3, LOOSE_SUMS * (c + 1));
    for (let k = start[c]; k < last; k++) {
      const i = particle[k];
      const m = masses[i] * weight[k];
      const x = positions[3 * i] - cx / mass;
      const y = positions[3 * i + 1] - cy / mass;
      const z = positions[3 * i + 2] - cz / mass;
      moment[0] += m * (x * x);
      moment[1] += m * (y * y);
      moment[2] += m * (z * z);
      moment[3] += m * (x * y);
      moment[4] += m * (x * z);
      moment[5] += m * (y * z);
    }
    sums.set([mass, sum, own], LOOSE_SUMS * c);
  }
  return sums;
}

/** The largest rate of all but slivers. Rates are divided again and again, by mass, as in a search for a median: sorting them took longer than finding them. Their order is lost. */
export function stiffestOf({ rates, masses }: ClusterRates): number {
  let left = 0;
  for (let k = 0; k < masses.length; k++) left += masses[k];
  left *= SLIVERS;
  let first = 0;
  let last = rates.length;
  while (first < last) {
    const pivot = rates[(first + last) >> 1];
    // Rates above the pivot are moved to [first, above), those below it to [below, last).
    let above = first;
    let below = last;
    let [massAbove, massEqual] = [0, 0];
    for (let k = first; k < below; ) {
      const rate = rates[k];
      const mass = masses[k];
      if (rate > pivot) {
        massAbove += mass;
        swap(rates, k, above);
        swap(masses, k++, above++);
      } else if (rate < pivot) {
        swap(rates, k, --below);
        swap(masses, k, below);
      } else {
        massEqual += mass;
        k++;
      }
    }
    if (left - massAbove < 0) last = above;
    else if (left - massAbove - massEqual < 0) return pivot;
    else {
      left -= massAbove + massEqual;
      first = below;
    }
  }
  return 0;
}

function swap(list: Float64Array, j: number, k: number): void {
  const kept = list[j];
  list[j] = list[k];
  list[k] = kept;
}

/** α of particles, for whoever asks how hard they are held: that of a change of volume. */
function writeStiffness(
  s: Views,
  { particleStart, particleEnd, clusterStart, clusterEnd }: Rows,
  h: number,
  beta: number,
  largest: Float64Array,
): void {
  const { link, linkCluster, linkStart } = s;
  const [shares, holds] = [rateRoom.take(clusterEnd - clusterStart), massRoom.take(clusterEnd - clusterStart)];
  for (let c = clusterStart; c < clusterEnd; c++) {
    shares[c - clusterStart] = shareOf(s.elasticity, c, h, largest[c - clusterStart]);
    holds[c - clusterStart] = holdIn(s.elasticity, c);
  }
  for (let n = particleStart; n < particleEnd; n++) {
    let alpha = 0;
    const last = linkStart[n + 1];
    for (let k = linkStart[n]; k < last; k++) {
      const c = linkCluster[k] - clusterStart;
      alpha += (link[4 * k + 3] * shares[c]) / holds[c];
    }
    s.stiffness[s.gatherOrder[n]] = alpha / (LAW.REST * (1 - beta));
  }
}

/** Substeps of a time step dt with which clusters of this `stiffest` reach their modulus. */
export const substepsFor = (stiffest: number, dt: number): number =>
  Math.max(1, Math.ceil(dt * Math.sqrt(stiffest) - 1e-6));
