import type { BodyOptions } from '../../body/options.js';
import type { Vec3 } from '../../check.js';
import type { Random } from '../../math/random.js';
import { icosphere, type TestMesh, torusMesh } from '../../mesh/testing/meshes.js';
import { meshSolid, type ShapeOptions, type Solid, shapeSolid } from '../../sample/index.js';

/** A mesh with hills and hollows of a quarter of its radius. */
export function lumpyMesh(): TestMesh {
  const { positions, indices } = icosphere(4);
  for (let k = 0; k < positions.length; k += 3) {
    const [x, y, z] = positions.slice(k, k + 3);
    const r = 0.5 * (1 + 0.25 * Math.sin(4 * x + 1) * Math.cos(3 * y) + 0.2 * Math.sin(5 * z));
    for (let a = 0; a < 3; a++) positions[k + a] *= r;
  }
  return { positions, indices };
}

const primitive = (shape: ShapeOptions) => ({ body: { shape } as BodyOptions, solid: shapeSolid(shape) });
const fromMesh = (mesh: TestMesh) => ({ body: { mesh } as BodyOptions, solid: meshSolid(mesh) as Solid });

/** Bodies about one metre wide whose surface is known. */
export const SOLIDS = {
  sphere: primitive({ type: 'sphere', radius: 0.5 }),
  box: primitive({ type: 'box', size: [0.9, 0.8, 0.7] }),
  torus: primitive({ type: 'torus', radius: 0.45, tube: 0.15 }),
  'torus mesh': fromMesh(torusMesh(0.45, 0.15, 48, 24)),
  'lumpy mesh': fromMesh(lumpyMesh()),
};

/** Negative inside. */
export const signedDistance = (solid: Solid, [x, y, z]: Vec3) =>
  (solid.inside(x, y, z) ? -1 : 1) * solid.distance(x, y, z);

/** Normal of the surface near a point, by differences over `step`; and its bend (0 where it is flat). */
export function surfaceNormal(solid: Solid, p: Vec3, step: number): { normal: number[]; bend: number } {
  const g = [0, 1, 2].map((a) => {
    const at = (by: number) => signedDistance(solid, p.map((v, b) => (a === b ? v + by : v)) as unknown as Vec3);
    return (at(step) - at(-step)) / (2 * step);
  });
  const length = Math.hypot(...g);
  // The gradient of a distance has length 1, except across an edge, where the differences meet two sides.
  return { normal: g.map((v) => v / length), bend: 1 - length };
}

/** Distance at which a ray enters a solid, by sphere tracing; undefined if it does not within 10 m. */
export function enter(solid: Solid, o: Vec3, d: Vec3): number | undefined {
  for (let t = 0; t < 10; ) {
    const [x, y, z] = [o[0] + t * d[0], o[1] + t * d[1], o[2] + t * d[2]];
    if (solid.inside(x, y, z)) return t;
    t += Math.max(1e-4, 0.9 * solid.distance(x, y, z));
  }
  return undefined;
}

export function randomDirection(next: Random): Vec3 {
  for (;;) {
    const v = [2 * next() - 1, 2 * next() - 1, 2 * next() - 1];
    const length = Math.hypot(...v);
    if (length < 1 && length > 0.1) return [v[0] / length, v[1] / length, v[2] / length];
  }
}

/** A ray from two metres away towards a random point in the cube of 0.9 m. */
export function randomRay(next: Random): { origin: Vec3; direction: Vec3 } {
  const u = randomDirection(next);
  const origin: Vec3 = [2 * u[0], 2 * u[1], 2 * u[2]];
  const to = origin.map((v) => 0.9 * (next() - 0.5) - v);
  const length = Math.hypot(...to);
  return { origin, direction: [to[0] / length, to[1] / length, to[2] / length] };
}

export const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Degrees between two vectors of length 1. */
export const angle = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  (Math.acos(Math.max(-1, Math.min(1, dot(a, b)))) * 180) / Math.PI;
