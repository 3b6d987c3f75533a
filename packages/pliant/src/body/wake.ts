import { boundClusters, boundParticles } from '../kernels/ts/touch.js';
import { applyLaw } from '../match/match.js';
import { boxPad } from '../proxy/contactShape.js';
import { Flag } from '../state/flags.js';
import { checkAlive } from './access.js';
import type { Body } from './body.js';

export function wakeBody(body: Body): void {
  checkAlive(body);
  const { core, rows } = body;
  core.restState.restart();
  if (!core.sleeping) return;
  core.sleeping = false;
  const { flags } = core.state.views;
  for (let i = rows.particleStart; i < rows.particleEnd; i++) flags[i] &= ~Flag.ASLEEP;
  // Contact in the rest of this substep asks whether the body is rigid and how far its clusters pull. Both are found again, because a restored body does not have those from before it fell
  // asleep.
  if (core.state.world) applyLaw(core.state.world, body);
}

/** Puts a body to sleep where it is, at rest. */
export function sleepBody(body: Body): void {
  checkAlive(body);
  const { core, rows } = body;
  const { x, v, xOld, flags } = core.state.views;
  const [start, end] = [4 * rows.particleStart, 4 * rows.particleEnd];
  for (let i = rows.particleStart; i < rows.particleEnd; i++) flags[i] |= Flag.ASLEEP;
  v.fill(0, start, end);
  xOld.set(x.subarray(start, end), start);
  // Others find it by the boxes it falls asleep with: it may never have had any.
  boundParticles(core.state.views, rows.particleStart, rows.particleEnd);
  boundClusters(core.state.views, rows.clusterStart, rows.clusterEnd, boxPad(core.contact));
  core.restState.speed = 0;
  core.sleeping = true;
}

/** Wakes the bodies that touch a body: they may fall. */
export function wakeNeighbours(body: Body): void {
  for (const { a, b } of body.core.state.world?.core.pairs.list ?? []) {
    if (a === body && b.alive) b.wake();
    if (b === body && a.alive) a.wake();
  }
}
