// Boxes of clusters and which of them share a particle, as in src/proxy/neighbours.ts, and what clusters weigh, as in src/material/elasticLaw.ts: the same bits.
import { real, setReal, setWord, word } from './grid';

/**
 * Writes the bounds of every cluster's points, lowest and highest x y z, and unless `table` is 0, a byte for each pair of clusters, 1 where they share a point. `first` and `holder` are room for the clusters of every
 * point: two words more than there are points, and one for each membership.
 */
export function meetClusters(start: usize, clusters: i32, particle: usize, points: usize, count: i32, first: usize, holder: usize, boxes: usize, table: usize): void {
  memory.fill(first, 0, <usize>(count + 2) << 2);
  if (table !== 0) memory.fill(table, 0, <usize>(clusters * clusters));
  const members = word(start, clusters);
  for (let k = 0; k < members; k++) {
    const i = word(particle, k) + 2;
    setWord(first, i, word(first, i) + 1);
  }
  for (let i = 0; i < count; i++) setWord(first, i + 2, word(first, i + 2) + word(first, i + 1));
  for (let c = 0; c < clusters; c++) {
    let lx: f64 = Infinity, ly: f64 = Infinity, lz: f64 = Infinity, hx: f64 = -Infinity, hy: f64 = -Infinity, hz: f64 = -Infinity;
    const last = word(start, c + 1);
    for (let k = word(start, c); k < last; k++) {
      const i = word(particle, k);
      const x = real(points, 3 * i), y = real(points, 3 * i + 1), z = real(points, 3 * i + 2);
      if (x < lx) lx = x;
      if (x > hx) hx = x;
      if (y < ly) ly = y;
      if (y > hy) hy = y;
      if (z < lz) lz = z;
      if (z > hz) hz = z;
      const at = word(first, i + 1);
      setWord(holder, at, c);
      setWord(first, i + 1, at + 1);
    }
    setReal(boxes, 6 * c, lx);
    setReal(boxes, 6 * c + 1, ly);
    setReal(boxes, 6 * c + 2, lz);
    setReal(boxes, 6 * c + 3, hx);
    setReal(boxes, 6 * c + 4, hy);
    setReal(boxes, 6 * c + 5, hz);
  }
  if (table === 0) return;
  for (let i = 0; i < count; i++) {
    const last = word(first, i + 1);
    for (let k = word(first, i); k < last; k++) {
      const row = table + <usize>(clusters * word(holder, k));
      for (let l = word(first, i); l < last; l++) store<u8>(row + <usize>word(holder, l), 1);
    }
  }
}

/** Numbers that are written for each cluster. */
const SUMS: i32 = 9;

/** Writes of every cluster: mass, Σ m modulus, Σ m weight, and its second moments xx yy zz xy xz yz about its centre of mass. */
export function weighClusters(start: usize, clusters: i32, particle: usize, weight: usize, points: usize, masses: usize, modulus: usize, out: usize): void {
  for (let c = 0; c < clusters; c++) {
    const from = word(start, c), last = word(start, c + 1);
    let mass: f64 = 0, sum: f64 = 0, own: f64 = 0, cx: f64 = 0, cy: f64 = 0, cz: f64 = 0;
    for (let k = from; k < last; k++) {
      const i = word(particle, k);
      const m = real(masses, i) * real(weight, k);
      mass += m;
      sum += m * real(modulus, i);
      own += m * real(weight, k);
      cx += m * real(points, 3 * i);
      cy += m * real(points, 3 * i + 1);
      cz += m * real(points, 3 * i + 2);
    }
    cx /= mass;
    cy /= mass;
    cz /= mass;
    let xx: f64 = 0, yy: f64 = 0, zz: f64 = 0, xy: f64 = 0, xz: f64 = 0, yz: f64 = 0;
    for (let k = from; k < last; k++) {
      const i = word(particle, k);
      const m = real(masses, i) * real(weight, k);
      const x = real(points, 3 * i) - cx, y = real(points, 3 * i + 1) - cy, z = real(points, 3 * i + 2) - cz;
      xx += m * (x * x);
      yy += m * (y * y);
      zz += m * (z * z);
      xy += m * (x * y);
      xz += m * (x * z);
      yz += m * (y * z);
    }
    setReal(out, SUMS * c, mass);
    setReal(out, SUMS * c + 1, sum);
    setReal(out, SUMS * c + 2, own);
    setReal(out, SUMS * c + 3, xx);
    setReal(out, SUMS * c + 4, yy);
    setReal(out, SUMS * c + 5, zz);
    setReal(out, SUMS * c + 6, xy);
    setReal(out, SUMS * c + 7, xz);
    setReal(out, SUMS * c + 8, yz);
  }
}
