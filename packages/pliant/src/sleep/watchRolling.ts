import type { Body } from '../body/body.js';
import type { Kernels } from '../kernels/kernels.js';
import { squared } from '../math/elementary.js';
import { Flag } from '../state/flags.js';
import type { Rows } from '../state/rows.js';
import type { World } from '../world.js';
import { leans } from './leans.js';
import { Stance } from './restState.js';

/**
 * Static resistance to rolling of a slow body on obstacles. The resistance of match/bodyDamping.ts stops what a body has come to turn by in a substep, after it turned: a body that
 * is out of balance by less than the resistance creeps, by its angular acceleration times the substep, 0.2 % of its size in a second. So an impulse is kept from
 * substep to substep, which grows by a share of the angular momentum of the body's displacement, and turns the body back before it moves: it comes to balance the torque.
 * Displacements count, not velocities, because obstacles move particles without changing their velocities.
 *
 * A body that leans is not held: of 40 default cubes that were thrown, two stayed on an edge.
 */

/** Share of the angular momentum that the impulse grows by. The impulse acts a substep later; from 1 on it would swing without end. */
const GAIN = 0.25;
/** Largest lever arm of the impulse, as a share of the body's size, and per damping ratio: twice those of a rolling body. */
const LONGEST = 0.04;
const PER_RATIO = 0.2;
/** Speed (sizes a second) from which on a body is not held: six times the sleeping speed of a world by default, below which bodies are braked. */
const SLOW = 0.18;
/** Most particles that are asked for their displacements. */
const SAMPLE = 256;

/** Of the sample: mass and number of particles; Σ m r × d of its displacements d in the substep, about its centre (kg m²), and their mean square (m²). */
let mass = 0;
let count = 0;
const spin = new Float64Array(3);
let ways = 0;
/** Results of kernels.sumWays. */
const sums = new Float64Array(11);

/** End of a substep: adds to the impulse. It is kept as a momentum per mass (m²/s). Bodies that touch others are not held: each heap has its own balance. Nor are sheets and cords: they bend where a body would roll. */
export function watchRolling(world: World, body: Body): void {
  const { kernels, state, h } = world;
  const {
    rows,
    size,
    core: { law, history, restState, thin },
  } = body;
  const { pressedX: px, pressedY: py, pressedZ: pz } = restState;
  const pressed2 = px * px + py * py + pz * pz;
  if (!law || law.rigid || thin || history.broken || pressed2 === 0 || restState.touching) {
    restState.letGo();
    return;
  }
  measure(kernels, rows);
  if (!(ways <= squared(SLOW * size * h)) || mass === 0 || isGripped(world, body)) {
    restState.letGo();
    return;
  }
  if (restState.stance === Stance.MOVES)
    restState.stance =
      !history.flowed && leans(state.views, body.restPositions, rows.particleStart, size, px, py, pz)
        ? Stance.LEANS
        : Stance.STANDS;
  if (restState.stance === Stance.LEANS) return;
  let hx = restState.heldX + (GAIN * spin[0]) / (mass * h);
  let hy = restState.heldY + (GAIN * spin[1]) / (mass * h);
  let hz = restState.heldZ + (GAIN * spin[2]) / (mass * h);
  // Without the part about the direction of the pressure.
  const along = (hx * px + hy * py + hz * pz) / pressed2;
  hx -= along * px;
  hy -= along * py;
  hz -= along * pz;
  const all = (mass * (rows.particleEnd - rows.particleStart)) / count;
  const most = (size * Math.min(LONGEST, PER_RATIO * law.law.dampingRatio) * Math.sqrt(pressed2)) / all;
  const length = Math.sqrt(hx * hx + hy * hy + hz * hz);
  const k = length > most ? most / length : 1;
  restState.heldX = k * hx;
  restState.heldY = k * hy;
  restState.heldZ = k * hz;
}

/** Whether a clamp or a pin holds particles of the body: it does not roll. */
function isGripped({ core, state: { views } }: World, { rows, pinnedCount }: Body): boolean {
  if (pinnedCount > 0) return true;
  if (core.allClamps.length > 0)
    for (let i = rows.particleStart; i < rows.particleEnd; i++) if (views.flags[i] & Flag.HELD) return true;
  return false;
}

/** Measures the sample. */
function measure(kernels: Kernels, { particleStart, particleEnd }: Rows): void {
  const every = Math.ceil((particleEnd - particleStart) / SAMPLE);
  kernels.sumWays(sums, particleStart, particleEnd, every);
  const m = sums[3];
  count = Math.ceil((particleEnd - particleStart) / every);
  mass = m;
  ways = sums[10] / count;
  spin[0] = sums[7] - (sums[1] * sums[6] - sums[2] * sums[5]) / m;
  spin[1] = sums[8] - (sums[2] * sums[4] - sums[0] * sums[6]) / m;
  spin[2] = sums[9] - (sums[0] * sums[5] - sums[1] * sums[4]) / m;
}
