import { type Groups, resolveGroups } from '../groups.js';
import { checkAlive } from './access.js';
import type { Body } from './body.js';
import { wakeNeighbours } from './wake.js';

/** Changes the groups of a body. It wakes, and so do the bodies that touched it. */
export function setGroups(body: Body, value: Partial<Groups>): void {
  checkAlive(body);
  const groups = resolveGroups('groups', value);
  wakeNeighbours(body);
  body.core.meets = groups;
  body.wake();
}
