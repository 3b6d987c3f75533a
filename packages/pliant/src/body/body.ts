import { checkInteger, checkKeys, checkVec3, PliantError, refuse, type Vec3 } from '../check.js';
import type { Clustering } from '../cluster/index.js';
import { buildContactShape, type ContactShape } from '../contact/shape.js';
import { spacingOfPoints } from '../contact/spacing.js';
import { canYield, clearFlow, setClusterYield } from '../flow/flow.js';
import type { FractureSettings } from '../fracture/options.js';
import { type Pieces, piecesOf } from '../fracture/pieces.js';
import { canBreak, setClusterToughness } from '../fracture/toughness.js';
import { boundClusters } from '../kernels/ts/touch.js';
import { clearLevels } from '../levels/flow.js';
import { type LevelSettings, type LevelShares, resolveShares } from '../levels/options.js';
import type { ReclusterSettings } from '../recluster/options.js';
import type { Rows } from '../state/edit.js';
import { Flag } from '../state/flags.js';
import type { State } from '../state/state.js';
import { bindSkin, type Skin as SurfaceSkin } from '../surface/index.js';
import type { BuiltBody } from './build.js';
import { evaluateField, type Material, type MaterialOptions, resolveMaterial, STIFFNESS_RANGE } from './material.js';
import { setSoftness } from './softness.js';

/** What a body has beside its rows in the state. */
export interface BodyParts
  extends Pick<BuiltBody, 'name' | 'clustering' | 'shares' | 'warnings' | 'spacing' | 'material' | 'fromVertices'> {
  restPositions: Float64Array;
  builtPositions: Float64Array;
  contact: ContactShape;
  fracture: FractureSettings;
  reclustering: ReclusterSettings;
}

/**
 * A deformable body in a world. `handle` stays valid until the body is removed, and is refused afterwards even when its
 * place was given to another body. Array views are taken anew on every access: adding or removing bodies replaces them.
 */
export class Body {
  readonly name: string;
  readonly clustering: Clustering;
  readonly warnings: readonly string[];
  /** The rest shape, placed in the world: x, y, z a particle. Cold data, a copy of its own; replaced when the topology changes. */
  restPositions: Float64Array;
  private restRoom = new Float64Array(0);
  /** For topology changes: that of the particles it was built with. */
  readonly builtPositions: Float64Array;
  /** Rises whenever particles or clusters were added, removed or rearranged: whoever draws the body builds anew what depends on them. */
  topologyVersion = 0;
  /** Its proxies' tree and which of its clusters overlap (SPEC K1, K2). */
  readonly contact: ContactShape;
  /** The surface that follows it, for contact by surfaces (SPEC K5); none once it has come apart, then it meets others by proxies. */
  surface: SurfaceSkin | undefined;
  /** Diagonal of its rest shape (m). */
  size: number;
  /** For the stages: rms speed of its particles in the last step (m/s), for how long it has been calm (s), whether it stays awake. */
  speed = 0;
  /** For contact: how far its particles went in this step before anything stopped them (m). */
  stride = 0;
  /** For contact: energy that it may still win (J), being what it lost by contact, and the world's frame of which that is. */
  spareEnergy = 0;
  spareSince = -1;
  calmFor = 0;
  restless = false;
  /** For the sleep stage: where its particles were when it was last looked at, and how long ago that is (s). */
  mark = new Float32Array(0);
  sinceMark = 0;
  /** For the stages: an obstacle touched it in this step. */
  grounded = false;
  private dozing = false;
  /** Distance between neighbouring particles where it is known (m). */
  readonly spacing: number | undefined;
  /** Bodies switched off are not stepped. A body that became non-finite is switched off and reported as an event. */
  enabled = true;
  /** For the stages: some cluster has a rest shape that is no longer the one it was built with. */
  hasFlowed = false;
  /** For the stages: some cluster has split. */
  hasBroken = false;
  private ductile = false;
  private brittle = false;
  /** How it comes apart (SPEC X). */
  readonly fracture: FractureSettings;
  /** How its clusters are replaced (SPEC R). */
  readonly reclustering: ReclusterSettings;
  /** For the recluster stage: some cluster is on its way in or out. */
  fading = false;
  /** Some particle has a force waiting for the next step. */
  hasForces = false;
  /** For the stages: the topology that its levels were last fitted with. */
  fittedVersion = 0;
  /** For the stages: what each of its levels says, if it has any. */
  shares: LevelShares | undefined;
  private readonly pinned = new Set<number>();
  private readonly fromVertices: BuiltBody['fromVertices'];
  private current: Material;
  private removed = false;

  constructor(
    readonly handle: number,
    private readonly state: State,
    /** Where the body's rows lie; the world moves them when another body is removed. */
    readonly rows: Rows,
    parts: BodyParts,
  ) {
    this.name = parts.name;
    this.clustering = parts.clustering;
    this.shares = parts.shares;
    this.shareOut();
    this.warnings = parts.warnings;
    this.spacing = parts.spacing;
    this.current = parts.material;
    this.restPositions = parts.restPositions;
    this.builtPositions = parts.builtPositions;
    this.fromVertices = parts.fromVertices;
    this.contact = parts.contact;
    this.fracture = parts.fracture;
    this.reclustering = parts.reclustering;
    this.size = sizeOf(this.restPositions);
    this.ductile = canYield(state.views, rows);
    this.brittle = canBreak(state.views, rows);
  }

  /** A body as it was built, its rows already in the state. */
  static fromBuilt(handle: number, state: State, rows: Rows, built: BuiltBody): Body {
    const { positions } = built.data;
    const spacing = built.spacing ?? spacingOfPoints(positions);
    const { radius } = built.clustering;
    const contact = buildContactShape(state.views, rows, positions, radius, built.contact, spacing);
    const body = new Body(handle, state, rows, {
      ...built,
      contact,
      restPositions: positions,
      builtPositions: positions,
    });
    body.surface = built.surface && bindSkin(state.views, body, built.surface, { field: 'body.mesh' });
    body.start(built);
    return body;
  }

  /** For topology changes: what a piece of it that becomes a body of its own takes over; `particles` are those of the piece. */
  partsFor(name: string, particles: Uint32Array): BodyParts {
    const restPositions = new Float64Array(3 * particles.length);
    particles.forEach((i, n) => {
      restPositions.set(this.restPositions.subarray(3 * i, 3 * i + 3), 3 * n);
    });
    const { clustering, shares, spacing, builtPositions, fromVertices, contact, fracture, reclustering } = this;
    return {
      name,
      clustering,
      shares,
      warnings: [],
      spacing,
      material: this.current,
      restPositions,
      builtPositions,
      fromVertices,
      contact,
      fracture,
      reclustering,
    };
  }

  /** For topology changes: its particles are now those numbers of what they were. */
  become(particles: Uint32Array): void {
    const pinned = Uint32Array.from(particles.keys()).filter((n) => this.pinned.has(particles[n]));
    this.restPositions = this.partsFor(this.name, particles).restPositions;
    this.pinned.clear();
    for (const n of pinned) this.pinned.add(n);
    this.shareOut();
    this.size = sizeOf(this.restPositions);
    this.surface = undefined;
    this.topologyVersion++;
  }

  /** A sleeping body is not stepped until something touches it, pushes it or changes it. */
  get asleep(): boolean {
    return this.dozing;
  }

  /** Whether it takes part in a step. */
  get active(): boolean {
    return this.enabled && !this.dozing;
  }

  /** For the stages: whether any of its clusters may flow. */
  get yields(): boolean {
    return this.ductile && this.current.flowRate > 0;
  }

  /** For the stages: whether any of its clusters may split. */
  get breaks(): boolean {
    return this.brittle;
  }

  /** The parts it consists of: those that hang together by clusters. Found anew when its topology has changed. */
  get pieces(): Pieces {
    this.check();
    if (this.known?.version !== this.topologyVersion)
      this.known = { version: this.topologyVersion, pieces: piecesOf(this.state.views, this.rows) };
    return this.known.pieces;
  }
  private known: { version: number; pieces: Pieces } | undefined;

  /** Wakes a sleeping body; needed after writing its positions or velocities, of which it cannot know. */
  wake(): void {
    this.check();
    this.calmFor = 0;
    this.sinceMark = 0;
    if (!this.dozing) return;
    this.dozing = false;
    const { flags } = this.state.views;
    for (let i = this.rows.particleStart; i < this.rows.particleEnd; i++) flags[i] &= ~Flag.ASLEEP;
  }

  /** Puts it to sleep where it is, at rest. */
  sleep(): void {
    this.check();
    const { x, v, xOld, flags } = this.state.views;
    const [start, end] = [4 * this.rows.particleStart, 4 * this.rows.particleEnd];
    for (let i = this.rows.particleStart; i < this.rows.particleEnd; i++) flags[i] |= Flag.ASLEEP;
    v.fill(0, start, end);
    xOld.set(x.subarray(start, end), start);
    // Others find it by the boxes it falls asleep with: it may never have had any.
    boundClusters(this.state.views, this.rows.clusterStart, this.rows.clusterEnd, this.contact.pad);
    this.speed = 0;
    this.dozing = true;
  }

  /** Initial stretch and motion; the rest shape is already in the clusters. */
  private start({ velocity, angularVelocity: w, stretch, stretchCentre }: BuiltBody): void {
    const { x, v, xOld } = this.state.views;
    const { particleStart, particleEnd } = this.rows;
    const centre = [0, 0, 0];
    let mass = 0;
    for (let o = 4 * particleStart; o < 4 * particleEnd; o += 4) {
      for (let a = 0; a < 3; a++) {
        x[o + a] = xOld[o + a] = stretchCentre[a] + stretch[a] * (x[o + a] - stretchCentre[a]);
        centre[a] += x[o + 3] * x[o + a];
      }
      mass += x[o + 3];
    }
    for (let o = 4 * particleStart; o < 4 * particleEnd; o += 4) {
      const [rx, ry, rz] = [x[o] - centre[0] / mass, x[o + 1] - centre[1] / mass, x[o + 2] - centre[2] / mass];
      v[o] = velocity[0] + w[1] * rz - w[2] * ry;
      v[o + 1] = velocity[1] + w[2] * rx - w[0] * rz;
      v[o + 2] = velocity[2] + w[0] * ry - w[1] * rx;
    }
  }

  get particleCount(): number {
    this.check();
    return this.rows.particleEnd - this.rows.particleStart;
  }

  get clusterCount(): number {
    this.check();
    return this.rows.clusterEnd - this.rows.clusterStart;
  }

  /** Positions and masses, four numbers a particle: x, y, z (m), mass (kg). A view, not a copy. */
  get positions(): Float32Array {
    return this.view('x');
  }

  /** Velocities, four numbers a particle: x, y, z (m/s) and 0, which must stay 0. A view, not a copy. */
  get velocities(): Float32Array {
    return this.view('v');
  }

  /** Positions at the start of the last step, laid out like `positions`: draw between the two with the accumulator's rest. */
  get previousPositions(): Float32Array {
    return this.view('xOld');
  }

  get material(): Material {
    return this.current;
  }

  /** k_d: the material's, or what its levels make of their own. */
  get damping(): number {
    return this.shares?.damping ?? this.current.damping;
  }

  /** Levels, the finest among them: 1 where there are none above its clusters. */
  get levelCount(): number {
    return this.shares?.weights.length ?? 1;
  }

  /** Its levels, the finest first: how many clusters each has, and what it says. */
  get levels(): { clusters: number; weight: number }[] {
    this.check();
    const clusters = new Array<number>(this.levelCount).fill(0);
    clusters[0] = this.clusterCount;
    for (let c = this.rows.coarseStart; c < this.rows.coarseEnd; c++) clusters[this.state.views.coarseLevel[c]]++;
    return clusters.map((count, level) => ({ clusters: count, weight: this.shares?.weights[level] ?? 1 }));
  }

  /** Changes what its levels say while running; what is not named stays. */
  setLevels(options: LevelSettings): void {
    this.check();
    checkKeys('levels', options, ['weights', 'stiffness', 'damping']);
    if (!this.shares) refuse('levels', options, 'nothing for a body that was built without levels');
    this.shares = resolveShares('levels', options, this.levelCount, this.shares.settings);
    this.shareOut();
    this.wake();
  }

  /** For topology changes: writes the shares of its levels into the state. */
  shareOut(): void {
    if (!this.shares) return;
    const { pull, drag, stiffness } = this.shares;
    const { coarseShare, coarseLevel, stiffness: alpha } = this.state.views;
    for (let c = this.rows.coarseStart; c < this.rows.coarseEnd; c++) {
      coarseShare[2 * c] = pull[coarseLevel[c]];
      coarseShare[2 * c + 1] = drag[coarseLevel[c]];
    }
    if (stiffness !== undefined) alpha.fill(stiffness, this.rows.particleStart, this.rows.particleEnd);
  }

  /** Changes material settings while running; what is not named stays. Masses are fixed once a body is built. */
  setMaterial(options: MaterialOptions): void {
    this.check();
    for (const key of ['density', 'mass', 'particleMass'] as const)
      if (options[key] !== undefined)
        refuse(`material.${key}`, options[key], 'nothing: masses are fixed once a body is built');
    for (const key of ['stiffness', 'damping'] as const)
      if (options[key] !== undefined && this.shares?.[key] !== undefined)
        refuse(`material.${key}`, options[key], `nothing while levels.${key} gives it for each level`);
    const next = resolveMaterial('material', options, this.current);
    const { views } = this.state;
    const { particleStart, clusterStart, clusterEnd } = this.rows;
    const fields = [
      ['stiffness', 'stiffness', STIFFNESS_RANGE],
      ['yield', 'yieldLimit', { min: 0 }],
      ['toughness', 'toughness', { min: 0 }],
    ] as const;
    const values = fields.map(([key, , range]) => {
      const field = options[key];
      return field === undefined
        ? undefined
        : evaluateField(`material.${key}`, field, this.restPositions, range, this.fromVertices && this.paint);
    });
    fields.forEach(([, array], k) => {
      if (values[k]) views[array].set(values[k], particleStart);
    });
    setClusterYield(views, this.rows);
    this.ductile = canYield(views, this.rows);
    setClusterToughness(views, this.rows);
    this.brittle = canBreak(views, this.rows);
    for (let c = clusterStart; c < clusterEnd; c++) views.limit[c] = next.limit.gamma * views.width[c];
    setSoftness(views, this.rows, next);
    this.current = next;
    this.wake();
  }

  /** Values painted on the vertices of its mesh, at its particles; copies have those of what they were copied from. */
  private readonly paint = (values: ArrayLike<number>, name: string): Float64Array => {
    const built = this.fromVertices!(values, name);
    const { ancestor } = this.state.views;
    const { particleStart, particleEnd } = this.rows;
    return Float64Array.from(ancestor.subarray(particleStart, particleEnd), (i) => built[i]);
  };

  /**
   * How far each cluster's rest shape is from the one it was made with: ‖F^p − I‖, 0 where nothing has flowed. One number a cluster. A
   * view, not a copy. Clusters that replace others begin at 0.
   */
  get plasticStrain(): Float32Array {
    this.check();
    return this.state.views.plasticStrain.subarray(this.rows.clusterStart, this.rows.clusterEnd);
  }

  /** Gives its clusters back the rest shapes they were made with, and forgets its hardening. It moves there by itself. */
  resetPlasticity(): void {
    this.wake();
    clearFlow(this.state.views, this.rows);
    clearLevels(this.state.views, this.rows, this.restPositions);
    this.hasFlowed = false;
  }

  /** Adds an impulse (N s): to one particle, or spread over the body by mass. What holds a particle takes its share. */
  applyImpulse(impulse: Vec3, particle?: number): void {
    const j = checkVec3('impulse', impulse);
    this.wake();
    const { x, v, flags } = this.state.views;
    const [first, last] = this.range(particle);
    let mass = 0;
    for (let i = first; i < last; i++) mass += x[4 * i + 3];
    for (let i = first; i < last; i++)
      if (!(flags[i] & Flag.HELD)) for (let a = 0; a < 3; a++) v[4 * i + a] = inRange(v[4 * i + a] + j[a] / mass);
  }

  /** Adds a force (N) for the next step: to one particle, or spread over the body by mass. */
  applyForce(force: Vec3, particle?: number): void {
    const f = checkVec3('force', force);
    this.wake();
    const { x, force: forces } = this.state.views;
    const [first, last] = this.range(particle);
    let mass = 0;
    for (let i = first; i < last; i++) mass += x[4 * i + 3];
    for (let i = first; i < last; i++)
      for (let a = 0; a < 3; a++)
        forces[4 * i + a] = inRange(forces[4 * i + a] / x[4 * i + 3] + f[a] / mass) * x[4 * i + 3];
    this.hasForces = true;
  }

  /** Holds a particle where it is until `unpin`. */
  pin(particle: number): void {
    const [i] = this.range(particle);
    this.wake();
    this.pinned.add(particle);
    this.state.views.flags[i] |= Flag.HELD | Flag.FIRM;
    this.state.views.v.fill(0, 4 * i, 4 * i + 3);
  }

  unpin(particle: number): void {
    const [i] = this.range(particle);
    this.wake();
    this.pinned.delete(particle);
    this.state.views.flags[i] &= ~(Flag.HELD | Flag.FIRM);
  }

  get pinnedCount(): number {
    return this.pinned.size;
  }

  isPinned(particle: number): boolean {
    this.range(particle);
    return this.pinned.has(particle);
  }

  /** For topology changes: particles from `first` on are copies, number n of what from[n] was. */
  follow(from: Uint32Array, first: number): void {
    this.surface = undefined;
    this.topologyVersion++;
    if (from.length === first) return;
    const rest = this.restFor(from.length);
    for (let n = first; n < from.length; n++) {
      for (let a = 0; a < 3; a++) rest[3 * n + a] = rest[3 * from[n] + a];
      if (this.pinned.has(from[n])) this.pinned.add(n);
    }
    this.restPositions = rest;
  }

  /** Its rest positions with room for so many. Some more are kept to spare: a body that breaks asks again and again. */
  private restFor(particles: number): Float64Array {
    if (this.restRoom.buffer !== this.restPositions.buffer || this.restRoom.length < 3 * particles) {
      this.restRoom = new Float64Array(Math.ceil(3.75 * particles));
      this.restRoom.set(this.restPositions);
    }
    return this.restRoom.subarray(0, 3 * particles);
  }

  /** Called by the world alone. */
  markRemoved(): void {
    this.removed = true;
  }

  get alive(): boolean {
    return !this.removed;
  }

  private view(name: 'x' | 'v' | 'xOld'): Float32Array {
    this.check();
    return this.state.views[name].subarray(4 * this.rows.particleStart, 4 * this.rows.particleEnd);
  }

  private range(particle?: number): [number, number] {
    this.check();
    const { particleStart, particleEnd } = this.rows;
    if (particle === undefined) return [particleStart, particleEnd];
    checkInteger('particle', particle, { min: 0, below: particleEnd - particleStart });
    return [particleStart + particle, particleStart + particle + 1];
  }

  private check(): void {
    if (this.removed)
      throw new PliantError(
        'body',
        `body ${JSON.stringify(this.name)} (handle ${this.handle}) was removed, or its world disposed.`,
      );
  }
}

/** Diagonal of the box around some points. */
function sizeOf(points: Float64Array): number {
  let square = 0;
  for (let a = 0; a < 3; a++) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let k = a; k < points.length; k += 3) {
      low = Math.min(low, points[k]);
      high = Math.max(high, points[k]);
    }
    square += (high - low) ** 2;
  }
  return Math.sqrt(square);
}

/**
 * The largest velocity (m/s) or acceleration (m/s²) that is written into the f32 state. The step shortens velocities to
 * maxSpeed, but cannot shorten what has become infinite.
 */
const LARGEST = 1e25;
const inRange = (value: number) => Math.max(-LARGEST, Math.min(LARGEST, value));
