import { Body } from '../body/body.js';
import { createPiece } from '../body/create.js';
import { BodyTable } from '../body/table.js';
import { PliantError, refuse } from '../check.js';
import { ContactPairs } from '../contact/report.js';
import { BodySweep } from '../contact/sweep.js';
import type { WorldEvent } from '../events.js';
import { Clamp } from '../external/clamp.js';
import type { Collider } from '../obstacles/collider.js';
import { Gathered } from '../obstacles/gather.js';
import { Memory } from '../snapshot/snapshot.js';
import type { Rows } from '../state/rows.js';
import type { State } from '../state/state.js';
import type { WorldOptions } from './options.js';

/** The engine's internal record of a world: stages, topology changes, snapshots and the calls of `World` use it. */
export class WorldCore {
  /** Which bodies touch. */
  readonly pairs = new ContactPairs();
  /**
   * The contacts of `touching` from `first` to before `last` are those of rigid bodies, described but not solved; `obstacles` are
   * those that the obstacles stage lists. `rigid` solves both together.
   */
  readonly rigidContacts = { first: 0, last: 0, obstacles: new Gathered() };
  /** Which bodies are near each other. */
  readonly sweep = new BodySweep();
  /** Colliders and clamps in the order they were added. */
  actors: readonly (Collider | Clamp)[] = [];
  /** Those whose lifetime is over among them. */
  allColliders: readonly Collider[] = [];
  /** Those that have let go among them. */
  allClamps: readonly Clamp[] = [];
  readonly table = new BodyTable();
  readonly memory = new Memory();
  events: WorldEvent[] = [];
  accumulator = 0;
  disposed = false;
  isStepping = false;
  readonly masks = new Map<Clamp, Uint8Array>();
  /** Seconds of a step, as the user set it. */
  dt: number;
  /** Seconds of a substep: what the stages advance by. */
  h: number;
  /** Substeps since the world began: accounts that hold from one substep to the next go by it. */
  substep = 0;
  /** World time at the start of the present step (s). */
  stepTime = 0;
  /** Substeps of the present step that are still to come, this one among them. */
  substepsLeft = 1;

  constructor(
    private readonly state: State,
    public settings: Required<WorldOptions>,
  ) {
    this.dt = this.h = settings.dt;
  }

  /** For snapshots: the time step that the world was created with. */
  get createdDt(): number {
    return this.settings.dt;
  }

  check(): void {
    if (this.disposed) throw new PliantError('world', 'world is disposed; expected a world that is still in use.');
  }

  /** Refuses what would change bodies, colliders, clamps, force fields or picks while a step works on them: a user's force function may not call it. */
  checkIdle(call: string): void {
    this.check();
    this.refuseInStep(call);
  }

  refuseInStep(call: string): void {
    if (this.isStepping)
      throw new PliantError(
        'world',
        `world.${call} was called from inside a step, by a force function; expected to be called between steps.`,
      );
  }

  /** Refuses what is no body of this world, or no longer. `path` names it. */
  ownBody(body: Body, path = 'body'): Body {
    this.check();
    if (!(body instanceof Body)) refuse(path, body, 'a body of this world');
    if (!this.table.list.includes(body)) refuse(path, body.name, 'a body of this world');
    return body;
  }

  /** The same for a list of bodies. Returns each of them once. */
  ownBodies(bodies: readonly Body[], path: string): readonly Body[] {
    if (!Array.isArray(bodies)) refuse(path, bodies, 'a list of bodies of this world');
    for (const [k, body] of bodies.entries()) this.ownBody(body, `${path}[${k}]`);
    return [...new Set(bodies)];
  }

  /** For topology changes: makes a body of a piece of another one, whose rows are in the state already. It is not in `bodies` yet. */
  addPiece(whole: Body, name: string, rows: Rows, particles: Uint32Array): Body {
    const piece = createPiece(whole, this.table.newHandle(), name, rows, particles);
    this.table.seat(piece);
    return piece;
  }

  /** For topology changes: its pieces, itself among them, stand for a body. */
  replaceBody(whole: Body, bodies: readonly Body[]): void {
    this.table.list = [...this.table.list.filter((b) => b !== whole), ...bodies];
    this.numberOwners();
    this.pairs.forget(whole);
    this.forgetMasks();
  }

  /** Clusters know their body by its place in `bodies`. */
  numberOwners(): void {
    this.table.list.forEach(({ rows }, k) => {
      this.state.views.bodyOfCluster.fill(k, rows.clusterStart, rows.clusterEnd);
      this.state.views.bodyOf.fill(k, rows.particleStart, rows.particleEnd);
    });
  }

  setActors(actors: readonly (Collider | Clamp)[]): void {
    this.actors = actors;
    this.allClamps = actors.filter((a): a is Clamp => a instanceof Clamp);
    this.allColliders = actors.filter((a): a is Collider => !(a instanceof Clamp));
  }

  /** One byte per particle row, 1 where the clamp holds it. Kept until bodies come or go. */
  maskOf(clamp: Clamp): Uint8Array {
    let mask = this.masks.get(clamp);
    if (!mask) {
      mask = new Uint8Array(this.state.count.particle);
      clamp.markInto(mask);
      this.masks.set(clamp, mask);
    }
    return mask;
  }

  /** For topology changes: which particles clamps hold has to be found anew. */
  forgetMasks(): void {
    this.masks.clear();
  }

  /** Queues an event. */
  emit(event: WorldEvent): void {
    this.events.push(event);
  }
}
