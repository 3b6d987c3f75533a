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
  /**
   * Rest positions of the particles that were built: x, y, z each. All pieces of one body share this array, so that it tells which body they come from;
   * `ancestorsInto` says which of these particles each of theirs is or was copied from.
   */
  readonly builtPositions: Float64Array;
  /** Rises whenever particles or clusters were added, removed or rearranged: whoever draws the body builds anew what depends on them. */
  topologyVersion = 0;
  /** Diagonal of the box around its rest shape (m). */
  size: number;
  /** Distance between neighbouring particles where it is known (m). */
  readonly spacing: number | undefined;
  /** How it comes apart (SPEC X). */
  readonly fracture: FractureSettings;
  /** How its clusters are replaced (SPEC R). */
  readonly reclustering: ReclusterSettings;
  /**
   * Anything of the user's: kept by reference and never read. Snapshots and their bytes do not have it; a body that a snapshot brings back is the same object and still has it, one that is made from bytes,
   * or that came apart from another, has none.
   *
   * @example
   * body.userData = { score: 10 };
   */
  userData: unknown;

  /** @internal What stages, topology changes and snapshots use of it. */
  readonly core: BodyCore;

  /** @internal */
  constructor(
    readonly handle: number,
    state: State,
    /** @internal Where the body's rows lie; the world moves them when another body is removed. */
    readonly rows: Rows,
    parts: BodyParts,
  ) {
    this.name = parts.name;
    this.clustering = parts.clustering;
    this.warnings = parts.warnings;
    this.spacing = parts.spacing;
    this.restPositions = parts.restPositions;
    this.builtPositions = parts.builtPositions;
    this.fracture = parts.fracture;
    this.reclustering = parts.reclustering;
    this.size = diagonalOf(this.restPositions);
    this.core = new BodyCore(state, rows, parts);
    writeLevelStrengths(this);
  }

  get alive(): boolean {
    return !this.core.removed;
  }

  /** Bodies switched off are not stepped. A body that became non-finite is switched off and reported as an event. */
  get enabled(): boolean {
    return this.core.switchedOn;
  }
  set enabled(value: boolean) {
    this.core.switchedOn = checkBoolean('body.enabled', value);
  }

  /** A sleeping body is not stepped until something touches it, pushes it or changes it. */
  get asleep(): boolean {
    return this.core.sleeping;
  }

  /** Whether it takes part in a step: it is enabled and awake. */
  get active(): boolean {
    return this.core.switchedOn && !this.core.sleeping;
  }

  /** Wakes a sleeping body; needed after writing its positions or velocities, of which it cannot know. */
  wake(): void {
    wakeBody(this);
  }

  /** Puts it to sleep where it is, at rest. */
  sleep(): void {
    sleepBody(this);
  }

  get particleCount(): number {
    checkAlive(this);
    return this.rows.particleEnd - this.rows.particleStart;
  }

  get clusterCount(): number {
    checkAlive(this);
    return this.rows.clusterEnd - this.rows.clusterStart;
  }

  /** Number of its first particle among those of the world, as in `world.positions`. Changes when bodies before it do. */
  get firstParticle(): number {
    checkAlive(this);
    return this.rows.particleStart;
  }

  /** Number of its first cluster among those of the world. */
  get firstCluster(): number {
    checkAlive(this);
    return this.rows.clusterStart;
  }

  /** Positions and masses, four numbers a particle: x, y, z (m), mass (kg). A view, not a copy. */
  get positions(): Float32Array {
    return viewOf(this, 'x');
  }

  /** Velocities, four numbers a particle: x, y, z (m/s) and 0, which must stay 0. A view, not a copy. */
  get velocities(): Float32Array {
    return viewOf(this, 'v');
  }

  /** Positions at the start of the last step, laid out like `positions`: draw between the two with the accumulator's rest. */
  get previousPositions(): Float32Array {
    return viewOf(this, 'xOld');
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

  /** The parts it consists of: those that hang together by clusters. Found anew when its topology has changed. */
  get pieces(): Pieces {
    return findPieces(this);
  }

  /**
   * The mesh that shows it (SPEC V2): its own, or one of its shape or around its points. The first call builds it: the surface of a shape or of points is made, and each vertex is bound to the particles
   * and clusters around it, which takes 5 to 15 µs a vertex and memory in proportion to vertices and triangles. The body keeps the skin as long as it lives, and further calls return the same object at no cost. A body whose
   * skin nobody asks for has none, unless it is cut or a snapshot brings one back.
   *
   * Nothing moves the skin but its `update()`: call that once a frame. It takes about 0.1 µs a vertex and 2 ns a membership of the clusters that carry vertices, and allocates nothing. After the body
   * has broken, been cut or had clusters replaced it binds the vertices anew, for the price of the first time; where arrays are replaced, `version` rises.
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

  get material(): Material {
    return this.core.current;
  }

  /** Changes material settings while running; what is not named stays. Masses are fixed once a body is built. */
  setMaterial(options: MaterialOptions): void {
    setMaterial(this, options);
  }

  /**
   * Makes each cluster so many times as tough as its particles say: one number from 1e-6 to 1e6 a cluster, as they are now. The factors stay when the material changes; halves of a cluster
   * that splits, and clusters that replace one, take over its factor.
   *
   * @example
   * body.scaleToughness(new Array(body.clusterCount).fill(2));
   */
  scaleToughness(factors: ArrayLike<number>): void {
    scaleToughness(this, factors);
  }

  /**
   * How far each cluster's rest shape is from the one it was made with: ‖F^p − I‖, 0 where nothing has flowed. One number a cluster. A
   * view, not a copy. Clusters that replace others begin at 0.
   */
  get plasticStrain(): Float32Array {
    checkAlive(this);
    return this.core.state.views.plasticStrain.subarray(this.rows.clusterStart, this.rows.clusterEnd);
  }

  /** Gives its clusters back the rest shapes they were made with, and forgets its hardening. It moves there by itself. */
  resetPlasticity(): void {
    resetPlasticity(this);
  }

  /** Its levels, the finest first: how many clusters each has, and what it says. */
  get levels(): { clusters: number; weight: number }[] {
    return describeLevels(this);
  }

  /** Changes what its levels say while running; what is not named stays. */
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
   * Centre of mass (m), of the particles as they are now. A new list in every call, as are all that follow.
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
   * Angular velocity (rad/s) about the centre of mass: ω = I⁻¹ L, with the inertia of the shape that the body has now. Particles on a line have none about the line, a single one has none.
   *
   * @example
   * const [, spin] = body.angularVelocity;
   */
  get angularVelocity(): Vec3 {
    checkAlive(this);
    return rigidMotionOf(this.core.state.views, this.rows).angular;
  }

  /**
   * The box around its particles (m). The surface of a sampled body lies about half a spacing beyond it.
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
    setPose(this, pose);
  }

  /**
   * Sets how the body moves as a whole: the velocity of its centre of mass (m/s) and its angular velocity about that (rad/s). What is left out stays, and so does how its particles
   * move relative to each other. Held particles keep their velocity.
   *
   * @example
   * body.setVelocity({ linear: [0, 5, 0], angular: [0, 0, 0] });
   */
  setVelocity(velocity: { linear?: Vec3; angular?: Vec3 }): void {
    setVelocity(this, velocity);
  }

  /** Adds an impulse (N s): to one particle, or spread over the body by mass. What holds a particle takes its share. */
  applyImpulse(impulse: Vec3, particle?: number): void {
    applyImpulse(this, impulse, particle);
  }

  /** Adds a force (N) for the next step: to one particle, or spread over the body by mass. */
  applyForce(force: Vec3, particle?: number): void {
    applyForce(this, force, particle);
  }

  /**
   * Adds an impulse (N s) that acts at a point of the world (m). The particles around the point take it, by mass and the kernel (1 − d²/r²)² with r 2.5 spacings beyond the nearest one; the part of its angular
   * momentum that they do not have by that turns the body as a whole. So a free body gets the linear and the angular momentum of the impulse. Held particles take nothing.
   *
   * @example
   * body.applyImpulseAt([0, 0, 2], [0.5, 1, 0]);
   */
  applyImpulseAt(impulse: Vec3, point: Vec3): void {
    applyImpulseAt(this, impulse, point);
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
    applyForceAt(this, force, point);
  }

  /** Holds a particle where it is until `unpin`. */
  pin(particle: number): void {
    pin(this, particle);
  }

  unpin(particle: number): void {
    unpin(this, particle);
  }

  get pinnedCount(): number {
    return this.core.pinned.size;
  }

  isPinned(particle: number): boolean {
    return isPinned(this, particle);
  }

  /**
   * Which bodies, obstacles and queries it meets (see `Groups`). Can be set at any time: it wakes, and so do the bodies that touched it. Contact with itself goes on.
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
