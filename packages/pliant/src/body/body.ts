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
 * A deformable body in a world: particles with mass, held together by overlapping clusters. `world.addBody` makes it.
 *
 * `positions`, `velocities` and the other typed arrays are views into the engine's memory, made anew on every access. A view that you keep stays
 * valid until bodies are added, removed, cut or separated, or until `topologyVersion` of any body of the world rises. Read the property again then.
 */
export class Body {
  /** Name of the body, for messages and files. Default: the empty string. */
  readonly name: string;
  /** The clusters as they were built: members, weights, and a report of how they were found. It does not change when the body breaks. */
  readonly clustering: Clustering;
  /** What was allowed but is worth knowing about how the body was built, a sentence each. Empty if there is nothing to say. */
  readonly warnings: readonly string[];
  /** The rest shape, placed in the world: x, y, z of each particle (m). A copy, not a view. The array is replaced when the topology changes. */
  restPositions: Float64Array;
  private restRoom = new Float64Array(0);
  /**
   * Rest positions of the particles that the body was built with: x, y, z each (m). Pieces that came off a body share this array with it, so the
   * array tells which pieces come from the same body. `ancestorsInto` gives, for each particle of a piece, its number in this array.
   */
  readonly builtPositions: Float64Array;
  /**
   * Rises by at least 1 whenever particles or clusters are added, removed or renumbered: by fracture, cuts and reclustering. A renderer that keeps
   * data per particle or per cluster compares it with the value it saw last, and builds that data again.
   */
  topologyVersion = 0;
  /** @internal Its proxies' tree and which of its clusters overlap (SPEC K1, K2). */
  readonly contact: ContactShape;
  /** @internal The surface that follows it, for contact by surfaces (SPEC K5); none once it has come apart, then it meets others by proxies. */
  surface: ContactMesh | undefined;
  /** The one it was built with: a snapshot may bring it back. */
  private builtSurface: ContactMesh | undefined;
  /** @internal For snapshots: what that was made from. */
  readonly surfaceMesh: SurfaceMesh | undefined;
  /** Diagonal of the axis-aligned box around the rest shape (m). */
  size: number;
  /** @internal Facts of its past that later steps depend on. */
  readonly history = new History();
  /** @internal What the sleep stage keeps of it. */
  readonly restState = new RestState();
  /** @internal What the contact stage keeps of it. */
  readonly contactState = new ContactState();
  private sleeping = false;
  private switchedOn = true;
  /** Distance between neighbouring particles (m), as the sampling chose it. Undefined for a body that was given as points. */
  readonly spacing: number | undefined;
  private ductile = false;
  private brittle = false;
  /** How the body breaks: the options of `addBody` with defaults filled in. */
  readonly fracture: FractureSettings;
  /** How clusters that flowed too far are replaced: the options of `addBody` with defaults filled in. */
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
    /** Number that names the body for ever. After the body is removed, `world.getBody(handle)` throws, even if another body has taken its place in memory. */
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

  /**
   * Whether the body takes part in steps. Default true. A disabled body does not move, and other bodies pass through it. The engine disables a body
   * whose numbers are no longer finite, and reports that as an event of type 'quarantine'.
   */
  get enabled(): boolean {
    return this.switchedOn;
  }
  set enabled(value: boolean) {
    this.switchedOn = checkBoolean('body.enabled', value);
  }

  /** Whether the body sleeps. A sleeping body is not stepped, which costs nothing, until something touches it, pushes it or changes it. */
  get asleep(): boolean {
    return this.sleeping;
  }

  /** Whether the body takes part in the next step: it is enabled and awake. */
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

  /**
   * The parts that the body consists of. Two clusters are in the same part if they share a particle, directly or through other clusters. An unbroken
   * body has one. Computed when it is first read after the topology changed, then cached.
   */
  get pieces(): Pieces {
    this.check();
    if (this.known?.version !== this.topologyVersion)
      this.known = { version: this.topologyVersion, pieces: piecesOf(this.state.views, this.rows) };
    return this.known.pieces;
  }
  private known: { version: number; pieces: Pieces } | undefined;

  /**
   * The triangle mesh that shows the body: the mesh it was built from, or one made of its shape or around its points. The first access builds it and
   * binds its vertices to clusters, which takes longer than a step; later accesses return the same object. Call `skin.update()` after a step.
   */
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

  /** Wakes a sleeping body. Call it after you wrote into `positions` or `velocities`: the engine does not notice such writes. */
  wake(): void {
    this.check();
    this.restState.restart();
    if (!this.sleeping) return;
    this.sleeping = false;
    const { flags } = this.state.views;
    for (let i = this.rows.particleStart; i < this.rows.particleEnd; i++) flags[i] &= ~Flag.ASLEEP;
  }

  /** Puts the body to sleep where it is. Its velocities become 0. */
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

  /** Number of particles. Fracture adds some, `debris: false` removes some. */
  get particleCount(): number {
    this.check();
    return this.rows.particleEnd - this.rows.particleStart;
  }

  /** Number of clusters of the finest level. */
  get clusterCount(): number {
    this.check();
    return this.rows.clusterEnd - this.rows.clusterStart;
  }

  /**
   * Number of the body's first particle in the arrays of the world, such as `world.positions`. It changes when a body before this one is removed or
   * gets more particles.
   */
  get firstParticle(): number {
    this.check();
    return this.rows.particleStart;
  }

  /** Number of the body's first cluster among the clusters of the world. It changes when a body before this one does. */
  get firstCluster(): number {
    this.check();
    return this.rows.clusterStart;
  }

  /** Positions and masses, four numbers a particle: x, y, z (m), mass (kg). A view, not a copy: writing to x, y, z moves the particle; call `wake` then. */
  get positions(): Float32Array {
    return this.view('x');
  }

  /** Velocities, four numbers a particle: x, y, z (m/s) and 0, which must stay 0. A view, not a copy. */
  get velocities(): Float32Array {
    return this.view('v');
  }

  /**
   * Positions at the start of the last step, laid out like `positions`. With the `alpha` that `world.advance` returns, draw `previousPositions +
   * alpha * (positions - previousPositions)`.
   */
  get previousPositions(): Float32Array {
    return this.view('xOld');
  }

  /** The material settings in force, with defaults filled in. Change them with `setMaterial`. */
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

  /**
   * The levels of clusters, the finest first: the number of clusters of each, and its weight in the goals. The weights sum to 1. A body without
   * coarser levels has one.
   */
  get levels(): { clusters: number; weight: number }[] {
    this.check();
    const clusters = new Array<number>(this.levelCount).fill(0);
    clusters[0] = this.clusterCount;
    for (let c = this.rows.coarseStart; c < this.rows.coarseEnd; c++) clusters[this.state.views.coarseLevel[c]]++;
    for (const level of this.ownLevels?.level ?? []) clusters[level]++;
    return clusters.map((count, level) => ({ clusters: count, weight: this.levelStrengths?.weights[level] ?? 1 }));
  }

  /**
   * Changes the weights, stiffness or damping of the levels from the next step on. What you leave out stays. Throws for a body that was built without
   * levels.
   */
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

  /**
   * Changes material settings from the next step on, and wakes the body. What you leave out stays. Masses cannot change: density, mass and
   * particleMass are refused.
   */
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
   * Multiplies the toughness of each cluster by a factor: one number from 1e-6 to 1e6 for each of the `clusterCount` clusters. The factors stay in
   * force when the material changes. The halves of a cluster that splits, and a cluster that replaces another, inherit its factor.
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
   * For each cluster, how far its rest shape has flowed from the one it was built with: ‖F^p − I‖, where F^p is its plastic deformation. 0 where
   * nothing has flowed. A view, not a copy. A cluster that replaced another begins at 0.
   */
  get plasticStrain(): Float32Array {
    this.check();
    return this.state.views.plasticStrain.subarray(this.rows.clusterStart, this.rows.clusterEnd);
  }

  /** Gives all clusters back the rest shapes they were built with, and undoes hardening. The body then returns to its shape over the next steps. */
  resetPlasticity(): void {
    this.wake();
    clearFlow(this.state.views, this.rows);
    clearLevels(this.state.views, this.rows, this.restPositions);
    this.state.revision++;
    this.history.forgetFlow();
  }

  /**
   * Changes velocities at once by an impulse (N s): of one particle, or of the whole body, where each particle gets a share by its mass. Held
   * particles do not move, and their share is lost. Wakes the body.
   */
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

  /**
   * Adds a force (N) that acts during the next step only: on one particle, or on the whole body, where each particle gets a share by its mass. Call
   * it before every step for a lasting force. Wakes the body.
   */
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

  /** Holds a particle where it is until `unpin`. Particles are counted from the body's first, 0 to `particleCount − 1`. */
  pin(particle: number): void {
    const [i] = this.range(particle);
    this.wake();
    this.pinned.add(particle);
    this.state.views.flags[i] |= Flag.HELD | Flag.FIRM;
    this.state.views.v.fill(0, 4 * i, 4 * i + 3);
  }

  /** Lets go of a particle that `pin` holds. */
  unpin(particle: number): void {
    const [i] = this.range(particle);
    this.wake();
    this.pinned.delete(particle);
    this.state.views.flags[i] &= ~(Flag.HELD | Flag.FIRM);
  }

  /** Number of pinned particles. */
  get pinnedCount(): number {
    return this.pinned.size;
  }

  /** Whether a particle is pinned. Clamps do not count. */
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

  /** Whether the body is still in its world. A body that was removed, or whose world was disposed, refuses every call. */
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
   * Any value of yours. The engine never reads it. Snapshots do not contain it: a body that a snapshot brings back as the same object still has it; a
   * body made from the bytes of `world.save`, or one that came off another body, has none.
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
   * Centre of mass of the particles as they are now (m). Computed on every access, in time proportional to the particles, as are the following
   * properties; each access returns a new array.
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
   * Angular velocity (rad/s) about the centre of mass: ω = I⁻¹ L, where L is the angular momentum and I the inertia of the shape that the body has
   * now. Particles on one line have none about that line; a single particle has none.
   *
   * @example
   * const [, spin] = body.angularVelocity;
   */
  get angularVelocity(): Vec3 {
    this.check();
    return rigidMotionOf(this.state.views, this.rows).angular;
  }

  /**
   * The axis-aligned box around the particles (m). The surface of a sampled body lies about half a spacing beyond it.
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
   * Teleports the whole body. Its centre of mass goes to `position`. `rotation` turns it about that point, relative to how it lies now, as a
   * deformable body has no orientation of its own. What you leave out stays. Velocities turn with the body; its deformation and inner motion stay.
   *
   * Nothing between the old and the new place is hit, and `previousPositions` move too. Pins and clamps hold the particles at the new place. Picks
   * keep their targets and pull the body back. The body and the bodies that touched it wake. If the body now overlaps another body or an obstacle,
   * contact pushes it out.
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
   * Sets the motion of the body as a whole: the velocity of its centre of mass (m/s) and its angular velocity about that (rad/s). What you leave out
   * stays, and so does the motion of particles relative to each other. Held particles keep their velocity. Wakes the body.
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
   * Changes velocities at once by an impulse (N s) that acts at a point of the world (m). The particles around the point take it: up to 2.5 spacings
   * beyond the nearest one, less with distance. A free body gets exactly the linear and angular momentum of the impulse; the part of the angular
   * momentum that those particles cannot take turns the body as a whole. Held particles take nothing. Wakes the body.
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
   * Adds a force (N) that acts at a point of the world (m) during the next step only. It is spread over particles as in `applyImpulseAt`. Wakes the body.
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
   * Which bodies, obstacles and queries the body meets, see {@link Groups}. Default: all. Setting it wakes the body and the bodies that touched it.
   * It does not affect contact of the body with itself.
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
   * Copies the positions of the particles as x, y, z, x, y, z, … (m) into `out`, or into a new array, and returns it. `positions` needs no copy, but
   * has four numbers a particle.
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
