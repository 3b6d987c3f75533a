// Poisson-disk samples of a solid as in src/sample/blueNoise.ts and src/sample/poissonGrid.ts, bit for bit. The solid is asked through imports.
import { real, setReal, setWord, word } from './grid';

// @ts-ignore: decorator
@external('env', 'isInside')
declare function isInside(x: f64, y: f64, z: f64): i32;
// @ts-ignore: decorator
@external('env', 'classify')
declare function classify(x: f64, y: f64, z: f64, h: f64): i32;
// @ts-ignore: decorator
@external('env', 'tick')
declare function tick(samples: i32): void;

const OUTSIDE: i32 = 0, INSIDE: i32 = 1, MIXED: i32 = 2;
const COVERED: i32 = -1;
const VOID_DEPTH: i32 = 3;
/** Bytes of one coordinate for each of the 125 cells around one and of what is written behind them, and of all three. */
const ALONG: usize = 8 * 128;
const NEARBY: usize = 3 * ALONG;
const ROWS: i32 = 25;
const CANDIDATES: i32 = 30;
const SIGN_DARTS: i32 = 2;
const PER_CHECKPOINT: i32 = 1024;

// The sampler. A row of `points` has x, y, z and a number of the active list.
let cells: usize = 0, taken: usize = 0, occupied: usize = 0, rows: usize = 0, nearby: usize = 0, points: usize = 0, room: usize = 0;
let nx: i32 = 0, ny: i32 = 0, nz: i32 = 0, strideY: i32 = 0, strideZ: i32 = 0;
let minX: f64 = 0, minY: f64 = 0, minZ: f64 = 0, maxX: f64 = 0, maxY: f64 = 0, maxZ: f64 = 0;
let spacing: f64 = 0, spacing2: f64 = 0, cell: f64 = 0, enough: f64 = 0;
let thinX: bool = false, thinY: bool = false, thinZ: bool = false, isVague: bool = false;
let samples: i32 = 0;
let a: i32 = 0, b: i32 = 0, c: i32 = 0, d: i32 = 0;

/**
 * `box`: lowest and highest x y z, spacing, side of a cell, number of samples that is enough. `size`: cells along the axes, then 1 for each axis along which the body is thin, then 1 if boxes
 * cannot be classified. `steps`: from a cell to the first of each of the 25 rows of five cells around it, nearest first. `bits` and `held`: one for each cell, set where `table` is not 0, and where it names a
 * sample. Most questions are answered by them, and they fit into the cache. Everything from `end` on is for the samples.
 */
export function beginNoise(box: usize, size: usize, steps: usize, lists: usize, table: usize, bits: usize, held: usize, end: usize, seed: f64): void {
  minX = real(box, 0);
  minY = real(box, 1);
  minZ = real(box, 2);
  maxX = real(box, 3);
  maxY = real(box, 4);
  maxZ = real(box, 5);
  spacing = real(box, 6);
  spacing2 = spacing * spacing;
  cell = real(box, 7);
  enough = real(box, 8);
  nx = word(size, 0);
  ny = word(size, 1);
  nz = word(size, 2);
  thinX = word(size, 3) !== 0;
  thinY = word(size, 4) !== 0;
  thinZ = word(size, 5) !== 0;
  isVague = word(size, 6) !== 0;
  strideY = nx + 4;
  strideZ = strideY * (ny + 4);
  rows = steps;
  nearby = lists;
  cells = table;
  taken = bits;
  const total = <usize>(strideZ * (nz + 4));
  memory.fill(cells, 0, total << 2);
  memory.fill(taken, 0, (total >> 3) + 1);
  occupied = held;
  memory.fill(occupied, 0, (total >> 3) + 2);
  points = end;
  room = (<usize>memory.size() << 16) - end;
  samples = 0;
  const pattern = reinterpret<i64>(seed);
  a = <i32>pattern;
  b = <i32>(pattern >> 32);
  c = 0x9e3779b9;
  d = 1;
  for (let k = 0; k < 12; k++) next();
}

export function sampleCount(): i32 { return samples; }

function next(): f64 {
  const t = a + b + d;
  d++;
  a = b ^ (b >>> 9);
  b = c + (c << 3);
  c = rotl(c, 21) + t;
  return <f64>(<u32>t) / 4294967296;
}

// @ts-ignore: decorator
@inline function between(low: f64, high: f64, share: f64): f64 { return low + share * (high - low); }

// @ts-ignore: decorator
@inline function cellAt(x: f64, y: f64, z: f64): i32 {
  const i = <i32>Math.floor((x - minX) / cell) + 2;
  const j = <i32>Math.floor((y - minY) / cell) + 2;
  const k = <i32>Math.floor((z - minZ) / cell) + 2;
  return i + j * strideY + k * strideZ;
}

// @ts-ignore: decorator
@inline function rowOf(sample: i32): usize { return points + (<usize>sample << 5); }

// @ts-ignore: decorator
@inline function isTaken(at: i32): bool { return ((load<u8>(taken + (<usize>at >> 3)) >> (<u8>at & 7)) & 1) !== 0; }
// @ts-ignore: decorator
@inline function take(at: i32): void {
  const byte = taken + (<usize>at >> 3);
  store<u8>(byte, load<u8>(byte) | (1 << (<u8>at & 7)));
}

function hasRoom(x: f64, y: f64, z: f64): bool {
  const at = cellAt(x, y, z);
  if (isTaken(at)) return false;
  for (let r = 0; r < ROWS; r++) {
    const first = at + word(rows, r);
    for (let bits = occupiedFrom(first); bits; bits &= bits - 1) {
      const row = rowOf(word(cells, first + ctz(bits)) - 1);
      const dx = load<f64>(row) - x, dy = load<f64>(row, 8) - y, dz = load<f64>(row, 16) - z;
      if (dx * dx + dy * dy + dz * dz < spacing2) return false;
    }
  }
  return true;
}

/** Bits of five cells of a row: set where there is a sample. */
// @ts-ignore: decorator
@inline function occupiedFrom(first: i32): i32 {
  return (<i32>load<u16>(occupied + (<usize>first >> 3)) >> (first & 7)) & 31;
}

function add(x: f64, y: f64, z: f64): void {
  const needed = <usize>(samples + 1) << 5;
  if (needed > room) {
    // Half as much again, so that memory grows seldom.
    const pages = max<i32>(16, <i32>((needed >> 17) + 1));
    if (memory.grow(pages) < 0) unreachable();
    room += <usize>pages << 16;
  }
  const row = rowOf(samples);
  store<f64>(row, x);
  store<f64>(row, y, 8);
  store<f64>(row, z, 16);
  const at = cellAt(x, y, z);
  setWord(cells, at, ++samples);
  take(at);
  const byte = occupied + (<usize>at >> 3);
  store<u8>(byte, load<u8>(byte) | (1 << (<u8>at & 7)));
  markCovered(x, y, z);
}

function markCovered(x: f64, y: f64, z: f64): void {
  const fi = Math.floor((x - minX) / cell), fj = Math.floor((y - minY) / cell), fk = Math.floor((z - minZ) / cell);
  const i = <i32>fi, j = <i32>fj, k = <i32>fk;
  for (let dk = -1; dk <= 1; dk++)
    for (let dj = -1; dj <= 1; dj++)
      for (let di = -1; di <= 1; di++) {
        const at = i + di + 2 + (j + dj + 2) * strideY + (k + dk + 2) * strideZ;
        if (isTaken(at)) continue;
        const dx = Math.max(x - (minX + (fi + <f64>di) * cell), minX + (fi + <f64>di + 1) * cell - x);
        const dy = Math.max(y - (minY + (fj + <f64>dj) * cell), minY + (fj + <f64>dj + 1) * cell - y);
        const dz = Math.max(z - (minZ + (fk + <f64>dk) * cell), minZ + (fk + <f64>dk + 1) * cell - z);
        if (dx * dx + dy * dy + dz * dz < spacing2) {
          setWord(cells, at, COVERED);
          take(at);
        }
      }
}

function placeAround(sample: i32): bool {
  const side = 4 * spacing;
  const inner = spacing * spacing;
  const row = rowOf(sample);
  const px = load<f64>(row), py = load<f64>(row, 8), pz = load<f64>(row, 16);
  for (let n = 0; n < CANDIDATES; ) {
    const dx = thinX ? between(minX, maxX, next()) - px : (next() - 0.5) * side;
    const dy = thinY ? between(minY, maxY, next()) - py : (next() - 0.5) * side;
    const dz = thinZ ? between(minZ, maxZ, next()) - pz : (next() - 0.5) * side;
    const d2 = dx * dx + dy * dy + dz * dz;
    if (d2 < inner || d2 > 4 * inner) continue;
    n++;
    const x = px + dx, y = py + dy, z = pz + dz;
    if (x < minX || x > maxX || y < minY || y > maxY || z < minZ || z > maxZ) continue;
    if (!hasRoom(x, y, z) || !isInside(x, y, z)) continue;
    add(x, y, z);
    return true;
  }
  return false;
}

// @ts-ignore: decorator
@inline function activeAt(k: i32): i32 { return load<i32>(rowOf(k), 24); }
// @ts-ignore: decorator
@inline function setActive(k: i32, sample: i32): void { store<i32>(rowOf(k), sample, 24); }

function grow(first: i32): void {
  let active = 1;
  setActive(0, first);
  while (active > 0 && <f64>samples <= enough) {
    const pick = <i32>Math.floor(next() * <f64>active);
    if (placeAround(activeAt(pick))) {
      setActive(active++, samples - 1);
      if (samples % PER_CHECKPOINT === 0) tick(samples);
    } else setActive(pick, activeAt(--active));
  }
}

/** Searches a block of cells, from (i, j, k) on, for voids. */
export function searchBlock(i: i32, j: i32, k: i32, size: i32, full: i32): void {
  if (i >= nx || j >= ny || k >= nz) return;
  const h = (<f64>size * cell) / 2;
  const x = minX + <f64>i * cell + h, y = minY + <f64>j * cell + h, z = minZ + <f64>k * cell + h;
  if (size === 1) {
    if (openCell(x, y, z)) searchBox(x, y, z, h, 0, full);
    return;
  }
  const kind = full ? INSIDE : classify(x, y, z, h);
  if (kind === OUTSIDE) return;
  const half = size >> 1;
  const isFull = <i32>(kind === INSIDE);
  for (let child = 0; child < 8; child++)
    searchBlock(child & 1 ? i + half : i, child & 2 ? j + half : j, child & 4 ? k + half : k, half, isFull);
}

function searchBox(x: f64, y: f64, z: f64, h: f64, depth: i32, full: i32): void {
  const kind = full ? INSIDE : depth === VOID_DEPTH ? MIXED : classify(x, y, z, h);
  if (kind === OUTSIDE) return;
  let misses = 0;
  const vague = kind !== INSIDE && isVague;
  const darts = vague ? SIGN_DARTS : 1;
  for (let dart = 0; dart < darts; dart++) {
    const dx = thinX ? between(minX, maxX, next()) : x + (2 * next() - 1) * h;
    const dy = thinY ? between(minY, maxY, next()) : y + (2 * next() - 1) * h;
    const dz = thinZ ? between(minZ, maxZ, next()) : z + (2 * next() - 1) * h;
    const isFree = !isNearListed(dx, dy, dz, depth);
    if (!isFree && !vague) continue;
    if (!isWithin(dx, dy, dz) || (kind !== INSIDE && !isInside(dx, dy, dz))) misses++;
    else if (isFree && hasRoom(dx, dy, dz)) {
      add(dx, dy, dz);
      grow(samples - 1);
    }
  }
  if (depth === VOID_DEPTH || (vague && misses === SIGN_DARTS)) return;
  const q = h / 2;
  const isFull = <i32>(kind === INSIDE);
  for (let child = 0; child < 8; child++) {
    const cx = child & 1 ? x + q : x - q, cy = child & 2 ? y + q : y - q, cz = child & 4 ? z + q : z - q;
    if (openBox(cx, cy, cz, q, depth + 1)) searchBox(cx, cy, cz, q, depth + 1, isFull);
  }
}

// @ts-ignore: decorator
@inline function isWithin(x: f64, y: f64, z: f64): bool {
  return x >= minX && x <= maxX && y >= minY && y <= maxY && z >= minZ && z <= maxZ;
}

// The samples near the open box at each depth: x, y and z of all of them one behind the other, and behind all lists their lengths. Two samples are tested at a time. Of an odd number the last
// has an infinitely distant one beside it.
// @ts-ignore: decorator
@inline function listAt(depth: i32): usize { return nearby + <usize>depth * NEARBY; }
// @ts-ignore: decorator
@inline function lengthOf(depth: i32): usize { return load<usize>(nearby + 4 * NEARBY + (<usize>depth << 2)); }

/** Ends a list behind `length` bytes of coordinates along each axis. */
function endList(list: usize, depth: i32, length: usize): void {
  store<usize>(nearby + 4 * NEARBY + (<usize>depth << 2), length);
  store<f64>(list + length, Infinity);
  store<f64>(list + length, Infinity, ALONG);
  store<f64>(list + length, Infinity, 2 * ALONG);
}

function openCell(x: f64, y: f64, z: f64): bool {
  const at = cellAt(x, y, z);
  if (isTaken(at)) return false;
  let end: usize = 0;
  for (let r = 0; r < ROWS; r++) {
    const first = at + word(rows, r);
    for (let bits = occupiedFrom(first); bits; bits &= bits - 1) {
      const row = rowOf(word(cells, first + ctz(bits)) - 1);
      store<f64>(nearby + end, load<f64>(row));
      store<f64>(nearby + end, load<f64>(row, 8), ALONG);
      store<f64>(nearby + end, load<f64>(row, 16), 2 * ALONG);
      end += 8;
    }
  }
  endList(nearby, 0, end);
  return true;
}

function openBox(x: f64, y: f64, z: f64, h: f64, depth: i32): bool {
  const list = listAt(depth - 1), past = list + lengthOf(depth - 1);
  const mx = f64x2.splat(x), my = f64x2.splat(y), mz = f64x2.splat(z), mh = f64x2.splat(h), most = f64x2.splat(spacing2);
  for (let o = list; o < past; o += 16) {
    const dx = f64x2.add(f64x2.abs(f64x2.sub(v128.load(o), mx)), mh);
    const dy = f64x2.add(f64x2.abs(f64x2.sub(v128.load(o, ALONG), my)), mh);
    const dz = f64x2.add(f64x2.abs(f64x2.sub(v128.load(o, 2 * ALONG), mz)), mh);
    if (v128.any_true(f64x2.lt(square(dx, dy, dz), most))) return false;
  }
  const out = listAt(depth);
  const none = f64x2.splat(0);
  let end: usize = 0;
  for (let o = list; o < past; o += 16) {
    const px = v128.load(o), py = v128.load(o, ALONG), pz = v128.load(o, 2 * ALONG);
    const dx = f64x2.pmax(f64x2.sub(f64x2.abs(f64x2.sub(px, mx)), mh), none);
    const dy = f64x2.pmax(f64x2.sub(f64x2.abs(f64x2.sub(py, my)), mh), none);
    const dz = f64x2.pmax(f64x2.sub(f64x2.abs(f64x2.sub(pz, mz)), mh), none);
    const near = i64x2.bitmask(f64x2.lt(square(dx, dy, dz), most));
    // Written always, kept only if near.
    v128.store64_lane(out + end, px, 0);
    v128.store64_lane(out + end, py, 0, ALONG);
    v128.store64_lane(out + end, pz, 0, 2 * ALONG);
    end += <usize>(near & 1) << 3;
    v128.store64_lane(out + end, px, 1);
    v128.store64_lane(out + end, py, 1, ALONG);
    v128.store64_lane(out + end, pz, 1, 2 * ALONG);
    end += <usize>(near >> 1) << 3;
  }
  endList(out, depth, end);
  return true;
}

// @ts-ignore: decorator
@inline function square(dx: v128, dy: v128, dz: v128): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz));
}

function isNearListed(x: f64, y: f64, z: f64, depth: i32): bool {
  const list = listAt(depth), past = list + lengthOf(depth);
  const mx = f64x2.splat(x), my = f64x2.splat(y), mz = f64x2.splat(z), most = f64x2.splat(spacing2);
  for (let o = list; o < past; o += 16) {
    const dx = f64x2.sub(v128.load(o), mx), dy = f64x2.sub(v128.load(o, ALONG), my), dz = f64x2.sub(v128.load(o, 2 * ALONG), mz);
    if (v128.any_true(f64x2.lt(square(dx, dy, dz), most))) return true;
  }
  return false;
}
