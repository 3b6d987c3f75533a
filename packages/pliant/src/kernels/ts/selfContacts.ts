import { CONTACT_ROW, ContactRow, PATCH } from '../../state/contactRow.js';
import { fadeWeight } from '../../state/fade.js';
import { FIELDS, Row } from '../../state/fields.js';
import { Flag } from '../../state/flags.js';
import type { Views } from '../../state/layout.js';
import { F64, SelfChange, type SelfRoom, SelfRow } from '../../state/selfRow.js';
import { SELF } from '../constants.js';
import type { SelfParameters } from '../kernels.js';

/**
 * The response of a body to contacts with itself: rows of state/selfRow.ts, which explains the method, and impulses on them one after the other. The fast kernels compute the same
 * bits: no sum here may be taken in another order than there.
 */

const { NORMAL, GOAL, OFFSET, FRICTION, TURN, MOBILITY, ALONG, NORMAL_IMPULSE, FRICTION_IMPULSE, EXIT_SPEED, SLOT } =
  SelfRow;
const { INVERSE_MASS, VELOCITY, KEPT } = SelfChange;
const { LENGTH } = SelfRow;
/** Index in `words` of the first slot of the row at o. */
const slotsOf = (o: number) => 2 * (o + SLOT);
/** Index in `changes` of a slot. */
const changeOf = ({ words }: SelfRoom, slot: number) => words[slot] / F64;
/** Index of w of the patch's particle p, in the row at o; r follows it. */
const patchOf = (o: number, p: number) => o + SelfRow.PATCH + 4 * p;

const centre = new Float64Array(3);
const T = new Float64Array(6);
const theta = new Float64Array(3);
const rel = new Float64Array(3);
const slip = new Float64Array(3);
const turns = [0, 1, 2].map(() => new Float64Array(3));
const given = [0, 1, 2].map(() => new Float64Array(3));

/** Lists the particles of contacts [first, last) in `moved` and writes their rows of `changes`; `listedFor` holds the place of each in that list, plus 1. Returns their number. */
export function listSelf(s: Views, { changes }: SelfRoom, first: number, last: number): number {
  let count = 0;
  const add = (i: number) => {
    if (s.listedFor[i] !== 0) return;
    const o = SelfChange.LENGTH * count;
    for (let a = 0; a < 3; a++) {
      changes[o + a] = 0;
      changes[o + VELOCITY + a] = s.v[Row.v * i + a];
    }
    changes[o + INVERSE_MASS] = s.flags[i] & (Flag.HELD | Flag.ASLEEP) ? 0 : 1 / s.x[Row.x * i + FIELDS.x.MASS];
    changes[o + VELOCITY + 3] = 0;
    changes.fill(0, o + KEPT, o + SelfChange.LENGTH);
    s.moved[count++] = i;
    s.listedFor[i] = count;
  };
  for (let k = first; k < last; k++) {
    add(s.touching[k]);
    for (let p = 0; p < PATCH; p++) add(s.patch[Row.patch * k + p]);
  }
  return count;
}

/** Writes the rows of contacts [first, last), but of none whose particles cannot move. Returns their number. */
export function describeSelf(s: Views, room: SelfRoom, first: number, last: number, by: SelfParameters): number {
  const { rows, words, changes } = room;
  let count = 0;
  for (let k = first; k < last; k++) {
    const o = LENGTH * count;
    const i = s.touching[k];
    rows.fill(0, o, o + LENGTH);
    for (let a = 0; a < 3; a++) rows[o + NORMAL + a] = s.touch[Row.touch * i + a];
    const slot = (j: number) => F64 * SelfChange.LENGTH * (s.listedFor[j] - 1);
    words[slotsOf(o)] = slot(i);
    for (let p = 0; p < PATCH; p++) {
      rows[patchOf(o, p)] = s.contactRow[CONTACT_ROW * k + ContactRow.WEIGHT + p];
      words[slotsOf(o) + 1 + p] = slot(s.patch[Row.patch * k + p]);
    }
    layPlate(s, room, o, k);
    // A patch that cannot be turned gets no friction.
    rows[o + FRICTION] = rows[o + TURN] > 0 ? by.friction : 0;
    if (rows[o + FRICTION] > 0) findMobility(rows, words, changes, o);
    else layLevers(rows, words, changes, o);
    if (setGoal(s, room, o, i, k, by)) count++;
  }
  return count;
}

/** Writes arms, offset and T⁻¹ of contact k. Where the patch is a line or a point, only an impulse along the line to its centre has no torque: that direction becomes the normal. */
function layPlate({ x, patch, touching }: Views, { rows }: SelfRoom, o: number, k: number): void {
  centre.fill(0);
  let weight = 0;
  for (let p = 0; p < PATCH; p++) {
    const at = patchOf(o, p);
    const w = rows[at];
    const from = Row.x * patch[Row.patch * k + p];
    for (let a = 0; a < 3; a++) {
      rows[at + 1 + a] = x[from + a];
      centre[a] += w * x[from + a];
    }
    weight += w;
  }
  T.fill(0);
  for (let a = 0; a < 3; a++) centre[a] /= weight;
  for (let p = 0; p < PATCH; p++) {
    const at = patchOf(o, p);
    // Weights are stored as f32. Their sum is 1 only up to rounding, and the error would change momentum.
    const w = (rows[at] /= weight);
    for (let a = 0; a < 3; a++) rows[at + 1 + a] -= centre[a];
    const [rx, ry, rz] = [rows[at + 1], rows[at + 2], rows[at + 3]];
    T[0] += w * (ry * ry + rz * rz);
    T[1] += w * (rx * rx + rz * rz);
    T[2] += w * (rx * rx + ry * ry);
    T[3] -= w * rx * ry;
    T[4] -= w * rx * rz;
    T[5] -= w * ry * rz;
  }
  const i = touching[k];
  for (let a = 0; a < 3; a++) rows[o + OFFSET + a] = x[Row.x * i + a] - centre[a];
  if (!invertPlate(rows, o + TURN)) pushAlongOffset(rows, o);
}

function invertPlate(rows: Float64Array, to: number): boolean {
  const [xx, yy, zz, xy, xz, yz] = T;
  const [a, b, c] = [yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy];
  const det = xx * a + xy * b + xz * c;
  const trace = xx + yy + zz;
  if (!(det > SELF.LINE * trace * trace * trace)) return false;
  rows[to] = a / det;
  rows[to + 1] = (xx * zz - xz * xz) / det;
  rows[to + 2] = (xx * yy - xy * xy) / det;
  rows[to + 3] = b / det;
  rows[to + 4] = c / det;
  rows[to + 5] = (xy * xz - xx * yz) / det;
  return true;
}

function pushAlongOffset(rows: Float64Array, o: number): void {
  const [x, y, z] = [rows[o + OFFSET], rows[o + OFFSET + 1], rows[o + OFFSET + 2]];
  const along = x * rows[o + NORMAL] + y * rows[o + NORMAL + 1] + z * rows[o + NORMAL + 2];
  const length = Math.sqrt(x * x + y * y + z * z);
  const scale = length > 0 ? (along < 0 ? -1 : 1) / length : 0;
  rows[o + NORMAL] = scale * x;
  rows[o + NORMAL + 1] = scale * y;
  rows[o + NORMAL + 2] = scale * z;
}

/** Writes the mobility: the relative velocity that unit impulses along x, y and z cause. */
function findMobility(rows: Float64Array, words: Uint32Array, changes: Float64Array, o: number): void {
  const m = o + MOBILITY;
  const perMassOf = (slot: number) => changes[words[slotsOf(o) + slot] / F64 + INVERSE_MASS];
  rows[m] = rows[m + 1] = rows[m + 2] = perMassOf(0);
  for (let a = 0; a < 3; a++) turnInto(turns[a], rows, o, a === 0 ? 1 : 0, a === 1 ? 1 : 0, a === 2 ? 1 : 0);
  for (let p = 0; p < PATCH; p++) {
    const at = patchOf(o, p);
    const w = rows[at];
    const perMass = w * w * perMassOf(1 + p);
    const [rx, ry, rz] = [rows[at + 1], rows[at + 2], rows[at + 3]];
    for (let a = 0; a < 3; a++) {
      const [tx, ty, tz] = turns[a];
      const u = given[a];
      u[0] = ty * rz - tz * ry;
      u[1] = tz * rx - tx * rz;
      u[2] = tx * ry - ty * rx;
      u[a] += 1;
    }
    const [u, v, q] = given;
    rows[m] += perMass * dot(u, u);
    rows[m + 1] += perMass * dot(v, v);
    rows[m + 2] += perMass * dot(q, q);
    rows[m + 3] += perMass * dot(u, v);
    rows[m + 4] += perMass * dot(u, q);
    rows[m + 5] += perMass * dot(v, q);
  }
  rows[o + ALONG] = mobilityAlong(rows, o, rows[o + NORMAL], rows[o + NORMAL + 1], rows[o + NORMAL + 2]);
}

/**
 * Without friction an impulse is j n: replaces the arm r of each particle of the patch by its lever g = w (n + θ × r), θ = T⁻¹ (d × n). The relative velocity along n is then n·v − Σ g·v, and the patch's particles get −j g.
 * Writes the mobility along n.
 */
function layLevers(rows: Float64Array, words: Uint32Array, changes: Float64Array, o: number): void {
  const perMassOf = (slot: number) => changes[words[slotsOf(o) + slot] / F64 + INVERSE_MASS];
  const [nx, ny, nz] = [rows[o + NORMAL], rows[o + NORMAL + 1], rows[o + NORMAL + 2]];
  turnInto(theta, rows, o, nx, ny, nz);
  const [tx, ty, tz] = theta;
  let along = perMassOf(0) * (nx * nx + ny * ny + nz * nz);
  for (let p = 0; p < PATCH; p++) {
    const at = patchOf(o, p);
    const w = rows[at];
    const [rx, ry, rz] = [rows[at + 1], rows[at + 2], rows[at + 3]];
    const gx = (rows[at + 1] = w * (nx + (ty * rz - tz * ry)));
    const gy = (rows[at + 2] = w * (ny + (tz * rx - tx * rz)));
    const gz = (rows[at + 3] = w * (nz + (tx * ry - ty * rx)));
    along += perMassOf(1 + p) * (gx * gx + gy * gy + gz * gz);
  }
  rows[o + ALONG] = along;
}

const dot = (u: Float64Array, v: Float64Array) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];

/** θ = T⁻¹ (d × J). */
function turnInto(out: Float64Array, rows: Float64Array, o: number, jx: number, jy: number, jz: number): void {
  const [dx, dy, dz] = [rows[o + OFFSET], rows[o + OFFSET + 1], rows[o + OFFSET + 2]];
  const x = dy * jz - dz * jy;
  const y = dz * jx - dx * jz;
  const z = dx * jy - dy * jx;
  const t = o + TURN;
  out[0] = rows[t] * x + rows[t + 3] * y + rows[t + 4] * z;
  out[1] = rows[t + 3] * x + rows[t + 1] * y + rows[t + 5] * z;
  out[2] = rows[t + 4] * x + rows[t + 5] * y + rows[t + 2] * z;
}

/** nᵀ S n of the mobility S of the row at o. */
function mobilityAlong(rows: Float64Array, o: number, x: number, y: number, z: number): number {
  const m = o + MOBILITY;
  return (
    rows[m] * x * x +
    rows[m + 1] * y * y +
    rows[m + 2] * z * z +
    2 * (rows[m + 3] * x * y + rows[m + 4] * x * z + rows[m + 5] * y * z)
  );
}

/** Sets the goal speed and the exit speed of the contact at o. Returns false if no particle of the contact can move. */
function setGoal(
  s: Views,
  room: SelfRoom,
  o: number,
  i: number,
  k: number,
  { h, slow, restitution }: SelfParameters,
): boolean {
  const { rows } = room;
  const partingOf = rows[o + FRICTION] > 0 ? relativeInto : partingAlong;
  const speed = (v: Float32Array) =>
    partingOf(rows, o, (n, a) => v[Row.v * (n === 0 ? i : s.patch[Row.patch * k + n - 1]) + a]);
  const now = speed(s.v);
  const before = speed(s.vOld);
  const out = now + s.touch[Row.touch * i + FIELDS.touch.DEPTH] / h;
  let goal = Math.min(out, 0);
  if (before < -slow) goal = Math.max(goal, -restitution * before);
  // A cluster made by reclustering may start with particles of its own body inside; it stops them in proportion to its fade weight.
  rows[o + GOAL] = now + fadeWeight(s.fade[s.touchCluster[i]]) * (goal - now);
  rows[o + EXIT_SPEED] = out;
  return rows[o + ALONG] > 0;
}

/**
 * rel := velocity of the particle of the row at o relative to its patch. velocityOf(n, a) is the velocity along axis a of the particle (n = 0) or of the patch's particle n − 1. Returns the
 * component along the normal.
 */
function relativeInto(rows: Float64Array, o: number, velocityOf: (n: number, a: number) => number): number {
  let [x, y, z] = [velocityOf(0, 0), velocityOf(0, 1), velocityOf(0, 2)];
  let [lx, ly, lz] = [0, 0, 0];
  for (let p = 0; p < PATCH; p++) {
    const at = patchOf(o, p);
    const w = rows[at];
    const ux = w * velocityOf(1 + p, 0);
    const uy = w * velocityOf(1 + p, 1);
    const uz = w * velocityOf(1 + p, 2);
    x -= ux;
    y -= uy;
    z -= uz;
    lx += rows[at + 2] * uz - rows[at + 3] * uy;
    ly += rows[at + 3] * ux - rows[at + 1] * uz;
    lz += rows[at + 1] * uy - rows[at + 2] * ux;
  }
  const t = o + TURN;
  const wx = rows[t] * lx + rows[t + 3] * ly + rows[t + 4] * lz;
  const wy = rows[t + 3] * lx + rows[t + 1] * ly + rows[t + 5] * lz;
  const wz = rows[t + 4] * lx + rows[t + 5] * ly + rows[t + 2] * lz;
  const [dx, dy, dz] = [rows[o + OFFSET], rows[o + OFFSET + 1], rows[o + OFFSET + 2]];
  rel[0] = x - (wy * dz - wz * dy);
  rel[1] = y - (wz * dx - wx * dz);
  rel[2] = z - (wx * dy - wy * dx);
  return rel[0] * rows[o + NORMAL] + rel[1] * rows[o + NORMAL + 1] + rel[2] * rows[o + NORMAL + 2];
}

/** The same component of a row without friction, by its levers. */
function partingAlong(rows: Float64Array, o: number, velocityOf: (n: number, a: number) => number): number {
  let x = rows[o + NORMAL] * velocityOf(0, 0);
  let y = rows[o + NORMAL + 1] * velocityOf(0, 1);
  let z = rows[o + NORMAL + 2] * velocityOf(0, 2);
  for (let p = 0; p < PATCH; p++) {
    const at = patchOf(o, p);
    x -= rows[at + 1] * velocityOf(1 + p, 0);
    y -= rows[at + 2] * velocityOf(1 + p, 1);
    z -= rows[at + 3] * velocityOf(1 + p, 2);
  }
  return x + y + z;
}

/** Gauss–Seidel sweeps over the first `count` contacts until their impulses converge. Returns the number of sweeps. */
export function sweepSelf(room: SelfRoom, count: number): number {
  const { rows } = room;
  for (let n = 1; n <= SELF.MOST_SWEEPS; n++) {
    let [changed, total] = [0, 0];
    for (let o = 0; o < LENGTH * count; o += LENGTH) {
      changed += rows[o + FRICTION] > 0 ? push(room, o) : pushAlong(room, o);
      total += rows[o + NORMAL_IMPULSE];
    }
    if (changed <= SELF.CONVERGED * total) return n;
  }
  return SELF.MOST_SWEEPS;
}

/**
 * Applies an impulse so that the contact at o separates at least at its goal speed. Friction slows the sliding, with at most μ times the
 * normal impulse. Returns the size of the change of the normal impulse (N s).
 */
function push(room: SelfRoom, o: number): number {
  const { rows, changes } = room;
  const [nx, ny, nz] = [rows[o + NORMAL], rows[o + NORMAL + 1], rows[o + NORMAL + 2]];
  const parting = relativeInto(rows, o, (n, a) => {
    const c = changeOf(room, slotsOf(o) + n) + a;
    return changes[c + VELOCITY] + changes[c];
  });
  const along = Math.max(0, rows[o + NORMAL_IMPULSE] + (rows[o + GOAL] - parting) / rows[o + ALONG]);
  const j = along - rows[o + NORMAL_IMPULSE];
  rows[o + NORMAL_IMPULSE] = along;
  let [jx, jy, jz] = [j * nx, j * ny, j * nz];
  if (along > 0 || j !== 0) {
    slide(rows, o, j);
    jx += slip[0];
    jy += slip[1];
    jz += slip[2];
  }
  if (jx !== 0 || jy !== 0 || jz !== 0) give(room, o, jx, jy, jz);
  return Math.abs(j);
}

/** The same for a row without friction. */
function pushAlong(room: SelfRoom, o: number): number {
  const { rows, changes } = room;
  const parting = partingAlong(rows, o, (n, a) => {
    const c = changeOf(room, slotsOf(o) + n) + a;
    return changes[c + VELOCITY] + changes[c];
  });
  const along = Math.max(0, rows[o + NORMAL_IMPULSE] + (rows[o + GOAL] - parting) / rows[o + ALONG]);
  const j = along - rows[o + NORMAL_IMPULSE];
  rows[o + NORMAL_IMPULSE] = along;
  if (j === 0) return 0;
  const i = changeOf(room, slotsOf(o));
  const own = j * changes[i + INVERSE_MASS];
  for (let a = 0; a < 3; a++) changes[i + a] += own * rows[o + NORMAL + a];
  for (let p = 0; p < PATCH; p++) {
    const k = changeOf(room, slotsOf(o) + 1 + p);
    const f = j * changes[k + INVERSE_MASS];
    for (let a = 0; a < 3; a++) changes[k + a] -= f * rows[patchOf(o, p) + 1 + a];
  }
  return Math.abs(j);
}

/** slip := change of the friction impulse, for a relative velocity `rel` before an impulse j along the normal. */
function slide(rows: Float64Array, o: number, j: number): void {
  const [nx, ny, nz] = [rows[o + NORMAL], rows[o + NORMAL + 1], rows[o + NORMAL + 2]];
  const [jx, jy, jz] = [j * nx, j * ny, j * nz];
  const m = o + MOBILITY;
  let x = rel[0] + rows[m] * jx + rows[m + 3] * jy + rows[m + 4] * jz;
  let y = rel[1] + rows[m + 3] * jx + rows[m + 1] * jy + rows[m + 5] * jz;
  let z = rel[2] + rows[m + 4] * jx + rows[m + 5] * jy + rows[m + 2] * jz;
  const out = x * nx + y * ny + z * nz;
  x -= out * nx;
  y -= out * ny;
  z -= out * nz;
  const square = x * x + y * y + z * z;
  const scale = square > 0 ? square / mobilityAlong(rows, o, x, y, z) : 0;
  const f = o + FRICTION_IMPULSE;
  const [ax, ay, az] = [rows[f] - scale * x, rows[f + 1] - scale * y, rows[f + 2] - scale * z];
  const size = Math.sqrt(ax * ax + ay * ay + az * az);
  const most = rows[o + FRICTION] * rows[o + NORMAL_IMPULSE];
  const shorter = size > most ? most / size : 1;
  slip[0] = shorter * ax - rows[f];
  slip[1] = shorter * ay - rows[f + 1];
  slip[2] = shorter * az - rows[f + 2];
  for (let a = 0; a < 3; a++) rows[f + a] += slip[a];
}

/** Applies an impulse to the particle of the row at o, and the opposite one to its patch. */
function give(room: SelfRoom, o: number, jx: number, jy: number, jz: number): void {
  const { rows, changes } = room;
  turnInto(theta, rows, o, jx, jy, jz);
  const [tx, ty, tz] = theta;
  const i = changeOf(room, slotsOf(o));
  const perMass = changes[i + INVERSE_MASS];
  changes[i] += perMass * jx;
  changes[i + 1] += perMass * jy;
  changes[i + 2] += perMass * jz;
  for (let p = 0; p < PATCH; p++) {
    const at = patchOf(o, p);
    const k = changeOf(room, slotsOf(o) + 1 + p);
    const f = rows[at] * changes[k + INVERSE_MASS];
    changes[k] -= f * (jx + ty * rows[at + 3] - tz * rows[at + 2]);
    changes[k + 1] -= f * (jy + tz * rows[at + 1] - tx * rows[at + 3]);
    changes[k + 2] -= f * (jz + tx * rows[at + 2] - ty * rows[at + 1]);
  }
}

/**
 * out := L and Q (J) and the angular momentum (kg m²/s) of the changes Δ₁ since those kept, Δ₀:
 *   L = Σ m Δ₁·((v₀ + v)/2 + Δ₀),   Q = ½ Σ m Δ₁²,   h Σ m Δ₁ × v
 */
export function weighSelf(
  { v, vOld, moved: particles }: Views,
  out: Float64Array,
  { changes }: SelfRoom,
  moved: number,
  h: number,
): void {
  let [linear, square, gx, gy, gz] = [0, 0, 0, 0, 0];
  for (let n = 0; n < moved; n++) {
    const c = SelfChange.LENGTH * n;
    const perMass = changes[c + INVERSE_MASS];
    if (perMass === 0) continue;
    const k = c + KEPT;
    const o = Row.v * particles[n];
    const [dx, dy, dz] = [changes[c] - changes[k], changes[c + 1] - changes[k + 1], changes[c + 2] - changes[k + 2]];
    const [vx, vy, vz] = [v[o], v[o + 1], v[o + 2]];
    const ux = 0.5 * (vOld[o] + vx) + changes[k];
    const uy = 0.5 * (vOld[o + 1] + vy) + changes[k + 1];
    const uz = 0.5 * (vOld[o + 2] + vz) + changes[k + 2];
    linear += (dx * ux + dy * uy + dz * uz) / perMass;
    square += (0.5 * (dx * dx + dy * dy + dz * dz)) / perMass;
    const lever = h / perMass;
    gx += lever * (dy * vz - dz * vy);
    gy += lever * (dz * vx - dx * vz);
    gz += lever * (dx * vy - dy * vx);
  }
  out[0] = linear;
  out[1] = square;
  out[2] = gx;
  out[3] = gy;
  out[4] = gz;
}

/** Keeps the changes so far. */
export function keepSelf({ changes }: SelfRoom, moved: number): void {
  for (let c = 0; c < SelfChange.LENGTH * moved; c += SelfChange.LENGTH)
    for (let a = 0; a < 3; a++) changes[c + KEPT + a] = changes[c + a];
}

/** Adds the changes to the velocities, and h times them to the positions. */
export function moveSelf({ x, v, moved: particles }: Views, { changes }: SelfRoom, moved: number, h: number): void {
  for (let n = 0; n < moved; n++)
    for (let a = 0; a < 3; a++) {
      const change = changes[SelfChange.LENGTH * n + a];
      v[Row.v * particles[n] + a] += change;
      x[Row.x * particles[n] + a] += h * change;
    }
}
