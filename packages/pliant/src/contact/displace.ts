import type { Body } from '../body/body.js';
import { Flag } from '../state/flags.js';
import { UNTOUCHED, type Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { World } from '../world.js';
import { addTouches, pairOf } from './report.js';

/**
 * The papers' response ([J15] 17), for pairs of bodies that both ask for it. The particle moves out by γ times its depth; the other body
 * does not move, and no velocity changes. Pinned and sleeping particles stay where they are. Momentum is not conserved, and no body comes
 * to rest on another. Research scenes need this response to match their reference program. Removes these contacts from `touching` and
 * returns the number of the others.
 */
export function displace(world: World, count: number): number {
  const { bodies, state } = world;
  const { views } = state;
  const { touching, touchCluster, bodyOfCluster, bodyOf } = views;
  let left = 0;
  for (let k = 0; k < count; ) {
    const mine = bodyOf[touching[k]];
    const other = bodyOfCluster[touchCluster[touching[k]]];
    const gamma = gammaOf(bodies[mine], bodies[other]);
    if (gamma === ELSEWHERE) {
      touching[left++] = touching[k++];
      continue;
    }
    const from = k;
    k = moveOut(views, k, count, bodies[mine].rows, bodies[other].rows, gamma);
    if (mine !== other) addTouches(pairOf(world, mine, other), k - from, sums, mine < other);
  }
  return left;
}

/** Whether any body of the world asks for it. */
export const displacesBodies = ({ bodies }: World): boolean =>
  bodies.some(({ core }) => core.contact.settings.response === 'positions');

/** Sum of the positions (0–2) and of the normals (3–5) of the contacts that the last call of `moveOut` moved. */
const sums = new Float64Array(6);

/**
 * Moves the run of contacts from `from` on that belong to these two bodies; contacts of one pair mostly lie in one run. Returns the index
 * of the first contact after the run.
 */
function moveOut(s: Views, from: number, count: number, mine: Rows, other: Rows, gamma: number): number {
  const { x, flags, touch, touching, touchCluster } = s;
  const { particleStart, particleEnd } = mine;
  const { clusterStart, clusterEnd } = other;
  let px = 0;
  let py = 0;
  let pz = 0;
  let nx = 0;
  let ny = 0;
  let nz = 0;
  let k = from;
  for (; k < count; k++) {
    const i = touching[k];
    const c = touchCluster[i];
    if (i < particleStart || i >= particleEnd || c < clusterStart || c >= clusterEnd) break;
    touchCluster[i] = UNTOUCHED;
    const o = 4 * i;
    const tx = touch[o];
    const ty = touch[o + 1];
    const tz = touch[o + 2];
    const way = flags[i] & (Flag.FIRM | Flag.ASLEEP) ? 0 : gamma * touch[o + 3];
    // Rounded to f32, so that the sums use the positions as stored.
    const qx = Math.fround(x[o] + way * tx);
    const qy = Math.fround(x[o + 1] + way * ty);
    const qz = Math.fround(x[o + 2] + way * tz);
    x[o] = qx;
    x[o + 1] = qy;
    x[o + 2] = qz;
    px += qx;
    py += qy;
    pz += qz;
    nx += tx;
    ny += ty;
    nz += tz;
  }
  sums[0] = px;
  sums[1] = py;
  sums[2] = pz;
  sums[3] = nx;
  sums[4] = ny;
  sums[5] = nz;
  return k;
}

/** Stands in place of γ for two bodies that use another response. */
const ELSEWHERE = -1;

function gammaOf(
  {
    core: {
      contact: { settings: a },
    },
  }: Body,
  {
    core: {
      contact: { settings: b },
    },
  }: Body,
): number {
  return a.response === 'positions' && b.response === 'positions' ? Math.min(a.gamma, b.gamma) : ELSEWHERE;
}
