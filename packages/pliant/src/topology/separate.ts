import type { Body } from '../body/body.js';
import { findNeighbours } from '../contact/neighbours.js';
import { NO_PIECE } from '../fracture/pieces.js';
import { followClusters } from '../levels/follow.js';
import { layOutHierarchy, sizeOf, takeHierarchy } from '../levels/rows.js';
import { appendNeighbours, endOf, moveTail, type Rows, rowsBehind, shiftRows, startOf } from '../state/edit.js';
import { ARRAY_NAMES, type ArrayLayout, LAYOUT, type Views } from '../state/layout.js';
import { layOutMembers, type Members } from '../state/members.js';
import type { State } from '../state/state.js';
import type { World } from '../world.js';

/** A piece of a body: where its rows are now, and which of the body's particles they were. */
export interface Part {
  rows: Rows;
  particles: Uint32Array;
}

/** Share of a body's particles that a piece must have to get a copy of its distance field; smaller ones know their surface by particles. */
const FIELD_SHARE = 0.25;

/**
 * Gives every piece of a body rows of its own, behind all others, and takes the body's away. The largest piece comes first, with the debris.
 * Nothing of what a particle or cluster knows changes.
 */
export function separateRows(world: World, body: Body): Part[] {
  const { state } = world;
  const { ofParticle, ofCluster, count } = body.pieces;
  const sizes = new Uint32Array(count);
  for (const piece of ofParticle) if (piece !== NO_PIECE) sizes[piece]++;
  const order = Array.from(sizes.keys()).sort((a, b) => sizes[b] - sizes[a] || a - b);
  const parts = order.map((piece, n) => {
    const particles = placesOf(ofParticle, piece, n === 0 ? NO_PIECE : piece);
    const clusters = placesOf(ofCluster, piece);
    return { rows: appendPiece(state, body, particles, clusters), particles };
  });
  const gap = moveTail(state, endOf(state.views, body.rows), startOf(state.views, body.rows));
  world.follow(gap, body.rows.particleStart);
  for (const { rows } of parts) shiftRows(rows, gap);
  return parts;
}

/** Where in a list a number is, or another one. */
function placesOf(list: Uint32Array, number: number, other = number): Uint32Array {
  const places = new Uint32Array(list.length);
  let count = 0;
  for (let n = 0; n < list.length; n++) if (list[n] === number || list[n] === other) places[count++] = n;
  return places.slice(0, count);
}

function appendPiece(state: State, body: Body, particles: Uint32Array, clusters: Uint32Array): Rows {
  const { count } = state;
  const members = membersOf(state.views, body, particles, clusters);
  const held = ancestorsOf(state.views, body, particles, members);
  const neighbours = findNeighbours({ start: members.start, particle: held }, body.builtPositions, body.contact.pad);
  const whole = takeHierarchy(state.views, body.rows);
  const hierarchy = whole && followClusters(whole, clusters, body.rows.clusterEnd - body.rows.clusterStart);
  const { coarse, ties } = sizeOf(hierarchy);
  const keepsField = particles.length >= FIELD_SHARE * body.particleCount;
  const nodes = keepsField ? body.rows.nodeEnd - body.rows.nodeStart : 0;
  const rows = rowsBehind(count, { particles: particles.length, clusters: clusters.length, coarse, ties, nodes });
  state.reserve({
    particle: rows.particleEnd,
    cluster: rows.clusterEnd,
    membership: count.membership + members.particle.length,
    coarse: rows.coarseEnd,
    tie: rows.tieEnd,
    node: rows.nodeEnd,
    neighbour: count.neighbour + neighbours.list.length,
  });
  const s = state.views;
  copyRows(s, 'particle', body.rows.particleStart, particles, rows.particleStart);
  copyRows(s, 'cluster', body.rows.clusterStart, clusters, rows.clusterStart);
  s.distance.copyWithin(rows.nodeStart, body.rows.nodeStart, body.rows.nodeStart + nodes);
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    if (s.siteGrid[4 * c + 1] === 0) continue;
    if (keepsField) s.siteGrid[4 * c] = rows.nodeStart;
    else s.siteGrid.fill(0, 4 * c, 4 * c + 4);
  }
  const masses = new Float64Array(particles.length);
  for (let n = 0; n < particles.length; n++) masses[n] = s.x[4 * (rows.particleStart + n) + 3];
  layOutMembers(s, rows, count.membership, members, masses, body.material.limit.gamma);
  layOutHierarchy(s, rows, hierarchy);
  appendNeighbours(s, count.neighbour, neighbours, rows);
  count.particle = rows.particleEnd;
  count.cluster = rows.clusterEnd;
  count.coarse = rows.coarseEnd;
  count.tie = rows.tieEnd;
  count.membership += members.particle.length;
  count.node = rows.nodeEnd;
  count.neighbour += neighbours.list.length;
  return rows;
}

/** Which of the particles that the body was built with its members are. */
function ancestorsOf({ ancestor }: Views, { rows }: Body, particles: Uint32Array, { particle }: Members): Uint32Array {
  const held = new Uint32Array(particle.length);
  for (let k = 0; k < held.length; k++) held[k] = ancestor[rows.particleStart + particles[particle[k]]];
  return held;
}

/** The memberships of some clusters as they are, particles numbered by their place in `particles`. */
function membersOf(s: Views, { rows }: Body, particles: Uint32Array, clusters: Uint32Array): Members {
  const { particleStart, particleEnd, clusterStart } = rows;
  const number = new Uint32Array(particleEnd - particleStart);
  for (let n = 0; n < particles.length; n++) number[particles[n]] = n;
  const start = new Uint32Array(clusters.length + 1);
  for (let n = 0; n < clusters.length; n++) {
    const row = clusterStart + clusters[n];
    start[n + 1] = start[n] + s.memberStart[row + 1] - s.memberStart[row];
  }
  const length = start[clusters.length];
  const members: Members = {
    start,
    order: new Uint32Array(length),
    particle: new Uint32Array(length),
    member: new Float32Array(4 * length),
    outward: new Float32Array(4 * length),
    changed: new Uint8Array(clusters.length),
  };
  const { order, particle } = members;
  for (let n = 0; n < clusters.length; n++) {
    const first = s.memberStart[clusterStart + clusters[n]];
    const last = s.memberStart[clusterStart + clusters[n] + 1];
    members.member.set(s.member.subarray(4 * first, 4 * last), 4 * start[n]);
    members.outward.set(s.outward.subarray(4 * first, 4 * last), 4 * start[n]);
    for (let at = start[n], k = first; k < last; at++, k++) {
      order[at] = at;
      particle[at] = number[s.memberParticle[k] - particleStart];
    }
  }
  return members;
}

/** Rows `which` of a body, counted from `first`, one after the other to `to`. */
function copyRows(s: Views, of: 'particle' | 'cluster', first: number, which: Uint32Array, to: number): void {
  for (const name of ARRAY_NAMES) {
    const { of: domain, width }: ArrayLayout = LAYOUT[name];
    if (domain !== of) continue;
    const array = s[name];
    for (let n = 0; n < which.length; n++) {
      const [into, from] = [width * (to + n), width * (first + which[n])];
      // A call costs as much as some twenty numbers.
      if (width > 20) array.copyWithin(into, from, from + width);
      else for (let a = 0; a < width; a++) array[into + a] = array[from + a];
    }
  }
}
