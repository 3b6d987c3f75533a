import { checkKeys, checkVec3, type Vec3 } from '../check.js';
import { updateContactMesh } from '../meshContact/index.js';
import { checkAlive } from './access.js';
import type { Body } from './body.js';
import { setRigidMotion } from './push.js';
import { moveParticles, type PoseOptions, resolvePose } from './teleport.js';
import { wakeNeighbours } from './wake.js';

/** Moves a body as a whole to another pose at once. */
export function setPose(body: Body, pose: PoseOptions): void {
  checkAlive(body);
  const { core, rows } = body;
  const { state } = core;
  const map = resolvePose(pose, state.views, rows);
  wakeNeighbours(body);
  for (const clamp of state.world?.core.allClamps ?? [])
    clamp.moveHold(body, state.world!.time, (place) => map.place(place, 0));
  moveParticles(state.views, rows, core.restState.checkedPositions, map);
  if (core.surface) updateContactMesh(core.surface, state);
  body.wake();
}

/** Sets the rigid motion of a body. */
export function setVelocity(body: Body, velocity: { linear?: Vec3; angular?: Vec3 }): void {
  checkAlive(body);
  checkKeys('velocity', velocity, ['linear', 'angular']);
  const linear = velocity.linear === undefined ? undefined : checkVec3('velocity.linear', velocity.linear);
  const angular = velocity.angular === undefined ? undefined : checkVec3('velocity.angular', velocity.angular);
  body.wake();
  setRigidMotion(body.core.state.views, body.rows, linear, angular);
}
