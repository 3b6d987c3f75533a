// Memberships in the orders in which they are needed, as in src/cluster/finish.ts and src/topology/newMembers.ts, bit for bit.
import { real, setReal, setWord, word } from './grid';

/**
 * Members of every cluster by the caller's numbers, ascending. `particle` and `weight`: those of each cluster, by places in a grid whose `order` has the caller's numbers. `next`: room for a number of each particle and one
 * more; `cluster` and `place`: for one of each membership; `end`: for one of each cluster. The result goes to `sorted` and `weights`.
 */
export function sortMembers(order: usize, particles: i32, start: usize, clusters: i32, particle: usize, weight: usize, next: usize, cluster: usize, place: usize, end: usize, sorted: usize, weights: usize): void {
  const members = word(start, clusters);
  memory.fill(next, 0, <usize>(particles + 1) << 2);
  for (let k = 0; k < members; k++) {
    const i = word(order, word(particle, k)) + 1;
    setWord(next, i, word(next, i) + 1);
  }
  for (let i = 0; i < particles; i++) setWord(next, i + 1, word(next, i + 1) + word(next, i));
  for (let c = 0; c < clusters; c++) {
    const last = word(start, c + 1);
    for (let k = word(start, c); k < last; k++) {
      const i = word(order, word(particle, k));
      const at = word(next, i);
      setWord(next, i, at + 1);
      setWord(cluster, at, c);
      setWord(place, at, k);
    }
  }
  memory.copy(end, start, <usize>clusters << 2);
  let n = 0;
  for (let i = 0; i < particles; i++)
    for (const last = word(next, i); n < last; n++) {
      const c = word(cluster, n);
      const at = word(end, c);
      setWord(end, c, at + 1);
      setWord(sorted, at, i);
      setReal(weights, at, real(weight, word(place, n)));
    }
}

/** The five bits of a number, three places apart. */
// @ts-ignore: decorator
@inline function spread(cell: i32): i32 {
  return (cell & 1) | ((cell & 2) << 2) | ((cell & 4) << 4) | ((cell & 8) << 6) | ((cell & 16) << 8);
}

/** Codes of the members of every cluster along a Z-order curve, 15 bits, above their numbers in the cluster, 17 bits. */
export function curveKeys(start: usize, clusters: i32, particle: usize, points: usize, keys: usize): void {
  for (let c = 0; c < clusters; c++) {
    const first = word(start, c), last = word(start, c + 1);
    for (let k = first; k < last; k++) setWord(keys, k, k - first);
    for (let a = 0; a < 3; a++) {
      let low: f64 = Infinity, high: f64 = -Infinity;
      for (let k = first; k < last; k++) {
        const value = real(points, 3 * word(particle, k) + a);
        if (value < low) low = value;
        if (value > high) high = value;
      }
      const perCell = high > low ? 32 / (high - low) : 0;
      for (let k = first; k < last; k++) {
        const cell = Math.min(31, Math.floor((real(points, 3 * word(particle, k) + a) - low) * perCell));
        setWord(keys, k, word(keys, k) | (spread(<i32>cell) << (17 + a)));
      }
    }
  }
}

/**
 * Members in the order of their keys: the particle of each to `sorted`, its place and mass · weight to `member`, and its outward direction and height to `outward`, which is −1 where it is not on the surface.
 */
export function fillMembers(start: usize, clusters: i32, particle: usize, weight: usize, keys: usize, points: usize, mass: usize, normal: usize, height: usize, sorted: usize, member: usize, outward: usize): void {
  for (let c = 0; c < clusters; c++) {
    const first = word(start, c), last = word(start, c + 1);
    for (let k = first; k < last; k++) {
      const from = first + (word(keys, k) & 0x1ffff);
      const i = word(particle, from);
      const at = member + (<usize>k << 5);
      setWord(sorted, k, i);
      store<f64>(at, real(points, 3 * i));
      store<f64>(at, real(points, 3 * i + 1), 8);
      store<f64>(at, real(points, 3 * i + 2), 16);
      store<f64>(at, real(mass, i) * real(weight, from), 24);
      const x = real(normal, 3 * i), y = real(normal, 3 * i + 1), z = real(normal, 3 * i + 2);
      const o = outward + (<usize>k << 4);
      store<f32>(o, <f32>x);
      store<f32>(o, <f32>y, 4);
      store<f32>(o, <f32>z, 8);
      store<f32>(o, x !== 0 || y !== 0 || z !== 0 ? <f32>real(height, i) : -1, 12);
    }
  }
}

/** Numbers of the sums over a cluster, below. */
const SUMS: i32 = 11;

/**
 * Members as they lie in a state (src/state/members.ts): the one nearest the centre of mass first, then those on the surface, then the others, with places relative to the centre. `particle`, `member` and `outward`: as
 * fillMembers writes them. `base` and `firstParticle` are added to rows and particles. `sums` of each cluster: mass, the largest square of a distance, first moments, second moments xx yy zz xy xz yz, all of the stored f32.
 */
export function layMembers(start: usize, clusters: i32, particle: usize, member: usize, outward: usize, base: i32, firstParticle: i32, particles: usize, members: usize, outwards: usize, surfaceEnd: usize, sums: usize): void {
  for (let c = 0; c < clusters; c++) {
    const first = word(start, c), last = word(start, c + 1);
    let sum: f64 = 0, x: f64 = 0, y: f64 = 0, z: f64 = 0;
    for (let k = first; k < last; k++) {
      const at = member + (<usize>k << 5);
      const mw = load<f64>(at, 24);
      sum += mw;
      x += mw * load<f64>(at);
      y += mw * load<f64>(at, 8);
      z += mw * load<f64>(at, 16);
    }
    x /= sum;
    y /= sum;
    z /= sum;
    let middle = first;
    let least: f64 = Infinity;
    for (let k = first; k < last; k++) {
      const at = member + (<usize>k << 5);
      const dx = load<f64>(at) - x, dy = load<f64>(at, 8) - y, dz = load<f64>(at, 16) - z;
      const d = dx * dx + dy * dy + dz * dz;
      if (d < least) {
        least = d;
        middle = k;
      }
    }
    const row = sums + (<usize>(SUMS * c) << 3);
    memory.fill(row, 0, <usize>SUMS << 3);
    let at = first;
    copyMember(particle, member, outward, middle, at++, firstParticle, particles, members, outwards, x, y, z, row);
    for (let k = first; k < last; k++)
      if (k !== middle && load<f32>(outward + (<usize>k << 4), 12) >= 0) copyMember(particle, member, outward, k, at++, firstParticle, particles, members, outwards, x, y, z, row);
    setWord(surfaceEnd, c, base + at);
    for (let k = first; k < last; k++)
      if (k !== middle && load<f32>(outward + (<usize>k << 4), 12) < 0) copyMember(particle, member, outward, k, at++, firstParticle, particles, members, outwards, x, y, z, row);
  }
}

function copyMember(particle: usize, member: usize, outward: usize, from: i32, to: i32, firstParticle: i32, particles: usize, members: usize, outwards: usize, cx: f64, cy: f64, cz: f64, row: usize): void {
  setWord(particles, to, firstParticle + word(particle, from));
  v128.store(outwards + (<usize>to << 4), v128.load(outward + (<usize>from << 4)));
  const at = member + (<usize>from << 5);
  const fx = <f32>(load<f64>(at) - cx), fy = <f32>(load<f64>(at, 8) - cy), fz = <f32>(load<f64>(at, 16) - cz), fw = <f32>load<f64>(at, 24);
  v128.store(members + (<usize>to << 4), f32x4(fx, fy, fz, fw));
  const x = <f64>fx, y = <f64>fy, z = <f64>fz, mw = <f64>fw;
  const wx = mw * x, wy = mw * y, wz = mw * z;
  addTo(row, 0, mw);
  setReal(row, 1, Math.max(real(row, 1), x * x + y * y + z * z));
  addTo(row, 2, wx);
  addTo(row, 3, wy);
  addTo(row, 4, wz);
  addTo(row, 5, wx * x);
  addTo(row, 6, wy * y);
  addTo(row, 7, wz * z);
  addTo(row, 8, wx * y);
  addTo(row, 9, wx * z);
  addTo(row, 10, wy * z);
}

// @ts-ignore: decorator
@inline function addTo(list: usize, k: i32, value: f64): void { setReal(list, k, real(list, k) + value); }

/** Bounds of every `block` members up to the last on the surface, in the first of the numbers that the members of a cluster have; the others are 0. Clusters with fewer than `fewest` have none. */
export function boundMembers(start: usize, clusters: i32, surfaceEnd: usize, base: i32, members: usize, block: i32, width: i32, fewest: i32, boxes: usize): void {
  memory.fill(boxes, 0, <usize>word(start, clusters) << 2);
  for (let c = 0; c < clusters; c++) {
    const first = word(start, c), last = word(surfaceEnd, c) - base;
    if (last - first < fewest) continue;
    let out = boxes + (<usize>first << 2);
    for (let m = first; m < last; m += block) {
      const past = min(m + block, last);
      let low = v128.load(members + (<usize>m << 4)), high = low;
      for (let k = m + 1; k < past; k++) {
        const value = v128.load(members + (<usize>k << 4));
        low = f32x4.pmin(low, value);
        high = f32x4.pmax(high, value);
      }
      // The fourth number is no coordinate.
      v128.store(out, f32x4.replace_lane(low, 3, 0));
      v128.store(out, f32x4.replace_lane(high, 3, 0), 16);
      out += <usize>width << 2;
    }
  }
}

/**
 * The transpose of members that lie as layMembers wrote them, in gather order: particles by their number of links in blocks of `block`, clusters ascending within a particle. `counts`, `next`: room for a number of each
 * particle; `runs`: for one of each cluster and two more. Rows get `base`, particles `firstParticle` and clusters `firstCluster` added.
 */
export function layLinks(start: usize, clusters: i32, particles: usize, members: usize, mass: usize, count: i32, block: i32, base: i32, firstParticle: i32, firstCluster: i32, counts: usize, next: usize, runs: usize, order: usize, rank: usize, linkStart: usize, links: usize, linkCluster: usize): void {
  const memberships = word(start, clusters);
  memory.fill(counts, 0, <usize>count << 2);
  for (let k = 0; k < memberships; k++) {
    const i = word(particles, k) - firstParticle;
    setWord(counts, i, word(counts, i) + 1);
  }
  let most = 0;
  for (let i = 0; i < count; i++) most = max(most, word(counts, i));
  let end = 0;
  for (let from = 0; from < count; from += block) {
    const past = min(from + block, count);
    memory.fill(runs, 0, <usize>(most + 2) << 2);
    for (let i = from; i < past; i++) {
      const n = word(counts, i) + 1;
      setWord(runs, n, word(runs, n) + 1);
    }
    for (let n = 0; n <= most; n++) setWord(runs, n + 1, word(runs, n + 1) + word(runs, n));
    for (let i = from; i < past; i++) {
      const n = word(counts, i), at = word(runs, n);
      setWord(runs, n, at + 1);
      setWord(order, from + at, firstParticle + i);
      setWord(rank, i, firstParticle + from + at);
    }
    for (let n = from; n < past; n++) {
      const i = word(order, n) - firstParticle;
      setWord(linkStart, n, base + end);
      setWord(next, i, end);
      end += word(counts, i);
    }
  }
  setWord(linkStart, count, base + end);
  for (let c = 0; c < clusters; c++) {
    const last = word(start, c + 1);
    for (let k = word(start, c); k < last; k++) {
      const i = word(particles, k) - firstParticle;
      const at = word(next, i);
      setWord(next, i, at + 1);
      setWord(linkCluster, at, firstCluster + c);
      const row = v128.load(members + (<usize>k << 4));
      const w = <f32>(<f64>f32x4.extract_lane(row, 3) / real(mass, i));
      v128.store(links + (<usize>at << 4), f32x4.replace_lane(row, 3, w));
    }
  }
}

/** Largest components of the members' rest offsets along three axes of each cluster, then along their opposites. `axes`: nine numbers a cluster. As in src/proxy/proxy.ts. */
export function extentsAlong(start: usize, clusters: i32, members: usize, axes: usize, out: usize): void {
  for (let c = 0; c < clusters; c++) {
    const first = members + (<usize>word(start, c) << 4), last = members + (<usize>word(start, c + 1) << 4);
    for (let a = 0; a < 3; a++) {
      const nx = real(axes, 9 * c + 3 * a), ny = real(axes, 9 * c + 3 * a + 1), nz = real(axes, 9 * c + 3 * a + 2);
      let low: f64 = Infinity, high: f64 = -Infinity;
      for (let at = first; at < last; at += 16) {
        const value = nx * <f64>load<f32>(at) + ny * <f64>load<f32>(at, 4) + nz * <f64>load<f32>(at, 8);
        if (value < low) low = value;
        if (value > high) high = value;
      }
      setReal(out, 6 * c + a, high);
      setReal(out, 6 * c + a + 3, -low);
    }
  }
}

/** Rows of new particles: place and mass in f32, and the flag `inner` of those that are not at the surface. As in src/topology/editRows.ts. */
export function layParticles(positions: usize, masses: usize, normal: usize, height: usize, count: i32, inner: i32, out: usize, flags: usize): void {
  for (let i = 0; i < count; i++) {
    const row = out + (<usize>i << 4);
    store<f32>(row, <f32>real(positions, 3 * i));
    store<f32>(row, <f32>real(positions, 3 * i + 1), 4);
    store<f32>(row, <f32>real(positions, 3 * i + 2), 8);
    store<f32>(row, <f32>real(masses, i), 12);
    const isOuter = real(normal, 3 * i) !== 0 || real(normal, 3 * i + 1) !== 0 || real(normal, 3 * i + 2) !== 0 || real(height, i) > 0;
    setWord(flags, i, isOuter ? 0 : inner);
  }
}
