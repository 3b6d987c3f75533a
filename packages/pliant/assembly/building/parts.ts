// Distances to nearest neighbours, and parts of a body by links between near particles, as in src/cluster/connect.ts.
import { cellIndex, gap, Grid, real, setReal, setWord, squared, within, word } from './grid';

/** Least squared distance above 0 of the points within a radius; infinite if there is none. The point's own row of cells comes first: others are looked at only as far as the least distance in it. */
function leastIn(grid: Grid, px: f64, py: f64, pz: f64, radius: f64): f64 {
  const size = grid.size, perCell = 1 / size, slack = 1e-6 * size;
  const ownY = within((py - grid.oy) * perCell, grid.ny), ownZ = within((pz - grid.oz) * perCell, grid.nz);
  const r2 = radius * radius;
  let least = leastInRow(grid, (ownZ * grid.ny + ownY) * grid.nx, px, py, pz, radius + slack, r2, Infinity);
  let reach = Math.min(radius, Math.sqrt(least)) + slack;
  const y0 = within((py - reach - grid.oy) * perCell, grid.ny), y1 = within((py + reach - grid.oy) * perCell, grid.ny);
  const z0 = within((pz - reach - grid.oz) * perCell, grid.nz), z1 = within((pz + reach - grid.oz) * perCell, grid.nz);
  for (let iz = z0; iz <= z1; iz++) {
    const dz = gap(pz, grid.oz, size, iz);
    for (let iy = y0; iy <= y1; iy++) {
      const dy = gap(py, grid.oy, size, iy);
      const left = reach * reach - dy * dy - dz * dz;
      if (left < 0 || (iy === ownY && iz === ownZ)) continue;
      const found = leastInRow(grid, (iz * grid.ny + iy) * grid.nx, px, py, pz, Math.sqrt(left), r2, least);
      if (found === least) continue;
      least = found;
      reach = Math.sqrt(least) + slack;
    }
  }
  return least;
}

/** The least of `least` and those in a row of cells, within `half` along x. */
// @ts-ignore: decorator
@inline function leastInRow(grid: Grid, row: i32, px: f64, py: f64, pz: f64, half: f64, r2: f64, least: f64): f64 {
  const perCell = 1 / grid.size;
  const last = word(grid.cellStart, row + within((px + half - grid.ox) * perCell, grid.nx) + 1);
  for (let j = word(grid.cellStart, row + within((px - half - grid.ox) * perCell, grid.nx)); j < last; j++) {
    const d2 = squared(real(grid.x, j) - px) + squared(real(grid.y, j) - py) + squared(real(grid.z, j) - pz);
    if (d2 > 0 && d2 < least && d2 <= r2) least = d2;
  }
  return least;
}

/** Distance of every point to the nearest other place. `widest`: the first radius that is tried, `extent`: twice the size of the grid. */
export function nearestDistances(grid: Grid, distance: usize, widest: f64, extent: f64, alike: f64): void {
  let guess = widest;
  for (let i = 0; i < grid.count; i++) {
    let least: f64 = Infinity;
    for (let radius = guess; least === Infinity && radius < 4 * extent; radius = Math.max(1.5 * radius, widest))
      least = leastIn(grid, real(grid.x, i), real(grid.y, i), real(grid.z, i), radius);
    const d = Math.sqrt(least);
    setReal(distance, i, d);
    guess = least < Infinity ? Math.min(alike * d, widest) : widest;
  }
}

/** Distance of every `stride`-th point to the nearest at another place; 0 if there is none within `extent`. */
export function nearestOthers(grid: Grid, points: usize, count: i32, stride: i32, guess: f64, extent: f64, distance: usize): void {
  let at = 0;
  for (let i = 0; i < count; i += stride) {
    let least: f64 = Infinity;
    for (let radius = guess; ; radius *= 2) {
      least = leastIn(grid, real(points, 3 * i), real(points, 3 * i + 1), real(points, 3 * i + 2), radius);
      if (least < Infinity || radius > extent) break;
    }
    setReal(distance, at++, least < Infinity ? Math.sqrt(least) : 0);
  }
}

function root(parent: usize, i: i32): i32 {
  let p = word(parent, i);
  while (p !== i) {
    const above = word(parent, p);
    setWord(parent, i, above);
    i = above;
    p = word(parent, i);
  }
  return i;
}

/** Joins points within a radius of each other. Returns the number of parts. `parent` holds the points' own numbers at first. */
export function linkWithin(grid: Grid, radius: f64, parent: usize): i32 {
  const size = grid.size, perCell = 1 / size;
  const r2 = radius * radius;
  const reach = radius + 1e-6 * size;
  const reach2 = reach * reach;
  let parts = grid.count;
  for (let i = 0; i < grid.count; i++) {
    const px = real(grid.x, i), py = real(grid.y, i), pz = real(grid.z, i);
    const y0 = within((py - reach - grid.oy) * perCell, grid.ny), y1 = within((py + reach - grid.oy) * perCell, grid.ny);
    const ownY = cellIndex(py, grid.oy, size, grid.ny), ownZ = cellIndex(pz, grid.oz, size, grid.nz);
    const z1 = within((pz + reach - grid.oz) * perCell, grid.nz);
    let mine = root(parent, i);
    for (let iz = ownZ; iz <= z1; iz++) {
      const dz = gap(pz, grid.oz, size, iz);
      for (let iy = iz === ownZ ? ownY : y0; iy <= y1; iy++) {
        const dy = gap(py, grid.oy, size, iy);
        const left = reach2 - dy * dy - dz * dz;
        if (left < 0) continue;
        const half = Math.sqrt(left);
        const row = (iz * grid.ny + iy) * grid.nx;
        const last = word(grid.cellStart, row + within((px + half - grid.ox) * perCell, grid.nx) + 1);
        const first = word(grid.cellStart, row + within((px - half - grid.ox) * perCell, grid.nx));
        for (let j = max(first, i + 1); j < last; j++) {
          if (word(parent, j) === mine) continue;
          if (squared(real(grid.x, j) - px) + squared(real(grid.y, j) - py) + squared(real(grid.z, j) - pz) > r2) continue;
          const other = root(parent, j);
          if (other !== mine) parts--;
          if (other < mine) {
            setWord(parent, mine, other);
            mine = other;
          } else if (mine < other) setWord(parent, other, mine);
          setWord(parent, j, mine);
        }
      }
    }
    if (parts === 1) break;
  }
  return parts;
}

/** Joins the parts of linked points, and writes the root of each to `parent`, which holds the points' own numbers at first. */
export function linkNear(grid: Grid, spacing: usize, median: f64, link: f64, extent: f64, parent: usize): void {
  const size = grid.size, perCell = 1 / size;
  for (let i = 0; i < grid.count; i++) {
    const px = real(grid.x, i), py = real(grid.y, i), pz = real(grid.z, i);
    const own = real(spacing, i);
    const radius = link * Math.max(median, Math.min(own, extent));
    const r2 = radius * radius;
    const reach = radius + 1e-6 * size;
    const reach2 = reach * reach;
    const y0 = within((py - reach - grid.oy) * perCell, grid.ny), y1 = within((py + reach - grid.oy) * perCell, grid.ny);
    const ownY = cellIndex(py, grid.oy, size, grid.ny), ownZ = cellIndex(pz, grid.oz, size, grid.nz);
    const z1 = within((pz + reach - grid.oz) * perCell, grid.nz);
    let mine = root(parent, i);
    for (let iz = ownZ; iz <= z1; iz++) {
      const dz = gap(pz, grid.oz, size, iz);
      for (let iy = iz === ownZ ? ownY : y0; iy <= y1; iy++) {
        const dy = gap(py, grid.oy, size, iy);
        const left = reach2 - dy * dy - dz * dz;
        if (left < 0) continue;
        const half = Math.sqrt(left);
        const row = (iz * grid.ny + iy) * grid.nx;
        const last = word(grid.cellStart, row + within((px + half - grid.ox) * perCell, grid.nx) + 1);
        const first = word(grid.cellStart, row + within((px - half - grid.ox) * perCell, grid.nx));
        for (let j = max(first, i + 1); j < last; j++) {
          // Most neighbours are in the same part already.
          if (word(parent, j) === mine) continue;
          const d2 = squared(real(grid.x, j) - px) + squared(real(grid.y, j) - py) + squared(real(grid.z, j) - pz);
          if (d2 > r2) continue;
          const most = link * Math.max(median, Math.min(own, real(spacing, j)));
          if (d2 > most * most) continue;
          const other = root(parent, j);
          if (other < mine) {
            setWord(parent, mine, other);
            mine = other;
          } else if (mine < other) setWord(parent, other, mine);
          // A shorter way for the next that asks.
          setWord(parent, j, mine);
        }
      }
    }
  }
  for (let i = 0; i < grid.count; i++) setWord(parent, i, root(parent, i));
}
