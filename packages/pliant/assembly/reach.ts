import * as S from './layout.generated';

/** src/kernels/ts/reach.ts, bit for bit. */
export function reachAlong(i: u32, nx: f64, ny: f64, nz: f64, far: f64): f64 {
  const given = <f64>load<f32>(S.reach() + (i << S.SHIFT_reach));
  const links = S.linkStart() + (load<u32>(S.gatherRank() + (i << S.SHIFT_gatherRank)) << S.SHIFT_linkStart);
  const first = load<u32>(links), end = load<u32>(links, S.STRIDE_linkStart);
  if (first == end) return given;
  const link = S.link(), linkCluster = S.linkCluster(), transform = S.transform();
  let dx: f64 = 0, dy: f64 = 0, dz: f64 = 0;
  for (let l = first; l < end; l++) {
    const t = transform + S.STRIDE_transform * load<u32>(linkCluster + (l << S.SHIFT_linkCluster));
    const w = <f64>load<f32>(link + (l << S.SHIFT_link), S.LINK_WEIGHT);
    dx -= w * turned(t, nx, ny, nz);
    dy -= w * turned(t + S.TRANSFORM_Y, nx, ny, nz);
    dz -= w * turned(t + S.TRANSFORM_Z, nx, ny, nz);
  }
  const length = sqrt(dx * dx + dy * dy + dz * dz);
  if (!(length > 0)) return given;
  return <f64><f32>march(first, dx / length, dy / length, dz / length, far, given);
}

// @ts-ignore: decorator
@inline function turned(t: usize, nx: f64, ny: f64, nz: f64): f64 { return <f64>load<f32>(t) * nx + <f64>load<f32>(t, 4) * ny + <f64>load<f32>(t, 8) * nz; }

/** Row a of a product with the matrix of a rest frame, which lies by columns. */
// @ts-ignore: decorator
@inline function row(at: usize, x: f64, y: f64, z: f64): f64 { return <f64>load<f32>(at) * x + <f64>load<f32>(at, S.REST_FRAME_Y) * y + <f64>load<f32>(at, S.REST_FRAME_Z) * z; }

/** The place of a rest offset: its sum begins with the place of the centre. */
// @ts-ignore: decorator
@inline function placed(at: usize, x: f64, y: f64, z: f64): f64 {
  return <f64>load<f32>(at, S.REST_FRAME_PLACE) + <f64>load<f32>(at) * x + <f64>load<f32>(at, S.REST_FRAME_Y) * y + <f64>load<f32>(at, S.REST_FRAME_Z) * z;
}

function march(l: u32, dx: f64, dy: f64, dz: f64, far: f64, given: f64): f64 {
  const c = load<u32>(S.linkCluster() + (l << S.SHIFT_linkCluster));
  const frame = S.restFrame() + S.STRIDE_restFrame * c;
  const p = S.link() + (l << S.SHIFT_link);
  const px = <f64>load<f32>(p), py = <f64>load<f32>(p, 4), pz = <f64>load<f32>(p, 8);
  const grid = S.distanceGrid() + S.STRIDE_distanceGrid * c;
  let x = placed(frame, px, py, pz), y = placed(frame + 4, px, py, pz), z = placed(frame + 8, px, py, pz);
  const sx = row(frame, dx, dy, dz), sy = row(frame + 4, dx, dy, dz), sz = row(frame + 8, dx, dy, dz);
  let inside: f64 = 0, below = valueAt(grid, x, y, z);
  if (!(below < -S.REACH_SKIN * far)) {
    const along = px * dx + py * dy + pz * dz;
    const ox = px - along * dx, oy = py - along * dy, oz = pz - along * dz;
    const off = sqrt(ox * ox + oy * oy + oz * oz);
    if (!(off > 0)) return given;
    const by = (2.0 * S.REACH_SKIN * far) / off;
    x -= by * row(frame, ox, oy, oz);
    y -= by * row(frame + 4, ox, oy, oz);
    z -= by * row(frame + 8, ox, oy, oz);
    below = valueAt(grid, x, y, z);
    if (!(below < 0)) return given;
  }
  while (true) {
    if (inside >= far) return far;
    const t = min(far, inside + max(-below, S.REACH_LEAST * far));
    const above = valueAt(grid, x + t * sx, y + t * sy, z + t * sz);
    if (inside == 0 && t == -below && abs(above) <= S.REACH_NEAR * far) return t;
    if (above >= 0) return cross(grid, x, y, z, sx, sy, sz, inside, below, t, above);
    inside = t;
    below = above;
  }
}

function cross(grid: usize, x: f64, y: f64, z: f64, sx: f64, sy: f64, sz: f64, a: f64, below: f64, b: f64, above: f64): f64 {
  let t = b, side = 0;
  for (let n = 0; n < <i32>S.REACH_CHORDS; n++) {
    t = a + ((b - a) * below) / (below - above);
    const value = valueAt(grid, x + t * sx, y + t * sy, z + t * sz);
    if (abs(value) <= S.REACH_NEAR * (b - a)) break;
    if (value < 0) {
      a = t;
      below = value;
      if (side < 0) above *= 0.5;
      side = -1;
    } else {
      b = t;
      above = value;
      if (side > 0) below *= 0.5;
      side = 1;
    }
  }
  return t;
}

/** The field at a place in its nodes. */
function valueAt(grid: usize, x: f64, y: f64, z: f64): f64 {
  const nx = load<u32>(grid, S.DISTANCE_GRID_NX), ny = load<u32>(grid, S.DISTANCE_GRID_NY), nz = load<u32>(grid, S.DISTANCE_GRID_NZ);
  if (!(x >= 0 && y >= 0 && z >= 0 && x < <f64>nx - 1.0 && y < <f64>ny - 1.0 && z < <f64>nz - 1.0)) return 1;
  const i = floor(x), j = floor(y), k = floor(z);
  const u = x - i, v = y - j, w = z - k;
  const o = S.distance() + ((load<u32>(grid) + (<u32>k * ny + <u32>j) * nx + <u32>i) << S.SHIFT_distance);
  const up = o + ((nx * ny) << S.SHIFT_distance), beside = nx << S.SHIFT_distance;
  const near = edge(o, u) + v * (edge(o + beside, u) - edge(o, u));
  return near + w * (edge(up, u) + v * (edge(up + beside, u) - edge(up, u)) - near);
}

// @ts-ignore: decorator
@inline function edge(at: usize, u: f64): f64 {
  const a = <f64>load<f32>(at);
  return a + u * (<f64>load<f32>(at, S.STRIDE_distance) - a);
}
