import type { ContactMesh } from './contactMesh.js';

/**
 * Spatial hash of triangles ([H07] 5 after Teschner et al. 2003). Space is divided into cubes. Every cube that a triangle's box meets lists
 * that triangle. A hash of the cube's three indices finds the list. Only triangles that meet `box` are entered, and only in cubes of it,
 * because two bodies touch in a small part of their surfaces. Arrays grow and are reused.
 */
export interface TriangleHash {
  /** Box in which the two surfaces can meet: minX … maxZ. */
  readonly box: Float64Array;
  /** Edge of a cube (m). */
  cell: number;
  /** First entry of each slot; slots + 1 offsets, slots a power of two. */
  start: Uint32Array;
  slots: number;
  entries: Uint32Array;
  entryCount: number;
  /** Triangles that meet the box. */
  candidates: Uint32Array;
  candidateCount: number;
}

export const newTriangleHash = (): TriangleHash => ({
  box: new Float64Array(6),
  cell: 1,
  start: new Uint32Array(65),
  slots: 64,
  entries: new Uint32Array(256),
  entryCount: 0,
  candidates: new Uint32Array(64),
  candidateCount: 0,
});

/** Largest number of cubes along the longest side of the box. It bounds the number of lists that one large triangle enters. */
const MOST_CELLS = 48;

/** Intersection of the bounds of both surfaces; returns false if it is empty. */
export function meetingBox(box: Float64Array, a: ContactMesh, b: ContactMesh): boolean {
  for (let k = 0; k < 3; k++) {
    box[k] = Math.max(a.bounds[k], b.bounds[k]);
    box[k + 3] = Math.min(a.bounds[k + 3], b.bounds[k + 3]);
    if (!(box[k] <= box[k + 3])) return false;
  }
  return true;
}

/** Enters the mesh's triangles that meet `hash.box`. */
export function fillHash(hash: TriangleHash, mesh: ContactMesh): void {
  collectCandidates(hash, mesh);
  hash.slots = 64;
  while (hash.slots < 2 * hash.candidateCount) hash.slots *= 2;
  if (hash.start.length < hash.slots + 1) hash.start = new Uint32Array(2 * hash.slots + 1);
  const { start, slots, candidates } = hash;
  start.fill(0, 0, slots + 1);
  for (let n = 0; n < hash.candidateCount; n++) {
    triangleCells(hash, mesh, candidates[n]);
    for (let i = range[0]; i <= range[3]; i++)
      for (let j = range[1]; j <= range[4]; j++)
        for (let k = range[2]; k <= range[5]; k++) start[slotOf(i, j, k, slots) + 1]++;
  }
  for (let slot = 0; slot < slots; slot++) start[slot + 1] += start[slot];
  hash.entryCount = start[slots];
  if (hash.entries.length < hash.entryCount) hash.entries = new Uint32Array(2 * hash.entryCount);
  // Shifted up by one, start[slot + 1] is where the next entry of `slot` goes. Filling turns `start` into the offsets again.
  for (let slot = slots; slot > 0; slot--) start[slot] = start[slot - 1];
  for (let n = 0; n < hash.candidateCount; n++) {
    triangleCells(hash, mesh, candidates[n]);
    for (let i = range[0]; i <= range[3]; i++)
      for (let j = range[1]; j <= range[4]; j++)
        for (let k = range[2]; k <= range[5]; k++) hash.entries[start[slotOf(i, j, k, slots) + 1]++] = candidates[n];
  }
}

/**
 * Collects the triangles whose boxes meet the box. Sets the size of a cube to about that of the triangles (Teschner et al. 2003, 4.2: the
 * mean edge).
 */
function collectCandidates(hash: TriangleHash, { indices, positions }: ContactMesh): void {
  const { box } = hash;
  if (hash.candidates.length < indices.length / 3) hash.candidates = new Uint32Array(indices.length / 3);
  hash.candidateCount = 0;
  let size = 0;
  for (let t = 0; t < indices.length / 3; t++) {
    const i = 3 * indices[3 * t];
    const j = 3 * indices[3 * t + 1];
    const k = 3 * indices[3 * t + 2];
    if (misses(positions, i, j, k, box, 0) || misses(positions, i, j, k, box, 1) || misses(positions, i, j, k, box, 2))
      continue;
    hash.candidates[hash.candidateCount++] = t;
    let longest = 0;
    for (let a = 0; a < 3; a++) {
      const p = positions[i + a];
      const q = positions[j + a];
      const r = positions[k + a];
      longest = Math.max(longest, Math.max(p, q, r) - Math.min(p, q, r));
    }
    size += longest;
  }
  const extent = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
  hash.cell = Math.max(size / Math.max(1, hash.candidateCount), extent / MOST_CELLS);
  if (!(hash.cell > 0 && hash.cell < Number.POSITIVE_INFINITY)) hash.cell = 1;
}

/** Whether three points (two may be the same) are all on one side of the box along one axis. */
function misses(x: Float32Array, i: number, j: number, k: number, box: Float64Array, axis: number): boolean {
  const p = x[i + axis];
  const q = x[j + axis];
  const r = x[k + axis];
  const low = box[axis];
  const high = box[axis + 3];
  return (p < low && q < low && r < low) || (p > high && q > high && r > high);
}

/** Range of cubes that a triangle meets: lowest x y z, highest x y z. */
const range = new Int32Array(6);

function triangleCells(hash: TriangleHash, { indices, positions }: ContactMesh, t: number): void {
  const { box, cell } = hash;
  for (let a = 0; a < 3; a++) {
    const p = positions[3 * indices[3 * t] + a];
    const q = positions[3 * indices[3 * t + 1] + a];
    const r = positions[3 * indices[3 * t + 2] + a];
    setRange(range, a, Math.min(p, q, r), Math.max(p, q, r), box, cell);
  }
}

/**
 * Writes the cubes that the box around an edge meets into `range`: lowest x y z, highest x y z. Returns false if the edge lies outside the
 * hash's box.
 */
export function edgeCells(
  range: Int32Array,
  { box, cell }: TriangleHash,
  positions: Float32Array,
  v: number,
  w: number,
): boolean {
  const i = 3 * v;
  const j = 3 * w;
  for (let a = 0; a < 3; a++) if (misses(positions, i, j, j, box, a)) return false;
  for (let a = 0; a < 3; a++) {
    const p = positions[i + a];
    const q = positions[j + a];
    setRange(range, a, Math.min(p, q), Math.max(p, q), box, cell);
  }
  return true;
}

function setRange(range: Int32Array, axis: number, low: number, high: number, box: Float64Array, cell: number): void {
  range[axis] = Math.floor((Math.max(low, box[axis]) - box[axis]) / cell);
  range[axis + 3] = Math.floor((Math.min(high, box[axis + 3]) - box[axis]) / cell);
}

/** The primes of Teschner et al. 2003, 4.1. */
export const slotOf = (i: number, j: number, k: number, slots: number) =>
  (Math.imul(i, 73856093) ^ Math.imul(j, 19349663) ^ Math.imul(k, 83492791)) & (slots - 1);
