import type { Body } from '../body/body.js';
import { type Hierarchy, layOutHierarchy, sizeOf } from '../levels/hierarchy.js';
import type { Neighbours } from '../proxy/neighbours.js';
import { Scratch, Shelf } from '../scratch.js';
import { ARRAY_NAMES, type ArrayLayout, type ArrayName, type Domain, LAYOUT, type Views } from '../state/layout.js';
import { layOutMembers, type Members } from '../state/members.js';
import type { Rows } from '../state/rows.js';
import type { State } from '../state/state.js';
import type { World } from '../world.js';
import { shiftBodies, tellCopies } from './bodyRows.js';
import { appendNeighbours, endOf, moveTail, rowsBehind, startOf } from './editRows.js';
import { NO_PIECE, type Pieces } from './pieces.js';
import { TopologyDraft } from './topologyDraft.js';
import { draftMembers, levelsFor, moveTies, neighboursOf, originOf, refreshClusters } from './writeDraft.js';

/** A piece of a draft after it was written: its rows, and which of the draft's particles and clusters they were. */
export interface Part {
  rows: Rows;
  particles: Uint32Array;
  clusters: Uint32Array;
}

/**
 * Share of a body's particles that a piece must have to get a copy of the body's distance field. For smaller pieces the
 * surface is known by particles alone.
 */
const FIELD_SHARE = 0.25;

/** A draft of a body in which nothing has changed. */
export function unchangedDraft(s: Views, body: Body): TopologyDraft {
  whole.begin(s, body.rows, false);
  return whole;
}
const whole = new TopologyDraft();

/**
 * Replaces a body by one body for each piece of its draft, with rows behind all other bodies. The largest piece comes
 * first and gets the debris. All pieces are taken out of the state before they are appended again, so that the state
 * never needs room for both: fresh memory costs more than all the copying.
 */
export function writePieces(
  world: World,
  body: Body,
  draft: TopologyDraft,
  { ofParticle, ofCluster, count }: Pieces,
): Part[] {
  const { state } = world;
  shelf.clear();
  draft.balance();
  draft.holdAll();
  draft.weighAll();
  tellCopies(world, body, draft.particleFrom.subarray(0, draft.particles), body.particleCount);
  const sizes = new Uint32Array(count);
  for (let i = 0; i < ofParticle.length; i++) if (ofParticle[i] !== NO_PIECE) sizes[ofParticle[i]]++;
  const order = Array.from(sizes.keys()).sort((a, b) => sizes[b] - sizes[a] || a - b);
  const parts = order.map((piece, n) => ({
    particles: placesOf(ofParticle, piece, n === 0 ? NO_PIECE : piece),
    clusters: placesOf(ofCluster, piece),
  }));
  const number = numbersIn(parts, draft);
  const pieces = parts.map(({ particles, clusters }) =>
    takePiece(state.views, body, draft, particles, clusters, number),
  );
  const field = shelf.floats(body.rows.nodeEnd - body.rows.nodeStart);
  field.set(state.views.distance.subarray(body.rows.nodeStart, body.rows.nodeEnd));
  const gap = moveTail(state, endOf(state.views, body.rows), startOf(state.views, body.rows));
  shiftBodies(world, gap, body.rows.particleStart);
  reserveFor(state, pieces, field);
  return pieces.map((piece) => {
    const { particles, clusters } = piece;
    return { rows: appendPiece(state, body, draft, piece, field), particles, clusters };
  });
}

/** Per membership of a draft: the number, within its piece, of the particle that it holds. */
function numbersIn(
  parts: readonly Pick<Part, 'particles'>[],
  { particle, memberships, particles }: TopologyDraft,
): Uint32Array {
  const place = shelf.words(particles);
  for (const { particles } of parts) for (let n = 0; n < particles.length; n++) place[particles[n]] = n;
  const number = shelf.words(memberships);
  for (let k = 0; k < memberships; k++) number[k] = place[particle[k]];
  return number;
}

/** Holds the pieces while they are out of the state. */
const shelf = new Shelf();

/** Indices at which a list holds `number` or `other`. */
function placesOf(list: Uint32Array, number: number, other = number): Uint32Array {
  const places = new Uint32Array(list.length);
  let count = 0;
  for (let n = 0; n < list.length; n++) if (list[n] === number || list[n] === other) places[count++] = n;
  return places.slice(0, count);
}

/** A piece out of the state, between its old rows and its new ones. */
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

function takePiece(
  s: Views,
  body: Body,
  draft: TopologyDraft,
  particles: Uint32Array,
  clusters: Uint32Array,
  number: Uint32Array,
): Piece {
  const { rows } = body;
  const origin = originOf(draft, clusters);
  const members = draftMembers(draft, clusters, shelf.words(sizeOfAll(draft, clusters)), number);
  const from = shelf.words(particles.length);
  for (let n = 0; n < particles.length; n++) from[n] = draft.particleFrom[particles[n]];
  return {
    particles,
    clusters,
    members,
    neighbours: neighboursOf(s, body, draft, members, origin)!,
    hierarchy: levelsFor(s, rows, members, particles.length, origin),
    keepsField: particles.length >= FIELD_SHARE * draft.particles,
    particleRows: saveRows(s, 'particle', rows.particleStart, from),
    clusterRows: saveRows(s, 'cluster', rows.clusterStart, origin),
  };
}

/** Number of memberships of some clusters. */
function sizeOfAll(draft: TopologyDraft, clusters: Uint32Array): number {
  let size = 0;
  for (let n = 0; n < clusters.length; n++) size += draft.memberCount(clusters[n]);
  return size;
}

function reserveFor(state: State, pieces: Piece[], field: Float32Array): void {
  const wanted = { ...state.count };
  for (const { particles, clusters, members, neighbours, hierarchy, keepsField } of pieces) {
    const { coarse, ties } = sizeOf(hierarchy);
    wanted.particle += particles.length;
    wanted.cluster += clusters.length;
    wanted.membership += members.order.length;
    wanted.coarse += coarse;
    wanted.tie += ties;
    wanted.node += keepsField ? field.length : 0;
    wanted.neighbour += neighbours.list.length;
  }
  state.reserve(wanted);
}

function appendPiece(state: State, body: Body, draft: TopologyDraft, piece: Piece, field: Float32Array): Rows {
  const { count, views: s } = state;
  const { particles, clusters, members, neighbours, hierarchy, keepsField } = piece;
  const nodes = keepsField ? field.length : 0;
  const sizes = { particles: particles.length, clusters: clusters.length, nodes, ...sizeOf(hierarchy) };
  const rows = rowsBehind(count, sizes);
  restoreRows(s, piece.particleRows, rows.particleStart);
  restoreRows(s, piece.clusterRows, rows.clusterStart);
  idle(s, 'particle', rows.particleStart, rows.particleEnd);
  idle(s, 'cluster', rows.clusterStart, rows.clusterEnd);
  if (keepsField) s.distance.set(field, rows.nodeStart);
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    if (s.distanceGrid[4 * c + 1] === 0) continue;
    if (keepsField) s.distanceGrid[4 * c] = rows.nodeStart;
    else s.distanceGrid.fill(0, 4 * c, 4 * c + 4);
  }
  const masses = massRoom.take(particles.length);
  for (let n = 0; n < particles.length; n++) {
    const o = 4 * (rows.particleStart + n) + 3;
    s.x[o] = s.xOld[o] = masses[n] = draft.particleMass[particles[n]];
  }
  const centres = layOutMembers(s, rows, count.membership, members, masses, body.material.limit.gamma);
  if (hierarchy) moveTies(hierarchy, draft, clusters, centres);
  layOutHierarchy(s, rows, hierarchy);
  appendNeighbours(s, count.neighbour, neighbours, rows);
  refreshClusters(s, body, rows, members.changed!, centres);
  count.particle = rows.particleEnd;
  count.cluster = rows.clusterEnd;
  count.coarse = rows.coarseEnd;
  count.tie = rows.tieEnd;
  count.membership += members.order.length;
  count.node = rows.nodeEnd;
  count.neighbour += neighbours.list.length;
  return rows;
}

const massRoom = new Scratch(Float64Array);

/** Rows of an array as 32-bit words, whatever their type, so that one loop copies all arrays. */
interface Saved {
  name: ArrayName;
  words: Uint32Array;
}

const wordsOf = ({ buffer, byteOffset, byteLength }: Views[ArrayName]) =>
  new Uint32Array(buffer, byteOffset, byteLength / 4);
const wordsPerRow = ({ width, type }: ArrayLayout) => (type === 'f64' ? 2 * width : width);

/** Arrays that are written anew when a body is laid out. */
const LAID_OUT: ReadonlySet<ArrayName> = new Set<ArrayName>([
  'bodyOf',
  'gatherOrder',
  'gatherRank',
  'linkStart',
  'bodyOfCluster',
  'memberStart',
  'surfaceEnd',
  'neighbourStart',
  'restBox',
  'treeNode',
  'parentTies',
]);

const namesOf = (of: Domain) => ARRAY_NAMES.filter((name) => LAYOUT[name].of === of && !LAID_OUT.has(name));
const isScratch = (name: ArrayName) => LAYOUT[name].kind === 'scratch';

/**
 * Arrays of which rows are saved. Scratch, the larger part of the state, holds nothing between steps and is left out.
 */
const ROWS = {
  particle: namesOf('particle').filter((name) => !isScratch(name)),
  cluster: namesOf('cluster').filter((name) => !isScratch(name)),
};
const SCRATCH = {
  particle: namesOf('particle').filter(isScratch),
  cluster: namesOf('cluster').filter(isScratch),
};

/** Saves rows `which` of a body, counted from `first`, one behind the other. */
function saveRows(s: Views, of: 'particle' | 'cluster', first: number, which: Uint32Array): Saved[] {
  return ROWS[of].map((name) => ({
    name,
    words: gatherRows(wordsOf(s[name]), wordsPerRow(LAYOUT[name]), first, which),
  }));
}

/** Sets the scratch of new rows to the values that it has between steps. */
function idle(s: Views, of: 'particle' | 'cluster', start: number, end: number): void {
  for (const name of SCRATCH[of]) {
    const { width, idle }: ArrayLayout = LAYOUT[name];
    if (idle !== undefined) s[name].fill(idle, width * start, width * end);
  }
}

function gatherRows(from: Uint32Array, width: number, first: number, which: Uint32Array): Uint32Array {
  const rows = shelf.words(width * which.length);
  // Loops for the most frequent widths, one and four.
  if (width === 1) for (let n = 0; n < which.length; n++) rows[n] = from[first + which[n]];
  else if (width === 4) gatherFours(rows, from, first, which);
  else
    for (let n = 0; n < which.length; n++) {
      const at = width * (first + which[n]);
      // A call of `set` costs as much as copying some twenty numbers in a loop.
      if (width > 20) rows.set(from.subarray(at, at + width), width * n);
      else for (let a = 0; a < width; a++) rows[width * n + a] = from[at + a];
    }
  return rows;
}

function gatherFours(rows: Uint32Array, from: Uint32Array, first: number, which: Uint32Array): void {
  for (let n = 0; n < which.length; n++) {
    const at = 4 * (first + which[n]);
    rows[4 * n] = from[at];
    rows[4 * n + 1] = from[at + 1];
    rows[4 * n + 2] = from[at + 2];
    rows[4 * n + 3] = from[at + 3];
  }
}

function restoreRows(s: Views, saved: Saved[], first: number): void {
  for (const { name, words } of saved) wordsOf(s[name]).set(words, wordsPerRow(LAYOUT[name]) * first);
}
