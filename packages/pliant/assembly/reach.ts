import * as S from './layout.generated';
import { high, low } from './match';

/** src/kernels/ts/reach.ts, bit for bit. */
export function reachAlong(i: u32, nx: f64, ny: f64, nz: f64, far: f64): f64 {
  const given = <f64>load<f32>(S.reach() + (i << S.SHIFT_reach));
  const links = S.linkStart() + (load<u32>(S.gatherRank() + (i << S.SHIFT_gatherRank)) << S.SHIFT_linkStart);
  const first = load<u32>(links), end = load<u32>(links, S.STRIDE_linkStart);
  if (first == end) return given;
  const link = S.link(), linkCluster = S.linkCluster(), transform = S.transform();
  // x and y; z.
  let d = f64x2.splat(0), dz: f64 = 0;
  const n0 = f64x2.splat(nx), n1 = f64x2.splat(ny), n2 = f64x2.splat(nz);
  for (let l = first; l < end; l++) {
    const t = transform + S.STRIDE_transform * load<u32>(linkCluster + (l << S.SHIFT_linkCluster));
    const w = <f64>load<f32>(link + (l << S.SHIFT_link), S.LINK_WEIGHT);
    const a = v128.load(t), b = v128.load(t, S.TRANSFORM_Y);
    const ab = v128.shuffle<f32>(a, b, 0, 4, 1, 5);
    const turned = f64x2.add(f64x2.add(f64x2.mul(low(ab), n0), f64x2.mul(high(ab), n1)), f64x2.mul(low(v128.shuffle<f32>(a, b, 2, 6, 2, 6)), n2));
    d = f64x2.sub(d, f64x2.mul(f64x2.splat(w), turned));
    dz -= w * (<f64>load<f32>(t, S.TRANSFORM_Z) * nx + <f64>load<f32>(t, S.TRANSFORM_Z + 4) * ny + <f64>load<f32>(t, S.TRANSFORM_Z + 8) * nz);
  }
  const dx = f64x2.extract_lane(d, 0), dy = f64x2.extract_lane(d, 1);
  const length = sqrt(dx * dx + dy * dy + dz * dz);
  if (!(length > 0)) return given;
  d = f64x2.div(d, f64x2.splat(length));
  return <f64><f32>march(first, f64x2.extract_lane(d, 0), f64x2.extract_lane(d, 1), dz / length, far, given);
}

/** Rows x and y, and row z, of a product with the matrix of a rest frame, which lies by columns. */
// @ts-ignore: decorator
@inline function rows(at: usize, x: f64, y: f64, z: f64): v128 {
  return f64x2.add(f64x2.add(f64x2.mul(two(at), f64x2.splat(x)), f64x2.mul(two(at + S.REST_FRAME_Y), f64x2.splat(y))), f64x2.mul(two(at + S.REST_FRAME_Z), f64x2.splat(z)));
}
// @ts-ignore: decorator
@inline function row(at: usize, x: f64, y: f64, z: f64): f64 { return <f64>load<f32>(at) * x + <f64>load<f32>(at, S.REST_FRAME_Y) * y + <f64>load<f32>(at, S.REST_FRAME_Z) * z; }

/** Two f32 as f64. */
// @ts-ignore: decorator
@inline function two(at: usize): v128 { return low(v128.load64_zero(at)); }

function march(l: u32, dx: f64, dy: f64, dz: f64, far: f64, given: f64): f64 {
  const c = load<u32>(S.linkCluster() + (l << S.SHIFT_linkCluster));
  const frame = S.restFrame() + S.STRIDE_restFrame * c;
  const p = S.link() + (l << S.SHIFT_link);
  const px = <f64>load<f32>(p), py = <f64>load<f32>(p, 4), pz = <f64>load<f32>(p, 8);
  const grid = S.distanceGrid() + S.STRIDE_distanceGrid * c;
  // The place of the rest offset: its sum begins with that of the centre.
  let xy = f64x2.add(f64x2.add(two(frame + S.REST_FRAME_PLACE), f64x2.mul(two(frame), f64x2.splat(px))), f64x2.mul(two(frame + S.REST_FRAME_Y), f64x2.splat(py)));
  xy = f64x2.add(xy, f64x2.mul(two(frame + S.REST_FRAME_Z), f64x2.splat(pz)));
  let z = <f64>load<f32>(frame, S.REST_FRAME_PLACE + 8) + <f64>load<f32>(frame, 8) * px + <f64>load<f32>(frame, S.REST_FRAME_Y + 8) * py + <f64>load<f32>(frame, S.REST_FRAME_Z + 8) * pz;
  const sxy = rows(frame, dx, dy, dz), sz = row(frame + 8, dx, dy, dz);
  let inside: f64 = 0, below = valueAt(grid, xy, z);
  if (!(below < -S.REACH_SKIN * far)) {
    const ahead = px * dx + py * dy + pz * dz;
    const ox = px - ahead * dx, oy = py - ahead * dy, oz = pz - ahead * dz;
    const off = sqrt(ox * ox + oy * oy + oz * oz);
    if (!(off > 0)) return given;
    const by = (2.0 * S.REACH_SKIN * far) / off;
    xy = f64x2.sub(xy, f64x2.mul(f64x2.splat(by), rows(frame, ox, oy, oz)));
    z -= by * row(frame + 8, ox, oy, oz);
    below = valueAt(grid, xy, z);
    if (!(below < 0)) return given;
  }
  const near = S.REACH_NEAR * far;
  let chord: f64 = Infinity, chords = 0;
  while (true) {
    if (inside >= far) return far;
    const byChord = chord < S.REACH_LEAST * far && chords++ < <i32>S.REACH_CHORDS;
    const length = max(-below, byChord ? chord : S.REACH_LEAST * far);
    const t = min(far, inside + length);
    const above = valueAt(grid, along(xy, t, sxy), z + t * sz);
    if (inside == 0 && t == -below && abs(above) <= near) return t;
    if (byChord && abs(above) * length <= near * (above - below)) return t;
    if (above >= 0) return cross(grid, xy, z, sxy, sz, inside, below, t, above, near);
    chord = above > below ? (-above * (t - inside)) / (above - below) : Infinity;
    inside = t;
    below = above;
  }
}

// @ts-ignore: decorator
@inline function along(at: v128, t: f64, step: v128): v128 { return f64x2.add(at, f64x2.mul(f64x2.splat(t), step)); }

function cross(grid: usize, xy: v128, z: f64, sxy: v128, sz: f64, a: f64, below: f64, b: f64, above: f64, near: f64): f64 {
  let t = b, side = 0;
  for (let n = 0; n < <i32>S.REACH_CHORDS; n++) {
    t = a + ((b - a) * below) / (below - above);
    const value = valueAt(grid, along(xy, t, sxy), z + t * sz);
    if (value < 0) {
      if (-value * (t - a) <= near * (value - below)) break;
      a = t;
      below = value;
      if (side < 0) above *= 0.5;
      side = -1;
    } else {
      if (value * (b - t) <= near * (above - value)) break;
      b = t;
      above = value;
      if (side > 0) below *= 0.5;
      side = 1;
    }
  }
  return t;
}

/** The field at a place in its nodes. */
function valueAt(grid: usize, xy: v128, z: f64): f64 {
  const x = f64x2.extract_lane(xy, 0), y = f64x2.extract_lane(xy, 1);
  const nx = load<u32>(grid, S.DISTANCE_GRID_NX), ny = load<u32>(grid, S.DISTANCE_GRID_NY), nz = load<u32>(grid, S.DISTANCE_GRID_NZ);
  if (!(x >= 0 && y >= 0 && z >= 0 && x < <f64>nx - 1.0 && y < <f64>ny - 1.0 && z < <f64>nz - 1.0)) return 1;
  const i = <i32>x, j = <i32>y, k = <i32>z;
  const u = f64x2.splat(x - <f64>i), v = y - <f64>j, w = z - <f64>k;
  const o = S.distance() + ((load<u32>(grid) + (<u32>k * ny + <u32>j) * nx + <u32>i) << S.SHIFT_distance);
  const up = o + ((nx * ny) << S.SHIFT_distance), beside = nx << S.SHIFT_distance;
  // Of the two layers: the edge at j and the one beside it.
  const first = edges(o, up, u);
  const face = f64x2.add(first, f64x2.mul(f64x2.splat(v), f64x2.sub(edges(o + beside, up + beside, u), first)));
  const near = f64x2.extract_lane(face, 0);
  return near + w * (f64x2.extract_lane(face, 1) - near);
}

/** Between the nodes at p and after it, and between those at q. */
// @ts-ignore: decorator
@inline function edges(p: usize, q: usize, u: v128): v128 {
  const nodes = v128.load64_lane(q, v128.load64_zero(p), 1);
  const a = low(v128.shuffle<f32>(nodes, nodes, 0, 2, 0, 2));
  return f64x2.add(a, f64x2.mul(u, f64x2.sub(low(v128.shuffle<f32>(nodes, nodes, 1, 3, 1, 3)), a)));
}
