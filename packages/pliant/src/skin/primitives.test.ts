import { describe, expect, it } from 'vitest';
import { type ShapeOptions, shapeSolid } from '../sample/shape.js';
import { shell } from '../sample/shell.js';
import type { Solid } from '../sample/solid.js';
import { skinOfShape, withCavity } from './source.js';
import { edgeLengths, expectSound } from './testing/sound.js';

const SHAPES: ShapeOptions[] = [
  { type: 'box', size: [2, 0.3, 0.5] },
  { type: 'sphere', radius: 0.4 },
  { type: 'ellipsoid', radii: [0.4, 0.15, 0.25] },
  { type: 'cylinder', radius: 0.3, height: 1 },
  { type: 'cylinder', radius: 0.5, height: 0.05 },
  { type: 'capsule', radius: 0.2, height: 0.7 },
  { type: 'torus', radius: 0.5, tube: 0.12 },
];
const TURNED = { position: [3, -2, 1], rotation: [0.5, 0.5, -0.5, 0.5] } as const;

/** Volume by counting the 40³ cells of its box whose middle is inside. */
function counted({ min, max, inside }: Solid): number {
  const n = 40;
  const at = (k: number, a: number) => min[a] + ((k + 0.5) / n) * (max[a] - min[a]);
  let count = 0;
  for (let k = 0; k < n ** 3; k++)
    if (inside(at(k % n, 0), at(Math.floor(k / n) % n, 1), at(Math.floor(k / (n * n)), 2))) count++;
  return (count / n ** 3) * (max[0] - min[0]) * (max[1] - min[1]) * (max[2] - min[2]);
}

describe('the skin of a simple shape', () => {
  it.each(SHAPES.map((shape) => [shape.type, shape] as const))(
    '%s: closed, on its surface, at any resolution',
    (_, shape) => {
      const solid = shapeSolid({ ...shape, ...TURNED });
      for (const spacing of [0.2, 0.05]) {
        const mesh = skinOfShape({ ...shape, ...TURNED }, spacing);
        // Vertices are on a round surface and faces below it: a 28-gon has 0.8 % less than its circle, a torus is two of them.
        const share = expectSound(mesh) / solid.volume!;
        expect(share).toBeGreaterThan(0.982);
        expect(share).toBeLessThan(1 + 1e-9);
        let worst = 0;
        for (let v = 0; v < mesh.positions.length; v += 3)
          worst = Math.max(worst, solid.distance(mesh.positions[v], mesh.positions[v + 1], mesh.positions[v + 2]));
        expect(worst).toBeLessThan(1e-9);
        // 1.25 spacings, or the diagonal of such a quad; triangles of an ellipsoid are stretched with it.
        expect(edgeLengths(mesh)[0]).toBeLessThan(1.25 * 1.6 * spacing);
      }
    },
  );

  it('has as many triangles as 60 000 at most, however small its particles', () => {
    for (const shape of [SHAPES[0], SHAPES[2], SHAPES[3]]) {
      const { indices } = skinOfShape(shape, 0.001);
      expect(indices.length / 3).toBeLessThanOrEqual(60_000);
      expect(indices.length / 3).toBeGreaterThan(30_000);
    }
  });

  it.each(SHAPES.map((shape) => [shape.type, shape] as const))(
    '%s: hollow, with the wall of its cavity',
    (_, shape) => {
      const solid = shapeSolid(shape);
      const [wall, spacing] = [0.02, 0.03];
      const mesh = withCavity(skinOfShape(shape, spacing), solid, shape, wall, spacing);
      const volume = expectSound(mesh);
      // Both walls lose up to 1.8 % of what they enclose, and the counted volume is good for 1 %.
      const off = Math.abs(volume - counted(shell(solid, wall)));
      expect(off).toBeLessThan(0.03 * solid.volume!);
    },
  );

  it('of walls thicker than the body is that of the whole', () => {
    for (const shape of SHAPES) {
      const whole = skinOfShape(shape, 0.05);
      expect(withCavity(whole, shapeSolid(shape), shape, 0.6, 0.05)).toBe(whole);
    }
  });
});
