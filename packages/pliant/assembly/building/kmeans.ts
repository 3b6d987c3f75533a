// The loops over particles of src/cluster/kmeans.ts, bit for bit.
import { count, findNearest, foundBeyond, foundDistance, foundIndex, Grid, listBall, real, setFound, setReal, setWord, squared, word } from './grid';

/** The first assignment, from particle 1 on: `guess` is what was found for particle 0. */
export function assignAll(body: Grid, grid: Grid, order: usize, owner: usize, distance: usize, beyond: usize, guess: i32): void {
  for (let i = 1; i < body.count; i++) {
    findNearest(grid, real(body.x, i), real(body.y, i), real(body.z, i), guess, 0);
    guess = foundIndex;
    setWord(owner, i, word(order, guess));
    setReal(distance, i, foundDistance);
    setReal(beyond, i, foundBeyond);
  }
}

/** Distances from the own centres. Lists the particles whose bound does not decide, and how far their centres have to look. Returns their number. */
export function listUnsure(body: Grid, centre: usize, centres: i32, owner: usize, distance: usize, beyond: usize, moved: f64, margin: f64, reach: usize, unsure: usize): i32 {
  for (let c = 0; c < centres; c++) setReal(reach, c, -1);
  let searches = 0;
  const n = body.count, x = body.x, y = body.y, z = body.z;
  for (let i = 0; i < n; i++) {
    const c = word(owner, i);
    const dx = real(x, i) - real(centre, 3 * c), dy = real(y, i) - real(centre, 3 * c + 1), dz = real(z, i) - real(centre, 3 * c + 2);
    const d = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const bound = real(beyond, i) - moved;
    setReal(distance, i, d);
    setReal(beyond, i, bound);
    if (d < bound) continue;
    setWord(unsure, searches++, i);
    if (2 * d + margin > real(reach, c)) setReal(reach, c, 2 * d + margin);
  }
  count(n);
  return searches;
}

/** Lists the centres within `reach` of each that has one, nearest first; a list that would be longer than `most` is left empty. Returns −1 where `room` is too small. */
export function listAround(grid: Grid, centre: usize, centres: i32, reach: usize, start: usize, end: usize, index: usize, apart: usize, room: i32, most: i32): i32 {
  let at = 0;
  for (let c = 0; c < centres; c++) {
    setWord(start, c, at);
    setWord(end, c, at);
    if (real(reach, c) < 0) continue;
    const first = at;
    at = listBall(grid, real(centre, 3 * c), real(centre, 3 * c + 1), real(centre, 3 * c + 2), real(reach, c), index, apart, at, room);
    if (at < 0) return -1;
    if (at - first > most) at = first;
    else sort(index, apart, first, at);
    setWord(end, c, at);
  }
  return at;
}

function sort(index: usize, apart: usize, first: i32, last: i32): void {
  for (let k = first + 1; k < last; k++) {
    const j = word(index, k);
    const d2 = real(apart, k);
    let m = k;
    for (; m > first && real(apart, m - 1) > d2; m--) {
      setWord(index, m, word(index, m - 1));
      setReal(apart, m, real(apart, m - 1));
    }
    setWord(index, m, j);
    setReal(apart, m, d2);
  }
  for (let k = first; k < last; k++) setReal(apart, k, Math.sqrt(real(apart, k)));
}

/** Finds the nearest centre of every unsure particle. Returns whether any changed. */
export function searchUnsure(body: Grid, grid: Grid, order: usize, rank: usize, owner: usize, distance: usize, beyond: usize, unsure: usize, searches: i32, margin: f64, reach: usize, start: usize, end: usize, index: usize, apart: usize): i32 {
  for (let j = 0; j < grid.count; j++) setWord(rank, word(order, j), j);
  let changed = 0;
  for (let n = 0; n < searches; n++) {
    const i = word(unsure, n);
    const c = word(owner, i);
    const x = real(body.x, i), y = real(body.y, i), z = real(body.z, i);
    if (word(start, c) === word(end, c)) findNearest(grid, x, y, z, word(rank, c), margin);
    else searchAround(grid, word(rank, c), x, y, z, real(distance, i), margin, real(reach, c), word(start, c), word(end, c), index, apart);
    const found = word(order, foundIndex);
    setWord(owner, i, found);
    setReal(distance, i, foundDistance);
    setReal(beyond, i, foundBeyond);
    if (found !== c) changed = 1;
  }
  return changed;
}

function searchAround(grid: Grid, own: i32, px: f64, py: f64, pz: f64, d: f64, margin: f64, reach: f64, first: i32, last: i32, index: usize, apart: usize): void {
  const x = grid.x, y = grid.y, z = grid.z;
  const own2 = squared(real(x, own) - px) + squared(real(y, own) - py) + squared(real(z, own) - pz);
  let best = own;
  let best2 = d * d;
  let firstBest = -1;
  if (own2 < best2) {
    best2 = own2;
    firstBest = own;
  }
  let second2: f64 = Infinity;
  let beyond = reach;
  let k = first;
  for (; k < last; k++) {
    if (real(apart, k) > 2 * d + margin) {
      beyond = real(apart, k);
      break;
    }
    const j = word(index, k);
    if (j === own) continue;
    const d2 = squared(real(x, j) - px) + squared(real(y, j) - py) + squared(real(z, j) - pz);
    if (d2 < best2 || (d2 === best2 && j < firstBest)) {
      second2 = best2;
      best2 = d2;
      best = firstBest = j;
    } else if (d2 < second2) second2 = d2;
  }
  count(k - first);
  setFound(best, Math.sqrt(best2), Math.min(Math.sqrt(second2), beyond - d));
}

/** Adds m x, m y, m z and m of every particle to those of its centre. */
export function sumOwners(body: Grid, mass: usize, owner: usize, sum: usize, centres: i32): void {
  memory.fill(sum, 0, <usize>centres << 5);
  for (let i = 0; i < body.count; i++) {
    const at = sum + (<usize>word(owner, i) << 5);
    const m = real(mass, i);
    const xy = f64x2.mul(f64x2.splat(m), f64x2(real(body.x, i), real(body.y, i)));
    v128.store(at, f64x2.add(v128.load(at), xy));
    v128.store(at, f64x2.add(v128.load(at, 16), f64x2(m * real(body.z, i), m)), 16);
  }
}

/** Sum of the squared distances of the particles from their nearest centres; the largest of them goes to `most`. `guess`: what was found for particle 0. */
export function sumNearest(body: Grid, grid: Grid, guess: i32, most: usize): f64 {
  let sum: f64 = 0;
  let far2: f64 = 0;
  for (let i = 0; i < body.count; i++) {
    const x = real(body.x, i), y = real(body.y, i), z = real(body.z, i);
    if (i > 0) {
      findNearest(grid, x, y, z, guess, 0);
      guess = foundIndex;
    }
    const d2 = squared(x - real(grid.x, guess)) + squared(y - real(grid.y, guess)) + squared(z - real(grid.z, guess));
    sum += d2;
    far2 = Math.max(far2, d2);
  }
  setReal(most, 0, far2);
  return sum;
}
