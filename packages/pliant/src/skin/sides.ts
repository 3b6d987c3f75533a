import { spacingOfPoints } from '../contact/spacing.js';
import { NO_PIECE } from '../fracture/pieces.js';
import type { Rows } from '../state/edit.js';
import type { Views } from '../state/layout.js';
import { type Near, transpose } from './blend.js';
import type { Copies, Knots } from './knots.js';
import type { SkinnedBody } from './renderSkin.js';
import { NO_KNOT } from './shade.js';
import type { SkinMesh } from './skinMesh.js';

/** What parting a mesh needs to know. */
export interface Torn {
  s: Views;
  rows: Rows;
  mesh: SkinMesh;
  built: Float64Array;
  near: Near;
  copies: Copies;
  surroundings: Surroundings;
  /** Which piece each particle is in. */
  pieceOf: Uint32Array;
  /** The mesh also shows what is no longer part of this body: triangles there are left out. */
  partial: boolean;
}

/** What does not change as a body comes apart. */
export interface Surroundings {
  /** For each entry of `near`: which of the particles around a vertex hung together when the body was built. */
  readonly original: Uint16Array;
  /** Per triangle: the ASKED particles that are nearest to a point below its middle, and what each has to say. */
  readonly asked: Uint32Array;
  readonly say: Float64Array;
}

/** The particles around each vertex that the body has now, with their *side*: particles on one side hang together there by clusters. */
interface Sides {
  start: Uint32Array;
  particle: Uint32Array;
  kernel: Float64Array;
  side: Uint16Array;
  count: Uint16Array;
  /** Vertices near which some particle is gone, in a mesh that is partial. */
  incomplete: Uint8Array;
}

export function findSurroundings(mesh: SkinMesh, near: Near, body: SkinnedBody): Surroundings {
  const spacing = body.spacing ?? spacingOfPoints(body.builtPositions);
  return { original: originalSides(near, body), ...askBelow(mesh, near, body.builtPositions, spacing) };
}

/** Nearly always all particles around a vertex hung together. Those that did not are not torn apart because they still do not. */
function originalSides(near: Near, { clustering, builtPositions }: SkinnedBody): Uint16Array {
  const { start, cluster } = transpose(clustering, builtPositions.length / 3);
  const labels = new Uint16Array(near.particle.length);
  const groups = new Groups(clustering.start.length - 1);
  for (let v = 0; v + 1 < near.start.length; v++) {
    groups.begin(near.start[v + 1] - near.start[v]);
    for (let n = near.start[v]; n < near.start[v + 1]; n++)
      for (let k = start[near.particle[n]]; k < start[near.particle[n] + 1]; k++)
        groups.meet(n - near.start[v], cluster[k]);
    groups.number(labels, near.start[v]);
  }
  return labels;
}

/** Particles that are asked which side a triangle belongs to. */
const ASKED = 8;
/** How far below the surface that is, in spacings: faces that a cut made lie between two sides, and look away from theirs. */
const BELOW = 0.5;

function askBelow({ positions: x, indices }: SkinMesh, near: Near, built: Float64Array, spacing: number) {
  const asked = new Uint32Array((ASKED * indices.length) / 3);
  const say = new Float64Array(asked.length);
  for (let t = 0; t < indices.length; t += 3) {
    pointBelow(x, indices, t, BELOW * spacing);
    const at = (ASKED * t) / 3;
    let count = 0;
    for (let k = t; k < t + 3; k++)
      for (let n = near.start[indices[k]]; n < near.start[indices[k] + 1]; n++) {
        const i = near.particle[n];
        const d2 = (built[3 * i] - p[0]) ** 2 + (built[3 * i + 1] - p[1]) ** 2 + (built[3 * i + 2] - p[2]) ** 2;
        const w = 1 / (d2 + 0.25 * spacing * spacing) ** 2;
        // Kept in order, the nearest first; those of several corners come several times.
        let place = count;
        while (place > 0 && w > say[at + place - 1]) place--;
        if (place === ASKED || asked.subarray(at, at + count).includes(i)) continue;
        count = Math.min(ASKED, count + 1);
        asked.copyWithin(at + place + 1, at + place, at + count - 1);
        say.copyWithin(at + place + 1, at + place, at + count - 1);
        asked[at + place] = i;
        say[at + place] = w;
      }
    // Fewer than that: the first again, without a say.
    asked.fill(asked[at], at + count, at + ASKED);
  }
  return { asked, say };
}

/** Leaves in `p` the point that is `depth` below the middle of a triangle. */
function pointBelow(x: Float64Array, indices: Uint32Array, t: number, depth: number): void {
  const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
  for (let k = 0; k < 3; k++) {
    const [l, m] = [(k + 1) % 3, (k + 2) % 3];
    normal[k] = (x[b + l] - x[a + l]) * (x[c + m] - x[a + m]) - (x[b + m] - x[a + m]) * (x[c + l] - x[a + l]);
  }
  const length = Math.sqrt(normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2);
  const down = length > 0 ? depth / length : 0;
  for (let k = 0; k < 3; k++) p[k] = (x[a + k] + x[b + k] + x[c + k]) / 3 - down * normal[k];
}
const p = new Float64Array(3);
const normal = new Float64Array(3);

/**
 * The knots of a body that has come apart. Every triangle goes to the side on which most of the matter below it is, and each of its corners follows
 * particles of that side alone: so no triangle spans two pieces, and cracks open where nothing holds the sides of a place together any more.
 */
export function partedKnots(torn: Torn): Knots {
  const sides = findSides(torn);
  const { indices } = torn.mesh;
  const vertices = torn.near.start.length - 1;
  const first = new Uint32Array(vertices + 1);
  for (let v = 0; v < vertices; v++) first[v + 1] = first[v] + sides.count[v];
  // Corners first get the number of their side, or beyond all of these that of a lone knot.
  const corner = new Uint32Array(indices.length);
  const lone: { vertex: number; particle: number }[] = [];
  const loneNumber = new Map<string, number>();
  const vote = new Vote(torn);
  for (let t = 0; t < indices.length; t += 3) {
    if (isWhole(torn, sides, t)) {
      for (let k = t; k < t + 3; k++) corner[k] = first[indices[k]];
      continue;
    }
    const anchor = vote.anchorOf(t);
    for (let k = t; k < t + 3; k++) {
      if (anchor < 0) {
        corner[k] = NO_KNOT;
        continue;
      }
      const v = indices[k];
      const side = sideWith(torn, sides, v, anchor);
      if (side >= 0) {
        corner[k] = first[v] + side;
        continue;
      }
      const key = `${v} ${torn.pieceOf[anchor]}`;
      let number = loneNumber.get(key);
      if (number === undefined) {
        number = first[vertices] + lone.length;
        loneNumber.set(key, number);
        lone.push({ vertex: v, particle: anchor });
      }
      corner[k] = number;
    }
  }
  return numberKnots(sides, first, corner, lone);
}

/** Sides that some triangle uses, in the order of the vertices: a body that has not come apart at its surface keeps its numbers. */
function numberKnots(
  sides: Sides,
  first: Uint32Array,
  corner: Uint32Array,
  lone: readonly { vertex: number; particle: number }[],
): Knots {
  const sideCount = first[first.length - 1];
  const number = new Uint32Array(sideCount + lone.length).fill(NO_KNOT);
  for (const side of corner) if (side !== NO_KNOT) number[side] = 0;
  // A side is at most one knot.
  const most = sides.particle.length + lone.length;
  const vertex = new Uint32Array(number.length);
  const start = new Uint32Array(number.length + 1);
  const particle = new Uint32Array(most);
  const kernel = new Float64Array(most);
  let [count, end] = [0, 0];
  for (let v = 0; v + 1 < first.length; v++)
    for (let side = 0; side < first[v + 1] - first[v]; side++) {
      if (number[first[v] + side] === NO_KNOT) continue;
      number[first[v] + side] = count;
      vertex[count++] = v;
      for (let e = sides.start[v]; e < sides.start[v + 1]; e++)
        if (sides.side[e] === side) {
          particle[end] = sides.particle[e];
          kernel[end++] = sides.kernel[e];
        }
      start[count] = end;
    }
  lone.forEach((knot, n) => {
    number[sideCount + n] = count;
    vertex[count++] = knot.vertex;
    particle[end] = knot.particle;
    kernel[end++] = 1;
    start[count] = end;
  });
  for (let k = 0; k < corner.length; k++) if (corner[k] !== NO_KNOT) corner[k] = number[corner[k]];
  return {
    corner,
    vertex: vertex.subarray(0, count),
    start: start.subarray(0, count + 1),
    particle: particle.subarray(0, end),
    kernel: kernel.subarray(0, end),
  };
}

function findSides({ s, rows, near, copies, surroundings: { original }, pieceOf, partial }: Torn): Sides {
  const vertices = near.start.length - 1;
  const start = new Uint32Array(vertices + 1);
  let most = 0;
  for (const i of near.particle) most += copies.start[i + 1] - copies.start[i];
  const particle = new Uint32Array(most);
  const kernel = new Float64Array(most);
  const side = new Uint16Array(most);
  const count = new Uint16Array(vertices);
  const incomplete = new Uint8Array(vertices);
  const label: number[] = [];
  const groups = new Groups(rows.clusterEnd - rows.clusterStart);
  let end = 0;
  for (let v = 0; v < vertices; v++) {
    let parted = false;
    for (let n = near.start[v]; n < near.start[v + 1]; n++) {
      const before = end;
      for (let k = copies.start[near.particle[n]]; k < copies.start[near.particle[n] + 1]; k++) {
        // Debris follows nothing, and nothing follows it.
        if (pieceOf[copies.particle[k]] === NO_PIECE) continue;
        particle[end] = copies.particle[k];
        kernel[end] = near.kernel[n];
        label[end - start[v]] = original[n];
        parted ||= original[n] !== 0;
        end++;
      }
      if (end === before && partial) incomplete[v] = 1;
    }
    const length = end - start[v];
    groups.begin(length);
    for (let n = 0; n < length; n++) meetClusters(groups, s, rows, particle[start[v] + n], n);
    if (parted)
      for (let m = 1; m < length; m++)
        for (let n = 0; n < m; n++)
          if (label[m] !== label[n] && pieceOf[particle[start[v] + m]] === pieceOf[particle[start[v] + n]])
            groups.join(m, n);
    count[v] = groups.number(side, start[v]);
    start[v + 1] = end;
  }
  return { start, particle, kernel, side, count, incomplete };
}

function meetClusters(groups: Groups, s: Views, { particleStart, clusterStart }: Rows, i: number, n: number): void {
  const rank = s.rank[particleStart + i];
  for (let l = s.linkStart[rank]; l < s.linkStart[rank + 1]; l++) groups.meet(n, s.linkCluster[l] - clusterStart);
}

/** Whether nothing has come apart around a triangle. */
function isWhole(
  { mesh: { indices }, pieceOf }: Torn,
  { start, particle, count, incomplete }: Sides,
  t: number,
): boolean {
  for (let k = t; k < t + 3; k++) {
    if (count[indices[k]] !== 1 || incomplete[indices[k]]) return false;
    if (pieceOf[particle[start[indices[k]]]] !== pieceOf[particle[start[indices[t]]]]) return false;
  }
  return true;
}

/** The side of a vertex that a particle is on: its own; else that of one which shares a cluster with it, or is of the same piece; else −1. */
function sideWith(
  { s, rows, pieceOf }: Torn,
  { start, particle, kernel, side }: Sides,
  v: number,
  anchor: number,
): number {
  let best = -1;
  let bond = 0;
  for (let e = start[v]; e < start[v + 1]; e++) {
    if (particle[e] === anchor) return side[e];
    if (pieceOf[particle[e]] !== pieceOf[anchor]) continue;
    const strength = kernel[e] + (shareCluster(s, rows, particle[e], anchor) ? 1 : 0);
    if (best >= 0 && strength <= bond) continue;
    bond = strength;
    best = side[e];
  }
  return best;
}

function shareCluster({ rank, linkStart, linkCluster }: Views, { particleStart }: Rows, i: number, j: number): boolean {
  const [a, b] = [rank[particleStart + i], rank[particleStart + j]];
  for (let k = linkStart[a]; k < linkStart[a + 1]; k++)
    for (let l = linkStart[b]; l < linkStart[b + 1]; l++) if (linkCluster[k] === linkCluster[l]) return true;
  return false;
}

/** Asks the particles below a triangle which side it belongs to. */
class Vote {
  private readonly groups: Groups;
  private readonly particle: number[] = [];
  private readonly say: number[] = [];
  private readonly sums: number[] = [];
  private side = new Uint16Array(64);

  constructor(private readonly torn: Torn) {
    this.groups = new Groups(torn.rows.clusterEnd - torn.rows.clusterStart);
  }

  /** The nearest particle of the side that most has been said for; −1 where there is none, or what was there is gone. */
  anchorOf(t: number): number {
    const { s, rows } = this.torn;
    const gone = this.gather(t);
    const { particle, say, sums, groups } = this;
    if (particle.length === 0) return -1;
    if (this.side.length < particle.length) this.side = new Uint16Array(2 * particle.length);
    groups.begin(particle.length);
    for (let n = 0; n < particle.length; n++) meetClusters(groups, s, rows, particle[n], n);
    sums.length = 0;
    for (let n = groups.number(this.side, 0); n > 0; n--) sums.push(0);
    for (let n = 0; n < particle.length; n++) sums[this.side[n]] += say[n];
    let best = 0;
    for (let n = 1; n < sums.length; n++) if (sums[n] > sums[best]) best = n;
    // They come by distance.
    return gone > sums[best] ? -1 : particle[this.side.indexOf(best)];
  }

  /** Those of the asked particles that the body has; returns what those that are gone would have said. */
  private gather(t: number): number {
    const { copies, pieceOf, partial, surroundings } = this.torn;
    const { particle, say } = this;
    particle.length = say.length = 0;
    let gone = 0;
    for (let n = (ASKED * t) / 3; n < (ASKED * t) / 3 + ASKED; n++) {
      const i = surroundings.asked[n];
      if (partial && copies.start[i] === copies.start[i + 1]) gone += surroundings.say[n];
      for (let k = copies.start[i]; k < copies.start[i + 1]; k++) {
        if (pieceOf[copies.particle[k]] === NO_PIECE) continue;
        particle.push(copies.particle[k]);
        say.push(surroundings.say[n]);
      }
    }
    return gone;
  }
}

/** Finds out which of a few things hang together by clusters. */
class Groups {
  private parent = new Uint16Array(64);
  private count = 0;
  private round = 0;
  /** Per cluster: in which round it was met last, and by which thing. */
  private readonly met: Uint32Array;
  private readonly by: Uint16Array;

  constructor(clusters: number) {
    this.met = new Uint32Array(clusters);
    this.by = new Uint16Array(clusters);
  }

  begin(count: number): void {
    if (this.parent.length < count) this.parent = new Uint16Array(2 * count);
    for (let n = 0; n < count; n++) this.parent[n] = n;
    this.count = count;
    this.round++;
  }

  meet(n: number, cluster: number): void {
    if (this.met[cluster] === this.round) this.join(n, this.by[cluster]);
    this.met[cluster] = this.round;
    this.by[cluster] = n;
  }

  join(m: number, n: number): void {
    const a = this.root(m);
    const b = this.root(n);
    this.parent[Math.max(a, b)] = Math.min(a, b);
  }

  private root(n: number): number {
    const { parent } = this;
    while (parent[n] !== n) n = parent[n] = parent[parent[n]];
    return n;
  }

  /** Writes the group of each thing, from `at` on; the first thing is in group 0. Returns how many there are. */
  number(out: Uint16Array, at: number): number {
    let groups = 0;
    for (let n = 0; n < this.count; n++) out[at + n] = this.root(n) === n ? groups++ : out[at + this.root(n)];
    return groups;
  }
}
