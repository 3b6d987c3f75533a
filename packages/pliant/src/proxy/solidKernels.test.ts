import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { blueNoise } from '../sample/blueNoise.js';
import { formOf } from '../sample/form.js';
import { type ShapeOptions, shapeSolid } from '../sample/shape.js';
import { shell } from '../sample/shell.js';
import { extentOf, type Solid } from '../sample/solid.js';
import { measureVolume } from '../sample/volumeOf.js';
import { withoutKernels } from '../spatial/wasm/workspace.js';
import { testSeed } from '../testing/seed.js';
import { buildField } from './field.js';
import { surfaceOfSolid } from './outward.js';

const SEED = testSeed('solidKernels');
const next = random(SEED);
const between = (low: number, high: number) => low + next() * (high - low);
const three = (low: number, high: number) => [between(low, high), between(low, high), between(low, high)] as const;

function anywhere<T extends ShapeOptions>(shape: T): T {
  const [x, y, z, w] = [...three(-1, 1), between(0.2, 1)];
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  return { ...shape, position: three(-0.5, 0.5), rotation: [x / length, y / length, z / length, w / length] };
}

const LEAVES: ShapeOptions[] = [
  { type: 'box', size: [1, 0.7, 0.4] },
  { type: 'sphere', radius: 0.5 },
  { type: 'ellipsoid', radii: [0.6, 0.3, 0.45] },
  { type: 'cylinder', radius: 0.3, height: 0.9 },
  { type: 'capsule', radius: 0.25, height: 0.5 },
  { type: 'torus', radius: 0.5, tube: 0.2 },
];
const leaf = () => anywhere(LEAVES[Math.floor(next() * LEAVES.length)]);
const core: ShapeOptions = { type: 'sphere', radius: 0.7 };
/** A creature of this many ellipsoids. */
const creature = (parts: number, smooth: number): ShapeOptions => ({
  type: 'union',
  smooth,
  of: Array.from({ length: parts }, () => anywhere({ type: 'ellipsoid', radii: three(0.1, 0.5) })),
});
const SHAPES: [string, ShapeOptions][] = [
  ...LEAVES.map((shape): [string, ShapeOptions] => [shape.type, anywhere(shape)]),
  ['union', { type: 'union', of: [core, leaf(), leaf()] }],
  ['union with fillets', { type: 'union', smooth: 0.2, of: [core, leaf(), leaf(), leaf()] }],
  ['creature', anywhere(creature(9, 0.15))],
  ['creature with wide fillets', creature(6, 0.8)],
  ['difference', { type: 'difference', of: [core, leaf(), leaf()] }],
  ['difference with round edges', { type: 'difference', smooth: 0.1, of: [core, leaf()] }],
  ['intersection', { type: 'intersection', of: [core, { type: 'box', size: [1, 1, 1] }] }],
  ['intersection with round edges', { type: 'intersection', smooth: 0.1, of: [core, { type: 'box', size: [1, 1, 1] }] }],
  ['nested', anywhere({ type: 'union', smooth: 0.1, of: [core, anywhere(creature(3, 0.1)), leaf()] })],
]; // biome-ignore format: one shape per line
const SOLIDS: [string, Solid][] = [
  ...SHAPES.map(([name, shape]): [string, Solid] => [name, shapeSolid(shape)]),
  ['walls of a ball', shell(shapeSolid({ type: 'sphere', radius: 0.6 }), 0.1)],
  ['walls of a creature', shell(shapeSolid(creature(4, 0.1)), 0.07)],
];

describe.each(SOLIDS)(`kernels of solids, seed ${SEED}: %s`, (_, solid) => {
  const spacing = extentOf(solid) / 16;
  const both = <T>(act: () => T) => expect(act()).toEqual(withoutKernels(act));

  it('the kernels know it', () => expect(formOf(solid)).toBeDefined());
  it('the same volume', () => {
    const { volume, ...unknown } = solid;
    const described = Object.defineProperties(unknown, {
      signed: { value: solid.signed },
      form: { value: formOf(solid) },
    });
    both(() => measureVolume(described));
  });
  it('the same samples', () => both(() => blueNoise(solid, spacing, SEED)));
  it('the same distance field', () => both(() => buildField(solid, spacing)));
  it('the same surface', () => {
    const positions = blueNoise(solid, spacing, SEED);
    both(() => surfaceOfSolid(solid, positions, spacing));
  });
});

it("a copy with another inside is asked by its own functions, not by the shape's numbers", () => {
  const solid = shapeSolid({ type: 'box', size: [1, 1, 1] });
  const half: Solid = {
    ...solid,
    inside: (x, y, z) => x < 0 && solid.inside(x, y, z),
    distance: (x, y, z) => Math.min(Math.abs(x), solid.distance(x, y, z)),
  };
  expect(formOf(half)).toBeUndefined();
  expect(Math.max(...blueNoise(half, 0.2, SEED).filter((_, k) => k % 3 === 0))).toBeLessThan(0);
});
