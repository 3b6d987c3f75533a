import { describe, expect, it } from 'vitest';
import { buildBody } from '../body/build.js';
import type { BodyOptions } from '../body/options.js';
import { random } from '../math/random.js';
import { withoutKernels } from '../spatial/wasm/workspace.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { saveBody } from './bytes.js';

const next = random(testSeed('fastBuild'));
const BODIES: [string, BodyOptions][] = [
  ['blue noise, turned', { shape: { type: 'torus', radius: 1, tube: 0.4 }, sampling: { count: 900 }, rotation: [0, 0, 0.6, 0.8] }],
  ['a grid', { shape: { type: 'box', size: [1, 1, 1] }, sampling: { method: 'grid', spacing: 0.1 }, position: [1, 2, 3] }],
  ['a large body', { shape: { type: 'ellipsoid', radii: [0.5, 0.7, 0.6] }, sampling: { count: 10_000 } }],
  ['thin walls', { shape: { type: 'sphere', radius: 1 }, sampling: { count: 700, shell: 0.1 } }],
  ['points', { points: Float64Array.from({ length: 900 }, next), material: { particleMass: 0.1 } }],
  ['levels', { shape: { type: 'box', size: [2, 1, 1] }, sampling: { count: 800 }, levels: { count: 2 }, material: { raw: {} } }],
  ['a stiff bar, with wider clusters', { shape: { type: 'box', size: [2, 0.5, 0.5] }, sampling: { count: 600 }, material: { young: 1e9 } }],
  ['one cluster', { shape: { type: 'sphere', radius: 1 }, sampling: { count: 300 }, clustering: { count: 1 } }],
]; // biome-ignore format: one body per line

/** The first byte in which two files differ; −1 if none. */
const firstDifference = (a: Uint8Array, b: Uint8Array): number =>
  a.length === b.length ? a.findIndex((byte, k) => byte !== b[k]) : Math.min(a.length, b.length);

describe('a body built by kernels', () => {
  it.each(BODIES)('%s: is that of the plain forms, in bytes, and so are its rows in a world', async (_, options) => {
    const world = await World.create();
    const plain = await World.create();
    world.addBody(options);
    withoutKernels(() => plain.addBody(options));
    const bytes = () => saveBody(buildBody(options));
    expect(firstDifference(bytes(), withoutKernels(bytes))).toBe(-1);
    expect(firstDifference(world.save(), plain.save())).toBe(-1);
    world.dispose();
    plain.dispose();
  });
});
