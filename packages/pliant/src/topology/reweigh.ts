import type { Body } from '../body/body.js';
import { describeCoarse } from '../levels/hierarchy.js';
import { movePlanes } from '../proxy/proxy.js';
import type { Views } from '../state/layout.js';
import { describeCluster, moveSurfaceMembers } from '../state/members.js';

// Scratch, counted from the body's first row. Of particles: whether its links were weighed in this call, and the link
// at which centreCluster goes on to search. Of clusters: whether weights of its members changed.
let weighed = new Uint8Array(0);
let lastLink = new Uint32Array(0);
let changed = new Uint8Array(0);
const centre = new Float64Array(3);

/**
 * Multiplies the weights of cluster c by scale[c] and scales the weights of every particle to a sum of 1 again.
 * Centres, A_rr and everything that stands in a cluster's own frame are updated. Memberships stay, so no rows are laid
 * out anew. `scale` counts from the body's first cluster.
 */
export function reweigh(s: Views, body: Body, scale: Float64Array): void {
  const { clusterStart, clusterEnd, particleStart, particleEnd } = body.rows;
  reserve(particleEnd - particleStart, clusterEnd - clusterStart);
  for (let c = clusterStart; c < clusterEnd; c++) {
    if (scale[c - clusterStart] === 1) continue;
    for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
      const i = s.memberParticle[k];
      if (weighed[i - particleStart]) continue;
      weighed[i - particleStart] = 1;
      weighLinks(s, s.gatherRank[i], clusterStart, scale);
    }
  }
  for (let n = particleStart; n < particleEnd; n++) lastLink[s.gatherOrder[n] - particleStart] = s.linkStart[n];
  for (let c = clusterStart; c < clusterEnd; c++) if (changed[c - clusterStart]) centreCluster(s, body, c);
  if (body.rows.tieEnd > body.rows.tieStart) describeCoarse(s, body.rows);
  body.core.law?.forget();
}

function reserve(particles: number, clusters: number): void {
  if (weighed.length < particles) {
    weighed = new Uint8Array(2 * particles);
    lastLink = new Uint32Array(2 * particles);
  }
  if (changed.length < clusters) changed = new Uint8Array(2 * clusters);
  weighed.fill(0, 0, particles);
  changed.fill(0, 0, clusters);
}

function weighLinks({ link, linkCluster, linkStart }: Views, n: number, first: number, scale: Float64Array): void {
  let sum = 0;
  const start = linkStart[n];
  const end = linkStart[n + 1];
  for (let l = start; l < end; l++) sum += link[4 * l + 3] * scale[linkCluster[l] - first];
  for (let l = start; l < end; l++) {
    const c = linkCluster[l] - first;
    link[4 * l + 3] *= scale[c] / sum;
    changed[c] = 1;
  }
}

/**
 * Updates m·w of a cluster's members from their links, and moves the rest offsets of both to the new centre of mass.
 * The links of a particle lie by ascending cluster, and clusters are visited in that order: the search for a link goes
 * on where that of the last cluster ended.
 */
function centreCluster(s: Views, { rows, material }: Body, c: number): void {
  const { member, memberParticle, link, linkCluster, x: position } = s;
  const { particleStart } = rows;
  const first = s.memberStart[c];
  const last = s.memberStart[c + 1];
  let mass = 0;
  let x = 0;
  let y = 0;
  let z = 0;
  for (let k = first; k < last; k++) {
    const o = 4 * k;
    const i = memberParticle[k];
    let l = lastLink[i - particleStart];
    while (linkCluster[l] !== c) l++;
    lastLink[i - particleStart] = l;
    if (weighed[i - particleStart]) member[o + 3] = link[4 * l + 3] * position[4 * i + 3];
    const mw = member[o + 3];
    mass += mw;
    x += mw * member[o];
    y += mw * member[o + 1];
    z += mw * member[o + 2];
  }
  x /= mass;
  y /= mass;
  z /= mass;
  for (let k = first; k < last; k++) {
    const o = 4 * k;
    const l = 4 * lastLink[memberParticle[k] - particleStart];
    member[o] -= x;
    member[o + 1] -= y;
    member[o + 2] -= z;
    link[l] = member[o];
    link[l + 1] = member[o + 1];
    link[l + 2] = member[o + 2];
  }
  centre[0] = x;
  centre[1] = y;
  centre[2] = z;
  describeCluster(s, c, material.limit.gamma);
  moveSurfaceMembers(s, c, centre);
  moveFrame(s, c, centre);
  for (let n = s.parentTies[2 * c]; n < s.parentTies[2 * c + 1]; n++) {
    const o = 12 * (rows.tieStart + s.tiesByChild[rows.tieStart + n]);
    for (let a = 0; a < 3; a++)
      s.tieRest[o + 9 + a] += s.tieRest[o + a] * x + s.tieRest[o + 3 + a] * y + s.tieRest[o + 6 + a] * z;
  }
}

/** Moves the rest frame and the proxy planes of a cluster to its new centre, which is given in the old frame. */
export function moveFrame(s: Views, c: number, centre: ArrayLike<number>): void {
  const m = 12 * c;
  for (let a = 0; a < 3; a++)
    s.restFrame[m + 9 + a] +=
      s.restFrame[m + a] * centre[0] + s.restFrame[m + 3 + a] * centre[1] + s.restFrame[m + 6 + a] * centre[2];
  movePlanes(s, c, centre);
}
