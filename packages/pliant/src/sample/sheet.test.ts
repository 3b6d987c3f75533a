import { describe, expect, it } from 'vitest';
import { boxMesh, icosphere, merged, reversed, type TestMesh, without } from '../mesh/testing/meshes.js';
import { refusal } from '../testing/refusal.js';
import { World } from '../world.js';
import { meshSolid } from './meshSolid.js';
import { sample } from './sample.js';
import { isSheet } from './sheet.js';

/** A square of 20 × 20 × 2 triangles, bent by `at`. */
function bent(at: (u: number, v: number) => [number, number, number]): TestMesh {
  const [positions, indices]: [number[], number[]] = [[], []];
  for (let i = 0; i <= 20; i++) for (let j = 0; j <= 20; j++) positions.push(...at(i / 20, j / 20));
  for (let i = 0; i < 20; i++)
    for (let j = 0; j < 20; j++) {
      const k = 21 * i + j;
      indices.push(k, k + 1, k + 21, k + 1, k + 22, k + 21);
    }
  return { positions, indices };
}
const pipe = (turn: number) => bent((u, v) => [Math.cos(turn * u), Math.sin(turn * u), 3 * v]);
const floor = (y: number) => bent((u, v) => [u, y, v]);
/** Two triangles that are not in one plane: a box around them has a volume. */
const TWO = { positions: [0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0.2, 1], indices: [0, 1, 2, 0, 2, 3] };

describe('a sheet', () => {
  it.each([
    ['tilted', bent((u, v) => [u, 0.5 * u, v])],
    ['wavy', bent((u, v) => [u, 0.1 * Math.sin(6 * u) * Math.cos(5 * v), v])],
    ['a bump', bent((u, v) => [u, 0.2 * Math.exp(-20 * ((u - 0.5) ** 2 + (v - 0.5) ** 2)), v])],
    ['half a pipe', pipe(Math.PI)],
    // Together they are not flat: that nothing is inside decides.
    ['two that face each other', merged(floor(0), reversed(floor(1)))],
  ])('is one: %s', (_, mesh) => {
    expect(isSheet(meshSolid(mesh))).toBe(true);
  });

  it.each([
    ['a ball', icosphere(2)],
    ['a ball with a hole', without(icosphere(3), (t) => t % 320 < 4)],
    ['a box without a lid', without(boxMesh([1, 1, 1]), (t) => t < 2)],
    ['most of a pipe', pipe(5)],
  ])('is none: %s', (_, mesh) => {
    expect(isSheet(meshSolid(mesh))).toBe(false);
  });

  const message =
    'body.mesh is an open sheet (4 boundary edges) that encloses nothing; expected a closed surface: give the sheet a thickness.';

  it('is refused before it is sampled, hollow or not', () => {
    const solid = meshSolid(TWO, 'body.mesh');
    expect(refusal(() => sample(solid, { count: 100 }))).toBe(message);
    expect(refusal(() => sample(solid, { spacing: 0.05, method: 'grid', shell: 0.01 }))).toBe(message);
  });

  it('is no body, leaves nothing behind, and may be an obstacle', async () => {
    const world = await World.create();
    expect(refusal(() => world.addBody({ mesh: TWO, sampling: { count: 100 } }))).toBe(message);
    expect(world.bodies).toHaveLength(0);
    expect(world.particleCount).toBe(0);
    expect(world.addCollider({ type: 'mesh', mesh: TWO }).warnings).toHaveLength(1);
    world.dispose();
  });
});
