import {
  checkBoolean,
  checkInteger,
  checkKeys,
  checkNumber,
  checkVec3,
  PliantError,
  refuse,
  type Vec3,
} from '../check.js';
import type { Clustering } from '../cluster/index.js';
import { ContactState } from '../contact/contactState.js';
import type { FractureSettings } from '../fracture/options.js';
import { ALL_GROUPS, type Groups, groupsRecord, resolveGroups } from '../groups.js';
import { boundClusters, boundParticles } from '../kernels/ts/touch.js';
import { clearLevels } from '../levels/flow.js';
import { type LevelSettings, type LevelStrengths, resolveLevelStrengths } from '../levels/options.js';
import type { ParticleLevels } from '../levels/particles.js';
import { checkPlace } from '../limits.js';
import {
  evaluateField,
  type Material,
  type MaterialOptions,
  resolveMaterial,
  STIFFNESS_RANGE,
} from '../material/material.js';
import { setSoftness } from '../material/softness.js';
import { canBreak, setClusterToughness } from '../material/toughness.js';
import { canYield, clearFlow, setClusterYield } from '../material/yield.js';
import { checkMesh, type MeshData } from '../mesh/index.js';
import { bindContactMesh, type ContactMesh, updateContactMesh } from '../meshContact/index.js';
import { samePlain } from '../plainData.js';
import { buildContactShape, type ContactShape } from '../proxy/contactShape.js';
import type { ReclusterSettings } from '../recluster/options.js';
import type { Before } from '../skin/bind.js';
import { BodySkin, type RenderSkin } from '../skin/renderSkin.js';
import type { SkinMesh } from '../skin/skinMesh.js';
import { RestState } from '../sleep/restState.js';
import { diagonalOf } from '../spatial/grid.js';
import { spacingOfPoints } from '../spatial/spacing.js';
import { Flag } from '../state/flags.js';
import type { Rows } from '../state/rows.js';
import type { State } from '../state/state.js';
import { type Pieces, piecesOf } from '../topology/pieces.js';
import { type BuiltBody, checkLasting } from './build.js';
import { copyPlaces } from './copyPositions.js';
import { History } from './history.js';
import { forceAt, pushAt, setRigidMotion } from './push.js';
import { type BodyRecord, type ColdParts, loadScalars, saveScalars } from './record.js';
import { type Bounds, boundsOf, centreOf, linearVelocityOf, massOf, rigidMotionOf } from './rigid.js';
import { inRange, startMotion } from './start.js';
import { moveParticles, type PoseOptions, resolvePose } from './teleport.js';

/** What a body has beside its rows in the state. */
export interface BodyParts
  extends Pick<
    BuiltBody,
    'name' | 'clustering' | 'levelStrengths' | 'ownLevels' | 'spacing' | 'material' | 'fromVertices' | 'makeSkin'
  > {
  warnings: readonly string[];
  restPositions: Float64Array;
  builtPositions: Float64Array;
  contact: ContactShape;
  fracture: FractureSettings;
  reclustering: ReclusterSettings;
  /** Its mesh in the coordinates of `builtPositions`, where it meets others by its surface. */
  surfaceMesh?: SurfaceMesh;
  /** `makeSkin` makes that of a larger body. */
  isPart?: boolean;
  groups?: Groups;
}

export interface SurfaceMesh {
  readonly positions: Float64Array;
  readonly indices: Uint32Array;
}

/**
 * A deformable body in a world. `handle` stays valid until the body is removed, and is refused afterwards even when its
 * place was given to another body. Array views are taken anew on every access. One that is kept goes on showing the body until bodies are added,
 * removed, cut or separated, or until `topologyVersion` of any body of the world rises: then take it anew.
 */
export class Body {
  readonly name: string;
  readonly clustering: Clustering;
  readonly warnings: readonly string[];
  /** The rest shape, placed in the world: x, y, z a particle. Cold data, a copy of its own; replaced when the topology changes. */
  restPositions: Float64Array;
  private restRoom = new Float64Array(0);
  /**
   * Rest positions of the particles that were built: x, y, z each. All pieces of one body share this array, so that it tells which body they come from;
   * `ancestorsInto` says which of these particles each of theirs is or was copied from.
   */
  readonly builtPositions: Float64Array;
  /** Rises whenever particles or clusters were added, removed or rearranged: whoever draws the body builds anew what depends on them. */
  topologyVersion = 0;
  /** @internal Its proxies' tree and which of its clusters overlap (SPEC K1, K2). */
  readonly contact: ContactShape;
  /** @internal The surface that follows it, for contact by surfaces (SPEC K5); none once it has come apart, then it meets others by proxies. */
  surface: ContactMesh | undefined;
  /** The one it was built with: a snapshot may bring it back. */
  private builtSurface: ContactMesh | undefined;
  /** @internal For snapshots: what that was made from. */
  readonly surfaceMesh: SurfaceMesh | undefined;
  /** Diagonal of the box around its rest shape (m). */
  size: number;
  /** @internal Facts of its past that later steps depend on. */
  readonly history = new History();
  /** @internal What the sleep stage keeps of it. */
  readonly restState = new RestState();
  /** @internal What the contact stage keeps of it. */
  readonly contactState = new ContactState();
  private sleeping = false;
  private switchedOn = true;
  /** Distance between neighbouring particles where it is known (m). */
  readonly spacing: number | undefined;
  private ductile = false;
  private brittle = false;
  /** How it comes apart (SPEC X). */
  readonly fracture: FractureSettings;
  /** How its clusters are replaced (SPEC R). */
  readonly reclustering: ReclusterSettings;
  /** @internal Some particle has a force waiting for the next step. */
  hasForces = false;
  /** @internal The topology that its levels were last fitted with. */
  fittedVersion = 0;
  /** @internal What each of its levels says, if it has any. */
  levelStrengths: LevelStrengths | undefined;
  /** @internal Its coarser levels, where they have lists of particles and not rows in the state. */
  readonly ownLevels: ParticleLevels | undefined;
  private readonly pinned = new Set<number>();
  private readonly fromVertices: BuiltBody['fromVertices'];
  private readonly makeSkin: BuiltBody['makeSkin'];
  private shown: BodySkin | undefined;
  /** What `makeSkin` makes shows a body of which this was a piece. */
  private isPart = false;
  private current: Material;
  private removed = false;

  /** @internal */
  constructor(
    readonly handle: number,
    private readonly state: State,
    /** @internal Where the body's rows lie; the world moves them when another body is removed. */
    readonly rows: Rows,
    parts: BodyParts,
  ) {
    this.name = parts.name;
    this.clustering = parts.clustering;
    this.levelStrengths = parts.levelStrengths;
    this.ownLevels = parts.ownLevels;
    this.writeLevelStrengths();
    this.warnings = parts.warnings;
    this.spacing = parts.spacing;
    this.current = parts.material;
    this.restPositions = parts.restPositions;
    this.builtPositions = parts.builtPositions;
    this.fromVertices = parts.fromVertices;
    this.makeSkin = parts.makeSkin;
    this.isPart = parts.isPart ?? false;
    this.contact = parts.contact;
    this.fracture = parts.fracture;
    this.reclustering = parts.reclustering;
    this.surfaceMesh = parts.surfaceMesh;
    this.meets = parts.groups ?? ALL_GROUPS;
    this.size = diagonalOf(this.restPositions);
    this.ductile = canYield(state.views, rows);
    this.brittle = canBreak(state.views, rows);
  }

  /** @internal A body as it was built, its rows already in the state. */
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
      surfaceMesh: built.surface && copyOfMesh(built.surface),
    });
    body.bindSurface();
    body.surface = body.builtSurface;
    startMotion(state.views, rows, built);
    return body;
  }

  private bindSurface(): void {
    if (this.surfaceMesh)
      this.builtSurface = bindContactMesh(this.state, this, this.surfaceMesh, { path: 'body.mesh' });
  }

  /** @internal For topology changes: a body of one piece of it, with the rows and numbers of the piece's particles. */
  makePiece(handle: number, name: string, rows: Rows, particles: Uint32Array): Body {
    const { clustering, levelStrengths, ownLevels, spacing, builtPositions, contact, fracture, reclustering } = this;
    const piece = new Body(handle, this.state, rows, {
      ...{ name, clustering, levelStrengths, ownLevels, spacing, builtPositions, contact, fracture, reclustering },
      warnings: [],
      material: this.current,
      restPositions: this.restOf(particles),
      fromVertices: this.fromVertices,
      makeSkin: this.makeSkin,
      isPart: true,
      groups: this.meets,
    });
    piece.history.inherit(this.history);
    piece.enabled = this.enabled;
    if (this.pinned.size > 0)
      for (let k = 0; k < particles.length; k++) if (this.pinned.has(particles[k])) piece.pin(k);
    return piece;
  }

  /** @internal For topology changes: it keeps only these of its particles; the others are bodies of their own. */
  reduceTo(particles: Uint32Array): void {
    this.renumber(particles);
    this.writeLevelStrengths();
    this.size = diagonalOf(this.restPositions);
    this.surface = undefined;
    this.isPart = true;
    this.topologyVersion++;
  }

  /** @internal For topology changes: it keeps only these of its particles; the others are gone. */
  keepOnly(stay: Uint32Array): void {
    this.renumber(stay);
    this.history.noteLoss();
  }

  private renumber(particles: Uint32Array): void {
    this.restPositions = this.restOf(particles);
    if (this.pinned.size === 0) return;
    const pinned = Uint32Array.from(particles.keys()).filter((n) => this.pinned.has(particles[n]));
    this.pinned.clear();
    for (const n of pinned) this.pinned.add(n);
  }

  /** Bodies switched off are not stepped. A body that became non-finite is switched off and reported as an event. */
  get enabled(): boolean {
    return this.switchedOn;
  }
  set enabled(value: boolean) {
    this.switchedOn = checkBoolean('body.enabled', value);
  }

  /** A sleeping body is not stepped until something touches it, pushes it or changes it. */
  get asleep(): boolean {
    return this.sleeping;
  }

  /** Whether it takes part in a step: it is enabled and awake. */
  get active(): boolean {
    return this.switchedOn && !this.sleeping;
  }

  /** Where some of its particles are at rest. */
  private restOf(particles: Uint32Array): Float64Array {
    const { restPositions } = this;
    const rest = new Float64Array(3 * particles.length);
    for (let n = 0; n < particles.length; n++)
      for (let a = 0; a < 3; a++) rest[3 * n + a] = restPositions[3 * particles[n] + a];
    return rest;
  }

  /** @internal For the stages: whether any of its clusters may flow. */
  get yields(): boolean {
    return this.ductile && this.current.flowRate > 0;
  }

  /** @internal For the stages: whether any of its clusters may split. */
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

  /** The mesh that shows it (SPEC V2): its own, or one of its shape or around its points. Made when it is first asked for. */
  get skin(): RenderSkin {
    this.check();
    this.shown ??= new BodySkin(this.state, this, this.makeSkin(), this.isPart);
    return this.shown;
  }

  /** @internal For topology changes: the skins of its pieces, if somebody has asked for its own. */
  skinsOfPieces(): SkinMesh[] | undefined {
    return this.shown?.divide();
  }

  /**
   * @internal For topology changes: the mesh of its skin from now on. After a cut the vertices are at `now`, and `before` says how they were bound; else they are
   * where its clusters put them.
   */
  setSkinMesh(mesh: SkinMesh, now?: Float64Array, before?: Before): void {
    this.history.forgetLoss();
    if (this.shown) this.shown.replace(mesh, now, before);
    else this.shown = new BodySkin(this.state, this, mesh, false, now, before);
  }

  /** Wakes a sleeping body; needed after writing its positions or velocities, of which it cannot know. */
  wake(): void {
    this.check();
    this.restState.restart();
    if (!this.sleeping) return;
    this.sleeping = false;
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
    boundParticles(this.state.views, this.rows.particleStart, this.rows.particleEnd);
    boundClusters(this.state.views, this.rows.clusterStart, this.rows.clusterEnd, this.contact.pad);
    this.restState.speed = 0;
    this.sleeping = true;
  }

  get particleCount(): number {
    this.check();
    return this.rows.particleEnd - this.rows.particleStart;
  }

  get clusterCount(): number {
    this.check();
    return this.rows.clusterEnd - this.rows.clusterStart;
  }

  /** Number of its first particle among those of the world, as in `world.positions`. Changes when bodies before it do. */
  get firstParticle(): number {
    this.check();
    return this.rows.particleStart;
  }

  /** Number of its first cluster among those of the world. */
  get firstCluster(): number {
    this.check();
    return this.rows.clusterStart;
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

  /** @internal k_d: the material's, or what its levels make of their own. */
  get damping(): number {
    return this.levelStrengths?.damping ?? this.current.damping;
  }

  /** @internal Levels, the finest among them: 1 where there are none above its clusters. */
  get levelCount(): number {
    return this.levelStrengths?.weights.length ?? 1;
  }

  /** Its levels, the finest first: how many clusters each has, and what it says. */
  get levels(): { clusters: number; weight: number }[] {
    this.check();
    const clusters = new Array<number>(this.levelCount).fill(0);
    clusters[0] = this.clusterCount;
    for (let c = this.rows.coarseStart; c < this.rows.coarseEnd; c++) clusters[this.state.views.coarseLevel[c]]++;
    for (const level of this.ownLevels?.level ?? []) clusters[level]++;
    return clusters.map((count, level) => ({ clusters: count, weight: this.levelStrengths?.weights[level] ?? 1 }));
  }

  /** Changes what its levels say while running; what is not named stays. */
  setLevels(options: LevelSettings): void {
    this.check();
    checkKeys('levels', options, ['weights', 'stiffness', 'damping']);
    if (!this.levelStrengths) refuse('levels', options, 'nothing for a body that was built without levels');
    this.levelStrengths = resolveLevelStrengths('levels', options, this.levelCount, this.levelStrengths.settings);
    this.writeLevelStrengths();
    this.wake();
  }

  /** @internal For topology changes: writes the shares of its levels into the state. */
  writeLevelStrengths(): void {
    if (!this.levelStrengths) return;
    this.state.revision++;
    const { pull, drag, stiffness } = this.levelStrengths;
    const { coarseStrength, coarseLevel, stiffness: alpha } = this.state.views;
    for (let c = this.rows.coarseStart; c < this.rows.coarseEnd; c++) {
      coarseStrength[2 * c] = pull[coarseLevel[c]];
      coarseStrength[2 * c + 1] = drag[coarseLevel[c]];
    }
    if (stiffness !== undefined) alpha.fill(stiffness, this.rows.particleStart, this.rows.particleEnd);
  }

  /** Changes material settings while running; what is not named stays. Masses are fixed once a body is built. */
  setMaterial(options: MaterialOptions): void {
    this.check();
    if (typeof options !== 'object' || options === null) refuse('material', options, 'an object');
    for (const key of ['density', 'mass', 'particleMass'] as const)
      if (options[key] !== undefined)
        refuse(`material.${key}`, options[key], 'nothing: masses are fixed once a body is built');
    for (const key of ['stiffness', 'damping'] as const)
      if (options[key] !== undefined && this.levelStrengths?.[key] !== undefined)
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
    if (this.ownLevels)
      fields.forEach(([key], k) => {
        if (key !== 'stiffness' && values[k]) checkLasting(`material.${key}`, options[key], values[k]);
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
    this.state.revision++;
    this.current = next;
    this.wake();
  }

  /**
   * Makes each cluster so many times as tough as its particles say: one number from 1e-6 to 1e6 a cluster, as they are now. The factors stay when the material changes; halves of a cluster
   * that splits, and clusters that replace one, take over its factor.
   *
   * @example
   * body.scaleToughness(new Array(body.clusterCount).fill(2));
   */
  scaleToughness(factors: ArrayLike<number>): void {
    this.check();
    if (factors?.length !== this.clusterCount) refuse('factors', factors?.length, `${this.clusterCount} numbers`);
    for (let c = 0; c < factors.length; c++) checkNumber(`factors[${c}]`, factors[c], { min: 1e-6, max: 1e6 });
    this.state.views.toughnessFactor.set(Array.from(factors), this.rows.clusterStart);
    setClusterToughness(this.state.views, this.rows);
    this.state.revision++;
    this.brittle = canBreak(this.state.views, this.rows);
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
    this.state.revision++;
    this.history.forgetFlow();
  }

  /** Adds an impulse (N s): to one particle, or spread over the body by mass. What holds a particle takes its share. */
  applyImpulse(impulse: Vec3, particle?: number): void {
    const j = checkVec3('impulse', impulse);
    const [first, last] = this.range(particle);
    this.wake();
    const { x, v, flags } = this.state.views;
    let mass = 0;
    for (let i = first; i < last; i++) mass += x[4 * i + 3];
    for (let i = first; i < last; i++)
      if (!(flags[i] & Flag.HELD)) for (let a = 0; a < 3; a++) v[4 * i + a] = inRange(v[4 * i + a] + j[a] / mass);
  }

  /** Adds a force (N) for the next step: to one particle, or spread over the body by mass. */
  applyForce(force: Vec3, particle?: number): void {
    const f = checkVec3('force', force);
    const [first, last] = this.range(particle);
    this.wake();
    const { x, force: forces } = this.state.views;
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

  /** @internal For topology changes: its particles from `first` on are copies; from[n] is what number n was copied from. */
  addCopies(from: Uint32Array, first: number): void {
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

  /** @internal For snapshots: all that it is beside its rows. */
  save(): BodyRecord {
    const { handle, restPositions, levelStrengths, topologyVersion, ductile, brittle, surface } = this;
    this.cold ??= coldParts(this);
    // The record has these rest positions from now on: copies of particles must not be written behind them.
    this.restRoom = new Float64Array(0);
    return {
      handle,
      rows: { ...this.rows },
      parts: this.cold,
      restPositions,
      material: this.current,
      levelStrengths,
      topologyVersion,
      scalars: saveScalars(this),
      asleep: this.sleeping,
      ductile,
      brittle,
      pinned: Uint32Array.from(this.pinned),
      checkedPositions: this.restState.checkedPositions.slice(),
      surface: !surface ? 'none' : this.active ? 'fitted' : stillSurface(surface),
      skin: this.shown?.restMesh,
      ...groupsRecord(this.meets),
    };
  }
  private cold: ColdParts | undefined;

  /** @internal For snapshots: whether it is the body of a record: what stays as it was built is the same. */
  canLoad({ parts, surface }: BodyRecord): boolean {
    this.cold ??= coldParts(this);
    if (parts !== this.cold && !samePlain(parts, this.cold)) return false;
    if (typeof surface === 'string' || !this.builtSurface) return true;
    const { positions, frames } = this.builtSurface;
    return surface.positions.length === positions.length && surface.frames.length === frames.length;
  }

  /** @internal For snapshots: is again what it was, its rows already in the state. */
  load(record: BodyRecord): void {
    this.removed = false;
    Object.assign(this.rows, record.rows);
    // A version that was given out once is never that of another topology: whoever draws the body would not notice.
    if (this.topologyVersion !== record.topologyVersion || this.restPositions !== record.restPositions)
      this.topologyVersion = Math.max(this.topologyVersion, record.topologyVersion) + 1;
    this.restPositions = record.restPositions;
    this.current = record.material;
    this.levelStrengths = record.levelStrengths;
    loadScalars(this, record.scalars);
    this.sleeping = record.asleep;
    this.ductile = record.ductile;
    this.brittle = record.brittle;
    this.pinned.clear();
    for (const i of record.pinned) this.pinned.add(i);
    this.restState.checkedPositions = record.checkedPositions.slice();
    this.meets = record.groups ? resolveGroups('groups', record.groups) : ALL_GROUPS;
    const { lost } = this.history;
    if (record.skin ? record.skin !== this.shown?.restMesh : this.shown)
      this.setSkinMesh(record.skin ?? this.makeSkin());
    // The skin of the record is that of the time of the record: what is said of it stays.
    if (lost) this.history.noteLoss();
    // One that was put together from a record is bound when it is first needed: then its clusters are those it was built with.
    if (record.surface !== 'none' && !this.builtSurface) this.bindSurface();
    this.surface = record.surface === 'none' ? undefined : this.builtSurface;
    if (!this.surface) return;
    updateContactMesh(this.surface, this.state);
    if (typeof record.surface === 'string') return;
    this.surface.positions.set(record.surface.positions);
    this.surface.bounds.set(record.surface.bounds);
    this.surface.frames.set(record.surface.frames);
    this.surface.isHeld = record.surface.isHeld;
  }

  /** Its rest positions with room for so many. Some more are kept to spare: a body that breaks asks again and again. */
  private restFor(particles: number): Float64Array {
    if (this.restRoom.buffer !== this.restPositions.buffer || this.restRoom.length < 3 * particles) {
      this.restRoom = new Float64Array(Math.ceil(3.75 * particles));
      this.restRoom.set(this.restPositions);
    }
    return this.restRoom.subarray(0, 3 * particles);
  }

  /** @internal Called by the world alone. */
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

  // ── As users of rigid bodies know it: the body as a whole, by functions of rigid.ts, push.ts and teleport.ts ──────────

  /**
   * Anything of the user's: kept by reference and never read. Snapshots and their bytes do not have it; a body that a snapshot brings back is the same object and still has it, one that is made from bytes,
   * or that came apart from another, has none.
   *
   * @example
   * body.userData = { score: 10 };
   */
  userData: unknown;
  private meets: Groups;

  /**
   * Total mass (kg).
   *
   * @example
   * const weight = 9.81 * body.mass;
   */
  get mass(): number {
    this.check();
    return massOf(this.state.views, this.rows);
  }

  /**
   * Centre of mass (m), of the particles as they are now. A new list in every call, as are all that follow.
   *
   * @example
   * const [x, y, z] = body.centreOfMass;
   */
  get centreOfMass(): Vec3 {
    this.check();
    return centreOf(this.state.views, this.rows);
  }

  /**
   * Velocity of the centre of mass (m/s).
   *
   * @example
   * const speed = Math.hypot(...body.linearVelocity);
   */
  get linearVelocity(): Vec3 {
    this.check();
    return linearVelocityOf(this.state.views, this.rows);
  }

  /**
   * Angular velocity (rad/s) about the centre of mass: ω = I⁻¹ L, with the inertia of the shape that the body has now. Particles on a line have none about the line, a single one has none.
   *
   * @example
   * const [, spin] = body.angularVelocity;
   */
  get angularVelocity(): Vec3 {
    this.check();
    return rigidMotionOf(this.state.views, this.rows).angular;
  }

  /**
   * The box around its particles (m). The surface of a sampled body lies about half a spacing beyond it.
   *
   * @example
   * const { min, max } = body.bounds;
   * const height = max[1] - min[1];
   */
  get bounds(): Bounds {
    this.check();
    return boundsOf(this.state.views, this.rows);
  }

  /**
   * Puts the body somewhere else, as a whole and at once. `position` is where its centre of mass goes; `rotation` turns it about there from how it lies now, as a body that deforms has no
   * orientation of its own. What is left out stays. Its velocities turn along; its shape, and how its particles move relative to each other, stay.
   *
   * The way counts as no motion: it hits nothing, previous positions go along. Pins and clamps hold it where it is then; picks keep their targets, and draw it back. It wakes, and so do the bodies
   * that touched it. If it is put into another body or an obstacle, contact drives it out.
   *
   * @example
   * const half = Math.SQRT1_2;
   * body.setPose({ position: [0, 3, 0], rotation: [0, half, 0, half] });
   */
  setPose(pose: PoseOptions): void {
    this.check();
    const { state, rows } = this;
    const map = resolvePose(pose, state.views, rows);
    this.wakeNeighbours();
    for (const clamp of state.world?.allClamps ?? [])
      clamp.moveHold(this, state.world!.time, (place) => map.place(place, 0));
    moveParticles(state.views, rows, this.restState.checkedPositions, map);
    if (this.surface) updateContactMesh(this.surface, state);
    this.wake();
  }

  /**
   * Sets how the body moves as a whole: the velocity of its centre of mass (m/s) and its angular velocity about that (rad/s). What is left out stays, and so does how its particles
   * move relative to each other. Held particles keep their velocity.
   *
   * @example
   * body.setVelocity({ linear: [0, 5, 0], angular: [0, 0, 0] });
   */
  setVelocity(velocity: { linear?: Vec3; angular?: Vec3 }): void {
    this.check();
    checkKeys('velocity', velocity, ['linear', 'angular']);
    const linear = velocity.linear === undefined ? undefined : checkVec3('velocity.linear', velocity.linear);
    const angular = velocity.angular === undefined ? undefined : checkVec3('velocity.angular', velocity.angular);
    this.wake();
    setRigidMotion(this.state.views, this.rows, linear, angular);
  }

  /**
   * Adds an impulse (N s) that acts at a point of the world (m). The particles around the point take it, by mass and the kernel (1 − d²/r²)² with r 2.5 spacings beyond the nearest one; the part of its angular
   * momentum that they do not have by that turns the body as a whole. So a free body gets the linear and the angular momentum of the impulse. Held particles take nothing.
   *
   * @example
   * body.applyImpulseAt([0, 0, 2], [0.5, 1, 0]);
   */
  applyImpulseAt(impulse: Vec3, point: Vec3): void {
    this.check();
    const j = checkVec3('impulse', impulse);
    const p = checkPlace('point', checkVec3('point', point));
    this.wake();
    pushAt(this.state.views, this.rows, this.pushSpacing, j, p);
  }

  /**
   * Adds a force (N) that acts at a point of the world (m) during the next step; spread as `applyImpulseAt` does.
   *
   * @example
   * // A thruster: asked for before every step.
   * body.applyForceAt([0, 20, 0], [0.5, 0, 0]);
   * world.step();
   */
  applyForceAt(force: Vec3, point: Vec3): void {
    this.check();
    const f = checkVec3('force', force);
    const p = checkPlace('point', checkVec3('point', point));
    this.wake();
    forceAt(this.state.views, this.rows, this.pushSpacing, f, p);
    this.hasForces = true;
  }

  /**
   * Which bodies, obstacles and queries it meets (see `Groups`). Can be set at any time: it wakes, and so do the bodies that touched it. Contact with itself goes on.
   *
   * @example
   * // Ghosts are members of group 1, and meet nothing but group 0.
   * body.groups = { membership: 1 << 1, filter: 1 << 0 };
   */
  get groups(): Groups {
    return this.meets;
  }
  set groups(value: Partial<Groups>) {
    this.check();
    const groups = resolveGroups('groups', value);
    this.wakeNeighbours();
    this.meets = groups;
    this.wake();
  }

  /**
   * Its particles' positions as x, y, z after one another, as most libraries want them: into `out`, or into a new array. Returns the array. `positions` is a view of four numbers
   * a particle that costs nothing; this is a copy.
   *
   * @example
   * const xyz = body.copyPositions();
   * world.step();
   * body.copyPositions(xyz);
   */
  copyPositions(out?: Float32Array): Float32Array {
    return copyPlaces(this.positions, out);
  }

  /** The bodies that touch it may fall. */
  private wakeNeighbours(): void {
    for (const { a, b } of this.state.world?.pairs.list ?? []) {
      if (a === this && b.alive) b.wake();
      if (b === this && a.alive) a.wake();
    }
  }

  private get pushSpacing(): number {
    return this.state.views.proxySpacing[this.rows.clusterStart];
  }
}

function coldParts({
  name,
  clustering,
  ownLevels,
  warnings,
  spacing,
  builtPositions,
  contact,
  fracture,
  reclustering,
  surfaceMesh,
}: Body): ColdParts {
  return {
    ...{ name, clustering, warnings, spacing, builtPositions, contact, fracture, reclustering, surfaceMesh },
    ownLevels: ownLevels && withoutScratch(ownLevels),
  };
}

const withoutScratch = ({ wanted: _, ...levels }: ParticleLevels) => levels;

function copyOfMesh(mesh: MeshData): SurfaceMesh {
  const indices = Uint32Array.from(checkMesh('body.mesh', mesh));
  return { positions: Float64Array.from(mesh.positions), indices };
}

const stillSurface = ({ positions, bounds, frames, isHeld }: ContactMesh) => ({
  positions: positions.slice(),
  bounds: bounds.slice(),
  frames: frames.slice(),
  isHeld,
});
