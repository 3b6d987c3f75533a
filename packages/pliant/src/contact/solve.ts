import { SOLVE } from '../kernels/constants.js';
import { CONTACT_ROW, ContactRow } from '../state/contactRow.js';
import type { Views } from '../state/layout.js';
import type { World } from '../world.js';
import { bounce, keepMotion, keepStrain } from './energy.js';

/**
 * Resolves the contacts between bodies: the first `count` of `touching`, sorted and described (method: kernels/ts/solveContacts.ts).
 * Approaching speeds below `slow` (m/s) do not bounce.
 */
export function solveContacts(world: World, count: number, slow: number): void {
  const { kernels, h } = world;
  giveMaterials(world, count);
  keepMotion(world, count);
  const fast = kernels.solveVelocities(count, slow);
  if (fast > 0) keepStrain(world);
  limitGoals(world.state.views, count, h);
  kernels.solvePositions(count, h);
  if (fast > 0) bounce(world, count, slow);
}

/**
 * Writes friction, restitution and goal depth of each contact, from the settings of its two bodies. Contacts of one pair mostly lie in one
 * run.
 */
function giveMaterials({ state: { views: s }, bodies }: World, count: number): void {
  const { contactRow } = s;
  let [mine, other, friction, bounce, gamma] = [-1, -1, 0, 0, 0];
  for (let k = 0; k < count; k++) {
    const i = s.touching[k];
    const c = s.touchCluster[i];
    if (s.bodyOf[i] !== mine || s.bodyOfCluster[c] !== other) {
      mine = s.bodyOf[i];
      other = s.bodyOfCluster[c];
      const [p, q] = [bodies[mine], bodies[other]];
      // As in other engines: the geometric mean of the frictions, and the larger restitution.
      friction = Math.sqrt(p.material.friction * q.material.friction);
      bounce = Math.max(p.material.restitution, q.material.restitution);
      gamma = Math.min(p.core.contact.settings.gamma, q.core.contact.settings.gamma);
    }
    const row = CONTACT_ROW * k;
    contactRow[row + ContactRow.FRICTION] = friction;
    contactRow[row + ContactRow.RESTITUTION] = bounce;
    contactRow[row + ContactRow.GOAL] = gamma * Math.min(s.touch[4 * i + 3], SOLVE.SHARED_DEPTH * s.proxyRadius[c]);
  }
}

/** Largest speed at which bodies that overlap are parted, in radii of the proxy per second. */
const PARTING = 20;

/**
 * Limits the wanted displacements to the way that the stopped approach would have gone in this substep, and what PARTING adds. A body that is deep in another, as when it
 * was put there, is parted over several substeps: at once, stiff bodies would turn the strain of it into hundreds of metres per second.
 */
function limitGoals({ contactRow, touching, touchCluster, proxyRadius }: Views, count: number, h: number): void {
  for (let k = 0; k < count; k++) {
    const row = CONTACT_ROW * k;
    const stopped = contactRow[row + ContactRow.NORMAL_IMPULSE] * contactRow[row + ContactRow.INVERSE_MASS];
    const most = h * (stopped + PARTING * proxyRadius[touchCluster[touching[k]]]);
    if (contactRow[row + ContactRow.GOAL] > most) contactRow[row + ContactRow.GOAL] = most;
  }
}
