// Range queries as in src/spatial/grid.ts and src/spatial/nearest.ts, bit for bit.

/** A grid of points in memory: the addresses of its arrays, then its shape (src/spatial/wasm/workspace.ts writes it). */
@unmanaged
export class Grid {
  x: usize;
  y: usize;
  z: usize;
  cellStart: usize;
  nx: i32;
  ny: i32;
  nz: i32;
  count: i32;
  ox: f64;
  oy: f64;
  oz: f64;
  size: f64;
}

/** Distances computed since they were last asked for. */
let evaluations: f64 = 0;

export function takeEvaluations(): f64 {
  const taken = evaluations;
  evaluations = 0;
  return taken;
}

// @ts-ignore: decorator
@inline export function count(distances: i32): void { evaluations += <f64>distances; }

// @ts-ignore: decorator
@inline export function word(list: usize, k: i32): i32 { return load<i32>(list + (<usize>k << 2)); }
// @ts-ignore: decorator
@inline export function setWord(list: usize, k: i32, value: i32): void { store<i32>(list + (<usize>k << 2), value); }
// @ts-ignore: decorator
@inline export function real(list: usize, k: i32): f64 { return load<f64>(list + (<usize>k << 3)); }
// @ts-ignore: decorator
@inline export function setReal(list: usize, k: i32, value: f64): void { store<f64>(list + (<usize>k << 3), value); }
// @ts-ignore: decorator
@inline export function squared(a: f64): f64 { return a * a; }

// @ts-ignore: decorator
@inline export function cellIndex(value: f64, origin: f64, size: f64, cells: i32): i32 {
  const k = Math.floor((value - origin) / size);
  return k < 0 ? 0 : k >= <f64>cells ? cells - 1 : <i32>k;
}

// @ts-ignore: decorator
@inline export function within(place: f64, cells: i32): i32 {
  return place >= <f64>cells ? cells - 1 : place > 0 ? <i32>place : 0;
}

// @ts-ignore: decorator
@inline export function gap(value: f64, origin: f64, size: f64, cell: i32): f64 {
  const low = origin + <f64>cell * size;
  return value < low ? low - value : value > low + size ? value - low - size : 0;
}

/**
 * Writes the points within a radius to `index` from `at` on, in cell order. Returns the position after the last, or −1 where `room` is too small.
 * Squared distances go to `square`, unless that is 0.
 */
export function listBall(grid: Grid, cx: f64, cy: f64, cz: f64, radius: f64, index: usize, square: usize, at: i32, room: i32): i32 {
  const x = grid.x, y = grid.y, z = grid.z, cellStart = grid.cellStart;
  const nx = grid.nx, ny = grid.ny, nz = grid.nz;
  const ox = grid.ox, oy = grid.oy, oz = grid.oz, size = grid.size;
  const r2 = radius * radius;
  const reach = radius + 1e-6 * size;
  const reach2 = reach * reach;
  const perCell = 1 / size;
  const z0 = within((cz - reach - oz) * perCell, nz), z1 = within((cz + reach - oz) * perCell, nz);
  const y0 = within((cy - reach - oy) * perCell, ny), y1 = within((cy + reach - oy) * perCell, ny);
  for (let iz = z0; iz <= z1; iz++) {
    const dz = gap(cz, oz, size, iz);
    for (let iy = y0; iy <= y1; iy++) {
      const dy = gap(cy, oy, size, iy);
      const left = reach2 - dy * dy - dz * dz;
      if (left < 0) continue;
      const half = Math.sqrt(left);
      const row = (iz * ny + iy) * nx;
      const first = word(cellStart, row + within((cx - half - ox) * perCell, nx));
      const last = word(cellStart, row + within((cx + half - ox) * perCell, nx) + 1);
      count(last - first);
      if (at + last - first > room) return -1;
      let i = first;
      // Written always, kept only if inside: a branch here would be unpredictable.
      for (; i + 1 < last; i += 2) {
        const px = f64x2.sub(v128.load(x + (<usize>i << 3)), f64x2.splat(cx)), py = f64x2.sub(v128.load(y + (<usize>i << 3)), f64x2.splat(cy)), pz = f64x2.sub(v128.load(z + (<usize>i << 3)), f64x2.splat(cz));
        const d2 = f64x2.add(f64x2.add(f64x2.mul(px, px), f64x2.mul(py, py)), f64x2.mul(pz, pz));
        const bits = i64x2.bitmask(f64x2.le(d2, f64x2.splat(r2)));
        setWord(index, at, i);
        if (square) v128.store64_lane(square + (<usize>at << 3), d2, 0);
        at += bits & 1;
        setWord(index, at, i + 1);
        if (square) v128.store64_lane(square + (<usize>at << 3), d2, 1);
        at += bits >> 1;
      }
      if (i < last) {
        const px = real(x, i) - cx, py = real(y, i) - cy, pz = real(z, i) - cz;
        const d2 = px * px + py * py + pz * pz;
        setWord(index, at, i);
        if (square) setReal(square, at, d2);
        at += <i32>(d2 <= r2);
      }
    }
  }
  return at;
}

/** Results of the last search: the point nearest, its distance, and a lower bound of the distance of all others. */
export let foundIndex: i32 = -1;
export let foundDistance: f64 = 0;
export let foundBeyond: f64 = 0;

export function setFound(index: i32, distance: f64, beyond: f64): void {
  foundIndex = index;
  foundDistance = distance;
  foundBeyond = beyond;
}

/** As `nearestInto` with a guess. */
export function findNearest(grid: Grid, px: f64, py: f64, pz: f64, guess: i32, margin: f64): void {
  const x = grid.x, y = grid.y, z = grid.z, cellStart = grid.cellStart;
  const nx = grid.nx, ny = grid.ny, nz = grid.nz;
  const ox = grid.ox, oy = grid.oy, oz = grid.oz, size = grid.size;
  count(1);
  const distance = Math.sqrt(squared(real(x, guess) - px) + squared(real(y, guess) - py) + squared(real(z, guess) - pz));
  const beyond = distance + margin;
  let best = guess;
  let best2 = distance * distance;
  let second2 = beyond * beyond;
  const reach = beyond + 1e-6 * size;
  const reach2 = reach * reach;
  const z1 = cellIndex(pz + reach, oz, size, nz);
  const y0 = cellIndex(py - reach, oy, size, ny), y1 = cellIndex(py + reach, oy, size, ny);
  for (let iz = cellIndex(pz - reach, oz, size, nz); iz <= z1; iz++) {
    const dz = gap(pz, oz, size, iz);
    for (let iy = y0; iy <= y1; iy++) {
      const dy = gap(py, oy, size, iy);
      const left = reach2 - dy * dy - dz * dz;
      if (left < 0) continue;
      const half = Math.sqrt(left);
      const row = (iz * ny + iy) * nx;
      const first = word(cellStart, row + cellIndex(px - half, ox, size, nx));
      const last = word(cellStart, row + cellIndex(px + half, ox, size, nx) + 1);
      count(last - first);
      for (let i = first; i < last; i++) {
        const d2 = squared(real(x, i) - px) + squared(real(y, i) - py) + squared(real(z, i) - pz);
        if (d2 < best2) {
          if (best2 < second2) second2 = best2;
          best2 = d2;
          best = i;
        } else if (d2 < second2 && i !== best) second2 = d2;
      }
    }
  }
  setFound(best, Math.sqrt(best2), Math.sqrt(second2));
}

/** Writes the lowest and then the highest coordinates of some points to `out`. */
export function boundPoints(points: usize, n: i32, out: usize): void {
  let lx: f64 = Infinity, ly: f64 = Infinity, lz: f64 = Infinity;
  let hx: f64 = -Infinity, hy: f64 = -Infinity, hz: f64 = -Infinity;
  for (let i = 0; i < n; i++) {
    const x = real(points, 3 * i), y = real(points, 3 * i + 1), z = real(points, 3 * i + 2);
    if (x < lx) lx = x;
    if (x > hx) hx = x;
    if (y < ly) ly = y;
    if (y > hy) hy = y;
    if (z < lz) lz = z;
    if (z > hz) hz = z;
  }
  setReal(out, 0, lx);
  setReal(out, 1, ly);
  setReal(out, 2, lz);
  setReal(out, 3, hx);
  setReal(out, 4, hy);
  setReal(out, 5, hz);
}

/** Sorts points into the cells of a grid whose shape and addresses are set. `order`: their numbers, in cell order. `cellOf` and `next`: room for a number of each point and of each cell. */
export function sortPoints(grid: Grid, points: usize, order: usize, cellOf: usize, next: usize): void {
  const nx = grid.nx, ny = grid.ny, nz = grid.nz, size = grid.size, cellStart = grid.cellStart;
  const cells = nx * ny * nz;
  memory.fill(cellStart, 0, <usize>(cells + 1) << 2);
  for (let i = 0; i < grid.count; i++) {
    const ix = cellIndex(real(points, 3 * i), grid.ox, size, nx);
    const iy = cellIndex(real(points, 3 * i + 1), grid.oy, size, ny);
    const iz = cellIndex(real(points, 3 * i + 2), grid.oz, size, nz);
    const cell = (iz * ny + iy) * nx + ix;
    setWord(cellOf, i, cell);
    setWord(cellStart, cell + 1, word(cellStart, cell + 1) + 1);
  }
  for (let c = 1; c <= cells; c++) setWord(cellStart, c, word(cellStart, c) + word(cellStart, c - 1));
  memory.copy(next, cellStart, <usize>cells << 2);
  for (let i = 0; i < grid.count; i++) {
    const cell = word(cellOf, i);
    const at = word(next, cell);
    setWord(next, cell, at + 1);
    setWord(order, at, i);
    setReal(grid.x, at, real(points, 3 * i));
    setReal(grid.y, at, real(points, 3 * i + 1));
    setReal(grid.z, at, real(points, 3 * i + 2));
  }
}

// @ts-ignore: decorator
@inline function unitsOf(value: f64, origin: f64, unit: f64): f64 { return Math.round((value - origin) / unit); }

/** Lists the first point at each place, ascending, where places are whole numbers of `unit`. Returns their number. `slots`: room for 2^bits numbers; `rounded`: for three of each point. */
export function listPlaces(grid: Grid, unit: f64, bits: i32, slots: usize, rounded: usize, first: usize): i32 {
  memory.fill(slots, 0, <usize>4 << bits);
  const mask = (1 << bits) - 1;
  let places = 0;
  for (let i = 0; i < grid.count; i++) {
    const rx = unitsOf(real(grid.x, i), grid.ox, unit), ry = unitsOf(real(grid.y, i), grid.oy, unit), rz = unitsOf(real(grid.z, i), grid.oz, unit);
    setReal(rounded, 3 * i, rx);
    setReal(rounded, 3 * i + 1, ry);
    setReal(rounded, 3 * i + 2, rz);
    const hash = (<i32><i64>rx * 0x9e3779b1) ^ (<i32><i64>ry * 0x85ebca6b) ^ (<i32><i64>rz * 0xc2b2ae35);
    let slot = ((hash ^ (hash >>> 15)) * 0x2c1b3c6d) >>> (32 - bits);
    for (;;) {
      const other = word(slots, slot) - 1;
      if (other < 0) {
        setWord(slots, slot, i + 1);
        setWord(first, places++, i);
        break;
      }
      if (real(rounded, 3 * other) === rx && real(rounded, 3 * other + 1) === ry && real(rounded, 3 * other + 2) === rz) break;
      slot = (slot + 1) & mask;
    }
  }
  return places;
}
