import { checkBoolean, type Vec3 } from '../check.js';
import type { Clustering } from '../cluster/index.js';
import type { FractureSettings } from '../fracture/options.js';
import type { Groups } from '../groups.js';
import type { LevelSettings } from '../levels/options.js';
import { writeLevelStrengths } from '../levels/writeStrengths.js';
import type { Material, MaterialOptions } from '../material/material.js';
import type { ReclusterSettings } from '../recluster/options.js';
import type { RenderSkin } from '../skin/renderSkin.js';
import { diagonalOf } from '../spatial/grid.js';
import type { Rows } from '../state/rows.js';
import type { State } from '../state/state.js';
import type { Pieces } from '../topology/pieces.js';
import { checkAlive, viewOf } from './access.js';
import { applyForce, applyForceAt, applyImpulse, applyImpulseAt } from './applyForce.js';
import { copyPlaces } from './copyPositions.js';
import { BodyCore, type BodyParts } from './core.js';
import { setPose, setVelocity } from './move.js';
import { findPieces } from './pieces.js';
import { isPinned, pin, unpin } from './pin.js';
import { type Bounds, boundsOf, centreOf, linearVelocityOf, massOf, rigidMotionOf } from './rigid.js';
import { setGroups } from './setGroups.js';
import { describeLevels, setLevels } from './setLevels.js';
import { resetPlasticity, scaleToughness, setMaterial } from './setMaterial.js';
import { skinOf } from './skin.js';
import type { PoseOptions } from './teleport.js';
import { sleepBody, wakeBody } from './wake.js';
import { maxYoungOf, softerThanAsked, youngOf } from './young.js';

/**
 * A deformable body in a world: particles with mass, held together by overlapping clusters. `world.addBody` makes it.
 *
 * `positions`, `velocities` and the other typed arrays are views into the engine's memory, made anew on every access. A view that you keep stays
 * valid until bodies are added, removed, cut or separated, or until `topologyVersion` of any body of the world rises. Read the property again then.
 * In a world with threads they are views of a `SharedArrayBuffer`: postMessage shares them, and some functions of a platform (`Blob`, `TextDecoder`) refuse them; `slice()` makes a copy.
 */
export class Body {
  /** Name of the body, for messages and files. Default: the empty string. */
  readonly name: string;
  /** The clusters as they were built: members, weights, and a report of how they were found. It does not change when the body breaks. */
  readonly clustering: Clustering;
  /**
   * Remarks on the body, a sentence each: on how it was built, and whether it is softer than its material asks for.
   * Empty if there are none.
   */
  get warnings(): readonly string[] {
    return [...this.core.builtWarnings, ...softerThanAsked(this)];
  }
  /** The rest shape, placed in the world: x, y, z of each particle (m). A copy, not a view. The array is replaced when the topology changes. */
  restPositions: Float64Array;
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
  /** Diagonal of the box around the rest shape, in the axes in which the shape was given (m). */
  size: number;
  /** Distance between neighbouring particles (m), as the sampling chose it. Undefined for a body that was given as points. */
  readonly spacing: number | undefined;
  /** How the body breaks: the options of `addBody` with defaults filled in. */
  readonly fracture: FractureSettings;
  /** How clusters that flowed too far are replaced: the options of `addBody` with defaults filled in. */
  readonly reclustering: ReclusterSettings;
  /**
   * Any value of yours. The engine never reads it. Snapshots do not contain it: a body that a snapshot brings back as the same object still has it; a
   * body made from the bytes of `world.save`, or one that came off another body, has none.
   *
   * @example
   * body.userData = { score: 10 };
   */
  userData: unknown;

  /** @internal The parts that stages, topology changes and snapshots use. */
  readonly core: BodyCore;

  /** @internal */
  constructor(
    /** Number that names the body for ever. After the body is removed, `world.getBody(handle)` throws, even if another body has taken its place in memory. */
    readonly handle: number,
    state: State,
    /** @internal The body's rows; the world moves them when another body is removed. */
    readonly rows: Rows,
    parts: BodyParts,
  ) {
    this.name = parts.name;
    this.clustering = parts.clustering;
    this.spacing = parts.spacing;
    this.restPositions = parts.restPositions;
    this.builtPositions = parts.builtPositions;
    this.fracture = parts.fracture;
    this.reclustering = parts.reclustering;
    this.core = new BodyCore(state, rows, parts);
    this.size = diagonalOf(this.restPositions, parts.turn);
    writeLevelStrengths(this);
  }

  /**
   * Mean of Young's modulus over the body (Pa) that is reached with the present time step and substeps; undefined for a
   * body with per-step parameters. It is `material.young`, as far as that is below `maxYoung`.
   *
   * @example
   * if (body.young !== undefined && body.young < 1e6) world.maxSubsteps = 16;
   */
  get young(): number | undefined {
    return youngOf(this);
  }

  /**
   * The largest Young's modulus (Pa) that the body can reach with the world's `dt` and its `substeps`, or `maxSubsteps`
   * if these are 'auto'; undefined for a body with per-step parameters.
   */
  get maxYoung(): number | undefined {
    return maxYoungOf(this);
  }

  /** Whether the body is still in its world. A body that was removed, or whose world was disposed, refuses every call. */
  get alive(): boolean {
    return !this.core.removed;
  }

  /**
   * Whether the body takes part in steps. Default true. A disabled body does not move, and other bodies pass through it. The engine disables a body
   * whose numbers are no longer finite, and reports that as an event of type 'quarantine'.
   */
  get enabled(): boolean {
    return this.core.switchedOn;
  }
  set enabled(value: boolean) {
    this.core.switchedOn = checkBoolean('body.enabled', value);
  }

  /** Whether the body sleeps. A sleeping body is not stepped, which costs nothing, until something touches it, pushes it or changes it. */
  get asleep(): boolean {
    return this.core.sleeping;
  }

  /** Whether the body takes part in the next step: it is enabled and awake. */
  get active(): boolean {
    return this.core.switchedOn && !this.core.sleeping;
  }

  /** Wakes a sleeping body. Call it after you wrote into `positions` or `velocities`: the engine does not notice such writes. */
  wake(): void {
    wakeBody(this);
  }

  /** Puts the body to sleep where it is. Its velocities become 0. */
  sleep(): void {
    sleepBody(this);
  }

  /** Number of particles. Fracture adds some, `debris: false` removes some. */
  get particleCount(): number {
    checkAlive(this);
    return this.rows.particleEnd - this.rows.particleStart;
  }

  /** Number of clusters of the finest level. */
  get clusterCount(): number {
    checkAlive(this);
    return this.rows.clusterEnd - this.rows.clusterStart;
  }

  /**
   * Number of the body's first particle in the arrays of the world, such as `world.positions`. It changes when a body before this one is removed or
   * gets more particles.
   */
  get firstParticle(): number {
    checkAlive(this);
    return this.rows.particleStart;
  }

  /** Number of the body's first cluster among the clusters of the world. It changes when a body before this one does. */
  get firstCluster(): number {
    checkAlive(this);
    return this.rows.clusterStart;
  }

  /** Positions and masses, four numbers a particle: x, y, z (m), mass (kg). A view, not a copy: writing to x, y, z moves the particle; call `wake` then. */
  get positions(): Float32Array {
    return viewOf(this, 'x');
  }

  /** Velocities, four numbers a particle: x, y, z (m/s) and 0, which must stay 0. A view, not a copy. */
  get velocities(): Float32Array {
    return viewOf(this, 'v');
  }

  /**
   * Positions at the start of the last step, laid out like `positions`. With the `alpha` that `world.advance` returns, draw `previousPositions +
   * alpha * (positions - previousPositions)`.
   */
  get previousPositions(): Float32Array {
    return viewOf(this, 'xOld');
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

  /**
   * The parts that the body consists of. Two clusters are in the same part if they share a particle, directly or through other clusters. An unbroken
   * body has one. Computed when it is first read after the topology changed, then cached.
   */
  get pieces(): Pieces {
    return findPieces(this);
  }

  /**
   * The triangle mesh that shows the body: the mesh it was built from, or one made of its shape or around its points. The first call builds it: the
   * surface of a shape or of points is made, and each vertex is bound to the particles and clusters around it. That takes 5 to 15 µs a vertex, and
   * memory in proportion to vertices and triangles. The body keeps the skin as long as it lives, and later calls return the same object at no cost. A
   * body whose skin nobody asks for has none, unless it is cut or a snapshot brings one back.
   *
   * Vertices of a body with an elastic law that are in an obstacle which the body meets are drawn on its surface, unless the obstacle is made of triangles.
   *
   * Only `update()` of the skin moves it: call that once a frame, after the steps. It takes about 0.1 µs a vertex and 2 ns a membership of the clusters
   * that carry vertices, and allocates nothing. After the body broke, was cut or had clusters replaced, `update()` binds the vertices again, at the
   * cost of the first call. `version` rises when arrays are replaced.
   *
   * @example
   * const skin = body.getSkin();
   * console.log(skin.vertexCount, skin.indices.length / 3);
   * world.step();
   * skin.update();
   * console.log(skin.positions, skin.normals);
   */
  getSkin(): RenderSkin {
    return skinOf(this);
  }

  /** The material settings in force, with defaults filled in. Change them with `setMaterial`. */
  get material(): Material {
    return this.core.current;
  }

  /**
   * Changes material settings from the next step on, and wakes the body. Settings that are left out stay. Masses cannot change: density, mass and
   * particleMass are refused.
   */
  setMaterial(options: MaterialOptions): void {
    setMaterial(this, options);
  }

  /**
   * Multiplies the toughness of each cluster by a factor: one number from 1e-6 to 1e6 for each of the `clusterCount` clusters. The factors stay in
   * force when the material changes. The halves of a cluster that splits, and a cluster that replaces another, inherit its factor.
   *
   * @example
   * body.scaleToughness(new Array(body.clusterCount).fill(2));
   */
  scaleToughness(factors: ArrayLike<number>): void {
    scaleToughness(this, factors);
  }

  /**
   * For each cluster, how far its rest shape has flowed from the one it was built with: ‖F^p − I‖, where F^p is its plastic deformation. 0 where
   * nothing has flowed. A view, not a copy. A cluster that replaced another begins at 0.
   */
  get plasticStrain(): Float32Array {
    checkAlive(this);
    return this.core.state.views.plasticStrain.subarray(this.rows.clusterStart, this.rows.clusterEnd);
  }

  /** Gives all clusters back the rest shapes they were built with, and undoes hardening. The body then returns to its shape over the next steps. */
  resetPlasticity(): void {
    resetPlasticity(this);
  }

  /**
   * The levels of clusters, the finest first: the number of clusters of each, and its weight in the goals. The weights sum to 1. A body without
   * coarser levels has one.
   */
  get levels(): { clusters: number; weight: number }[] {
    return describeLevels(this);
  }

  /**
   * Changes the weights, stiffness or damping of the levels from the next step on. Settings that are left out stay. Throws for a body that was built without
   * levels.
   */
  setLevels(options: LevelSettings): void {
    setLevels(this, options);
  }

  /**
   * Total mass (kg).
   *
   * @example
   * const weight = 9.81 * body.mass;
   */
  get mass(): number {
    checkAlive(this);
    return massOf(this.core.state.views, this.rows);
  }

  /**
   * Centre of mass of the particles as they are now (m). Computed on every access, in time proportional to the particles, as are the following
   * properties; each access returns a new array.
   *
   * @example
   * const [x, y, z] = body.centreOfMass;
   */
  get centreOfMass(): Vec3 {
    checkAlive(this);
    return centreOf(this.core.state.views, this.rows);
  }

  /**
   * Velocity of the centre of mass (m/s).
   *
   * @example
   * const speed = Math.hypot(...body.linearVelocity);
   */
  get linearVelocity(): Vec3 {
    checkAlive(this);
    return linearVelocityOf(this.core.state.views, this.rows);
  }

  /**
   * Angular velocity (rad/s) about the centre of mass: ω = I⁻¹ L, where L is the angular momentum and I the inertia of the shape that the body has
   * now. Particles on one line have none about that line; a single particle has none.
   *
   * @example
   * const [, spin] = body.angularVelocity;
   */
  get angularVelocity(): Vec3 {
    checkAlive(this);
    return rigidMotionOf(this.core.state.views, this.rows).angular;
  }

  /**
   * The axis-aligned box around the particles (m). The surface of a sampled body lies about half a spacing beyond it.
   *
   * @example
   * const { min, max } = body.bounds;
   * const height = max[1] - min[1];
   */
  get bounds(): Bounds {
    checkAlive(this);
    return boundsOf(this.core.state.views, this.rows);
  }

  /**
   * Teleports the whole body. Its centre of mass goes to `position`. `rotation` turns it about that point, relative to how it lies now, as a
   * deformable body has no orientation of its own. A part that is left out stays. Velocities turn with the body; its deformation and inner motion stay.
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
    setPose(this, pose);
  }

  /**
   * Sets the motion of the body as a whole: the velocity of its centre of mass (m/s) and its angular velocity about that (rad/s). A part that is left out
   * stays, and so does the motion of particles relative to each other. Held particles keep their velocity. Wakes the body.
   *
   * @example
   * body.setVelocity({ linear: [0, 5, 0], angular: [0, 0, 0] });
   */
  setVelocity(velocity: { linear?: Vec3; angular?: Vec3 }): void {
    setVelocity(this, velocity);
  }

  /**
   * Changes velocities at once by an impulse (N s): of one particle, or of the whole body, where each particle gets a share by its mass. Held
   * particles do not move, and their share is lost. Wakes the body.
   */
  applyImpulse(impulse: Vec3, particle?: number): void {
    applyImpulse(this, impulse, particle);
  }

  /**
   * Adds a force (N) that acts during the next step only: on one particle, or on the whole body, where each particle gets a share by its mass. Call
   * it before every step for a lasting force. Wakes the body.
   */
  applyForce(force: Vec3, particle?: number): void {
    applyForce(this, force, particle);
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
    applyImpulseAt(this, impulse, point);
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
    applyForceAt(this, force, point);
  }

  /** Holds a particle where it is until `unpin`. Particles are counted from the body's first, 0 to `particleCount − 1`. */
  pin(particle: number): void {
    pin(this, particle);
  }

  /** Lets go of a particle that `pin` holds. */
  unpin(particle: number): void {
    unpin(this, particle);
  }

  /** Number of pinned particles. */
  get pinnedCount(): number {
    return this.core.pinned.size;
  }

  /** Whether a particle is pinned. Clamps do not count. */
  isPinned(particle: number): boolean {
    return isPinned(this, particle);
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
    return this.core.meets;
  }
  set groups(value: Partial<Groups>) {
    setGroups(this, value);
  }
}
