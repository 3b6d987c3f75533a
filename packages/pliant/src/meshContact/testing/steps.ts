import type { Body } from '../../body/body.js';
import type { BodyOptions } from '../../body/options.js';
import type { Vec3 } from '../../check.js';
import { polarInto } from '../../math/polar.js';
import type { Random } from '../../math/random.js';
import { icosphere, type TestMesh, torusMesh } from '../../mesh/testing/meshes.js';
import type { WorldOptions } from '../../world/options.js';
import { World } from '../../world.js';
import { detectSurfaces } from '../collideSurfaces.js';
import { updateContactMesh } from '../update.js';
import { gridBox } from './bodies.js';

/** Options of bodies that collide by their surfaces within the step. */
export const surfaceBody = (mesh: TestMesh, spacing: number, more: BodyOptions = {}): BodyOptions => ({
  mesh,
  sampling: { method: 'grid', spacing },
  clustering: { count: 4 },
  ...more,
  contact: { mode: 'surface', ...more.contact },
  // Torque-free rotation: the rotation of F turns strain into spin and adds energy (SPEC M3).
  material: { ...more.material, raw: { rotation: 'covariance', ...more.material?.raw } },
});

/** A box about its centre, with n × n quads a side and six particles along the shortest one. */
export const surfaceBox = (size: Vec3, n: number, more?: BodyOptions) =>
  surfaceBody(gridBox(size, n), Math.min(...size) / 6, more);

export const surfaceBall = (radius: number, level: number, more?: BodyOptions) =>
  surfaceBody(icosphere(level, radius), radius / 4, more);

/**
 * The surface of all cubes of edge `cell` for which `solid` holds, among nx × ny × nz whose corner is the origin. Cubes that
 * touch in an edge alone make no closed surface.
 */
export function cubesMesh([nx, ny, nz]: Vec3, cell: number, solid: (i: number, j: number, k: number) => boolean) {
  const mesh: TestMesh = { positions: [], indices: [] };
  const numbers = new Map<string, number>();
  const isSolid = (at: number[]) => [nx, ny, nz].every((n, a) => at[a] >= 0 && at[a] < n) && solid(at[0], at[1], at[2]);
  const vertex = (at: number[]) => {
    const key = at.join(' ');
    if (!numbers.has(key)) {
      numbers.set(key, mesh.positions.length / 3);
      mesh.positions.push(...at.map((k) => k * cell));
    }
    return numbers.get(key)!;
  };
  for (let n = 0; n < nx * ny * nz; n++) {
    const at = [n % nx, Math.floor(n / nx) % ny, Math.floor(n / (nx * ny))];
    if (!isSolid(at)) continue;
    for (let axis = 0; axis < 3; axis++)
      for (const end of [0, 1]) {
        if (isSolid(at.map((k, a) => (a === axis ? k + 2 * end - 1 : k)))) continue;
        const corner = (p: number, q: number) => {
          const c = at.slice();
          c[axis] += end;
          c[(axis + 1) % 3] += p;
          c[(axis + 2) % 3] += q;
          return vertex(c);
        };
        const [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
        mesh.indices.push(...(end ? [a, b, c, a, c, d] : [a, c, b, a, d, c]));
      }
  }
  return mesh;
}

/** A world without gravity in which nothing sleeps, with these bodies in it. */
export async function worldOf(bodies: BodyOptions[], options: WorldOptions = {}): Promise<World> {
  const world = await World.create({ gravity: [0, 0, 0], sleepSpeed: 0, ...options });
  for (const body of bodies) world.addBody(body);
  return world;
}

/** Steps a world for some seconds. */
export function run(world: World, seconds: number, each: () => void = () => {}): void {
  for (let n = Math.round(seconds / world.dt); n > 0; n--) {
    world.step();
    each();
  }
}

/** Largest depth (m) of the surfaces of two bodies in each other, at the current positions. */
export function depthBetween(world: World, { core: { surface: a } }: Body, { core: { surface: b } }: Body): number {
  updateContactMesh(a!, world.state);
  updateContactMesh(b!, world.state);
  const { count, normals } = detectSurfaces(a!, b!);
  let deepest = 0;
  for (let n = 0; n < count; n++) deepest = Math.max(deepest, normals[4 * n + 3]);
  return deepest;
}

/** Places a body in its rest shape, at a random rotation, with a velocity. Surface contact keeps no state of earlier steps. */
export function throwBody(body: Body, next: Random, centre: Vec3, velocity: Vec3, spin: Vec3): void {
  const { restPositions: rest, positions, velocities: v } = body;
  const turn = new Float64Array(9);
  polarInto(
    turn,
    Float64Array.from({ length: 9 }, () => 2 * next() - 1),
  );
  const middle = [0, 0, 0];
  for (let k = 0; k < rest.length; k++) middle[k % 3] += rest[k] / body.particleCount;
  for (let i = 0; i < body.particleCount; i++) {
    const p = [0, 1, 2].map((a) => rest[3 * i + a] - middle[a]);
    const r = [0, 1, 2].map((a) => turn[a] * p[0] + turn[3 + a] * p[1] + turn[6 + a] * p[2]);
    for (let a = 0; a < 3; a++) {
      const [b, c] = [(a + 1) % 3, (a + 2) % 3];
      positions[4 * i + a] = centre[a] + r[a];
      v[4 * i + a] = velocity[a] + spin[b] * r[c] - spin[c] * r[b];
    }
  }
}

/** An L, one arm 60 cm long and the other 40. */
const angle = cubesMesh([3, 2, 1], 0.2, (i, j) => j === 0 || i === 0);
/** Shapes that are thrown at one another: a ball, a box, a ring and an L. */
export const SHAPES: ((more: BodyOptions) => BodyOptions)[] = [
  (more) => surfaceBall(0.3, 2, more),
  (more) => surfaceBox([0.5, 0.4, 0.45], 3, more),
  (more) => surfaceBody(torusMesh(0.28, 0.12, 16, 8), 0.08, more),
  (more) => surfaceBody(angle, 0.1, more),
];
