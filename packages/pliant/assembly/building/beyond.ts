// The shares of clusters beyond their outermost particles, as in src/state/elasticity.ts: the same bits.
import { cbrt } from '../power';
import { real, setReal, word } from './grid';

const APART: f64 = 0.6, NEAR: f64 = 4, OUTERMOST: f64 = 1.6, ALIKE: f64 = 0.95;
/** Bytes of a row of the outermost members: rest offset, outward direction, height of the surface, mass. */
const ROW: usize = 64;

let rows: usize = 0;
/** Directions at right angles to each other along which the member at hand is outermost: three numbers each. */
let directions: i32 = 0;
let direction: usize = 0;

/**
 * `members` and `outwards`: four f32 a membership, in the order of the state. `particles`: their particles, counted from `firstParticle` on in `volumes`, an f32 each. `sums`: the numbers of each cluster, `width` of them, the first its mass. `room`: a row for each member of
 * the widest cluster, then nine numbers. Writes six numbers a cluster.
 */
export function shareBeyond(start: usize, clusters: i32, members: usize, outwards: usize, particles: usize, firstParticle: i32, volumes: usize, sums: usize, width: i32, widest: i32, room: usize, out: usize): void {
  rows = room;
  direction = room + ROW * <usize>widest;
  memory.fill(out, 0, <usize>(48 * clusters));
  for (let c = 0; c < clusters; c++) {
    const first = word(start, c), last = word(start, c + 1);
    const count = listOutermost(members, outwards, first, last);
    if (count === 0) continue;
    let volume: f64 = 0;
    for (let k = first; k < last; k++) volume += <f64>load<f32>(volumes + (<usize>(word(particles, k) - firstParticle) << 2));
    const half = cbrt(volume / <f64>(last - first)) / 2;
    if (!(half > 0)) continue;
    const faces = count < last - first && !(widestCosine(count) >= ALIKE) ? 3 : 1;
    const at = out + <usize>(48 * c);
    for (let n = 0; n < count; n++) {
      const row = rows + ROW * <usize>n;
      const share = load<f64>(row, 56) / real(sums, width * c);
      directions = 1;
      for (let a = 0; a < 3; a++) setReal(direction, a, load<f64>(row + (<usize>a << 3), 24));
      addBeyond(at, share, load<f64>(row, 48), half);
      while (directions < faces) {
        const depth = nextFace(count, row, half);
        if (!(depth > 0)) break;
        addBeyond(at, share, depth, half);
      }
    }
  }
}

function listOutermost(members: usize, outwards: usize, first: i32, last: i32): i32 {
  let count = 0;
  for (let k = first; k < last; k++) {
    const look = outwards + (<usize>k << 4), member = members + (<usize>k << 4);
    const height = load<f32>(look, 12);
    if (!(height >= 0)) continue;
    const row = rows + ROW * <usize>count;
    count++;
    store<f64>(row, <f64>load<f32>(member));
    store<f64>(row, <f64>load<f32>(member, 4), 8);
    store<f64>(row, <f64>load<f32>(member, 8), 16);
    store<f64>(row, <f64>load<f32>(look), 24);
    store<f64>(row, <f64>load<f32>(look, 4), 32);
    store<f64>(row, <f64>load<f32>(look, 8), 40);
    store<f64>(row, <f64>height, 48);
    store<f64>(row, <f64>load<f32>(member, 12), 56);
  }
  return count;
}

function widestCosine(count: i32): f64 {
  let cosine: f64 = 1;
  const x = load<f64>(rows, 24), y = load<f64>(rows, 32), z = load<f64>(rows, 40);
  for (let n = 0; n < count; n++) {
    const row = rows + ROW * <usize>n;
    const along = load<f64>(row, 24) * x + load<f64>(row, 32) * y + load<f64>(row, 40) * z;
    if (!(along >= cosine)) cosine = along;
  }
  return cosine;
}

function addBeyond(out: usize, share: f64, height: f64, half: f64): void {
  const depth = Math.min(height, half);
  const part = (share * depth) / (half + depth);
  const o = 3 * (directions - 1);
  const x = real(direction, o), y = real(direction, o + 1), z = real(direction, o + 2);
  setReal(out, 0, real(out, 0) + part * x * x);
  setReal(out, 1, real(out, 1) + part * y * y);
  setReal(out, 2, real(out, 2) + part * z * z);
  setReal(out, 3, real(out, 3) + part * x * y);
  setReal(out, 4, real(out, 4) + part * x * z);
  setReal(out, 5, real(out, 5) + part * y * z);
}

function nextFace(count: i32, own: usize, half: f64): f64 {
  const x = load<f64>(own), y = load<f64>(own, 8), z = load<f64>(own, 16);
  const near2 = NEAR * NEAR * half * half;
  let most: f64 = APART * APART;
  let found: f64 = 0;
  for (let n = 0; n < count; n++) {
    const row = rows + ROW * <usize>n;
    const dx = load<f64>(row) - x, dy = load<f64>(row, 8) - y, dz = load<f64>(row, 16) - z;
    if (dx * dx + dy * dy + dz * dz > near2) continue;
    let nx = load<f64>(row, 24), ny = load<f64>(row, 32), nz = load<f64>(row, 40);
    const depth = dx * nx + dy * ny + dz * nz + load<f64>(row, 48);
    if (!(depth > 0) || depth > OUTERMOST * half) continue;
    for (let d = 0; d < 3 * directions; d += 3) {
      const along = nx * real(direction, d) + ny * real(direction, d + 1) + nz * real(direction, d + 2);
      nx -= along * real(direction, d);
      ny -= along * real(direction, d + 1);
      nz -= along * real(direction, d + 2);
    }
    const apart = nx * nx + ny * ny + nz * nz;
    if (!(apart > most)) continue;
    most = apart;
    found = depth;
    const length = Math.sqrt(apart);
    setReal(direction, 3 * directions, nx / length);
    setReal(direction, 3 * directions + 1, ny / length);
    setReal(direction, 3 * directions + 2, nz / length);
  }
  if (found > 0) directions++;
  return found;
}
