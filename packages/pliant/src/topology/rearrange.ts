import type { Body } from '../body/body.js';
import { findNeighbours } from '../contact/neighbours.js';
import { movePlanes } from '../contact/proxy.js';
import { appendNeighbours, endOf, moveTail, type Rows, startOf } from '../state/edit.js';
import { Flag } from '../state/flags.js';
import { ARRAY_NAMES, type ArrayLayout, DOMAINS, type Domain, LAYOUT, type Views } from '../state/layout.js';
import { layOutMembers, type Members } from '../state/members.js';
import type { World } from '../world.js';
import type { Draft } from './draft.js';

/**
 * Puts a draft in the place of what the body was: rows of particles and clusters are copied from where they came from, memberships laid
 * out anew, everything that depends on them is put right, and whoever holds numbers of particles (clamps, pins) is told. Clusters without
 * members are left out; particles without clusters stay, as debris. All views of the state may be replaced.
 */
export function rearrange(world: World, body: Body, draft: Draft): void {
  const { state } = world;
  const { rows } = body;
  draft.balance();
  const clusters = takeMembers(draft);
  const particles = draft.particleFrom.slice(0, draft.particles);
  const origin = Uint32Array.from(clusters, (c) => draft.clusterFrom[c]);

  const [start, end] = [startOf(state.views, rows), endOf(state.views, rows)];
  const ancestors = Uint32Array.from(particles, (i) => state.views.ancestor[rows.particleStart + i]);
  const neighbours = findNeighbours(
    { start: members.start, particle: members.particle.map((i) => ancestors[i]) },
    body.builtPositions,
    body.contact.pad,
  );
  const next: Record<Domain, number> = {
    particle: start.particle + particles.length,
    cluster: start.cluster + clusters.length,
    membership: start.membership + members.particle.length,
    node: end.node,
    neighbour: start.neighbour + neighbours.list.length,
  };
  const wanted = { ...state.count };
  for (const domain of DOMAINS) wanted[domain] += Math.max(0, next[domain] - end[domain]);
  state.reserve(wanted);
  // Copies go into the room that the rows behind leave; where there will be fewer rows, what is kept moves up before those do.
  const fewer = next.cluster < end.cluster;
  if (fewer) copyRows(state.views, 'cluster', rows.clusterStart, origin);
  world.follow(moveTail(state, end, next), rows.particleStart);
  rows.particleEnd = next.particle;
  rows.clusterEnd = next.cluster;

  const s = state.views;
  copyRows(s, 'particle', rows.particleStart, particles);
  if (!fewer) copyRows(s, 'cluster', rows.clusterStart, origin);
  for (let i = 0; i < particles.length; i++)
    s.x[4 * (rows.particleStart + i) + 3] = s.xOld[4 * (rows.particleStart + i) + 3] = draft.particleMass[i];
  const centres = layOutMembers(s, rows, start.membership, members, draft.particleMass, body.material.limit.gamma);
  appendNeighbours(s, start.neighbour, neighbours, rows);
  clusters.forEach((c, n) => {
    if (draft.changed[c]) recentre(s, body, rows.clusterStart + n, centres.subarray(3 * n, 3 * n + 3));
    if (draft.changed[c] === 2) shrinkProxy(s, body, rows.clusterStart + n);
  });
  showSurface(s, rows);
  body.follow(particles);
  for (const clamp of world.clamps) clamp.follow(body, particles);
}

/** The draft's memberships in the order of its clusters that have any, into `members`; returns which those are. */
function takeMembers(draft: Draft): number[] {
  const clusters: number[] = [];
  let count = 0;
  for (let c = 0; c < draft.clusters; c++) {
    if (draft.memberCount(c) === 0) continue;
    clusters.push(c);
    count += draft.memberCount(c);
  }
  members = {
    start: new Uint32Array(clusters.length + 1),
    particle: new Uint32Array(count),
    mass: new Float64Array(count),
    offset: new Float64Array(3 * count),
    outward: new Float32Array(4 * count),
    changed: Uint8Array.from(clusters, (c) => draft.changed[c]),
  };
  let at = 0;
  clusters.forEach((c, n) => {
    for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++, at++) {
      const k = draft.members[m];
      members.particle[at] = draft.particle[k];
      members.mass[at] = draft.mass[k];
      for (let a = 0; a < 3; a++) members.offset[3 * at + a] = draft.offset[3 * k + a];
      for (let a = 0; a < 4; a++) members.outward[4 * at + a] = draft.outward[4 * k + a];
    }
    members.start[n + 1] = at;
  });
  return clusters;
}
let members: Members;

/**
 * Row n of a body's particles or clusters becomes what row from[n] was, scratch included: later stages of the step may need it. Those that
 * were there before come first, in their order, then the copies. Rows that stay where they are are not touched.
 */
function copyRows(s: Views, of: 'particle' | 'cluster', first: number, from: Uint32Array): void {
  let kept = 0;
  while (kept < from.length && (kept === 0 || from[kept] > from[kept - 1])) kept++;
  // Where what is copied will be by then: a copy may outlive what it came from, and is kept aside.
  const place = new Map<number, number>();
  for (let n = 0; n < kept; n++) place.set(from[n], n);
  for (const name of ARRAY_NAMES) {
    const { of: domain, width }: ArrayLayout = LAYOUT[name];
    if (domain !== of) continue;
    const array = s[name];
    const row = (n: number) => width * (first + n);
    const aside = new Map<number, ReturnType<typeof array.slice>>();
    for (let n = kept; n < from.length; n++)
      if (!place.has(from[n])) aside.set(from[n], array.slice(row(from[n]), row(from[n] + 1)));
    for (let n = 0; n < kept; n++) if (from[n] !== n) array.copyWithin(row(n), row(from[n]), row(from[n] + 1));
    for (let n = kept; n < from.length; n++) {
      const at = place.get(from[n]);
      if (at === undefined) array.set(aside.get(from[n])!, row(n));
      else array.copyWithin(row(n), row(at), row(at + 1));
    }
  }
}

/** What a cluster knows in its own frame, after its centre has moved there. */
function recentre(s: Views, { builtPositions }: Body, c: number, centre: Float64Array): void {
  const m = 12 * c;
  for (let a = 0; a < 3; a++)
    s.site[m + 9 + a] += s.site[m + a] * centre[0] + s.site[m + 3 + a] * centre[1] + s.site[m + 6 + a] * centre[2];
  movePlanes(s, c, centre);
  const first = s.memberParticle[s.memberStart[c]];
  const i = s.ancestor[first];
  for (let a = 0; a < 3; a++) s.middle[4 * c + a] = builtPositions[3 * i + a];
}

/** A cluster that lost members reaches no farther than those that are left. */
function shrinkProxy(s: Views, { contact: { settings } }: Body, c: number): void {
  const room = settings.exits === 'skin' ? settings.margin + 2 * s.proxySpacing[c] : settings.margin;
  s.proxyRadius[c] = Math.min(s.proxyRadius[c], s.width[c] + room);
}

/** Particles that some cluster has on its surface are not within the body. */
function showSurface(s: Views, { clusterStart, clusterEnd }: Rows): void {
  for (let c = clusterStart; c < clusterEnd; c++) {
    const first = s.memberStart[c];
    for (let k = first; k < s.skinEnd[c]; k++)
      if (s.outward[4 * k + 3] >= 0) s.flags[s.memberParticle[k]] &= ~Flag.INNER;
  }
}
