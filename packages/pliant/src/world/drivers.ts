import { refuse } from '../check.js';
import { ForceField, type ForceFieldOptions } from '../external/forceField.js';
import { Pick, type PickOptions } from '../external/pick.js';
import type { World } from '../world.js';

export function addForceField(world: World, options: ForceFieldOptions): ForceField {
  world.core.checkIdle('addForceField');
  if (options?.bodies !== undefined) world.core.ownBodies(options.bodies, 'forceField.bodies');
  const field = new ForceField(options, world.time);
  world.core.memory.forceFields.enrol(field);
  world.forceFields = [...world.forceFields, field];
  return field;
}

export function removeForceField(world: World, field: ForceField): void {
  world.core.checkIdle('removeForceField');
  if (!world.forceFields.includes(field)) refuse('forceField', field, 'a force field of this world');
  world.forceFields = world.forceFields.filter((f) => f !== field);
}

export function addPick(world: World, options: PickOptions): Pick {
  world.core.checkIdle('addPick');
  world.core.ownBody(options?.body, 'pick.body');
  const pick = Pick.grab(options, world.state.views);
  pick.body.wake();
  world.core.memory.picks.enrol(pick);
  world.picks = [...world.picks, pick];
  return pick;
}

export function removePick(world: World, pick: Pick): void {
  world.core.checkIdle('removePick');
  if (!world.picks.includes(pick)) refuse('pick', pick, 'a pick of this world');
  world.picks = world.picks.filter((p) => p !== pick);
  pick.body.wake();
}
