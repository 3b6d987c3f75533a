// Memberships in the orders in which they are needed, as in src/cluster/finish.ts and src/topology/curveOrder.ts, bit for bit.
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
