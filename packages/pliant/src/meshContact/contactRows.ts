import { squared } from '../math/elementary.js';
import type { Contacts } from './contacts.js';
import type { Slots } from './slots.js';

/**
 * Jacobian rows of the contacts. The velocity of a vertex is Σ_c W (v̄ + ω × r) over its clusters, r = F q (skin/frames.ts). The velocity
 * of a point in a triangle is the mean of its corners. The difference of the two has one row per cluster,
 *
 *     u = Σ_rows β v̄ + ω × L,   β = Σ ± b W,   L = Σ ± b W r.
 *
 * An impulse J on the contact acts through the same rows: linear β J and angular L × J. This is the transpose, so power at the contact
 * equals power at the particles. Σ β = 0, so the impulses on the two sides cancel. A vertex lies at Σ W (x̄ + r), so a pair of impulses
 * along the line between vertex and point has no torque.
 *
 * Clusters that cannot move have no row, only a velocity.
 */
export interface ContactRows {
  /** First row of each contact; contacts + 1 offsets. */
  start: Uint32Array;
  slot: Uint32Array;
  /** Four a row: β, L x y z (m). */
  values: Float64Array;
  count: number;
  /** Three a contact: the part of u due to clusters that cannot move (m/s). */
  fixed: Float64Array;
  /** Slot → its last row. The row belongs to the contact being built if it is not before that contact's first row. */
  lastRow: Int32Array;
}

export const newContactRows = (): ContactRows => ({
  start: new Uint32Array(65),
  slot: new Uint32Array(512),
  values: new Float64Array(2048),
  count: 0,
  fixed: new Float64Array(192),
  lastRow: new Int32Array(16),
});

/** Builds the rows of all contacts. Their slots must be measured and gathered. */
export function buildRows(rows: ContactRows, contacts: Contacts, slots: Slots): void {
  if (rows.start.length < contacts.count + 1) {
    rows.start = new Uint32Array(2 * contacts.count + 1);
    rows.fixed = new Float64Array(6 * contacts.count);
  }
  if (rows.lastRow.length < slots.count) rows.lastRow = new Int32Array(2 * slots.count);
  rows.lastRow.fill(-1, 0, slots.count);
  rows.fixed.fill(0, 0, 3 * contacts.count);
  rows.count = 0;
  for (let n = 0; n < contacts.count; n++) {
    rows.start[n] = rows.count;
    addVertex(rows, n, slots, contacts.meshes[2 * n], contacts.vertices[4 * n], 1);
    for (let k = 0; k < 3; k++)
      addVertex(
        rows,
        n,
        slots,
        contacts.meshes[2 * n + 1],
        contacts.vertices[4 * n + 1 + k],
        -contacts.barycentric[3 * n + k],
      );
  }
  rows.start[contacts.count] = rows.count;
}

function addVertex(rows: ContactRows, n: number, slots: Slots, mesh: number, vertex: number, share: number): void {
  const { blend, offsets, frames, motion } = slots.meshes[mesh];
  for (let k = blend.start[vertex]; k < blend.start[vertex + 1]; k++) {
    const c = blend.cluster[k];
    const slot = motion.slotOf[c];
    const w = share * blend.share[k];
    const qx = offsets[3 * k];
    const qy = offsets[3 * k + 1];
    const qz = offsets[3 * k + 2];
    const o = 12 * c;
    const x = w * (frames[o] * qx + frames[o + 3] * qy + frames[o + 6] * qz);
    const y = w * (frames[o + 1] * qx + frames[o + 4] * qy + frames[o + 7] * qz);
    const z = w * (frames[o + 2] * qx + frames[o + 5] * qy + frames[o + 8] * qz);
    if (!slots.isMobile[slot]) {
      const { rates } = slots;
      const r = 6 * slot;
      rows.fixed[3 * n] += w * rates[r] + rates[r + 4] * z - rates[r + 5] * y;
      rows.fixed[3 * n + 1] += w * rates[r + 1] + rates[r + 5] * x - rates[r + 3] * z;
      rows.fixed[3 * n + 2] += w * rates[r + 2] + rates[r + 3] * y - rates[r + 4] * x;
      continue;
    }
    const at = rowOf(rows, n, slot);
    rows.values[at] += w;
    rows.values[at + 1] += x;
    rows.values[at + 2] += y;
    rows.values[at + 3] += z;
  }
}

/** Start in `values` of the row of a slot; adds a row if the contact has none for it. */
function rowOf(rows: ContactRows, n: number, slot: number): number {
  if (rows.lastRow[slot] >= rows.start[n]) return 4 * rows.lastRow[slot];
  if (rows.count === rows.slot.length) {
    const { slot: slots, values } = rows;
    rows.slot = new Uint32Array(2 * rows.count);
    rows.values = new Float64Array(8 * rows.count);
    rows.slot.set(slots);
    rows.values.set(values);
  }
  rows.lastRow[slot] = rows.count;
  rows.slot[rows.count] = slot;
  rows.values.fill(0, 4 * rows.count, 4 * rows.count + 4);
  return 4 * rows.count++;
}

/** u of a contact, from the slots' rates. `fixed`: includes the clusters that cannot move; false for displacements. */
export function relativeInto(u: Float64Array, rows: ContactRows, n: number, { rates }: Slots, fixed: boolean): void {
  const { slot, values } = rows;
  let ux = fixed ? rows.fixed[3 * n] : 0;
  let uy = fixed ? rows.fixed[3 * n + 1] : 0;
  let uz = fixed ? rows.fixed[3 * n + 2] : 0;
  for (let k = rows.start[n]; k < rows.start[n + 1]; k++) {
    const r = 6 * slot[k];
    const b = values[4 * k];
    const x = values[4 * k + 1];
    const y = values[4 * k + 2];
    const z = values[4 * k + 3];
    ux += b * rates[r] + rates[r + 4] * z - rates[r + 5] * y;
    uy += b * rates[r + 1] + rates[r + 5] * x - rates[r + 3] * z;
    uz += b * rates[r + 2] + rates[r + 3] * y - rates[r + 4] * x;
  }
  u[0] = ux;
  u[1] = uy;
  u[2] = uz;
}

/**
 * Applies an impulse j to a contact (N s; or mass times displacement, kg m): changes the rates of its slots. j is an array because three
 * number arguments would each be allocated on the heap, thousands of times a step.
 */
export function pushContact(rows: ContactRows, n: number, slots: Slots, j: Float64Array): void {
  const { slot, values } = rows;
  const x = j[0];
  const y = j[1];
  const z = j[2];
  const { rates, massInverse, inertiaInverse: q } = slots;
  for (let k = rows.start[n]; k < rows.start[n + 1]; k++) {
    const o = 6 * slot[k];
    const b = values[4 * k] * massInverse[slot[k]];
    const lx = values[4 * k + 2] * z - values[4 * k + 3] * y;
    const ly = values[4 * k + 3] * x - values[4 * k + 1] * z;
    const lz = values[4 * k + 1] * y - values[4 * k + 2] * x;
    rates[o] += b * x;
    rates[o + 1] += b * y;
    rates[o + 2] += b * z;
    rates[o + 3] += q[o] * lx + q[o + 3] * ly + q[o + 4] * lz;
    rates[o + 4] += q[o + 3] * lx + q[o + 1] * ly + q[o + 5] * lz;
    rates[o + 5] += q[o + 4] * lx + q[o + 5] * ly + q[o + 2] * lz;
  }
}

/**
 * Smallest mobility along the normal, as a share of the largest 1/mass of the contact's clusters; a contact below it cannot be separated.
 * In a body against itself where both sides belong to one cluster, the rows hold only rounding. (A share of 1e-17 threw a cube 280 km
 * high.)
 */
const FIRM = 1e-6;

/** Velocity per impulse (1/kg): along n, and an upper bound for all directions across n. */
export function yieldsInto(out: Float64Array, rows: ContactRows, n: number, slots: Slots, normals: Float64Array): void {
  const { slot, values } = rows;
  const { massInverse, inertiaInverse: q } = slots;
  const nx = normals[4 * n];
  const ny = normals[4 * n + 1];
  const nz = normals[4 * n + 2];
  let along = 0;
  let all = 0;
  let free = 0;
  for (let k = rows.start[n]; k < rows.start[n + 1]; k++) {
    const o = 6 * slot[k];
    const b = squared(values[4 * k]) * massInverse[slot[k]];
    free = Math.max(free, massInverse[slot[k]]);
    const x = values[4 * k + 1];
    const y = values[4 * k + 2];
    const z = values[4 * k + 3];
    along += b + quadratic(q, o, y * nz - z * ny, z * nx - x * nz, x * ny - y * nx);
    // Σ (L×e)ᵀ I⁻¹ (L×e) over e = x, y, z is |L|² tr I⁻¹ − Lᵀ I⁻¹ L.
    all += 3 * b + (x * x + y * y + z * z) * (q[o] + q[o + 1] + q[o + 2]) - quadratic(q, o, x, y, z);
  }
  out[2 * n] = along > FIRM * free ? along : 0;
  out[2 * n + 1] = all - along;
}

const quadratic = (q: Float64Array, o: number, x: number, y: number, z: number) =>
  q[o] * x * x + q[o + 1] * y * y + q[o + 2] * z * z + 2 * (q[o + 3] * x * y + q[o + 4] * x * z + q[o + 5] * y * z);
