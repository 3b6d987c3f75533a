import { describe, expect, it } from 'vitest';
import { icosphere, without } from '../mesh/testing/meshes.js';
import { withoutKernels } from '../spatial/wasm/workspace.js';
import { testSeed } from '../testing/seed.js';
import { Work } from '../work.js';
import { blueNoise } from './blueNoise.js';
import { meshSolid } from './meshSolid.js';
import type { Solid } from './solid.js';
import { shape, solids } from './testing/solids.js';

const SEED = testSeed('fastNoise');
const open = icosphere(2);
/** A cube of side 1 anywhere, also beyond the places that bodies may have. */
const cubeAt = (at: number): Solid => ({
  min: [at, at, at],
  max: [at + 1, at + 1, at + 1],
  inside: () => true,
  distance: (x, y, z) => Math.min(...[x, y, z].flatMap((value) => [Math.abs(value - at), Math.abs(at + 1 - value)])),
});
const MORE: [string, Solid, number][] = [
  ['cube at some distance', cubeAt(1e5), 0.07],
  ['cube at a distance where places are rounded', cubeAt(1e9), 0.07],
  ['flat box', shape({ type: 'box', size: [1, 1e-4, 0.8] }), 0.05],
  ['open mesh', meshSolid(without(open, (t) => t < 3)), 0.25],
  ['body smaller than its spacing', shape({ type: 'sphere', radius: 0.1 }), 0.3],
  ['difference', shape({ type: 'difference', of: [{ type: 'box', size: [1, 1, 1] }, { type: 'sphere', radius: 0.55 }] }), 0.06],
]; // biome-ignore format: one solid per line

describe.each([...solids, ...MORE])('kernels of blue noise: %s', (_, solid, spacing) => {
  it('the same samples as the plain form, up to any number', () => {
    for (const enough of [Number.POSITIVE_INFINITY, 100]) {
      const run = () => blueNoise(solid, spacing, SEED, { enough });
      expect(run()).toEqual(withoutKernels(run));
    }
  });
});

it('a cancelled sampling leaves the kernels as they were', () => {
  const solid = shape({ type: 'box', size: [1, 1, 1] });
  const before = blueNoise(solid, 0.08, SEED);
  const work = new Work({
    onProgress: () => {
      throw new Error('no more');
    },
  });
  expect(() => blueNoise(solid, 0.03, SEED, { expected: 10_000, work })).toThrow('no more');
  expect(blueNoise(solid, 0.08, SEED)).toEqual(before);
});
