import type { Body } from '../body/body.js';
import { findNeighbours, listNeighbours, type Neighbours, SMALL, takeTable } from '../contact/neighbours.js';
import { NO_PIECE } from '../fracture/pieces.js';
import { followClusters } from '../levels/follow.js';
import { type Hierarchy, layOutHierarchy, sizeOf, takeHierarchy } from '../levels/rows.js';
import { appendNeighbours, endOf, moveTail, type Rows, rowsBehind, startOf } from '../state/edit.js';
import { ARRAY_NAMES, type ArrayLayout, type ArrayName, LAYOUT, type Views } from '../state/layout.js';
import { layOutMembers, type Members } from '../state/members.js';
import { Shelf } from '../state/scratch.js';
import type { State } from '../state/state.js';
import type { World } from '../world.js';

/** A piece of a body: where its rows are now, and which of the body's particles and clusters they were. */
export interface Part {
  rows: Rows;
  particles: Uint32Array;
  clusters: Uint32Array;
}

/** Share of a body's particles that a piece must have to get a copy of its distance field; smaller ones know their surface by particles. */
const FIELD_SHARE = 0.25;

/**
 * Gives every piece of a body rows of its own, behind all others, and takes the body's away. The largest piece comes first, with the debris.
 * Nothing of what a particle or cluster knows changes. Pieces are taken out before they are put back, so that no room is needed for both: fresh
 * memory costs more than all that is copied.
 */
export function separateRows(world: World, body: Body): Part[] {
  const { state } = world;
  shelf.clear();
  const { ofParticle, ofCluster, count } = body.pieces;
  const sizes = new Uint32Array(count);
  for (let i = 0; i < ofParticle.length; i++) if (ofParticle[i] !== NO_PIECE) sizes[ofParticle[i]]++;
  const order = Array.from(sizes.keys()).sort((a, b) => sizes[b] - sizes[a] || a - b);
  const pieces = order.map((piece, n) => {
    const particles = placesOf(ofParticle, piece, n === 0 ? NO_PIECE : piece);
    return takePiece(state.views, body, particles, placesOf(ofCluster, piece));
  });
  const field = state.views.distance.slice(body.rows.nodeStart, body.rows.nodeEnd);
  const gap = moveTail(state, endOf(state.views, body.rows), startOf(state.views, body.rows));
  world.follow(gap, body.rows.particleStart);
  reserveFor(state, pieces, field);
  return pieces.map((piece) => {
    const { particles, clusters } = piece;
    return { rows: appendPiece(state, body, piece, field), particles, clusters };
  });
}

/** Holds pieces on their way. */
const shelf = new Shelf();

/** Where in a list a number is, or another one. */
function placesOf(list: Uint32Array, number: number, other = number): Uint32Array {
  const places = new Uint32Array(list.length);
  let count = 0;
  for (let n = 0; n < list.length; n++) if (list[n] === number || list[n] === other) places[count++] = n;
  return places.slice(0, count);
}

/** A piece between its old rows and its new ones. */
interface Piece {
  particles: Uint32Array;
  clusters: Uint32Array;
  members: Members;
  neighbours: Neighbours;
  hierarchy: Hierarchy | undefined;
  keepsField: boolean;
  particleRows: Saved[];
  clusterRows: Saved[];
}

function takePiece(s: Views, body: Body, particles: Uint32Array, clusters: Uint32Array): Piece {
  const { rows } = body;
  const members = membersOf(s, body, particles, clusters);
  const whole = takeHierarchy(s, rows);
  return {
    particles,
    clusters,
    members,
    neighbours: neighboursIn(s, body, particles, clusters, members),
    hierarchy: whole && followClusters(whole, clusters, rows.clusterEnd - rows.clusterStart),
    keepsField: particles.length >= FIELD_SHARE * body.particleCount,
    particleRows: saveRows(s, 'particle', rows.particleStart, particles),
    clusterRows: saveRows(s, 'cluster', rows.clusterStart, clusters),
  };
}

/** Who may meet whom in a piece: those share a particle that did in the whole, and have the bounds that they had. */
function neighboursIn(
  s: Views,
  body: Body,
  particles: Uint32Array,
  clusters: Uint32Array,
  members: Members,
): Neighbours {
  const { rows, builtPositions, contact } = body;
  const count = clusters.length;
  if (count > SMALL) {
    const held = ancestorsOf(s, body, particles, members);
    return findNeighbours({ start: members.start, particle: held }, builtPositions, contact.pad);
  }
  const number = new Int32Array(rows.clusterEnd - rows.clusterStart).fill(-1);
  for (let n = 0; n < count; n++) number[clusters[n]] = n;
  const shares = takeTable(count);
  const boxes = new Float64Array(6 * count);
  for (let n = 0; n < count; n++) {
    const row = rows.clusterStart + clusters[n];
    for (let a = 0; a < 6; a++) boxes[6 * n + a] = s.restBox[6 * row + a];
    for (let k = s.neighbourStart[3 * row]; k < s.neighbourStart[3 * row + 1]; k++) {
      const b = number[s.neighbour[k]];
      if (b >= 0) shares[count * n + b] = 1;
    }
  }
  return listNeighbours(boxes, contact.pad, shares);
}

/** Makes room for all pieces at once. */
function reserveFor(state: State, pieces: Piece[], field: Float32Array): void {
  const wanted = { ...state.count };
  for (const { particles, clusters, members, neighbours, hierarchy, keepsField } of pieces) {
    const { coarse, ties } = sizeOf(hierarchy);
    wanted.particle += particles.length;
    wanted.cluster += clusters.length;
    wanted.membership += members.particle.length;
    wanted.coarse += coarse;
    wanted.tie += ties;
    wanted.node += keepsField ? field.length : 0;
    wanted.neighbour += neighbours.list.length;
  }
  state.reserve(wanted);
}

function appendPiece(state: State, body: Body, piece: Piece, field: Float32Array): Rows {
  const { count, views: s } = state;
  const { particles, clusters, members, neighbours, hierarchy, keepsField } = piece;
  const nodes = keepsField ? field.length : 0;
  const sizes = { particles: particles.length, clusters: clusters.length, nodes, ...sizeOf(hierarchy) };
  const rows = rowsBehind(count, sizes);
  restoreRows(s, piece.particleRows, rows.particleStart);
  restoreRows(s, piece.clusterRows, rows.clusterStart);
  idle(s, rows);
  if (keepsField) s.distance.set(field, rows.nodeStart);
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
    order: shelf.words(length),
    particle: shelf.words(length),
    member: shelf.floats(4 * length),
    outward: shelf.floats(4 * length),
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

/** Rows of an array as they are in memory: one kind of list for all, so that one loop copies them, whatever they hold. */
interface Saved {
  name: ArrayName;
  words: Uint32Array;
}

const wordsOf = ({ buffer, byteOffset, byteLength }: Views[ArrayName]) =>
  new Uint32Array(buffer, byteOffset, byteLength / 4);
const wordsPerRow = ({ width, type }: ArrayLayout) => (type === 'f64' ? 2 * width : width);

/** What is known of particles and clusters, but for scratch of the particles, three quarters of all: it is dead between steps. */
const ROWS = {
  particle: ARRAY_NAMES.filter((name) => LAYOUT[name].of === 'particle' && LAYOUT[name].kind !== 'scratch'),
  cluster: ARRAY_NAMES.filter((name) => LAYOUT[name].of === 'cluster'),
};
const SCRATCH = ARRAY_NAMES.filter((name) => LAYOUT[name].of === 'particle' && LAYOUT[name].kind === 'scratch');

/** Rows `which` of a body, counted from `first`, one after the other. */
function saveRows(s: Views, of: 'particle' | 'cluster', first: number, which: Uint32Array): Saved[] {
  return ROWS[of].map((name) => ({
    name,
    words: gatherRows(wordsOf(s[name]), wordsPerRow(LAYOUT[name]), first, which),
  }));
}

/** Scratch of new particles is as steps leave it. */
function idle(s: Views, { particleStart, particleEnd }: Rows): void {
  for (const name of SCRATCH) {
    const { width, idle }: ArrayLayout = LAYOUT[name];
    if (idle !== undefined) s[name].fill(idle, width * particleStart, width * particleEnd);
  }
}

function gatherRows(from: Uint32Array, width: number, first: number, which: Uint32Array): Uint32Array {
  const rows = shelf.words(width * which.length);
  for (let n = 0; n < which.length; n++) {
    const at = width * (first + which[n]);
    // A call costs as much as some twenty numbers.
    if (width > 20) rows.set(from.subarray(at, at + width), width * n);
    else for (let a = 0; a < width; a++) rows[width * n + a] = from[at + a];
  }
  return rows;
}

function restoreRows(s: Views, saved: Saved[], first: number): void {
  for (const { name, words } of saved) wordsOf(s[name]).set(words, wordsPerRow(LAYOUT[name]) * first);
}
