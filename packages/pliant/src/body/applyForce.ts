import { checkVec3, type Vec3 } from '../check.js';
import { checkPlace } from '../limits.js';
import { Flag } from '../state/flags.js';
import { checkAlive, rangeOf } from './access.js';
import type { Body } from './body.js';
import { forceAt, pushAt } from './push.js';
import { inRange } from './start.js';

/** Adds an impulse (N s): to one particle, or spread over the body by mass. */
export function applyImpulse(body: Body, impulse: Vec3, particle?: number): void {
  const j = checkVec3('impulse', impulse);
  const [first, last] = rangeOf(body, particle);
  body.wake();
  const { x, v, flags } = body.core.state.views;
  let mass = 0;
  for (let i = first; i < last; i++) mass += x[4 * i + 3];
  for (let i = first; i < last; i++)
    if (!(flags[i] & Flag.HELD)) for (let a = 0; a < 3; a++) v[4 * i + a] = inRange(v[4 * i + a] + j[a] / mass);
}

/** Adds a force (N) for the next step: to one particle, or spread over the body by mass. */
export function applyForce(body: Body, force: Vec3, particle?: number): void {
  const f = checkVec3('force', force);
  const [first, last] = rangeOf(body, particle);
  body.wake();
  const { x, force: forces } = body.core.state.views;
  let mass = 0;
  for (let i = first; i < last; i++) mass += x[4 * i + 3];
  for (let i = first; i < last; i++)
    for (let a = 0; a < 3; a++)
      forces[4 * i + a] = inRange(forces[4 * i + a] / x[4 * i + 3] + f[a] / mass) * x[4 * i + 3];
  body.core.hasForces = true;
}

/** Adds an impulse (N s) that acts at a point of the world (m). */
export function applyImpulseAt(body: Body, impulse: Vec3, point: Vec3): void {
  checkAlive(body);
  const j = checkVec3('impulse', impulse);
  const p = checkPlace('point', checkVec3('point', point));
  body.wake();
  pushAt(body.core.state.views, body.rows, pushSpacing(body), j, p);
}

/** Adds a force (N) that acts at a point of the world (m) during the next step. */
export function applyForceAt(body: Body, force: Vec3, point: Vec3): void {
  checkAlive(body);
  const f = checkVec3('force', force);
  const p = checkPlace('point', checkVec3('point', point));
  body.wake();
  forceAt(body.core.state.views, body.rows, pushSpacing(body), f, p);
  body.core.hasForces = true;
}

const pushSpacing = ({ core, rows }: Body): number => core.state.views.proxySpacing[rows.clusterStart];
