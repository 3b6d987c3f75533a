// The loops over memberships of src/cluster/fuzzy.ts and src/cluster/nearby.ts, for the kernel 'invsq' and without slack: the same members, the same bits.
import { count, Grid, listBall, real, setReal, setWord, squared, word } from './grid';

/** Marks the centres that have left the place where their list was made, by more than √free2. Returns their number. */
export function markStale(centre: usize, at: usize, centres: i32, free2: f64, stale: usize): i32 {
  let astray = 0;
  for (let c = 0; c < centres; c++) {
    const way2 = squared(real(centre, 3 * c) - real(at, 3 * c)) + squared(real(centre, 3 * c + 1) - real(at, 3 * c + 1)) + squared(real(centre, 3 * c + 2) - real(at, 3 * c + 2));
    const isStale = way2 <= free2 ? 0 : 1;
    setWord(stale, c, isStale);
    astray += isStale;
  }
  return astray;
}

/** Lists the points within `reach` of every centre. Returns their number, or −1 where `room` is too small. */
export function listNear(grid: Grid, centre: usize, centres: i32, reach: f64, start: usize, index: usize, room: i32): i32 {
  let at = 0;
  for (let c = 0; c < centres; c++) {
    setWord(start, c, at);
    at = listBall(grid, real(centre, 3 * c), real(centre, 3 * c + 1), real(centre, 3 * c + 2), reach, index, 0, at, room);
    if (at < 0) return -1;
  }
  setWord(start, centres, at);
  return at;
}

/** Four numbers a point: x, y, z, and first the sum of its weights, then its mass over that sum. One point lies in one line of the cache. */
export function writePlaces(grid: Grid, places: usize): void {
  for (let i = 0; i < grid.count; i++) {
    setReal(places, 4 * i, real(grid.x, i));
    setReal(places, 4 * i + 1, real(grid.y, i));
    setReal(places, 4 * i + 2, real(grid.z, i));
  }
}

/** The members of every cluster, their weights 1/(d² + ε), and the sum of those of each point. Returns the number of memberships, or −1 where `room` is too small. */
export function gatherWeighed(grid: Grid, places: usize, centre: usize, centres: i32, stale: usize, nearStart: usize, near: usize, radius: f64, epsilon: f64, start: usize, index: usize, weight: usize, room: i32): i32 {
  for (let i = 0; i < grid.count; i++) setReal(places, 4 * i + 3, 0);
  const r2 = radius * radius;
  const ones = f64x2.splat(1), more = f64x2.splat(epsilon), most = f64x2.splat(r2);
  let at = 0;
  for (let c = 0; c < centres; c++) {
    setWord(start, c, at);
    const cx = real(centre, 3 * c), cy = real(centre, 3 * c + 1), cz = real(centre, 3 * c + 2);
    if (word(stale, c)) {
      const end = listBall(grid, cx, cy, cz, radius, index, 0, at, room);
      if (end < 0) return -1;
      for (; at < end; at++) {
        const i = word(index, at);
        const px = real(grid.x, i) - cx, py = real(grid.y, i) - cy, pz = real(grid.z, i) - cz;
        const w = 1 / (px * px + py * py + pz * pz + epsilon);
        setReal(weight, at, w);
        setReal(places, 4 * i + 3, real(places, 4 * i + 3) + w);
      }
      continue;
    }
    const first = word(nearStart, c), last = word(nearStart, c + 1);
    count(last - first);
    // One more than there are: pairs write two.
    if (at + last - first + 1 > room) return -1;
    const mx = f64x2.splat(cx), my = f64x2.splat(cy), mz = f64x2.splat(cz);
    let k = first;
    for (; k + 1 < last; k += 2) {
      const i = word(near, k), j = word(near, k + 1);
      const p = places + (<usize>i << 5), q = places + (<usize>j << 5);
      const pxy = v128.load(p), qxy = v128.load(q);
      const dx = f64x2.sub(v128.shuffle<f64>(pxy, qxy, 0, 2), mx);
      const dy = f64x2.sub(v128.shuffle<f64>(pxy, qxy, 1, 3), my);
      const pzs = v128.load(p, 16), qzs = v128.load(q, 16);
      const dz = f64x2.sub(v128.shuffle<f64>(pzs, qzs, 0, 2), mz);
      const d2 = f64x2.add(f64x2.add(f64x2.mul(dx, dx), f64x2.mul(dy, dy)), f64x2.mul(dz, dz));
      const w = f64x2.div(ones, f64x2.add(d2, more));
      const inside = f64x2.le(d2, most);
      const kept = v128.and(w, inside);
      const bits = i64x2.bitmask(inside);
      setWord(index, at, i);
      setReal(weight, at, f64x2.extract_lane(w, 0));
      at += bits & 1;
      setWord(index, at, j);
      setReal(weight, at, f64x2.extract_lane(w, 1));
      at += bits >> 1;
      // A sum that grows by 0 stays as it is, to the last bit.
      const sums = f64x2.add(v128.shuffle<f64>(pzs, qzs, 1, 3), kept);
      v128.store64_lane(p, sums, 0, 24);
      v128.store64_lane(q, sums, 1, 24);
    }
    if (k < last) {
      const i = word(near, k);
      const px = real(places, 4 * i) - cx, py = real(places, 4 * i + 1) - cy, pz = real(places, 4 * i + 2) - cz;
      const d2 = px * px + py * py + pz * pz;
      if (d2 <= r2) {
        const w = 1 / (d2 + epsilon);
        setWord(index, at, i);
        setReal(weight, at, w);
        setReal(places, 4 * i + 3, real(places, 4 * i + 3) + w);
        at++;
      }
    }
  }
  setWord(start, centres, at);
  return at;
}

/** Writes the inverse of every sum, and mass · inverse in the place of the sum. Lists the points whose sum is 0 and returns their number. */
export function invertSums(places: usize, mass: usize, points: i32, inverse: usize, orphans: usize): i32 {
  let found = 0;
  for (let i = 0; i < points; i++) {
    const sum = real(places, 4 * i + 3);
    if (sum === 0) {
      setWord(orphans, found++, i);
      setReal(inverse, i, 0);
    } else {
      const inverted = 1 / sum;
      setReal(inverse, i, inverted);
      setReal(places, 4 * i + 3, inverted * real(mass, i));
    }
  }
  return found;
}

/** Moves the centres by `overshoot` times the way to their centres of mass. Returns the square of the longest such way. `sum`: the first summands. */
export function moveCentres(places: usize, start: usize, index: usize, raw: usize, sum: usize, centre: usize, centres: i32, overshoot: f64): f64 {
  let moved2: f64 = 0;
  for (let c = 0; c < centres; c++) {
    let xy = v128.load(sum + (<usize>c << 5));
    let zs = v128.load(sum + (<usize>c << 5), 16);
    const last = word(start, c + 1);
    for (let k = word(start, c); k < last; k++) {
      const p = places + (<usize>word(index, k) << 5);
      const w = real(raw, k) * load<f64>(p, 24);
      const ww = f64x2.splat(w);
      xy = f64x2.add(xy, f64x2.mul(ww, v128.load(p)));
      zs = f64x2.add(zs, f64x2(w * load<f64>(p, 16), w));
    }
    const s = f64x2.extract_lane(zs, 1);
    if (s === 0) continue;
    const dx = f64x2.extract_lane(xy, 0) / s - real(centre, 3 * c);
    const dy = f64x2.extract_lane(xy, 1) / s - real(centre, 3 * c + 1);
    const dz = f64x2.extract_lane(zs, 0) / s - real(centre, 3 * c + 2);
    moved2 = Math.max(moved2, dx * dx + dy * dy + dz * dz);
    setReal(centre, 3 * c, real(centre, 3 * c) + overshoot * dx);
    setReal(centre, 3 * c + 1, real(centre, 3 * c + 1) + overshoot * dy);
    setReal(centre, 3 * c + 2, real(centre, 3 * c + 2) + overshoot * dz);
  }
  return moved2;
}

/** The weight of every membership times the inverse sum of its point. */
export function normaliseWeights(index: usize, members: i32, inverse: usize, raw: usize, weight: usize): void {
  for (let k = 0; k < members; k++) setReal(weight, k, real(raw, k) * real(inverse, word(index, k)));
}

/** Whether two lists of words are the same. */
export function sameWords(a: usize, b: usize, words: i32): i32 {
  let k = 0;
  for (; k + 4 <= words; k += 4)
    if (v128.any_true(v128.xor(v128.load(a + (<usize>k << 2)), v128.load(b + (<usize>k << 2))))) return 0;
  for (; k < words; k++) if (word(a, k) !== word(b, k)) return 0;
  return 1;
}
