import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { icosphere, merged } from '../mesh/testing/meshes.js';
import { testSeed } from '../testing/seed.js';
import { detectSurfaces } from './collideSurfaces.js';
import { bindContactMesh } from './contactMesh.js';
import { hasFolded } from './fold.js';
import { addBox, type BoundBody, deform, emptyWorld, meet } from './testing/bodies.js';
import { cubesMesh, surfaceBody, throwBody, worldOf } from './testing/steps.js';
import { updateContactMesh } from './update.js';

describe('a body against itself', () => {
  it('crosses nothing however it is turned and wherever it is, though edges point at triangles of their own side', async () => {
    const next = random(testSeed('flat sides'));
    const world = await emptyWorld();
    const { body, mesh } = addBox(world, [0.6, 0.6, 0.6], 5, { clustering: { count: 1 } });
    for (let n = 0; n < 200; n++) {
      const far = 10 ** Math.floor(4 * next());
      throwBody(body, next, [far * next(), far * next(), far * next()], [0, 0, 0], [0, 0, 0]);
      updateContactMesh(mesh, world.state);
      expect(detectSurfaces(mesh, mesh).count).toBe(0);
    }
  });

  it('is not moved by what only rounding could part: one cluster whose surface lies in itself', async () => {
    const world = await emptyWorld();
    const { body } = addBox(world, [2, 1, 1], 1, { clustering: { count: 1 } });
    const mesh = merged(icosphere(3, 0.5, [-0.4, 0, 0]), icosphere(3, 0.5, [0.4, 0, 0]));
    const both: BoundBody = { body, mesh: bindContactMesh(world.state, body, mesh) };
    const still = [...body.positions];
    expect(meet(world, both, both, { gamma: 1, restitution: 1 }).contacts).toBeGreaterThan(10);
    expect([...body.positions]).toEqual(still);
    expect(body.velocities.every((v) => v === 0)).toBe(true);
  });

  it('may touch itself once it is bent or squeezed, not by moving, turning or a little strain', async () => {
    // A U, as in step.test.ts.
    const arch = cubesMesh([9, 6, 2], 0.1, (i, j) => j < 2 || i < 2 || i > 6);
    const world = await worldOf([surfaceBody(arch, 0.05, { clustering: { count: 24 } })]);
    const [body] = world.bodies;
    const mesh = body.core.surface!;
    const foldedBy = (map: (x: number[]) => number[]) => {
      deform({ body, mesh }, map);
      updateContactMesh(mesh, world.state);
      return hasFolded(mesh);
    };
    expect(foldedBy((x) => x)).toBe(false);
    expect(foldedBy(([x, y, z]) => [100 - y, x + 7, z])).toBe(false);
    expect(foldedBy(([x, y, z]) => [0.9 * x, 0.9 * y, z])).toBe(false);
    expect(foldedBy(([x, y, z]) => [0.8 * x, y, z])).toBe(true);
    // Legs that lean towards each other: their tips, 70 cm apart, come to 40.
    expect(foldedBy(([x, y, z]) => [x + (x < 0.45 ? 0.375 : -0.375) * Math.max(0, y - 0.2), y, z])).toBe(true);
  });
});
