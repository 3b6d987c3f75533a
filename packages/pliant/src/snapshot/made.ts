import { refuse } from '../check.js';
import { Clamp, type ClampOptions } from '../external/clamp.js';
import { ForceField, type ForceFieldOptions } from '../external/forceField.js';
import type { Collider } from '../obstacles/collider.js';
import type { ColliderOptions } from '../obstacles/options.js';
import { resolveCollider } from '../obstacles/resolve.js';
import { samePlain } from '../plainData.js';
import type { World } from '../world.js';
import { finite, list, number, optional, record } from './format/schema.js';
import type { Roster } from './roster.js';
import type { Snapshot } from './snapshot.js';

/**
 * The options from which the colliders, clamps and force fields of a world were made, so that another world can make
 * them. `world.save()` adds them to a snapshot.
 */
export interface Made {
  readonly world: WorldNumbers;
  /** For each of the snapshot's actors and force fields, in their order. */
  readonly actors: readonly ActorMade[];
  readonly forceFields: readonly FieldMade[];
}

/** Options of a world that its steps depend on. The backend is not among them: a restored world keeps its own. */
export interface WorldNumbers {
  /** The time step that the world was created with. A snapshot also has the present one if that differs. */
  readonly dt: number;
  readonly sleepSpeed: number;
  readonly sleepAfter: number;
  readonly maxSpeed: number;
}

interface ActorMade {
  readonly type: 'collider' | 'clamp';
  readonly options: ColliderOptions | ClampOptions;
  /** World time (s) when it was added. */
  readonly since: number;
  /** Number of the clamp whose particles pass through a collider. */
  readonly except?: number;
}

interface FieldMade {
  /** Undefined if a function defines the field: the world that it is restored into must have it. */
  readonly options: ForceFieldOptions | undefined;
  readonly since: number;
}

type Actor = Collider | Clamp;

/** The options of a world's present things. `actors` numbers its colliders and clamps. */
export function describeMade(world: World, actors: Roster<Actor>): Made {
  const {
    core: { createdDt: dt },
    sleepSpeed,
    sleepAfter,
    maxSpeed,
  } = world;
  return {
    world: { dt, sleepSpeed, sleepAfter, maxSpeed },
    actors: world.core.actors.map((actor) => describeActor(actor, actors)),
    forceFields: world.forceFields.map(({ options, since }) => ({ options, since })),
  };
}

function describeActor(actor: Actor, actors: Roster<Actor>): ActorMade {
  const { options, since } = actor;
  if (actor instanceof Clamp) return { type: 'clamp', options, since };
  return { type: 'collider', options, since, except: actor.except && actors.name(actor.except) };
}

const isObject = (path: string, value: unknown) => {
  if (typeof value !== 'object' || value === null) refuse(path, value, 'an object');
};
const since = finite;

const madeRecord = record({
  world: record({
    dt: number({ above: 0, max: 1 }),
    sleepSpeed: number({ min: 0 }),
    sleepAfter: number({ min: 0 }),
    maxSpeed: number({ above: 0, max: 1e15 }),
  }),
  actors: list(
    record({
      type: (path, value) => {
        if (value !== 'collider' && value !== 'clamp') refuse(path, value, '"collider" or "clamp"');
      },
      options: isObject,
      since,
      except: optional(number({ min: 0 })),
    }),
  ),
  forceFields: list(record({ options: optional(isObject), since })),
});

/** Checks `made` against the rest of a snapshot. The options are checked when something is made from them. */
export function checkMade({ made, actors, forceFields }: Snapshot): void {
  madeRecord('snapshot.made', made);
  if (made!.actors.length !== actors.length)
    refuse('snapshot.made.actors', made!.actors, `${actors.length}, as many as snapshot.actors`);
  if (made!.forceFields.length !== forceFields.length)
    refuse('snapshot.made.forceFields', made!.forceFields, `${forceFields.length}, as many as snapshot.forceFields`);
}

/**
 * The colliders and clamps of a snapshot: those that the world has or had under their numbers, if they were made alike,
 * otherwise new ones. Does not change the world.
 */
export function findActors(world: World, { actors, made }: Snapshot, roster: Roster<Actor>): Actor[] {
  const found = new Map<number, Actor>();
  const find = (k: number): Actor => {
    const { id } = actors[k];
    const known = roster.find(id, world.core.actors);
    const path = `snapshot.actors[${k}]`;
    const isClamp = 'grips' in actors[k];
    if (!made) {
      if (!known) refuse(`${path}.id`, id, 'a collider or clamp that this world has had');
      if (known instanceof Clamp !== isClamp)
        refuse(`${path}.id`, id, `the number of a ${isClamp ? 'clamp' : 'collider'}`);
      return known;
    }
    const { type, options, since, except } = made.actors[k];
    if ((type === 'clamp') !== isClamp)
      refuse(`snapshot.made.actors[${k}].type`, type, isClamp ? '"clamp"' : '"collider"');
    const alike =
      known && known instanceof Clamp === isClamp && known.since === since && samePlain(known.options, options);
    if (isClamp)
      return alike ? known : new Clamp(options as ClampOptions, undefined, since, `snapshot.made.actors[${k}].options`);
    const through = except === undefined ? undefined : (found.get(except) ?? roster.find(except, world.core.actors));
    if (except !== undefined && !(through instanceof Clamp))
      refuse(
        `snapshot.made.actors[${k}].except`,
        except,
        'the number of a clamp of the snapshot, or that this world has had',
      );
    if (alike && (known as Collider).except === through) return known;
    return resolveCollider(
      { ...(options as ColliderOptions), except: through as Clamp | undefined },
      since,
      `snapshot.made.actors[${k}].options`,
    );
  };
  // Clamps first: colliders refer to them.
  const order = [...actors.keys()].sort((a, b) => Number('grips' in actors[b]) - Number('grips' in actors[a]));
  for (const k of order) found.set(actors[k].id, find(k));
  return actors.map(({ id }) => found.get(id)!);
}

/** The same for force fields. */
export function findFields(world: World, { forceFields, made }: Snapshot, roster: Roster<ForceField>): ForceField[] {
  return forceFields.map(({ id }, k) => {
    const known = roster.find(id, world.forceFields);
    const path = `snapshot.forceFields[${k}]`;
    const from = made?.forceFields[k];
    if (!from) return known ?? refuse(`${path}.id`, id, 'a force field that this world has had');
    const { options, since } = from;
    if (known && known.since === since && samePlain(known.options, options)) return known;
    if (!options)
      refuse(`${path}.id`, id, 'a force field of type "custom" that this world has, as a function cannot be stored');
    return new ForceField(options, since, `snapshot.made.forceFields[${k}].options`);
  });
}
