import type { Body } from '../body/body.js';
import { describeCoarse } from '../levels/hierarchy.js';
import { movePlanes } from '../proxy/proxy.js';
import type { Views } from '../state/layout.js';
import { describeCluster, moveSurfaceMembers } from '../state/members.js';

// By body: whether a particle was weighed in this call, and the link to the last of its clusters that came by, or its first; clusters whose weights changed.
let weighed = new Uint8Array(0);
let lastLink = new Uint32Array(0);
let changed = new Uint8Array(0);
const centre = new Float64Array(3);

/**
 * Clusters weigh scale[c] times what they did against others; every particle's weights add up to 1 again, and centres, A_rr and whatever
 * stands in a cluster's own frame follow. Who is in which cluster stays, so that nothing is laid out anew. `scale` counts from
 * the body's first cluster.
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
 * What a cluster's members weigh is what their links do; rest offsets are from the centre of mass that this gives, and links have the same. They lie by
 * ascending cluster, and clusters come here in that order: each finds its own behind the last one's.
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

/** What a cluster knows in its own frame beside its members, after its centre has moved there. */
export function moveFrame(s: Views, c: number, centre: ArrayLike<number>): void {
  const m = 12 * c;
  for (let a = 0; a < 3; a++)
    s.restFrame[m + 9 + a] +=
      s.restFrame[m + a] * centre[0] + s.restFrame[m + 3 + a] * centre[1] + s.restFrame[m + 6 + a] * centre[2];
  movePlanes(s, c, centre);
}
