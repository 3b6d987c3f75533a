import type { Body } from '../../body/body.js';
import type { BodyOptions } from '../../body/options.js';
import type { Vec3 } from '../../check.js';
import { icosphere, type TestMesh } from '../../mesh/testing/meshes.js';
import type { WorldOptions } from '../../world/options.js';
import { World } from '../../world.js';
import {
  collideSurfacePairs,
  collideSurfaces,
  newSurfacePair,
  SURFACE_CONTACT_DEFAULTS,
  type SurfaceContactOptions,
} from '../collideSurfaces.js';
import { bindContactMesh, type ContactMesh } from '../contactMesh.js';
import { updateContactMesh } from '../update.js';

/** A box whose faces are n × n quads, two triangles each; vertices shared. */
export function gridBox(size: Vec3, n: number, centre: Vec3 = [0, 0, 0]): TestMesh {
  const positions: number[] = [];
  const indices: number[] = [];
  const numbers = new Map<string, number>();
  const vertex = (at: number[]) => {
    const key = at.join(' ');
    if (!numbers.has(key)) {
      numbers.set(key, positions.length / 3);
      positions.push(...at.map((k, a) => centre[a] + (k / n - 0.5) * size[a]));
    }
    return numbers.get(key)!;
  };
  for (let axis = 0; axis < 3; axis++)
    for (const end of [0, n])
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++) {
          const corner = (p: number, q: number) => {
            const at = [0, 0, 0];
            at[axis] = end;
            at[(axis + 1) % 3] = i + p;
            at[(axis + 2) % 3] = j + q;
            return vertex(at);
          };
          const [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
          indices.push(...(end ? [a, b, c, a, c, d] : [a, c, b, a, d, c]));
        }
  return { positions, indices };
}

export interface BoundBody {
  body: Body;
  mesh: ContactMesh;
}

export interface Placed extends Partial<BodyOptions> {
  /** Position of the rest shape. */
  centre?: Vec3;
}

/** The rotation of goals that exerts no torque: nothing but contact changes a free body's spin. */
const MATERIAL = { raw: { rotation: 'covariance' } } as const;
/** Turns contact in the step off: the tests call surface contact after it. */
const CONTACT = { mode: 'none' } as const;

/** Adds a box, its particles on a grid of six along its shortest side, with a contact mesh of n × n quads a face. */
export function addBox(
  world: World,
  size: Vec3,
  n: number,
  { centre = [0, 0, 0], ...options }: Placed = {},
): BoundBody {
  const body = world.addBody({
    shape: { type: 'box', size, position: centre },
    sampling: { method: 'grid', spacing: Math.min(...size) / 6 },
    clustering: { count: 4 },
    contact: CONTACT,
    ...options,
    material: { ...MATERIAL, ...options.material },
  });
  return { body, mesh: bindContactMesh(world.state, body, gridBox(size, n, centre)) };
}

/** Adds a ball with an icosphere as its contact mesh. */
export function addBall(world: World, radius: number, level: number, { centre = [0, 0, 0], ...options }: Placed = {}) {
  const body = world.addBody({
    shape: { type: 'sphere', radius, position: centre },
    sampling: { method: 'grid', spacing: radius / 4 },
    clustering: { count: 4 },
    contact: CONTACT,
    ...options,
    material: { ...MATERIAL, ...options.material },
  });
  return { body, mesh: bindContactMesh(world.state, body, icosphere(level, radius, centre)) };
}

/** Adds a body of eight particles in one cluster that carries any mesh. */
export function addBoundMesh(world: World, mesh: TestMesh): BoundBody {
  const points = Array.from({ length: 24 }, (_, k) => ((Math.floor(k / 3) >> (k % 3)) & 1 ? 1 : -1));
  const body = world.addBody({ points, clustering: { count: 1, radius: 10 }, material: MATERIAL, contact: CONTACT });
  return { body, mesh: bindContactMesh(world.state, body, mesh, { open: true }) };
}

export const emptyWorld = (options: WorldOptions = {}) => World.create({ gravity: [0, 0, 0], ...options });

/** Holds every particle of a body where it is. */
export function holdAll(body: Body): void {
  for (let i = 0; i < body.particleCount; i++) body.pin(i);
}

/** Updates contact meshes and resolves their contacts, as the end of a step does. */
export function meet(world: World, a: BoundBody, b: BoundBody, options: SurfaceContactOptions = {}) {
  updateContactMesh(a.mesh, world.state);
  if (b !== a) updateContactMesh(b.mesh, world.state);
  return collideSurfaces(world, a.mesh, b.mesh, { ...SURFACE_CONTACT_DEFAULTS, ...options });
}

/** Updates and resolves several pairs at once. */
export function meetAll(world: World, pairs: readonly [BoundBody, BoundBody][], options: SurfaceContactOptions = {}) {
  for (const pair of pairs) for (const { mesh } of pair) updateContactMesh(mesh, world.state);
  const all = { ...SURFACE_CONTACT_DEFAULTS, ...options };
  return collideSurfacePairs(
    world,
    pairs.map(([a, b]) => newSurfacePair(a.mesh, b.mesh, all)),
  );
}

/** Moves every particle of a body by a map of the rest shape. */
export function deform({ body }: BoundBody, map: (x: number[]) => number[]): void {
  const { restPositions: rest, positions } = body;
  for (let i = 0; i < body.particleCount; i++) positions.set(map([...rest.subarray(3 * i, 3 * i + 3)]), 4 * i);
}

/** Σ m |v| over a world: the scale for errors of momentum. */
export function effort(world: World): number {
  const [x, v] = [world.positions, world.velocities];
  let sum = 0;
  for (let o = 0; o < x.length; o += 4) sum += x[o + 3] * Math.hypot(v[o], v[o + 1], v[o + 2]);
  return sum;
}

/** Σ m x over a world, which contact must not change. */
export function moment(world: World): number[] {
  const x = world.positions;
  const sum = [0, 0, 0];
  for (let o = 0; o < x.length; o += 4) for (let a = 0; a < 3; a++) sum[a] += x[o + 3] * x[o + a];
  return sum;
}
