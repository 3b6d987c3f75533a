import { checkKeys } from '../check.js';
import { type BytesOptions, encodeSnapshot, readSnapshot } from '../snapshot/bytes.js';
import { isTyped } from '../snapshot/format/schema.js';
import type { Snapshot, WorldMemory } from '../snapshot/snapshot.js';
import type { World } from '../world.js';
import { WORLD_DEFAULTS } from './options.js';

/** The substeps of a snapshot that says nothing of them. */
const FEW_SUBSTEPS = { substeps: WORLD_DEFAULTS.substeps, maxSubsteps: WORLD_DEFAULTS.maxSubsteps } as const;

/** The part of a world that a snapshot keeps beside bodies, colliders, clamps, force fields and picks. */
function memoryOf({ core, frame, gravity, substeps, maxSubsteps }: World): WorldMemory {
  const isPlain =
    core.substep === frame && substeps === FEW_SUBSTEPS.substeps && maxSubsteps === FEW_SUBSTEPS.maxSubsteps;
  const substepping = isPlain ? undefined : { done: core.substep, substeps, maxSubsteps };
  return { accumulator: core.accumulator, gravity, substepping };
}

export function takeSnapshot(world: World): Snapshot {
  world.core.checkIdle('snapshot');
  return world.core.memory.take(world, memoryOf(world));
}

export function saveWorld(world: World, options: BytesOptions): Uint8Array {
  world.core.checkIdle('save');
  checkKeys('options', options, ['base']);
  const snapshot = world.core.memory.takeComplete(world, memoryOf(world));
  return encodeSnapshot(snapshot, options);
}

export function restoreWorld(world: World, snapshot: Snapshot | Uint8Array, options: BytesOptions): void {
  world.core.checkIdle('restore');
  checkKeys('options', options, ['base']);
  const plan = world.core.memory.restore(
    world,
    isTyped(snapshot, 'Uint8Array') ? (readSnapshot(snapshot as Uint8Array, options) as Snapshot) : snapshot,
  );
  world.time = plan.time;
  world.frame = plan.frame;
  world.core.accumulator = plan.accumulator;
  world.core.settings = { ...world.core.settings, ...plan.numbers, gravity: plan.gravity };
  world.core.dt = world.core.h = plan.dt ?? world.core.settings.dt;
  const { done, ...substeps } = plan.substepping ?? { ...FEW_SUBSTEPS, done: plan.frame };
  world.core.substep = done;
  world.core.settings = { ...world.core.settings, ...substeps };
  world.core.table.replaceBodies(plan.bodies);
  world.core.setActors(plan.actors);
  world.forceFields = plan.forceFields;
  world.picks = plan.picks;
  world.core.events = [];
  world.core.masks.clear();
}
