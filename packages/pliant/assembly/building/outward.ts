// Sums over the neighbours of a particle, as in src/proxy/outward.ts, bit for bit.
import { Grid, listBall, real, setReal, word } from './grid';

/** Lists the points within `radius` of a point, and writes the sum of (1 − d²/radius²) (p − x) over them to `out`. Returns their number, or −1 where `room` is too small. */
export function sumAway(grid: Grid, px: f64, py: f64, pz: f64, radius: f64, index: usize, square: usize, room: i32, out: usize): i32 {
  const n = listBall(grid, px, py, pz, radius, index, square, 0, room);
  let gx: f64 = 0, gy: f64 = 0, gz: f64 = 0;
  for (let k = 0; k < n; k++) {
    const w = 1 - real(square, k) / (radius * radius);
    const j = word(index, k);
    gx += w * (px - real(grid.x, j));
    gy += w * (py - real(grid.y, j));
    gz += w * (pz - real(grid.z, j));
  }
  setReal(out, 0, gx);
  setReal(out, 1, gy);
  setReal(out, 2, gz);
  return n;
}

/** Whether one of the points listed last, within `reach`, lies in the cone about the direction n. */
export function hasAhead(grid: Grid, px: f64, py: f64, pz: f64, nx: f64, ny: f64, nz: f64, reach: f64, cone: f64, index: usize, square: usize, n: i32): i32 {
  for (let k = 0; k < n; k++) {
    const distance = Math.sqrt(real(square, k));
    if (distance === 0 || distance > reach) continue;
    const j = word(index, k);
    const ahead = (real(grid.x, j) - px) * nx + (real(grid.y, j) - py) * ny + (real(grid.z, j) - pz) * nz;
    if (ahead > cone * distance) return 1;
  }
  return 0;
}

/** Sum of the directions `raw` of the points within `radius` that point to the same side as that of particle i. Returns −1 where `room` is too small. */
export function sumAlike(grid: Grid, order: usize, raw: usize, i: i32, px: f64, py: f64, pz: f64, radius: f64, index: usize, room: i32, out: usize): i32 {
  const n = listBall(grid, px, py, pz, radius, index, 0, 0, room);
  const x = real(raw, 3 * i), y = real(raw, 3 * i + 1), z = real(raw, 3 * i + 2);
  let gx: f64 = 0, gy: f64 = 0, gz: f64 = 0;
  for (let k = 0; k < n; k++) {
    const j = 3 * word(order, word(index, k));
    const jx = real(raw, j), jy = real(raw, j + 1), jz = real(raw, j + 2);
    if (!(x * jx + y * jy + z * jz > 0)) continue;
    gx += jx;
    gy += jy;
    gz += jz;
  }
  setReal(out, 0, gx);
  setReal(out, 1, gy);
  setReal(out, 2, gz);
  return n;
}
