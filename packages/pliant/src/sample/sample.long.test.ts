import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { icosphere, merged, reversed, torusMesh } from '../mesh/testing/meshes.js';
import { testSeed } from '../testing/seed.js';
import { meshSolid } from './meshSolid.js';
import { sample } from './sample.js';
import { meetsCount } from './searchSpacing.js';
import { type ShapeOptions, shapeSolid } from './shape.js';
import { leastDistance } from './testing/pairs.js';

const length = fc.double({ min: 0.1, max: 3, noNaN: true });
const primitive: fc.Arbitrary<ShapeOptions> = fc.oneof(
  fc.record({ type: fc.constant('box' as const), size: fc.tuple(length, length, length) }),
  fc.record({ type: fc.constant('box' as const), size: length.map((s) => [s, s, s] as const) }),
  fc.record({ type: fc.constant('sphere' as const), radius: length }),
  fc.record({ type: fc.constant('ellipsoid' as const), radii: fc.tuple(length, length, length) }),
  fc.record({ type: fc.constant('cylinder' as const), radius: length, height: length }),
  fc.record({ type: fc.constant('capsule' as const), radius: length, height: length }),
  fc.record({ type: fc.constant('torus' as const), radius: fc.constant(3), tube: length }),
);
const anyShape: fc.Arbitrary<ShapeOptions> = fc.oneof(
  { weight: 3, arbitrary: primitive },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('union' as const),
      of: fc.array(
        fc.tuple(primitive, fc.tuple(length, length, length)).map(([s, position]) => ({ ...s, position })),
        { minLength: 1, maxLength: 3 },
      ),
    }),
  },
);
const method = fc.constantFrom('grid' as const, 'blue-noise' as const);
/** As many small counts as large ones. */
const anyCount = fc.double({ min: 0, max: Math.log(3000), noNaN: true }).map((x) => Math.round(Math.exp(x)));

describe('sample', () => {
  it('meets any count within 2 % or one particle, in any shape, by both methods', () => {
    const seed = testSeed('sample count');
    fc.assert(
      fc.property(anyShape, anyCount, method, fc.integer(), (shape, count, method, particleSeed) => {
        const solid = shapeSolid(shape);
        const { positions, spacing } = sample(solid, { count, method, seed: particleSeed });
        expect(meetsCount(positions.length / 3, count)).toBe(true);
        for (let k = 0; k < positions.length; k += 3)
          expect(solid.inside(positions[k], positions[k + 1], positions[k + 2])).toBe(true);
        expect(leastDistance(positions, 1.2 * spacing)).toBeGreaterThanOrEqual(
          (method === 'grid' ? 0.84 : 1) * spacing,
        );
      }),
      { seed, numRuns: 60, verbose: true },
    );
  });

  it.each([
    ['sphere', icosphere(3)],
    ['torus', torusMesh(1, 0.3, 40, 20)],
    ['hollow sphere', merged(icosphere(3), reversed(icosphere(2, 0.6)))],
  ])('meets counts in a mesh: %s', (_, mesh) => {
    const solid = meshSolid(mesh);
    for (const method of ['grid', 'blue-noise'] as const)
      for (const count of [7, 100, 1331, 5098])
        expect(meetsCount(sample(solid, { count, method }).positions.length / 3, count)).toBe(true);
  });
});
