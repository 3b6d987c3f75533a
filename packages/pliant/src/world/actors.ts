import { refuse } from '../check.js';
import { Clamp, type ClampOptions } from '../external/clamp.js';
import type { Collider } from '../obstacles/collider.js';
import type { ColliderOptions } from '../obstacles/options.js';
import { resolveCollider } from '../obstacles/resolve.js';
import type { World } from '../world.js';

export function addCollider(world: World, options: ColliderOptions): Collider {
  world.core.checkIdle('addCollider');
  const collider = resolveCollider(options, world.time);
  if (collider.except && !world.core.actors.includes(collider.except))
    refuse('collider.except', collider.except, 'a clamp of this world');
  world.core.memory.actors.enrol(collider);
  world.core.setActors([...world.core.actors, collider]);
  world.wakeAll();
  return collider;
}

export function removeCollider(world: World, collider: Collider): void {
  world.core.checkIdle('removeCollider');
  const at = world.core.actors.indexOf(collider);
  if (at < 0 || world.core.actors[at] instanceof Clamp) refuse('collider', collider, 'a collider of this world');
  world.core.setActors(world.core.actors.filter((_, k) => k !== at));
  world.wakeAll();
}

export function addClamp(world: World, options: ClampOptions): Clamp {
  world.core.checkIdle('addClamp');
  const bodies = options?.bodies === undefined ? world.bodies : world.core.ownBodies(options.bodies, 'clamp.bodies');
  const clamp = new Clamp(options, bodies, world.time);
  clamp.hold(world.state.views);
  clamp.wake();
  world.core.memory.actors.enrol(clamp);
  world.core.setActors([...world.core.actors, clamp]);
  return clamp;
}

export function removeClamp(world: World, clamp: Clamp): void {
  world.core.checkIdle('removeClamp');
  const at = world.core.actors.indexOf(clamp);
  if (at < 0 || !(clamp instanceof Clamp)) refuse('clamp', clamp, 'a clamp of this world');
  world.core.setActors(world.core.actors.filter((_, k) => k !== at));
  clamp.wake();
  clamp.letGo(world.state.views);
  // A particle may be held by two clamps: the others take theirs again.
  for (const other of world.core.allClamps) if (other.holding) other.hold(world.state.views);
  world.core.masks.delete(clamp);
}
