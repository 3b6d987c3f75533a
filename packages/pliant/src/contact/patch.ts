import type { Views } from '../state/layout.js';

/** Particles that stand in for the surface around a contact. */
export const PATCH = 6;

/** PATCH particles and weights a contact; the weights sum to 1, unused ones are 0 and name a particle all the same. */
export let patchParticle = new Uint32Array(0);
export let patchWeight = new Float64Array(0);

export function reservePatches(contacts: number): void {
  if (patchWeight.length >= PATCH * contacts) return;
  patchParticle = new Uint32Array(2 * PATCH * contacts);
  patchWeight = new Float64Array(2 * PATCH * contacts);
}

/** Softening of the weights in squared spacings, as in the skin's (kernels/ts/contact.ts). */
const SOFT = 0.5;

/**
 * The patch of contact k: the surface members of cluster c nearest to particle i, or its nearest members if it has no
 * surface of its own. Distances are those in the world, where the cluster is stretched as its surroundings are.
 */
export function findPatch(s: Views, k: number, i: number, c: number): void {
  const { x, memberParticle, outward } = s;
  const first = s.memberStart[c];
  // The member nearest the centre comes before those on the surface; it may be one of them.
  const onSkin = s.skinEnd[c] > first + 1 || outward[4 * first + 3] >= 0;
  const last = onSkin ? s.skinEnd[c] : s.memberStart[c + 1];
  const scale = 1 / (s.proxySpacing[c] * s.proxySpacing[c]);
  const at = PATCH * k;
  let found = 0;
  for (let m = first; m < last; m++) {
    if (onSkin && outward[4 * m + 3] < 0) continue;
    const o = 4 * memberParticle[m];
    const dx = x[o] - x[4 * i];
    const dy = x[o + 1] - x[4 * i + 1];
    const dz = x[o + 2] - x[4 * i + 2];
    const d2 = dx * dx + dy * dy + dz * dz;
    if (found === PATCH && d2 >= patchWeight[at + PATCH - 1]) continue;
    // Insertion into the list of the nearest, which holds squared distances until it is complete.
    let n = found < PATCH ? found++ : PATCH - 1;
    for (; n > 0 && patchWeight[at + n - 1] > d2; n--) {
      patchWeight[at + n] = patchWeight[at + n - 1];
      patchParticle[at + n] = patchParticle[at + n - 1];
    }
    patchWeight[at + n] = d2;
    patchParticle[at + n] = memberParticle[m];
  }
  let sum = 0;
  for (let n = at; n < at + found; n++) {
    const w = 1 / (patchWeight[n] * scale + SOFT) ** 2;
    patchWeight[n] = w;
    sum += w;
  }
  for (let n = at; n < at + found; n++) patchWeight[n] /= sum;
  for (let n = at + found; n < at + PATCH; n++) {
    patchWeight[n] = 0;
    patchParticle[n] = patchParticle[at];
  }
}
