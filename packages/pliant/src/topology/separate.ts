import type { Body } from '../body/body.js';
import { findNeighbours, type Neighbours } from '../contact/neighbours.js';
import { NO_PIECE } from '../fracture/pieces.js';
import { followClusters } from '../levels/follow.js';
import { type Hierarchy, layOutHierarchy, sizeOf, takeHierarchy } from '../levels/rows.js';
import { appendNeighbours, endOf, moveTail, type Rows, rowsBehind, startOf } from '../state/edit.js';
import { ARRAY_NAMES, type ArrayLayout, type ArrayName, LAYOUT, type Views } from '../state/layout.js';
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
 * Nothing of what a particle or cluster knows changes. Pieces are taken out before they are put back, so that no room is needed for both: fresh
 * memory costs more than all that is copied.
 */
export function separateRows(world: World, body: Body): Part[] {
  const { state } = world;
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
  return pieces.map((piece) => ({ rows: appendPiece(state, body, piece, field), particles: piece.particles }));
}

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
  particleRows: SavedRows;
  clusterRows: SavedRows;
}

function takePiece(s: Views, body: Body, particles: Uint32Array, clusters: Uint32Array): Piece {
  const { rows } = body;
  const members = membersOf(s, body, particles, clusters);
  const held = ancestorsOf(s, body, particles, members);
  const whole = takeHierarchy(s, rows);
  return {
    particles,
    clusters,
    members,
    neighbours: findNeighbours({ start: members.start, particle: held }, body.builtPositions, body.contact.pad),
    hierarchy: whole && followClusters(whole, clusters, rows.clusterEnd - rows.clusterStart),
    keepsField: particles.length >= FIELD_SHARE * body.particleCount,
    particleRows: saveRows(s, 'particle', rows.particleStart, particles),
    clusterRows: saveRows(s, 'cluster', rows.clusterStart, clusters),
  };
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

type Numbers = Float32Array | Float64Array | Uint32Array;
type SavedRows = { name: ArrayName; values: Numbers }[];

/** Rows `which` of a body, counted from `first`, one after the other. */
function saveRows(s: Views, of: 'particle' | 'cluster', first: number, which: Uint32Array): SavedRows {
  const saved: SavedRows = [];
  for (const name of ARRAY_NAMES) {
    const { of: domain, width, type }: ArrayLayout = LAYOUT[name];
    if (domain !== of) continue;
    const values = new NUMBERS[type](width * which.length);
    gatherRows(values, s[name], width, first, which);
    saved.push({ name, values });
  }
  return saved;
}
const NUMBERS = { f32: Float32Array, f64: Float64Array, u32: Uint32Array };

function gatherRows(into: Numbers, from: Numbers, width: number, first: number, which: Uint32Array): void {
  for (let n = 0; n < which.length; n++) {
    const at = width * (first + which[n]);
    // A call costs as much as some twenty numbers.
    if (width > 20) into.set(from.subarray(at, at + width), width * n);
    else for (let a = 0; a < width; a++) into[width * n + a] = from[at + a];
  }
}

function restoreRows(s: Views, saved: SavedRows, first: number): void {
  for (const { name, values } of saved) s[name].set(values, LAYOUT[name].width * first);
}
