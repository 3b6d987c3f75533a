import { checkKeys } from '../check.js';
import { type BytesOptions, encodeSnapshot, readSnapshot } from '../snapshot/bytes.js';
import { isTyped } from '../snapshot/format/schema.js';
import type { Snapshot } from '../snapshot/snapshot.js';
import type { World } from '../world.js';

export function takeSnapshot(world: World): Snapshot {
  world.core.checkIdle('snapshot');
  return world.core.memory.take(world, { accumulator: world.core.accumulator, gravity: world.gravity });
}

export function saveWorld(world: World, options: BytesOptions): Uint8Array {
  world.core.checkIdle('save');
  checkKeys('options', options, ['base']);
  const snapshot = world.core.memory.takeComplete(world, {
    accumulator: world.core.accumulator,
    gravity: world.gravity,
  });
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
  world.core.h = plan.dt ?? world.core.settings.dt;
  world.core.table.replaceBodies(plan.bodies);
  world.core.setActors(plan.actors);
  world.forceFields = plan.forceFields;
  world.picks = plan.picks;
  world.core.events = [];
  world.core.masks.clear();
}
