import { ball, buildGrid, newNeighbourList } from '../spatial/grid.js';
import { toEdge, toTriangle } from './closest.js';
import { distance2, FOLDED, type FoldMesh, type Lists } from './foldMesh.js';

/**
 * Way, in spacings, by which parts may come nearer until candidates are sought again: AHEAD times the way of the present substep, between LEAST and MOST. The substep itself needs twice its way, which may be more.
 */
const [LEAST, MOST, AHEAD] = [0.15, 0.5, 8];
/** The same way for pairs of nodes, in spacings, beyond that of candidates. */
const ROOM = 1;

/** Sheets stretch: by how many times, at most, candidates reckon with. */
export const STRETCH = 1.15;

/** Share of their distance in the rest shape that parts keep at most: parts of a sheet as thick as its spacing lie no farther apart than it is thick. */
const OF_REST = 0.6;

/** Weights of closest places, which only contacts need. */
const weights = new Float64Array(3);

/** Numbers of a candidate: a node and a triangle, or two edges. */
const PAIR = 2;

/** A list of candidates, sorted; `apart` is the distance that each keeps, `distance` the one when it was listed (m). */
export class Pairs {
  count = 0;
  items: Uint32Array = new Uint32Array(PAIR * 64);
  apart: Float64Array = new Float64Array(64);
  distance: Float64Array = new Float64Array(64);

  add(first: number, second: number, apart: number, distance: number): void {
    if (this.count === this.apart.length) {
      const { items, apart: aparts, distance: distances } = this;
      this.items = new Uint32Array(2 * items.length);
      this.apart = new Float64Array(2 * aparts.length);
      this.distance = new Float64Array(2 * aparts.length);
      this.items.set(items);
      this.apart.set(aparts);
      this.distance.set(distances);
    }
    this.items[PAIR * this.count] = first;
    this.items[PAIR * this.count + 1] = second;
    this.distance[this.count] = distance;
    this.apart[this.count++] = apart;
  }
}

/**
 * The nodes and triangles, and the edges, of a sheet or cord that may touch in the next substeps. The lists hold more than what touches, and the same whenever they are made, as far as it
 * can touch: contacts depend on positions alone, and not on when the lists were made.
 */
export class Candidates {
  readonly faces = new Pairs();
  readonly edges = new Pairs();
  /** Where nodes were when the lists were made, and how far they may go before they are made again (m). */
  private readonly places: Float64Array;
  private margin = -1;
  /** How much nearer two parts may have come since the lists were made, at the end of this substep (m). */
  nearer = 0;
  /** Largest way of a node in this substep, beside the common one (m). */
  way = 0;
  /** Pairs of nodes that are not near in the rest shape: where nodes were when these were listed, and the distance up to which they were (m). Lists are made from them, a few times before they are sought again. */
  private readonly pairPlaces: Float64Array;
  private readonly pairStart: Uint32Array;
  private pairs = new Uint32Array(64);
  /** Distances (m) up to which pairs may touch what is around them: see FOLDED. */
  private pairLimit = new Float64Array(64);
  /** How much nearer pairs had to come, when they were listed, before parts around them could touch (m); and how much nearer they may have come since. */
  private pairSlack = new Float64Array(64);
  private pairCame = 0;
  private pairReach = -1;
  private readonly list = newNeighbourList(256);
  private readonly seen: Int32Array;
  private readonly close: Int32Array;
  /** Squared distances of the triangles or edges in `found`. */
  private readonly square: Float64Array;
  private readonly found: number[] = [];

  constructor(private readonly mesh: FoldMesh) {
    this.places = new Float64Array(3 * mesh.nodes);
    this.pairPlaces = new Float64Array(3 * mesh.nodes);
    this.pairStart = new Uint32Array(mesh.nodes + 1);
    this.seen = new Int32Array(Math.max(mesh.triangles.length / 3, mesh.edges.length / 2));
    this.square = new Float64Array(this.seen.length);
    this.close = new Int32Array(mesh.nodes);
  }

  /** Makes the lists for a substep that takes nodes from `start` to `end` (three numbers each), unless those made before serve. */
  update(start: Float64Array, end: Float64Array): void {
    const { spacing, crossing, widest, apart } = this.mesh;
    const way = spread(start, end);
    this.way = way;
    // Two parts come nearer by twice the way of a node, since the lists were made and in this substep.
    this.nearer = 2 * (spread(this.places, start) + way);
    if (this.margin >= 0 && this.nearer <= this.margin) return;
    this.nearer = 2 * way;
    this.margin = Math.max(2 * way, Math.min(MOST * spacing, Math.max(LEAST * spacing, AHEAD * way)));
    this.places.set(start);
    this.faces.count = this.edges.count = 0;
    const reach = STRETCH * Math.max(widest, crossing) + apart + this.margin;
    this.pairCame = 2 * spread(this.pairPlaces, start);
    if (!(reach + this.pairCame <= this.pairReach)) {
      this.pairNodes(reach + ROOM * spacing, this.margin + ROOM * spacing);
      this.pairCame = 0;
    }
    if (this.pairStart[this.mesh.nodes] === 0) return;
    this.findFaces();
    this.findEdges();
  }

  /** Lists the pairs of nodes that are nearer than `reach`, each from both sides. `room`: how much nearer they may come until they are listed again (m). */
  private pairNodes(reach: number, room: number): void {
    const { mesh, places, pairPlaces, pairStart, close, list } = this;
    pairPlaces.set(places);
    this.pairReach = reach;
    pairStart.fill(0);
    for (let o = 0; o < places.length; o++) if (!Number.isFinite(places[o])) return;
    const grid = buildGrid(places, reach);
    close.fill(-1);
    let count = 0;
    for (let i = 0; i < mesh.nodes; i++) {
      pairStart[i] = count;
      const last = ball(grid, places[3 * i], places[3 * i + 1], places[3 * i + 2], reach, list, 0);
      mark(close, mesh.around, i, 2 * i + 1);
      mark(close, mesh.near, i, 2 * i);
      if (this.pairs.length < count + last) {
        const [pairs, limits, slacks] = [this.pairs, this.pairLimit, this.pairSlack];
        this.pairs = new Uint32Array(2 * (count + last));
        this.pairLimit = new Float64Array(2 * (count + last));
        this.pairSlack = new Float64Array(2 * (count + last));
        this.pairs.set(pairs);
        this.pairLimit.set(limits);
        this.pairSlack.set(slacks);
      }
      for (let n = 0; n < last; n++) {
        const j = grid.order[list.index[n]];
        if (close[j] === 2 * i) continue;
        const limit =
          close[j] === 2 * i + 1 ? FOLDED * Math.sqrt(distance2(mesh.rest, i, j)) : Number.POSITIVE_INFINITY;
        const slack = Math.sqrt(distance2(places, i, j)) - Math.min(limit, reach - room);
        // Pairs are listed again before they have come nearer by their room.
        if (slack > room) continue;
        this.pairs[count] = j;
        this.pairSlack[count] = slack;
        this.pairLimit[count++] = limit;
      }
    }
    pairStart[mesh.nodes] = count;
  }

  private findFaces(): void {
    const { mesh, places, seen, found, faces, pairs, pairLimit, pairSlack, pairStart } = this;
    const { triangles, trianglesOf } = mesh;
    if (triangles.length === 0) return;
    seen.fill(-1);
    const most = mesh.apart + this.margin;
    const limit = most * most;
    const soon = this.pairCame + this.margin;
    for (let i = 0; i < mesh.nodes; i++) {
      found.length = 0;
      for (let n = pairStart[i]; n < pairStart[i + 1]; n++) {
        if (pairSlack[n] > soon) continue;
        const j = pairs[n];
        const distance = Math.sqrt(distance2(places, i, j)) - most;
        if (distance > STRETCH * mesh.widest || distance + mesh.apart > pairLimit[n]) continue;
        for (let k = trianglesOf.start[j]; k < trianglesOf.start[j + 1]; k++) {
          const t = trianglesOf.items[k];
          if (seen[t] === i || distance > STRETCH * mesh.radius[t]) continue;
          seen[t] = i;
          const square = toTriangle(weights, places, i, triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2]);
          if (square > limit) continue;
          found.push(t);
          this.square[t] = square;
        }
      }
      if (found.length > 1) found.sort(ascending);
      for (let k = 0; k < found.length; k++) {
        const t = found[k];
        const a = triangles[3 * t];
        const apart = this.isFarAtRest(i, a)
          ? mesh.apart
          : OF_REST * Math.sqrt(toTriangle(weights, mesh.rest, i, a, triangles[3 * t + 1], triangles[3 * t + 2]));
        faces.add(i, t, Math.min(mesh.apart, apart), Math.sqrt(this.square[t]));
      }
    }
  }

  /** Whether parts with these corners may be as near as all others, as far apart as they are in the rest shape. */
  private isFarAtRest(i: number, j: number): boolean {
    const { apart, longest, rest } = this.mesh;
    const far = apart / OF_REST + 2 * longest;
    return distance2(rest, i, j) > far * far;
  }

  private findEdges(): void {
    const { mesh, seen, found, close } = this;
    const { edges, rims } = mesh;
    seen.fill(-1);
    close.fill(-1);
    for (let e = 0; e < rims; e++) {
      found.length = 0;
      mark(close, mesh.near, edges[2 * e], e);
      mark(close, mesh.near, edges[2 * e + 1], e);
      this.findEdgesAround(e, edges[2 * e]);
      this.findEdgesAround(e, edges[2 * e + 1]);
      if (found.length > 1) found.sort(ascending);
      for (let k = 0; k < found.length; k++) {
        const f = found[k];
        const a = edges[2 * e];
        const c = edges[2 * f];
        const apart = this.isFarAtRest(a, c)
          ? mesh.apart
          : OF_REST * Math.sqrt(toEdge(weights, mesh.rest, a, edges[2 * e + 1], c, edges[2 * f + 1]));
        this.edges.add(e, f, Math.min(mesh.apart, apart), Math.sqrt(this.square[f]));
      }
    }
  }

  /** Adds the edges that edge e may touch at its end i. Of two edges of the hem the lower is tested with the other. */
  private findEdgesAround(e: number, i: number): void {
    const { mesh, places, seen, found, close, pairs, pairLimit, pairSlack, pairStart } = this;
    const { edges, edgesOf } = mesh;
    const most = mesh.apart + this.margin;
    const limit = most * most;
    const soon = this.pairCame + this.margin;
    for (let n = pairStart[i]; n < pairStart[i + 1]; n++) {
      if (pairSlack[n] > soon) continue;
      const j = pairs[n];
      if (close[j] === e) continue;
      const distance = Math.sqrt(distance2(places, i, j)) - most;
      if (distance > STRETCH * mesh.crossing || distance + mesh.apart > pairLimit[n]) continue;
      for (let k = edgesOf.start[j]; k < edgesOf.start[j + 1]; k++) {
        const f = edgesOf.items[k];
        if (seen[f] === e || f <= e || distance > STRETCH * (mesh.half[e] + mesh.half[f])) continue;
        seen[f] = e;
        const square = toEdge(weights, places, edges[2 * e], edges[2 * e + 1], edges[2 * f], edges[2 * f + 1]);
        if (square > limit) continue;
        found.push(f);
        this.square[f] = square;
      }
    }
  }
}

const ascending = (a: number, b: number) => a - b;

/** Marks the nodes of a list of i with a number. */
function mark(close: Int32Array, { start, items }: Lists, i: number, number: number): void {
  for (let k = start[i]; k < start[i + 1]; k++) close[items[k]] = number;
}

/** Nodes whose mean way is subtracted. Any common way would do. */
const SAMPLE = 32;

/** Largest way of a node between two lists of places (m), beside a way that all have in common. */
function spread(from: Float64Array, to: Float64Array): number {
  const step = 3 * Math.ceil(from.length / 3 / SAMPLE);
  let mx = 0;
  let my = 0;
  let mz = 0;
  let count = 0;
  for (let o = 0; o < from.length; o += step) {
    mx += to[o] - from[o];
    my += to[o + 1] - from[o + 1];
    mz += to[o + 2] - from[o + 2];
    count++;
  }
  mx /= count;
  my /= count;
  mz /= count;
  let most = 0;
  for (let o = 0; o < from.length; o += 3) {
    const x = to[o] - from[o] - mx;
    const y = to[o + 1] - from[o + 1] - my;
    const z = to[o + 2] - from[o + 2] - mz;
    const square = x * x + y * y + z * z;
    if (square > most) most = square;
  }
  return Math.sqrt(most);
}
