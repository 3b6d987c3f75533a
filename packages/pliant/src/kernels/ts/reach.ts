import { FIELDS, Row, TRANSFORM_ROW, Transform } from '../../state/fields.js';
import type { Views } from '../../state/layout.js';
import { REACH } from '../constants.js';

/**
 * The distance (m) from particle i to the surface of its body, towards an obstacle with the normal n, which points away from the obstacle; at most `far`.
 * The way leads through the distance field of the rest shape, in the direction that the particle's clusters turn n to. A particle without a cluster has its `reach`.
 */
export function reachAlong(s: Views, i: number, nx: number, ny: number, nz: number, far: number): number {
  const { transform, link, linkStart, linkCluster } = s;
  const rank = s.gatherRank[i];
  const first = linkStart[rank];
  const end = linkStart[rank + 1];
  if (first === end) return s.reach[i];
  // Direction in the rest shape: −Fᵀ n, which is that of the surface with this normal.
  let dx = 0;
  let dy = 0;
  let dz = 0;
  for (let l = first; l < end; l++) {
    const t = TRANSFORM_ROW * linkCluster[l];
    const w = link[Row.link * l + FIELDS.link.WEIGHT];
    dx -= w * turned(transform, t, nx, ny, nz);
    dy -= w * turned(transform, t + Transform.Y, nx, ny, nz);
    dz -= w * turned(transform, t + Transform.Z, nx, ny, nz);
  }
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (!(length > 0)) return s.reach[i];
  // Rounded as positions are: particles on an obstacle are not found behind it again.
  return Math.fround(march(s, i, first, dx / length, dy / length, dz / length, far));
}

const turned = (m: Float32Array, o: number, nx: number, ny: number, nz: number) =>
  m[o] * nx + m[o + 1] * ny + m[o + 2] * nz;

/** Distance (m) from particle i, the offset of link l, along a direction of the rest shape to its surface; at most `far`. */
function march(s: Views, i: number, l: number, dx: number, dy: number, dz: number, far: number): number {
  const { restFrame, distanceGrid, link } = s;
  const { Y, Z, PLACE } = FIELDS.restFrame;
  const c = s.linkCluster[l];
  const f = Row.restFrame * c;
  const p = Row.link * l;
  for (let a = 0; a < 3; a++) {
    from[a] =
      restFrame[f + PLACE + a] +
      restFrame[f + a] * link[p] +
      restFrame[f + Y + a] * link[p + 1] +
      restFrame[f + Z + a] * link[p + 2];
    step[a] = restFrame[f + a] * dx + restFrame[f + Y + a] * dy + restFrame[f + Z + a] * dz;
  }
  nodes = s.distance;
  for (let k = 0; k < 4; k++) grid[k] = distanceGrid[Row.distanceGrid * c + k];
  let inside = 0;
  let below = valueAt(0);
  if (!(below < -REACH.SKIN * far)) {
    // A particle of blue noise may lie in a side. The march begins a little beside it, towards the middle of its cluster.
    const along = link[p] * dx + link[p + 1] * dy + link[p + 2] * dz;
    const ox = link[p] - along * dx;
    const oy = link[p + 1] - along * dy;
    const oz = link[p + 2] - along * dz;
    const off = Math.sqrt(ox * ox + oy * oy + oz * oz);
    if (!(off > 0)) return s.reach[i];
    const by = (2 * REACH.SKIN * far) / off;
    for (let a = 0; a < 3; a++)
      from[a] -= by * (restFrame[f + a] * ox + restFrame[f + Y + a] * oy + restFrame[f + Z + a] * oz);
    below = valueAt(0);
    if (!(below < 0)) return s.reach[i];
  }
  const near = REACH.NEAR * far;
  // How much farther the surface is by the rise of the field in the last step.
  let chord = Number.POSITIVE_INFINITY;
  let chords = 0;
  for (;;) {
    if (inside >= far) return far;
    const byChord = chord < REACH.LEAST * far && chords++ < REACH.CHORDS;
    const length = Math.max(-below, byChord ? chord : REACH.LEAST * far);
    const t = Math.min(far, inside + length);
    const above = valueAt(t);
    // Most often, as the nearest surface is the one that is looked for. Not along a side, where the field is small everywhere.
    if (inside === 0 && t === -below && Math.abs(above) <= near) return t;
    if (byChord && Math.abs(above) * length <= near * (above - below)) return t;
    if (above >= 0) return cross(inside, below, t, above, near);
    chord = above > below ? (-above * (t - inside)) / (above - below) : Number.POSITIVE_INFINITY;
    inside = t;
    below = above;
  }
}

// Start and direction of the march, in nodes of the field.
const from = new Float64Array(3);
const step = new Float64Array(3);

/**
 * Where the field changes sign between two places, by chords, up to `near`. The end that stays counts half as much in the next chord (the Illinois method): the field
 * bends at edges, and plain chords came to within 5 mm only where particles are 15 cm apart.
 */
function cross(a: number, below: number, b: number, above: number, near: number): number {
  let t = b;
  let side = 0;
  for (let n = 0; n < REACH.CHORDS; n++) {
    t = a + ((b - a) * below) / (below - above);
    const value = valueAt(t);
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

// The field that is marched through: its nodes, the first of the body, and their numbers along the axes.
let nodes: Float32Array = new Float32Array(0);
const grid = new Uint32Array(4);

/** The field (m) at the distance t of the march, linear between nodes. Outside of the field, where no body is, 1. */
function valueAt(t: number): number {
  const x = from[0] + t * step[0];
  const y = from[1] + t * step[1];
  const z = from[2] + t * step[2];
  const countX = grid[1];
  const countY = grid[2];
  if (!(x >= 0 && y >= 0 && z >= 0 && x < countX - 1 && y < countY - 1 && z < grid[3] - 1)) return 1;
  const i = Math.floor(x);
  const j = Math.floor(y);
  const k = Math.floor(z);
  const u = x - i;
  const v = y - j;
  const w = z - k;
  const o = grid[0] + (k * countY + j) * countX + i;
  const near = edge(o, u) + v * (edge(o + countX, u) - edge(o, u));
  const up = o + countX * countY;
  return near + w * (edge(up, u) + v * (edge(up + countX, u) - edge(up, u)) - near);
}

const edge = (o: number, u: number) => nodes[o] + u * (nodes[o + 1] - nodes[o]);
