import { Body } from '../body/body.js';
import type { BodyRecord } from '../body/record.js';
import { canLoadBody, loadBody, saveBody } from '../body/save.js';
import { PliantError, type Vec3 } from '../check.js';
import type { PairRecord } from '../contact/report.js';
import { Clamp, type ClampRecord } from '../external/clamp.js';
import type { ForceField } from '../external/forceField.js';
import { Pick, type PickRecord } from '../external/pick.js';
import { buildSurface } from '../mesh/index.js';
import type { Collider, ColliderRecord } from '../obstacles/collider.js';
import { sameBits } from '../plainData.js';
import { newFrames } from '../skin/frames.js';
import { skinOfPoints } from '../skin/source.js';
import type { ArrayName } from '../state/layout.js';
import type { Counts } from '../state/state.js';
import type { World } from '../world.js';
import { checkSnapshot, checkSound } from './check/check.js';
import { hashArray, hashSnapshot, knownHash } from './content.js';
import { loadArrays, type StateArray, saveArrays } from './format/arrays.js';
import { FORMAT } from './format/format.js';
import { checkMade, describeMade, findActors, findFields, type Made, type WorldNumbers } from './made.js';
import { Roster } from './roster.js';

/**
 * The state of a world as plain objects and typed arrays: everything that its further steps depend on. It can be sent to a worker and back. Snapshots
 * of one world share the arrays that did not change, so do not write into them. Its format may change between versions of the engine; to store it,
 * use `world.save`.
 */
export interface Snapshot {
  /** Name and version of the format. */
  readonly format: typeof FORMAT;
  /** World time (s). */
  readonly time: number;
  /** Number of steps since the world began. */
  readonly frame: number;
  /** Time that `world.advance` has not simulated yet (s). */
  readonly accumulator: number;
  /** Gravity (m/s²). */
  readonly gravity: Vec3;
  /** Length of a step (s), if it is no longer the one that the world was created with. */
  readonly dt?: number;
  /**
   * @hidden Substeps done since the world began, and the settings of substeps. Absent if every step had one substep and
   * the settings are the defaults.
   */
  readonly substepping?: { readonly done: number; readonly substeps: number | 'auto'; readonly maxSubsteps: number };
  /** @hidden */
  readonly counts: Counts;
  /** @hidden Every array of the state that lives from step to step, up to the rows in use. */
  readonly arrays: Record<ArrayName, StateArray>;
  /** @hidden */
  readonly bodies: readonly BodyRecord[];
  /** @hidden Order of the bodies in the sweep of contact. */
  readonly order: Uint32Array;
  /** @hidden */
  readonly pairs: readonly PairRecord[];
  /** @hidden Colliders and clamps by their number in the world. */
  readonly actors: readonly ({ readonly id: number } & (ColliderRecord | ClampRecord))[];
  /** @hidden By their number in the world. */
  readonly forceFields: readonly { readonly id: number; readonly bodies: readonly number[] | undefined }[];
  /** @hidden By their number in the world. */
  readonly picks: readonly ({ readonly id: number } & PickRecord)[];
  /**
   * @hidden Only in the output of `world.save()`: the options of colliders, clamps and force fields. Without it only a
   * world that has them can be restored.
   */
  readonly made?: Made;
  /** Bytes in its typed arrays. */
  readonly byteLength: number;
  /** Bytes in those of its typed arrays that it does not share with the snapshot taken before it. */
  readonly addedByteLength: number;
}

/** Values that the memory needs beside the world itself. */
export interface WorldMemory {
  /** None where steps have had no substeps and the world's settings of these are the defaults. */
  substepping: Snapshot['substepping'];
  accumulator: number;
  gravity: Vec3;
}

/** The values that a world takes over when a snapshot is restored. */
export interface WorldPlan extends WorldMemory {
  time: number;
  frame: number;
  bodies: Body[];
  actors: (Collider | Clamp)[];
  forceFields: ForceField[];
  picks: Pick[];
  /** Undefined if the snapshot does not have them. */
  numbers: WorldNumbers | undefined;
  /** Undefined: the one that the world was created with. */
  dt: number | undefined;
}

/** Takes and restores snapshots of one world, and identifies its things in them. */
export class Memory {
  readonly actors = new Roster<Collider | Clamp>();
  readonly forceFields = new Roster<ForceField>();
  readonly picks = new Roster<Pick>();
  private readonly bodies = new Map<number, Body>();
  /** Hashes of the snapshots of this world. */
  private readonly taken = new Set<string>();
  private last: Snapshot | undefined;
  /** state.revision when the last snapshot was taken or restored. */
  private lastRevision = -1;
  /** The typed arrays in the last snapshot. */
  private lastArrays = new Set<ArrayBufferView>();

  take(world: World, { accumulator, gravity, substepping }: WorldMemory): Snapshot {
    const {
      state,
      time,
      frame,
      core: { pairs, sweep },
    } = world;
    for (const body of world.bodies) this.bodies.set(body.handle, body);
    const snapshot = {
      format: FORMAT,
      time,
      frame,
      accumulator,
      gravity,
      ...(world.dt === world.core.createdDt ? {} : { dt: world.dt }),
      ...(substepping ? { substepping } : {}),
      counts: { ...state.count },
      arrays: saveArrays(state, this.last?.arrays, this.lastRevision === state.revision),
      bodies: world.bodies.map((body) => this.saveBody(body)),
      order: sweep.save(world.bodies),
      pairs: pairs.save(),
      actors: world.core.actors.map((actor) => ({ id: this.actors.name(actor), ...actor.save() })),
      forceFields: world.forceFields.map((field) => ({
        id: this.forceFields.name(field),
        bodies: field.bodies && [...field.bodies].filter((body) => body.alive).map((body) => body.handle),
      })),
      picks: world.picks.map((pick) => ({ id: this.picks.name(pick), ...pick.save() })),
    } as const;
    const arrays = new Set<ArrayBufferView>();
    collectArrays(snapshot, arrays);
    let [byteLength, addedByteLength] = [0, 0];
    for (const array of arrays) {
      byteLength += array.byteLength;
      if (!this.lastArrays.has(array)) addedByteLength += array.byteLength;
    }
    this.lastArrays = arrays;
    this.lastRevision = state.revision;
    this.last = { ...snapshot, byteLength, addedByteLength };
    this.taken.add(hashSnapshot(this.last, knownHash));
    return this.last;
  }

  /**
   * Shares the checked positions and the surface with the record before if they are equal, as those of a sleeping body
   * are.
   */
  private saveBody(body: Body): BodyRecord {
    const record = saveBody(body);
    const before = this.last?.bodies.find((b) => b.handle === record.handle);
    if (!before) return record;
    const still =
      typeof record.surface === 'object' &&
      typeof before.surface === 'object' &&
      sameBits(record.surface.positions, before.surface.positions) &&
      sameBits(record.surface.frames, before.surface.frames);
    return {
      ...record,
      checkedPositions: sameBits(record.checkedPositions, before.checkedPositions)
        ? before.checkedPositions
        : record.checkedPositions,
      surface: still ? before.surface : record.surface,
    };
  }

  /** A snapshot with the options of the world's things: all that another world needs in order to restore it. */
  takeComplete(world: World, memory: WorldMemory): Snapshot {
    return { ...this.take(world, memory), made: describeMade(world, this.actors) };
  }

  /** Writes the state of a snapshot back and returns the content of the world. It throws before anything is changed. */
  restore(world: World, snapshot: Snapshot): WorldPlan {
    this.check(snapshot);
    const { state } = world;
    const known = snapshot.bodies.map((record, k) => this.findBody(world, record, k));
    const actors = findActors(world, snapshot, this.actors);
    const forceFields = findFields(world, snapshot, this.forceFields);

    state.reserve(snapshot.counts);
    Object.assign(state.count, snapshot.counts);
    loadArrays(state, snapshot.arrays);
    const bodies = snapshot.bodies.map((record, k) => {
      const body = known[k] ?? assemble(world, record);
      loadBody(body, record);
      this.bodies.set(record.handle, body);
      return body;
    });
    const byHandle = new Map(bodies.map((body) => [body.handle, body]));
    const bodyOf = (handle: number) => byHandle.get(handle)!;
    actors.forEach((actor, k) => {
      this.actors.replace(snapshot.actors[k].id, actor);
      if (actor instanceof Clamp) actor.load(snapshot.actors[k] as ClampRecord, bodyOf);
      else actor.load(snapshot.actors[k] as ColliderRecord);
    });
    forceFields.forEach((field, k) => {
      this.forceFields.replace(snapshot.forceFields[k].id, field);
      const handles = snapshot.forceFields[k].bodies;
      field.bodies = handles && new Set(handles.map(bodyOf));
    });
    const picks = snapshot.picks.map((record) => this.loadPick(world, record, bodyOf(record.body)));
    world.core.pairs.load(snapshot.pairs, bodyOf);
    world.core.sweep.load(bodies, snapshot.order);
    this.last = snapshot;
    this.lastRevision = ++state.revision;
    this.lastArrays = new Set();
    collectArrays(snapshot, this.lastArrays);
    const { time, frame, accumulator, gravity, dt, substepping, made } = snapshot;
    return {
      time,
      frame,
      accumulator,
      gravity,
      dt,
      substepping,
      bodies,
      actors,
      forceFields,
      picks,
      numbers: made?.world,
    };
  }

  /**
   * Refuses a value that is no snapshot, or of no sound state. A snapshot that this world took, bit for bit, is not
   * checked.
   */
  private check(snapshot: Snapshot): void {
    const isOwn = this.hasTaken(snapshot);
    if (!isOwn) checkSnapshot(snapshot);
    if (snapshot.made !== undefined) checkMade(snapshot);
    if (!isOwn) checkSound(snapshot);
  }

  private hasTaken(snapshot: Snapshot): boolean {
    try {
      const { made: _, ...run } = snapshot;
      return this.taken.has(hashSnapshot(run, hashArray));
    } catch {
      // It is not plain data.
      return false;
    }
  }

  /** Forgets bodies and things that are only in snapshots. */
  forget(): void {
    for (const kind of [this.actors, this.forceFields, this.picks]) kind.forget();
    this.bodies.clear();
    this.taken.clear();
    this.last = undefined;
    this.lastArrays.clear();
  }

  /** The body of a record; undefined if it must be assembled from the record. */
  private findBody(world: World, record: BodyRecord, k: number): Body | undefined {
    const body = world.bodies.find((b) => b.handle === record.handle) ?? this.bodies.get(record.handle);
    // In another world that was built alike the handle may belong to another body.
    if (body && canLoadBody(body, record)) return body;
    if (record.surface !== 'none') checkSurface(`snapshot.bodies[${k}]`, record);
    return undefined;
  }

  private loadPick(world: World, { id, ...record }: { id: number } & PickRecord, body: Body): Pick {
    const known = this.picks.find(id, world.picks);
    const pick = known?.canLoad(record) ? known : Pick.from(record, body);
    if (pick === known) pick.load(record, body);
    else this.picks.replace(id, pick);
    return pick;
  }
}

/**
 * Checks that the surface of a body to be assembled can be bound, so that nothing throws after the world has changed.
 */
function checkSurface(path: string, { parts, surface }: BodyRecord): void {
  const { orientation, positions } = buildSurface(parts.surfaceMesh!, `${path}.parts.surfaceMesh`);
  if (orientation.open)
    throw new PliantError(`${path}.parts.surfaceMesh`, `${path}.parts.surfaceMesh is open; expected a closed surface.`);
  if (typeof surface === 'string') return;
  const frames = newFrames(parts.clustering.count).frames.length;
  if (surface.positions.length !== positions.length || surface.frames.length !== frames)
    throw new PliantError(
      `${path}.surface`,
      `${path}.surface has ${surface.positions.length} and ${surface.frames.length} numbers; expected ${positions.length} and ${frames}.`,
    );
}

/**
 * Assembles a body that this world has not had. It refuses values painted on vertices, and unless the record has a skin
 * it is shown by a mesh around its points.
 */
function assemble({ state }: World, record: BodyRecord): Body {
  const { handle, rows, parts, restPositions, material, levelStrengths, topologyVersion } = record;
  const particles = rows.particleEnd - rows.particleStart;
  const body = new Body(
    handle,
    state,
    { ...rows },
    {
      ...parts,
      ownLevels: parts.ownLevels && { ...parts.ownLevels, wanted: new Float64Array(6 * particles) },
      restPositions,
      material,
      levelStrengths,
      fromVertices: undefined,
      makeSkin: () => skinOfPoints(parts.builtPositions),
    },
  );
  body.topologyVersion = topologyVersion;
  return body;
}

/** Collects every typed array in a tree of plain objects, once. */
function collectArrays(value: unknown, into: Set<ArrayBufferView>): void {
  if (typeof value !== 'object' || value === null) return;
  if (ArrayBuffer.isView(value)) into.add(value);
  else for (const part of Object.values(value)) collectArrays(part, into);
}
