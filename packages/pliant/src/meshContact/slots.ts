import { hypot } from '../math/elementary.js';
import { invertInertiaInto } from '../math/inertia.js';
import type { Views } from '../state/layout.js';
import type { ContactMesh } from './contactMesh.js';
import { noteMembers } from './motion.js';

/**
 * The clusters on which contacts act, of all contact meshes that are solved together. Each is a rigid body: v̄ and ω come from its
 * particles, and its changes are distributed to them. An impulse J at a lever r gives Δv̄ = J/M and Δω = I⁻¹ (r × J). Particle i of the
 * cluster gets w_ic (Δv̄ + Δω × (x_i − x̄)). As Σ m w = M and Σ m w (x − x̄) = 0, linear and angular momentum are transferred in full.
 *
 * The motion is rigid although the surface follows F. An affine field was tried first: it responds to a push on the bottom of a cube by
 * moving its top down (Δv = J/M (1 − 3)), and a cube at rest sank four times as deep. Displacements use the same rule.
 */
export interface Slots {
  count: number;
  /** The contact meshes that are solved together; `motion.at` is their number here. */
  readonly meshes: ContactMesh[];
  /** Index in `meshes`, and cluster within that mesh's body. */
  meshOf: Uint32Array;
  cluster: Uint32Array;
  /** 1 if some member of the cluster is free to move. */
  isMobile: Uint8Array;
  massInverse: Float64Array;
  /** Six a slot: xx yy zz xy xz yz, at the current positions. */
  inertiaInverse: Float64Array;
  /** Three a slot: centre of mass at the current positions (m). */
  centres: Float64Array;
  /** Six a slot: v̄ and ω (or displacement and rotation), and their values when last gathered. */
  rates: Float64Array;
  gathered: Float64Array;
}

export const newSlots = (capacity = 16): Slots => ({
  count: 0,
  meshes: [],
  meshOf: new Uint32Array(capacity),
  cluster: new Uint32Array(capacity),
  isMobile: new Uint8Array(capacity),
  massInverse: new Float64Array(capacity),
  inertiaInverse: new Float64Array(6 * capacity),
  centres: new Float64Array(3 * capacity),
  rates: new Float64Array(6 * capacity),
  gathered: new Float64Array(6 * capacity),
});

/** Assigns slots to the clusters of a vertex. */
export function openSlots(slots: Slots, mesh: number, vertex: number): void {
  const { blend, motion } = slots.meshes[mesh];
  for (let k = blend.start[vertex]; k < blend.start[vertex + 1]; k++) {
    const c = blend.cluster[k];
    if (motion.slotOf[c] >= 0) continue;
    if (slots.count === slots.meshOf.length) growSlots(slots);
    motion.slotOf[c] = slots.count;
    slots.meshOf[slots.count] = mesh;
    slots.cluster[slots.count++] = c;
  }
}

/** Keeps only the arrays that openSlots writes; the others are written later. */
function growSlots(slots: Slots): void {
  const { meshOf, cluster, count, meshes } = slots;
  Object.assign(slots, newSlots(2 * count), { meshes, count });
  slots.meshOf.set(meshOf);
  slots.cluster.set(cluster);
}

/** Frees all slots. */
export function clearSlots(slots: Slots): void {
  for (let n = 0; n < slots.count; n++) slots.meshes[slots.meshOf[n]].motion.slotOf[slots.cluster[n]] = -1;
  slots.count = 0;
}

/** Computes centre, mass and inertia of every slot, and lists the particles it can move. */
export function measureSlots(slots: Slots, s: Views): void {
  for (let n = 0; n < slots.count; n++) {
    const mesh = slots.meshes[slots.meshOf[n]];
    slots.isMobile[n] = noteMembers(mesh, s, slots.cluster[n]) ? 1 : 0;
    measureSlot(slots, n, s, mesh.body.rows.clusterStart + slots.cluster[n]);
  }
}

const inertia = new Float64Array(6);

function measureSlot(slots: Slots, n: number, s: Views, row: number): void {
  const { x, member, memberParticle } = s;
  const first = s.memberStart[row];
  const last = s.memberStart[row + 1];
  // Relative to the first member, so that bodies far from the origin lose no precision.
  const o = 4 * memberParticle[first];
  let cx = 0;
  let cy = 0;
  let cz = 0;
  for (let k = first; k < last; k++) {
    const i = 4 * memberParticle[k];
    cx += member[4 * k + 3] * (x[i] - x[o]);
    cy += member[4 * k + 3] * (x[i + 1] - x[o + 1]);
    cz += member[4 * k + 3] * (x[i + 2] - x[o + 2]);
  }
  slots.massInverse[n] = 1 / s.clusterMass[row];
  slots.centres[3 * n] = cx = x[o] + cx / s.clusterMass[row];
  slots.centres[3 * n + 1] = cy = x[o + 1] + cy / s.clusterMass[row];
  slots.centres[3 * n + 2] = cz = x[o + 2] + cz / s.clusterMass[row];
  inertia.fill(0);
  for (let k = first; k < last; k++) {
    const i = 4 * memberParticle[k];
    const mw = member[4 * k + 3];
    const rx = x[i] - cx;
    const ry = x[i + 1] - cy;
    const rz = x[i + 2] - cz;
    inertia[0] += mw * (ry * ry + rz * rz);
    inertia[1] += mw * (rx * rx + rz * rz);
    inertia[2] += mw * (rx * rx + ry * ry);
    inertia[3] -= mw * rx * ry;
    inertia[4] -= mw * rx * rz;
    inertia[5] -= mw * ry * rz;
  }
  invertInertiaInto(slots.inertiaInverse, 6 * n, inertia);
}

/**
 * Computes v̄ and ω = I⁻¹ L of the slots, from `base` (the state's v; none for displacements) plus the particles' `change`. `again`: skips
 * slots that cannot move, which no change affects.
 */
export function gatherRates(slots: Slots, s: Views, base: Float32Array | undefined, again: boolean): void {
  for (let n = 0; n < slots.count; n++) {
    if (again && !slots.isMobile[n]) continue;
    sumMotion(slots, n, s, base);
    const { rates, gathered, inertiaInverse: q } = slots;
    const o = 6 * n;
    const lx = momentum[3];
    const ly = momentum[4];
    const lz = momentum[5];
    for (let a = 0; a < 3; a++) rates[o + a] = momentum[a] * slots.massInverse[n];
    rates[o + 3] = q[o] * lx + q[o + 3] * ly + q[o + 4] * lz;
    rates[o + 4] = q[o + 3] * lx + q[o + 1] * ly + q[o + 5] * lz;
    rates[o + 5] = q[o + 4] * lx + q[o + 5] * ly + q[o + 2] * lz;
    for (let k = o; k < o + 6; k++) gathered[k] = rates[k];
  }
}

/** Linear and angular momentum of one slot, the latter about its centre. */
const momentum = new Float64Array(6);

function sumMotion(slots: Slots, n: number, s: Views, base: Float32Array | undefined): void {
  const { body, motion } = slots.meshes[slots.meshOf[n]];
  const { x, member, memberParticle } = s;
  const { change } = motion;
  const { particleStart, clusterStart } = body.rows;
  const row = clusterStart + slots.cluster[n];
  const cx = slots.centres[3 * n];
  const cy = slots.centres[3 * n + 1];
  const cz = slots.centres[3 * n + 2];
  momentum.fill(0);
  for (let k = s.memberStart[row]; k < s.memberStart[row + 1]; k++) {
    const i = memberParticle[k];
    const o = 3 * (i - particleStart);
    const mw = member[4 * k + 3];
    const ux = mw * ((base ? base[4 * i] : 0) + change[o]);
    const uy = mw * ((base ? base[4 * i + 1] : 0) + change[o + 1]);
    const uz = mw * ((base ? base[4 * i + 2] : 0) + change[o + 2]);
    const rx = x[4 * i] - cx;
    const ry = x[4 * i + 1] - cy;
    const rz = x[4 * i + 2] - cz;
    momentum[0] += ux;
    momentum[1] += uy;
    momentum[2] += uz;
    momentum[3] += ry * uz - rz * uy;
    momentum[4] += rz * ux - rx * uz;
    momentum[5] += rx * uy - ry * ux;
  }
}

/**
 * Limits the rotation of every slot since it was gathered to `most` (rad). θ × r is a rotation only for small θ: it stretches a body by √(1
 * + θ²). The centre of mass is not affected.
 */
export function limitTurns({ rates, gathered, count }: Slots, most: number): void {
  for (let n = 0; n < count; n++) {
    const o = 6 * n + 3;
    const turn = hypot(rates[o] - gathered[o], rates[o + 1] - gathered[o + 1], rates[o + 2] - gathered[o + 2]);
    if (turn > most) for (let k = o; k < o + 3; k++) rates[k] = gathered[k] + (most / turn) * (rates[k] - gathered[k]);
  }
}

/** Distributes the changes of the slots since they were gathered to their free particles: into `change`, or into `other` with `toOther`. */
export function applyRates(slots: Slots, s: Views, toOther = false): void {
  const { rates, gathered, centres } = slots;
  const { x, member, memberParticle } = s;
  for (let n = 0; n < slots.count; n++) {
    if (!slots.isMobile[n]) continue;
    const { body, motion } = slots.meshes[slots.meshOf[n]];
    const into = toOther ? motion.other : motion.change;
    const { particleStart, clusterStart } = body.rows;
    const row = clusterStart + slots.cluster[n];
    const o = 6 * n;
    const vx = rates[o] - gathered[o];
    const vy = rates[o + 1] - gathered[o + 1];
    const vz = rates[o + 2] - gathered[o + 2];
    const wx = rates[o + 3] - gathered[o + 3];
    const wy = rates[o + 4] - gathered[o + 4];
    const wz = rates[o + 5] - gathered[o + 5];
    for (let k = s.memberStart[row]; k < s.memberStart[row + 1]; k++) {
      const i = memberParticle[k];
      const at = 3 * (i - particleStart);
      if (!motion.isMoved[i - particleStart]) continue;
      const w = member[4 * k + 3] / x[4 * i + 3];
      const rx = x[4 * i] - centres[3 * n];
      const ry = x[4 * i + 1] - centres[3 * n + 1];
      const rz = x[4 * i + 2] - centres[3 * n + 2];
      into[at] += w * (vx + wy * rz - wz * ry);
      into[at + 1] += w * (vy + wz * rx - wx * rz);
      into[at + 2] += w * (vz + wx * ry - wy * rx);
    }
  }
}
