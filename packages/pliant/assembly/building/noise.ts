// Poisson-disk samples of a solid as in src/sample/blueNoise.ts and src/sample/poissonGrid.ts, bit for bit. A solid that is no shape (src/sample/form.ts) is asked through imports.
import { real, setReal, setWord, word } from './grid';
import { a, b, c, d, next, seedRandom, setRandom, UNIT } from './random';
import { classifyBox, INSIDE, isIn, MIXED, narrow, OUTSIDE } from './solid';

// @ts-ignore: decorator
@external('env', 'isInside')
declare function askInside(x: f64, y: f64, z: f64): i32;
// @ts-ignore: decorator
@external('env', 'classify')
declare function askClass(x: f64, y: f64, z: f64, h: f64): i32;
// @ts-ignore: decorator
@external('env', 'tick')
declare function tick(samples: i32): void;

const VOID_DEPTH: i32 = 3;
/** Bytes of one coordinate for each of the 125 cells around one and of what is written behind them, and of all three. */
const ALONG: usize = 8 * 128;
const NEARBY: usize = 3 * ALONG;
const ROWS: i32 = 25;
const CANDIDATES: i32 = 30;
const SIGN_DARTS: i32 = 2;
const PER_CHECKPOINT: i32 = 1024;
/** Square of a spacing in halves of a cell, 12, less what f32 and rounded places can lose. */
const SURELY: f32 = 11.9999, PERHAPS: f32 = 12.0001;
/** Spacings from the origin beyond which places are rounded too much to tell whether an eighth of a cell is covered. */
const FAR: f64 = 1e8;
const ALL: i32 = 255;

// The sampler. A row of `points` has x, y, z and a number of the active list.
let cells: usize = 0, taken: usize = 0, occupied: usize = 0, eighths: usize = 0, rows: usize = 0, nearby: usize = 0, points: usize = 0, room: usize = 0;
let nx: i32 = 0, ny: i32 = 0, nz: i32 = 0, strideY: i32 = 0, strideZ: i32 = 0;
let minX: f64 = 0, minY: f64 = 0, minZ: f64 = 0, maxX: f64 = 0, maxY: f64 = 0, maxZ: f64 = 0;
let spacing: f64 = 0, spacing2: f64 = 0, cell: f64 = 0, enough: f64 = 0;
let thinX: bool = false, thinY: bool = false, thinZ: bool = false, isVague: bool = false;
let samples: i32 = 0;
let isFar: bool = false;
/** Address of the solid, 0 if it is asked through imports. */
let solid: usize = 0;

// @ts-ignore: decorator
@inline function isInside(x: f64, y: f64, z: f64): bool { return solid ? isIn(solid, x, y, z) : askInside(x, y, z) !== 0; }
// @ts-ignore: decorator
@inline function classify(x: f64, y: f64, z: f64, h: f64): i32 { return solid ? classifyBox(solid, x, y, z, h, h, h) : askClass(x, y, z, h); }

/**
 * `box`: lowest and highest x y z, spacing, side of a cell, number of samples that is enough. `size`: cells along the axes, then 1 for each axis along which the body is thin, then 1 if boxes
 * cannot be classified. `steps`: from a cell to the first of each of the 25 rows of five cells around it, nearest first. `table`: the sample of each cell that has one. `bits` and `held`: one for each cell, set where
 * it has a sample or is covered whole by one, and where it has a sample. `masks`: a byte for each cell, with a bit for each of its eighths, set where one sample surely covers it. Most questions are answered by them,
 * and they fit into the cache. Everything from `end` on is for the samples. `form`: address of the solid, or 0.
 */
export function beginNoise(box: usize, size: usize, steps: usize, lists: usize, table: usize, bits: usize, held: usize, masks: usize, end: usize, seed: f64, form: usize): void {
  solid = form;
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
  memory.fill(taken, 0, (total >> 3) + 1);
  occupied = held;
  memory.fill(occupied, 0, (total >> 3) + 2);
  eighths = masks;
  memory.fill(eighths, 0, total);
  isFar = Math.max(Math.max(Math.max(Math.abs(minX), Math.abs(maxX)), Math.max(Math.abs(minY), Math.abs(maxY))), Math.max(Math.abs(minZ), Math.abs(maxZ))) > FAR * spacing;
  points = end;
  room = (<usize>memory.size() << 16) - end;
  samples = 0;
  seedRandom(seed);
}

export function sampleCount(): i32 { return samples; }

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
@inline function eighthsAt(at: i32): i32 { return <i32>load<u8>(eighths + <usize>at); }
// @ts-ignore: decorator
@inline function isTaken(at: i32): bool { return ((load<u8>(taken + (<usize>at >> 3)) >> (<u8>at & 7)) & 1) !== 0; }
// @ts-ignore: decorator
@inline function take(at: i32): void {
  const byte = taken + (<usize>at >> 3);
  store<u8>(byte, load<u8>(byte) | (1 << (<u8>at & 7)));
  store<u8>(eighths + <usize>at, ALL);
}

/** The point is in the box of the solid, so that truncation rounds down. */
function hasRoom(x: f64, y: f64, z: f64): bool {
  // In halves of a cell: doubling rounds nothing.
  const i = <i32>(2 * ((x - minX) / cell)), j = <i32>(2 * ((y - minY) / cell)), k = <i32>(2 * ((z - minZ) / cell));
  const at = (i >> 1) + 2 + ((j >> 1) + 2) * strideY + ((k >> 1) + 2) * strideZ;
  if ((eighthsAt(at) >> ((i & 1) | ((j & 1) << 1) | ((k & 1) << 2))) & 1) return false;
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

/** Square of the largest distance of a sample from the points of a half, both along one axis and in halves of a cell: `steps` from the half of the sample, where it is at `part`. */
// @ts-ignore: decorator
@inline function farthest(steps: i32, part: f32): f32 {
  const far = max<f32>(<f32>steps + 1 - part, part - <f32>steps);
  return far * far;
}
// @ts-ignore: decorator
@inline function farthestOf(steps: v128, part: v128): v128 {
  const far = f32x4.pmax(f32x4.sub(f32x4.add(steps, f32x4.splat(1)), part), f32x4.sub(part, steps));
  return f32x4.mul(far, far);
}
/** The same for a cell, from the first of its two halves on. */
// @ts-ignore: decorator
@inline function farthestCell(steps: i32, part: f32): f32 {
  const far = max<f32>(<f32>steps + 2 - part, part - <f32>steps);
  return far * far;
}

/** Marks what a new sample covers: eighths of cells where it is sure, and cells by the test of the plain form. */
function markCovered(x: f64, y: f64, z: f64): void {
  const ux = 2 * ((x - minX) / cell), uy = 2 * ((y - minY) / cell), uz = 2 * ((z - minZ) / cell);
  const i = <i32>ux, j = <i32>uy, k = <i32>uz;
  const px = <f32>(ux - <f64>i), py = <f32>(uy - <f64>j), pz = <f32>(uz - <f64>k);
  if (!isFar) markEighths(i, j, k, px, py, pz);
  const most = isFar ? <f32>Infinity : PERHAPS;
  for (let dk = -1; dk <= 1; dk++) {
    const farZ = most - farthestCell(2 * dk - (k & 1), pz);
    for (let dj = -1; dj <= 1; dj++) {
      const farY = farZ - farthestCell(2 * dj - (j & 1), py);
      for (let di = -1; di <= 1; di++)
        if (farthestCell(2 * di - (i & 1), px) <= farY) markCell(x, y, z, (i >> 1) + di, (j >> 1) + dj, (k >> 1) + dk);
    }
  }
}

/**
 * Halves of cells whose farthest point is within a spacing, 3.46 halves, belong to four cells along each axis. Bits of eight halves along x are compared at once. Those of four rows make the bytes of four cells, when
 * they are transposed by twos.
 */
function markEighths(i: i32, j: i32, k: i32, px: f32, py: f32, pz: f32): void {
  const sx = f32x4.add(f32x4(-4, -3, -2, -1), f32x4.splat(<f32>(i & 1)));
  const low = farthestOf(sx, f32x4.splat(px)), high = farthestOf(f32x4.add(sx, f32x4.splat(4)), f32x4.splat(px));
  const sy = -4 + (j & 1), sz = -4 + (k & 1);
  const first = (i >> 1) + (i & 1) + ((j >> 1) + (j & 1)) * strideY + ((k >> 1) + (k & 1)) * strideZ;
  for (let c = 0; c < 4; c++) {
    const z0 = farthest(sz + 2 * c, pz), z1 = farthest(sz + 2 * c + 1, pz);
    const leftZ = SURELY - min<f32>(z0, z1);
    for (let b = 0; b < 4; b++) {
      const y0 = farthest(sy + 2 * b, py), y1 = farthest(sy + 2 * b + 1, py);
      // No half is nearer than 0.5 at its farthest point.
      if (leftZ - min<f32>(y0, y1) < 0.25) continue;
      let bits = halvesWithin(SURELY - z0 - y0, low, high) | (halvesWithin(SURELY - z0 - y1, low, high) << 8) | (halvesWithin(SURELY - z1 - y0, low, high) << 16) | (halvesWithin(SURELY - z1 - y1, low, high) << 24);
      let swap = (bits ^ (bits >>> 12)) & 0x0000f0f0;
      bits ^= swap ^ (swap << 12);
      swap = (bits ^ (bits >>> 6)) & 0x00cc00cc;
      bits ^= swap ^ (swap << 6);
      const at = eighths + <usize>(first + b * strideY + c * strideZ);
      store<i32>(at, load<i32>(at) | bits);
    }
  }
}

// @ts-ignore: decorator
@inline function halvesWithin(square: f32, low: v128, high: v128): i32 {
  const most = f32x4.splat(square);
  return i32x4.bitmask(f32x4.lt(low, most)) | (i32x4.bitmask(f32x4.lt(high, most)) << 4);
}

/** Marks a cell whose farthest corner is within a spacing. */
function markCell(x: f64, y: f64, z: f64, i: i32, j: i32, k: i32): void {
  const at = i + 2 + (j + 2) * strideY + (k + 2) * strideZ;
  if (isTaken(at)) return;
  const fi = <f64>i, fj = <f64>j, fk = <f64>k;
  const dx = Math.max(x - (minX + fi * cell), minX + (fi + 1) * cell - x);
  const dy = Math.max(y - (minY + fj * cell), minY + (fj + 1) * cell - y);
  const dz = Math.max(z - (minZ + fk * cell), minZ + (fk + 1) * cell - z);
  if (dx * dx + dy * dy + dz * dz < spacing2) take(at);
}

function placeAround(sample: i32): bool {
  const side = 4 * spacing;
  const inner = spacing * spacing, outer = 4 * inner;
  const row = rowOf(sample);
  const px = load<f64>(row), py = load<f64>(row, 8), pz = load<f64>(row, 16);
  // Three random numbers at a time, as by next(), with its state in registers.
  let p = a, q = b, r = c, s = d;
  let isPlaced = false;
  for (let n = 0; n < CANDIDATES; ) {
    const t = p + q + s;
    p = q ^ (q >>> 9);
    q = r + (r << 3);
    r = rotl(r, 21) + t;
    const u = p + q + s + 1;
    p = q ^ (q >>> 9);
    q = r + (r << 3);
    r = rotl(r, 21) + u;
    const v = p + q + s + 2;
    p = q ^ (q >>> 9);
    q = r + (r << 3);
    r = rotl(r, 21) + v;
    s += 3;
    const sx = <f64>(<u32>t) * UNIT, sy = <f64>(<u32>u) * UNIT, sz = <f64>(<u32>v) * UNIT;
    const dx = thinX ? between(minX, maxX, sx) - px : (sx - 0.5) * side;
    const dy = thinY ? between(minY, maxY, sy) - py : (sy - 0.5) * side;
    const dz = thinZ ? between(minZ, maxZ, sz) - pz : (sz - 0.5) * side;
    const d2 = dx * dx + dy * dy + dz * dz;
    if (d2 < inner || d2 > outer) continue;
    n++;
    const x = px + dx, y = py + dy, z = pz + dz;
    if (x < minX || x > maxX || y < minY || y > maxY || z < minZ || z > maxZ) continue;
    if (!hasRoom(x, y, z) || !isInside(x, y, z)) continue;
    add(x, y, z);
    isPlaced = true;
    break;
  }
  setRandom(p, q, r, s);
  return isPlaced;
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
  const h = (<f64>size * cell) / 2;
  // The middle of a box in the block is at most √3 h away, and its limit is at most 1.001 times as long.
  if (solid) narrow(solid, minX + <f64>i * cell + h, minY + <f64>j * cell + h, minZ + <f64>k * cell + h, 3.5 * h);
  searchPart(i, j, k, size, full);
}

function searchPart(i: i32, j: i32, k: i32, size: i32, full: i32): void {
  if (i >= nx || j >= ny || k >= nz) return;
  const h = (<f64>size * cell) / 2;
  const x = minX + <f64>i * cell + h, y = minY + <f64>j * cell + h, z = minZ + <f64>k * cell + h;
  if (size === 1) {
    const at = cellAt(x, y, z);
    if (!isTaken(at)) searchCell(at, x, y, z, h, full);
    return;
  }
  const kind = full ? INSIDE : classify(x, y, z, h);
  if (kind === OUTSIDE) return;
  const half = size >> 1;
  const isFull = <i32>(kind === INSIDE);
  for (let child = 0; child < 8; child++)
    searchPart(child & 1 ? i + half : i, child & 2 ? j + half : j, child & 4 ? k + half : k, half, isFull);
}

/** A cell as a box of depth 0. Its samples are listed when they are needed: most cells are covered by eighths, and none of their darts has room. */
function searchCell(at: i32, x: f64, y: f64, z: f64, h: f64, full: i32): void {
  const kind = full ? INSIDE : classify(x, y, z, h);
  if (kind === OUTSIDE) return;
  // As they were before this cell was searched, like the lists.
  const covered = eighthsAt(at);
  if (covered === ALL && (kind === INSIDE || !isVague)) {
    // The dart.
    next();
    next();
    next();
    return;
  }
  listCell(at);
  searchOpen(x, y, z, h, 0, kind, covered);
}

/** `covered`: a bit for each eighth that one of the listed samples surely covers. */
function searchOpen(x: f64, y: f64, z: f64, h: f64, depth: i32, kind: i32, covered: i32): void {
  if (!throwDarts(x, y, z, h, depth, kind)) return;
  const q = h / 2;
  const isFull = <i32>(kind === INSIDE);
  const below = depth + 1;
  for (let open = ALL & ~coveredEighths(x, y, z, q, depth, covered); open; open &= open - 1) {
    const child = ctz(open);
    const cx = child & 1 ? x + q : x - q, cy = child & 2 ? y + q : y - q, cz = child & 4 ? z + q : z - q;
    if (below === VOID_DEPTH) {
      // The samples near the box around it will do: the lists only save asking all samples.
      throwDarts(cx, cy, cz, q, depth, isFull ? INSIDE : MIXED);
      continue;
    }
    const kindBelow = isFull ? INSIDE : classify(cx, cy, cz, q);
    if (kindBelow === OUTSIDE) continue;
    listBox(cx, cy, cz, q, below);
    searchOpen(cx, cy, cz, q, below, kindBelow, 0);
  }
}

/** Throws a dart into a box, two where its class is not known from its middle. `depth`: of the list of samples near it. Returns whether the box may contain part of the body. */
function throwDarts(x: f64, y: f64, z: f64, h: f64, depth: i32, kind: i32): bool {
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
  return !vague || misses < SIGN_DARTS;
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

/** Lists the samples near a cell. */
function listCell(at: i32): void {
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
}

/** Bits of the eighths, of half side q, of a box that one of the samples listed at its depth covers, and of those in `covered`. Both halves along x are tested at once. */
function coveredEighths(x: f64, y: f64, z: f64, q: f64, depth: i32, covered: i32): i32 {
  const list = listAt(depth), past = list + lengthOf(depth);
  const mx = f64x2(x - q, x + q), my = f64x2(y - q, y + q), mz = f64x2(z - q, z + q), mq = f64x2.splat(q), most = f64x2.splat(spacing2);
  for (let o = list; o < past && covered !== ALL; o += 8) {
    const dx = f64x2.add(f64x2.abs(f64x2.sub(v128.load_splat<f64>(o), mx)), mq);
    const dy = f64x2.add(f64x2.abs(f64x2.sub(v128.load_splat<f64>(o, ALONG), my)), mq);
    const dz = f64x2.add(f64x2.abs(f64x2.sub(v128.load_splat<f64>(o, 2 * ALONG), mz)), mq);
    const xx = f64x2.mul(dx, dx), yy = f64x2.mul(dy, dy), zz = f64x2.mul(dz, dz);
    const a = f64x2.add(xx, v128.shuffle<f64>(yy, yy, 0, 0)), b = f64x2.add(xx, v128.shuffle<f64>(yy, yy, 1, 1));
    const low = v128.shuffle<f64>(zz, zz, 0, 0), high = v128.shuffle<f64>(zz, zz, 1, 1);
    covered |= i64x2.bitmask(f64x2.lt(f64x2.add(a, low), most)) | (i64x2.bitmask(f64x2.lt(f64x2.add(b, low), most)) << 2) | (i64x2.bitmask(f64x2.lt(f64x2.add(a, high), most)) << 4) | (i64x2.bitmask(f64x2.lt(f64x2.add(b, high), most)) << 6);
  }
  return covered;
}

/** Lists those of the samples listed one depth above that reach into a box. */
function listBox(x: f64, y: f64, z: f64, h: f64, depth: i32): void {
  const list = listAt(depth - 1), past = list + lengthOf(depth - 1);
  const mx = f64x2.splat(x), my = f64x2.splat(y), mz = f64x2.splat(z), mh = f64x2.splat(h), most = f64x2.splat(spacing2);
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
