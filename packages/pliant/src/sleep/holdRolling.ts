import type { Body } from '../body/body.js';
import { squared } from '../math/elementary.js';
import { invertInertiaInto } from '../math/inertia.js';
import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { World } from '../world.js';

/**
 * Static resistance to rolling of a slow body on obstacles. The resistance of match/bodyDamping.ts stops what a body has come to turn by in a substep, after it turned: a body that
 * is out of balance by less than the resistance creeps, by its angular acceleration times the substep, 0.2 % of its size in a second. So an impulse is kept from
 * substep to substep, which grows by a share of the angular momentum of the body's displacement, and turns the body back before it moves: it comes to balance the torque.
 * Displacements count, not velocities, because obstacles move particles without changing their velocities.
 */

/** Share of the angular momentum that the impulse grows by. The impulse acts a substep later; from 1 on it would swing without end. */
const GAIN = 0.25;
/** Largest lever arm of the impulse, as a share of the body's size, and per damping ratio: twice those of a rolling body. */
const LONGEST = 0.04;
const PER_RATIO = 0.2;
/** Speed (sizes a second) from which on a body is not held: six times the sleeping speed of a world by default, below which bodies are braked. */
const SLOW = 0.18;
/** Smallest change of the angular velocity (rad/s) that is given: bodies creep by no more than that without it. */
const FEEBLE = 2e-5;
/** Most particles that are asked for their displacements. */
const SAMPLE = 256;

/** Of the sample: mass, inertia xx yy zz xy xz yz and centre; Σ m r × d of its displacements d in the substep, about the centre (kg m²), and their mean square (m²). */
let mass = 0;
let count = 0;
const inertia = new Float64Array(6);
const centre = new Float64Array(3);
const spin = new Float64Array(3);
let ways = 0;
const inverse = new Float64Array(6);
const turn = new Float64Array(3);

/** End of a substep: adds to the impulse. It is kept as a momentum per mass (m²/s). Bodies that touch others are not held: each heap has its own balance. Nor are sheets and cords: they bend where a body would roll. */
export function watchRolling(world: World, body: Body): void {
  const { state, h } = world;
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
  measure(state.views, rows);
  if (!(ways <= squared(SLOW * size * h)) || mass === 0 || isGripped(world, body)) {
    restState.letGo();
    return;
  }
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

/** Start of a substep, after the damping of the body: gives the impulse. */
export function holdRolling({ kernels, state: { views } }: World, { rows, core: { restState } }: Body): void {
  const { heldX, heldY, heldZ } = restState;
  if (heldX === 0 && heldY === 0 && heldZ === 0) return;
  measure(views, rows);
  invertInertiaInto(inverse, 0, inertia);
  const [hx, hy, hz] = [mass * heldX, mass * heldY, mass * heldZ];
  turn[0] = inverse[0] * hx + inverse[3] * hy + inverse[4] * hz;
  turn[1] = inverse[3] * hx + inverse[1] * hy + inverse[5] * hz;
  turn[2] = inverse[4] * hx + inverse[5] * hy + inverse[2] * hz;
  // A cube that lies flat needs no hold.
  if (squared(turn[0]) + squared(turn[1]) + squared(turn[2]) < squared(FEEBLE)) return;
  kernels.turnBack(rows.particleStart, rows.particleEnd, centre, turn);
}

/** Measures the sample. Sums are relative to its first particle, so that bodies far from the origin lose no precision. */
function measure({ x, xOld }: Views, { particleStart, particleEnd }: Rows): void {
  const stride = 4 * Math.ceil((particleEnd - particleStart) / SAMPLE);
  const first = 4 * particleStart;
  const [ox, oy, oz] = [x[first], x[first + 1], x[first + 2]];
  // Local, as numbers of the module would be allocated anew at every sum.
  let [sampled, massSum, waySum] = [0, 0, 0];
  let [cx, cy, cz, sx, sy, sz, lx, ly, lz] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  let [xx, yy, zz, xy, xz, yz] = [0, 0, 0, 0, 0, 0];
  for (let o = first; o < 4 * particleEnd; o += stride) {
    const m = x[o + 3];
    const rx = x[o] - ox;
    const ry = x[o + 1] - oy;
    const rz = x[o + 2] - oz;
    const dx = x[o] - xOld[o];
    const dy = x[o + 1] - xOld[o + 1];
    const dz = x[o + 2] - xOld[o + 2];
    sampled++;
    massSum += m;
    waySum += dx * dx + dy * dy + dz * dz;
    cx += m * rx;
    cy += m * ry;
    cz += m * rz;
    sx += m * dx;
    sy += m * dy;
    sz += m * dz;
    lx += m * (ry * dz - rz * dy);
    ly += m * (rz * dx - rx * dz);
    lz += m * (rx * dy - ry * dx);
    xx += m * rx * rx;
    yy += m * ry * ry;
    zz += m * rz * rz;
    xy += m * rx * ry;
    xz += m * rx * rz;
    yz += m * ry * rz;
  }
  count = sampled;
  mass = massSum;
  ways = waySum / sampled;
  spin[0] = lx - (cy * sz - cz * sy) / mass;
  spin[1] = ly - (cz * sx - cx * sz) / mass;
  spin[2] = lz - (cx * sy - cy * sx) / mass;
  xx -= (cx * cx) / mass;
  yy -= (cy * cy) / mass;
  zz -= (cz * cz) / mass;
  inertia[0] = yy + zz;
  inertia[1] = xx + zz;
  inertia[2] = xx + yy;
  inertia[3] = (cx * cy) / mass - xy;
  inertia[4] = (cx * cz) / mass - xz;
  inertia[5] = (cy * cz) / mass - yz;
  centre[0] = ox + cx / mass;
  centre[1] = oy + cy / mass;
  centre[2] = oz + cz / mass;
}
