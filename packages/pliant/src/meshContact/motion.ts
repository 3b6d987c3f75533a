import { squared } from '../math/elementary.js';
import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';
import type { ContactMesh } from './contactMesh.js';

/** Scratch of a contact mesh for the contact response: the clusters and particles that contacts act on, and their changes. */
export interface Motion {
  /** Number of the contact mesh in the list of those that are solved together. */
  at: number;
  /** Cluster of the body → its slot (slots.ts); −1 if no contact acts on it. */
  readonly slotOf: Int32Array;
  /** Free particles of the clusters with a slot, numbered within the body. */
  readonly moved: Uint32Array;
  movedCount: number;
  readonly isMoved: Uint8Array;
  /** Per particle: change of velocity (m/s) or of position (m) so far, and room for another such sum. `change` is 0 between calls. */
  readonly change: Float64Array;
  readonly other: Float64Array;
}

export const newMotion = (clusters: number, particles: number): Motion => ({
  at: 0,
  slotOf: new Int32Array(clusters).fill(-1),
  moved: new Uint32Array(particles),
  movedCount: 0,
  isMoved: new Uint8Array(particles),
  change: new Float64Array(3 * particles),
  other: new Float64Array(3 * particles),
});

/**
 * Lists the free particles of a cluster in `moved`; returns whether it has any. Held particles do not move: their holder absorbs their
 * share.
 */
export function noteMembers({ motion: m, body, isHeld, isAsleep }: ContactMesh, s: Views, cluster: number): boolean {
  if (isHeld || isAsleep) return false;
  const row = body.rows.clusterStart + cluster;
  let free = false;
  for (let k = s.memberStart[row]; k < s.memberStart[row + 1]; k++) {
    const i = s.memberParticle[k];
    if (s.flags[i] & Flag.HELD) continue;
    free = true;
    const local = i - body.rows.particleStart;
    if (m.isMoved[local]) continue;
    m.isMoved[local] = 1;
    m.moved[m.movedCount++] = local;
  }
  return free;
}

/** Sets `change` or `other` of the moved particles to 0. */
export function zero({ moved, movedCount }: Motion, change: Float64Array): void {
  for (let n = 0; n < movedCount; n++) change.fill(0, 3 * moved[n], 3 * moved[n] + 3);
}

/** Σ m |change|² over the particles that moved. */
export function squaredChange({ motion: m, body }: ContactMesh, s: Views, change: Float64Array): number {
  let sum = 0;
  for (let n = 0; n < m.movedCount; n++) {
    const o = 3 * m.moved[n];
    const mass = s.x[4 * (body.rows.particleStart + m.moved[n]) + 3];
    sum += mass * (squared(change[o]) + squared(change[o + 1]) + squared(change[o + 2]));
  }
  return sum;
}

/** change ← scale · change + share · other. */
export function blendChange({ moved, movedCount, change, other }: Motion, scale: number, share: number): void {
  for (let n = 0; n < movedCount; n++)
    for (let o = 3 * moved[n]; o < 3 * moved[n] + 3; o++)
      change[o] = scale * change[o] + (share === 0 ? 0 : share * other[o]);
}

/** Adds the changes to the velocities or positions of the state. This is the only rounding to f32 in a call. */
export function applyChange({ motion: m, body }: ContactMesh, to: Float32Array): void {
  for (let n = 0; n < m.movedCount; n++)
    for (let a = 0; a < 3; a++) {
      const o = 4 * (body.rows.particleStart + m.moved[n]) + a;
      to[o] = to[o] + m.change[3 * m.moved[n] + a];
    }
}

/** Clears the list of moved particles and their changes. clearSlots clears the slots. */
export function clearMotion({ motion: m }: ContactMesh): void {
  zero(m, m.change);
  for (let n = 0; n < m.movedCount; n++) m.isMoved[m.moved[n]] = 0;
  m.movedCount = 0;
}
