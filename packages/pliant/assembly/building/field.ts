// Distances to a solid for a whole body, as in src/proxy/field.ts, src/proxy/outward.ts and src/sample/volumeOf.ts, bit for bit.
import { real, setReal, setWord, word } from './grid';
import { next, seedRandom } from './random';
import { classifyBox, distancesTo, distanceTo, INSIDE, isIn, narrow, one, OUTSIDE, two, widen } from './solid';

// @ts-ignore: decorator
@external('env', 'tick')
declare function tick(samples: i32): void;

/** Nodes along the side of a block. */
const BLOCK: i32 = 8;

/** Fills the blocks of a field with the nodes from j0 and k0 on. `shape`: the first node x y z, the distances of nodes x y z, half of the diagonal of a block. */
export function fillBlocks(solid: usize, shape: usize, size: usize, far: f64, j0: i32, k0: i32, values: usize): void {
  const ox = real(shape, 0), oy = real(shape, 1), oz = real(shape, 2);
  const cx = real(shape, 3), cy = real(shape, 4), cz = real(shape, 5), reach = real(shape, 6);
  const nx = word(size, 0), ny = word(size, 1), nz = word(size, 2);
  const j1 = min(j0 + BLOCK, ny), k1 = min(k0 + BLOCK, nz);
  const half: f64 = <f64>(BLOCK - 1) / 2;
  const my = oy + cy * (<f64>j0 + half), mz = oz + cz * (<f64>k0 + half);
  for (let i0 = 0; i0 < nx; i0 += BLOCK) {
    const i1 = min(i0 + BLOCK, nx);
    const mx = ox + cx * (<f64>i0 + half);
    const isWhole = distanceTo(solid, mx, my, mz, 1.001 * (far + reach)) >= far + reach;
    if (!isWhole) narrow(solid, mx, my, mz, far + reach);
    const all: f32 = isWhole ? <f32>(isIn(solid, mx, my, mz) ? -far : far) : 0;
    for (let k = k0; k < k1; k++)
      for (let j = j0; j < j1; j++) {
        const row = values + (<usize>((k * ny + j) * nx + i0) << 2);
        if (isWhole) for (let i = 0; i < i1 - i0; i++) store<f32>(row + (<usize>i << 2), all);
        else fillRow(solid, far, ox, cx, i0, i1, oy + <f64>j * cy, oz + <f64>k * cz, row);
      }
  }
}

function fillRow(solid: usize, far: f64, ox: f64, cx: f64, i0: i32, i1: i32, y: f64, z: f64, row: usize): void {
  sign = clear = 0;
  let i = i0;
  for (; i + 1 < i1; i += 2) {
    const x0 = ox + <f64>i * cx, x1 = ox + <f64>(i + 1) * cx;
    distancesTo(solid, x0, y, z, x1, y, z, far);
    const d1 = two;
    store<f32>(row, valueOf(solid, x0, y, z, Math.min(far, one), cx));
    store<f32>(row, valueOf(solid, x1, y, z, Math.min(far, d1), cx), 4);
    row += 8;
  }
  if (i < i1) {
    const x = ox + <f64>i * cx;
    store<f32>(row, valueOf(solid, x, y, z, Math.min(far, distanceTo(solid, x, y, z, far)), cx));
  }
}

// Of the last node of a row.
let sign: f64 = 0, clear: f64 = 0;

/** The signed distance of the next node: the sign is that of the last one, unless the surface is near. */
// @ts-ignore: decorator
@inline function valueOf(solid: usize, x: f64, y: f64, z: f64, d: f64, cx: f64): f32 {
  if (clear <= cx) sign = isIn(solid, x, y, z) ? -1 : 1;
  clear = d;
  return <f32>(sign * d);
}

/** Difference of the distances to both sides of a particle. */
// @ts-ignore: decorator
@inline function slope(solid: usize, x0: f64, y0: f64, z0: f64, x1: f64, y1: f64, z1: f64, height: f64, step: f64, far: f64): f64 {
  distancesTo(solid, x0, y0, z0, x1, y1, z1, far);
  const before = one, after = two;
  if (height > step) return before - after;
  return (isIn(solid, x0, y0, z0) ? before : -before) - (isIn(solid, x1, y1, z1) ? after : -after);
}

/**
 * Heights of the particles within `most` of the surface, and differences of their distances a step to both sides of them along each axis, three numbers each. Returns the number of these particles, which are listed in `outermost`.
 */
export function surfaceHeights(solid: usize, positions: usize, from: i32, to: i32, most: f64, far: f64, step: f64, height: usize, outermost: usize, difference: usize): i32 {
  let found = 0;
  widen();
  for (let i = from; i < to; i++) {
    let px = real(positions, 3 * i), py = real(positions, 3 * i + 1);
    const pz = real(positions, 3 * i + 2);
    const h = distanceTo(solid, px, py, pz, far);
    if (h > most) continue;
    setReal(height, found, h);
    setWord(outermost, found, i);
    // A coordinate that was changed and changed back is not always the same number, as in the plain form.
    const x0 = px - step, mx = x0 + step, x1 = mx + step;
    setReal(difference, 3 * found, slope(solid, x0, py, pz, x1, py, pz, h, step, far));
    px = x1 - step;
    const y0 = py - step, my = y0 + step, y1 = my + step;
    setReal(difference, 3 * found + 1, slope(solid, px, y0, pz, px, y1, pz, h, step, far));
    py = y1 - step;
    const z0 = pz - step, mz = z0 + step, z1 = mz + step;
    setReal(difference, 3 * found + 2, slope(solid, px, py, z0, px, py, z1, h, step, far));
    found++;
  }
  return found;
}

/** Side, in boxes, of the blocks between two checkpoints. */
const CHECKED: i32 = 8;
let boxes: f64 = 0, disagreements: f64 = 0;
let minX: f64 = 0, minY: f64 = 0, minZ: f64 = 0, sx: f64 = 0, sy: f64 = 0, sz: f64 = 0;

export function beginVolume(seed: f64): void { seedRandom(seed); }
export function disagreementCount(): f64 { return disagreements; }

/** Number of the n³ boxes, x y z of lowest and highest corner in `box`, that are in a solid. */
export function countBoxes(solid: usize, box: usize, n: i32): f64 {
  minX = real(box, 0);
  minY = real(box, 1);
  minZ = real(box, 2);
  sx = (real(box, 3) - minX) / <f64>n;
  sy = (real(box, 4) - minY) / <f64>n;
  sz = (real(box, 5) - minZ) / <f64>n;
  boxes = disagreements = 0;
  widen();
  countIn(solid, 0, 0, 0, n);
  return boxes;
}

function countIn(solid: usize, i: i32, j: i32, k: i32, size: i32): void {
  if (size === CHECKED) tick(0);
  const half = <f64>size / 2;
  const kind = classifyBox(solid, minX + (<f64>i + half) * sx, minY + (<f64>j + half) * sy, minZ + (<f64>k + half) * sz, half * sx, half * sy, half * sz);
  if (kind === OUTSIDE) return;
  if (kind === INSIDE) {
    boxes += <f64>size * <f64>size * <f64>size;
  } else if (size > 1) {
    const h = size >> 1;
    for (let child = 0; child < 8; child++) countIn(solid, i + (child & 1) * h, j + ((child >> 1) & 1) * h, k + (child >> 2) * h, h);
  } else {
    const a = isDartIn(solid, i, j, k), b = isDartIn(solid, i, j, k);
    boxes += (a ? 0.5 : 0) + (b ? 0.5 : 0);
    if (a !== b) disagreements++;
  }
}

function isDartIn(solid: usize, i: i32, j: i32, k: i32): bool {
  const x = minX + (<f64>i + next()) * sx;
  const y = minY + (<f64>j + next()) * sy;
  const z = minZ + (<f64>k + next()) * sz;
  return isIn(solid, x, y, z);
}
