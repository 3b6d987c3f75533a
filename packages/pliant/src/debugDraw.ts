import type { Body } from './body/body.js';
import { boundsOf } from './body/rigid.js';
import { checkBoolean, checkKeys, refuse, type Vec3, withDefaults } from './check.js';
import { clusterMatricesInto, proxyPlanesInto } from './inspect.js';
import { cos, hypot, sin } from './math/elementary.js';
import { BoxShape } from './obstacles/box.js';
import { hasExpired } from './obstacles/collide.js';
import type { Collider } from './obstacles/collider.js';
import { MeshShape } from './obstacles/meshShape.js';
import { planeInto } from './obstacles/plane.js';
import { RoundShape } from './obstacles/round.js';
import { PROXY_PLANES } from './state/layout.js';
import type { World } from './world.js';

/** Line buffers: two vertices a line. An array that is too short is replaced by a longer one; arrays never get shorter. */
export interface DebugLines {
  /** x, y, z of each vertex (m). */
  positions: Float32Array;
  /** Red, green, blue of each vertex, in [0, 1]. */
  colours: Float32Array;
  /** Number of vertices in use: twice the number of lines. */
  count: number;
}

/** Options of `world.debugDraw`: the kinds of lines that it draws. */
export interface DebugDrawOptions {
  /** The box around each body's particles, grey if the body sleeps. Default true. */
  bounds?: boolean;
  /** A line from each particle to the centre of each of its clusters: many lines. Default false. */
  links?: boolean;
  /** Three axes of each cluster, deformed as it is: red, green, blue. Default false. */
  clusters?: boolean;
  /** Edges of the convex shapes by which clusters collide. Slow. Default false. */
  proxies?: boolean;
  /** Outlines of the colliders. Default true. */
  colliders?: boolean;
  /** A cross at each particle that a clamp holds. Default true. */
  clamps?: boolean;
  /** A line from the place that each pick holds to its target. Default true. */
  picks?: boolean;
  /** A line along the normal at each pair of bodies that touch. Default true. */
  contacts?: boolean;
}

/** Defaults of {@link DebugDrawOptions}. */
export const DEBUG_DRAW_DEFAULTS = {
  bounds: true,
  links: false,
  clusters: false,
  proxies: false,
  colliders: true,
  clamps: true,
  picks: true,
  contacts: true,
} as const satisfies Required<DebugDrawOptions>;

type Colour = readonly [number, number, number];
const AWAKE: Colour = [0.2, 0.8, 0.3];
const ASLEEP: Colour = [0.5, 0.5, 0.5];
const LINK: Colour = [0.35, 0.45, 0.6];
const AXES: readonly Colour[] = [
  [1, 0.2, 0.2],
  [0.2, 1, 0.2],
  [0.3, 0.4, 1],
];
const PROXY: Colour = [0.9, 0.6, 0.1];
const COLLIDER: Colour = [0.3, 0.6, 0.9];
const CLAMP: Colour = [1, 0.8, 0.2];
const PICK: Colour = [1, 0.3, 0.9];
const CONTACT: Colour = [1, 0.1, 0.1];

/** Fills `out` with lines that show a world. The former content of `out` is overwritten. */
export function debugDraw(world: World, out: DebugLines, options: DebugDrawOptions = {}): DebugLines {
  checkKeys('options', options, Object.keys(DEBUG_DRAW_DEFAULTS));
  const all = withDefaults(DEBUG_DRAW_DEFAULTS, options);
  for (const [key, value] of Object.entries(all)) checkBoolean(`options.${key}`, value);
  const sound = out?.positions instanceof Float32Array && out.colours instanceof Float32Array;
  if (!sound) refuse('out', out, 'an object with Float32Arrays positions and colours, and count');
  out.count = 0;
  for (const body of world.bodies) {
    if (all.bounds) drawBounds(out, world, body);
    if (all.links || all.clusters) drawClusters(out, world, body, all);
    if (all.proxies) drawProxies(out, world, body);
  }
  if (all.colliders)
    for (const collider of world.core.allColliders)
      if (collider.enabled && !hasExpired(world, collider)) drawCollider(out, world, collider);
  if (all.clamps)
    for (const clamp of world.core.allClamps)
      if (clamp.holding)
        clamp.forEachHeld((row, body) => {
          const { x, proxySpacing } = world.state.views;
          const at: Vec3 = [x[4 * row], x[4 * row + 1], x[4 * row + 2]];
          cross(out, at, 0.3 * proxySpacing[body.rows.clusterStart], CLAMP);
        });
  if (all.picks) for (const { position, target } of world.picks) line(out, position, target, PICK);
  if (all.contacts)
    for (const { position, normal, a, b } of world.contactPairs()) {
      const length = 0.2 * Math.min(a.size, b.size);
      line(
        out,
        position,
        [0, 1, 2].map((k) => position[k] + length * normal[k]),
        CONTACT,
      );
      cross(out, position, 0.1 * length, CONTACT);
    }
  return out;
}

function line(out: DebugLines, from: ArrayLike<number>, to: ArrayLike<number>, colour: Colour): void {
  const at = 3 * out.count;
  if (at + 6 > out.positions.length || at + 6 > out.colours.length) grow(out, at + 6);
  for (let a = 0; a < 3; a++) {
    out.positions[at + a] = from[a];
    out.positions[at + 3 + a] = to[a];
    out.colours[at + a] = out.colours[at + 3 + a] = colour[a];
  }
  out.count += 2;
}

/** Makes room for at least so many numbers, with as many spare. */
function grow(out: DebugLines, numbers: number): void {
  for (const key of ['positions', 'colours'] as const) {
    if (out[key].length >= numbers) continue;
    const wider = new Float32Array(Math.max(600, 2 * numbers));
    wider.set(out[key].subarray(0, 3 * out.count));
    out[key] = wider;
  }
}

function cross(out: DebugLines, at: Vec3, size: number, colour: Colour): void {
  for (let a = 0; a < 3; a++) {
    const [low, high] = [[...at], [...at]];
    low[a] -= size;
    high[a] += size;
    line(out, low, high, colour);
  }
}

/** The twelve edges of a box; `place` puts a corner into the world. */
function box(
  out: DebugLines,
  min: ArrayLike<number>,
  max: ArrayLike<number>,
  colour: Colour,
  place: (p: Vec3) => Vec3,
): void {
  const corner = (k: number): Vec3 =>
    place([k & 1 ? max[0] : min[0], k & 2 ? max[1] : min[1], k & 4 ? max[2] : min[2]]);
  for (let k = 0; k < 8; k++)
    for (const bit of [1, 2, 4]) if (!(k & bit)) line(out, corner(k), corner(k | bit), colour);
}

const here = (p: Vec3): Vec3 => p;

function drawBounds(out: DebugLines, { state }: World, body: Body): void {
  const { min, max } = boundsOf(state.views, body.rows);
  box(out, min, max, body.active ? AWAKE : ASLEEP, here);
}

let matrices = new Float32Array(0);

function drawClusters(out: DebugLines, world: World, body: Body, { links, clusters }: DebugDrawOptions): void {
  const { x, memberStart, memberParticle } = world.state.views;
  if (matrices.length < 16 * body.clusterCount) matrices = new Float32Array(32 * body.clusterCount);
  clusterMatricesInto(matrices, world, body);
  for (let n = 0; n < body.clusterCount; n++) {
    const centre = matrices.subarray(16 * n + 12, 16 * n + 15);
    if (clusters)
      for (let j = 0; j < 3; j++) {
        const half = [0, 1, 2].map((a) => 0.5 * matrices[16 * n + 4 * j + a]);
        line(
          out,
          centre,
          [0, 1, 2].map((a) => centre[a] + half[a]),
          AXES[j],
        );
      }
    if (!links) continue;
    const c = body.rows.clusterStart + n;
    for (let k = memberStart[c]; k < memberStart[c + 1]; k++) {
      const o = 4 * memberParticle[k];
      line(out, x.subarray(o, o + 3), centre, LINK);
    }
  }
}

const planes = new Float32Array(4 * PROXY_PLANES);

/** Each two planes intersect in a line; the part of it inside all other planes is an edge. */
function drawProxies(out: DebugLines, world: World, body: Body): void {
  for (let n = 0; n < body.clusterCount; n++) {
    const count = proxyPlanesInto(planes, world, body, n);
    for (let p = 0; p < count; p++) for (let q = p + 1; q < count; q++) edge(out, count, p, q);
  }
}

function edge(out: DebugLines, count: number, p: number, q: number): void {
  const [a, b] = [planes.subarray(4 * p, 4 * p + 4), planes.subarray(4 * q, 4 * q + 4)];
  const d = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  const dd = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  const [aa, bb] = [a[0] * a[0] + a[1] * a[1] + a[2] * a[2], b[0] * b[0] + b[1] * b[1] + b[2] * b[2]];
  if (!(dd > 1e-8 * aa * bb)) return;
  // The point of both planes nearest to the origin: (h_a (b × d) + h_b (d × a)) / |d|².
  const at = [0, 1, 2].map((k) => {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    return (a[3] * (b[i] * d[j] - b[j] * d[i]) + b[3] * (d[i] * a[j] - d[j] * a[i])) / dd;
  });
  let [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let k = 0; k < count && from < to; k++) {
    if (k === p || k === q) continue;
    const slope = planes[4 * k] * d[0] + planes[4 * k + 1] * d[1] + planes[4 * k + 2] * d[2];
    const room = planes[4 * k + 3] - (planes[4 * k] * at[0] + planes[4 * k + 1] * at[1] + planes[4 * k + 2] * at[2]);
    if (slope > 0) to = Math.min(to, room / slope);
    else if (slope < 0) from = Math.max(from, room / slope);
    else if (room < 0) return;
  }
  // If the line is open at an end, the proxy's sphere bounds it, which has no edges.
  if (!(from < to && to - from < Number.POSITIVE_INFINITY)) return;
  line(
    out,
    [0, 1, 2].map((k) => at[k] + from * d[k]),
    [0, 1, 2].map((k) => at[k] + to * d[k]),
    PROXY,
  );
}

const turned = new Float64Array(3);

function drawCollider(out: DebugLines, world: World, collider: Collider): void {
  const { shape, to } = collider;
  const place = ([x, y, z]: Vec3): Vec3 => {
    to.turnInto(turned, x, y, z);
    return [turned[0] + to.position[0], turned[1] + to.position[1], turned[2] + to.position[2]];
  };
  if (!shape) drawPlane(out, world, collider);
  else if (shape instanceof BoxShape) box(out, shape.bounds, shape.bounds.subarray(3), COLLIDER, place);
  else if (shape instanceof RoundShape) drawRound(out, world, shape, place);
  else if (shape instanceof MeshShape) {
    const { positions: p, indices } = shape.solid.surface;
    for (let k = 0; k < indices.length; k++) {
      const [i, j] = [indices[k], indices[k % 3 === 2 ? k - 2 : k + 1]];
      // Each edge is in two triangles, once in each direction; a border edge is in one.
      if (i < j || shape.solid.surface.orientation.open)
        line(
          out,
          place([p[3 * i], p[3 * i + 1], p[3 * i + 2]]),
          place([p[3 * j], p[3 * j + 1], p[3 * j + 2]]),
          COLLIDER,
        );
    }
  }
}

/** Distance up to which unbounded shapes are drawn (m): as far as the bodies reach, and at least 1. */
function extent({ bodies, state }: World): number {
  let reach = 1;
  for (const { rows } of bodies) {
    const { min, max } = boundsOf(state.views, rows);
    for (let a = 0; a < 3; a++) reach = Math.max(reach, Math.abs(min[a]), Math.abs(max[a]));
  }
  return Number.isFinite(reach) ? reach : 1;
}

/** Lines of the grid that shows a plane, to either side of the middle. */
const GRID = 5;

function drawPlane(out: DebugLines, world: World, collider: Collider): void {
  const normal = new Float64Array(3);
  const offset = planeInto(normal, collider);
  const [u, v] = across([normal[0], normal[1], normal[2]]);
  const reach = extent(world);
  const at = (s: number, t: number) => [0, 1, 2].map((a) => offset * normal[a] + s * u[a] + t * v[a]);
  for (let k = -GRID; k <= GRID; k++) {
    const s = (k * reach) / GRID;
    line(out, at(s, -reach), at(s, reach), COLLIDER);
    line(out, at(-reach, s), at(reach, s), COLLIDER);
  }
  line(
    out,
    at(0, 0),
    [0, 1, 2].map((a) => (offset + 0.2 * reach) * normal[a]),
    COLLIDER,
  );
}

/** Chords of a circle. */
const CHORDS = 24;

function drawRound(out: DebugLines, world: World, { axis, half, radius }: RoundShape, place: (p: Vec3) => Vec3): void {
  const [u, v] = across(axis);
  const length = half === Number.POSITIVE_INFINITY ? extent(world) : half;
  const arc = (along: number, p: Vec3, q: Vec3, first: number, last: number) => {
    const at = (k: number) => {
      const [c, s] = [radius * cos((2 * Math.PI * k) / CHORDS), radius * sin((2 * Math.PI * k) / CHORDS)];
      return place([0, 1, 2].map((a) => along * axis[a] + c * p[a] + s * q[a]) as unknown as Vec3);
    };
    for (let k = first; k < last; k++) line(out, at(k), at(k + 1), COLLIDER);
  };
  for (const end of length > 0 ? [-length, length] : [0]) {
    arc(end, u, v, 0, CHORDS);
    if (half === Number.POSITIVE_INFINITY) continue;
    // The cap: half circles through its pole; whole circles for a ball.
    const out = (end < 0 ? axis.map((c) => -c) : axis) as Vec3;
    for (const side of [u, v]) arc(end, side, out, 0, length > 0 ? CHORDS / 2 : CHORDS);
  }
  if (length > 0)
    for (const side of [u, v])
      for (const sign of [-radius, radius]) {
        const at = (along: number) => place([0, 1, 2].map((a) => along * axis[a] + sign * side[a]) as unknown as Vec3);
        line(out, at(-length), at(length), COLLIDER);
      }
}

/** Two directions of length 1, perpendicular to the given one of length 1 and to each other. */
function across([x, y, z]: Vec3): [Vec3, Vec3] {
  const [a, b, c] = Math.abs(x) < 0.9 ? [0, z, -y] : [-z, 0, x];
  const length = hypot(a, b, c);
  const u: Vec3 = [a / length, b / length, c / length];
  return [u, [y * u[2] - z * u[1], z * u[0] - x * u[2], x * u[1] - y * u[0]]];
}
