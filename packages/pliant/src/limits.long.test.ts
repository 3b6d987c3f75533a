import { describe, expect, it } from 'vitest';
import { buildBody } from './body/build.js';
import type { BodyOptions } from './body/options.js';
import { PliantError } from './check.js';
import { checkLength, checkPlace, growUntil, MAX_PARTICLES } from './limits.js';
import { random } from './math/random.js';
import { State } from './state/state.js';
import { Work } from './work.js';
import { World } from './world.js';

const MAGNITUDES = [1e-308, 1e-300, 1e-160, 1e-12, 1e-9, 1e-6, 1e6, 1e9, 1e12, 1e80, 1e155, 1e300, 1.7e308, -0, -1e300];

/** Checkpoints of a build of some dozens of particles at most. An open mesh's 64³ boxes alone are some thousands. */
const MOST_TICKS = 25_000;

/** Builds or is refused, within bounds. Returns the refusal. */
function attempt(options: BodyOptions): PliantError | undefined {
  const work = new Work();
  let refusal: PliantError | undefined;
  try {
    const { data } = buildBody(options, 'body', work);
    expect(data.positions.every(Number.isFinite)).toBe(true);
  } catch (error) {
    expect(error).toBeInstanceOf(PliantError);
    refusal = error as PliantError;
  }
  expect(work.ticks).toBeLessThan(MOST_TICKS);
  return refusal;
}

const COUNT = { count: 40 };
const box = (...size: [number, number, number]): BodyOptions => ({ shape: { type: 'box', size }, sampling: COUNT });
const ball = (radius: number) => ({ type: 'sphere', radius }) as const;
const unit = (more: BodyOptions): BodyOptions => ({ ...box(1, 1, 1), ...more });

/** A box as a mesh, without some of its twelve triangles. */
function boxMesh(x: number, y: number, z: number, ...without: number[]) {
  const positions = [0, 0, 0, x, 0, 0, x, y, 0, 0, y, 0, 0, 0, z, x, 0, z, x, y, z, 0, y, z];
  const faces = [
    0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7,
  ];
  return { positions, indices: faces.filter((_, k) => !without.includes(Math.floor(k / 3))) };
}

describe.each<[string, (v: number) => BodyOptions]>([
  ['a box', (v) => box(v, v, v)],
  ['one side of a box', (v) => box(v, 1, 1)],
  ['two sides of a box', (v) => box(v, v, 1)],
  ['sides that make up for each other', (v) => box(v, 1, 1 / v)],
  ['one side of a box on a grid', (v) => ({ ...box(v, 1, 1), sampling: { ...COUNT, method: 'grid' } })],
  ['a sphere', (v) => ({ shape: ball(v), sampling: COUNT })],
  ['an ellipsoid', (v) => ({ shape: { type: 'ellipsoid', radii: [v, 1, 1] }, sampling: COUNT })],
  ['a cylinder', (v) => ({ shape: { type: 'cylinder', radius: 1, height: v }, sampling: COUNT })],
  ['a capsule', (v) => ({ shape: { type: 'capsule', radius: v, height: 1 }, sampling: COUNT })],
  ['a tube of a torus', (v) => ({ shape: { type: 'torus', radius: 1, tube: v }, sampling: COUNT })],
  ['a torus', (v) => ({ shape: { type: 'torus', radius: v, tube: v / 2 }, sampling: COUNT })],
  ['a part of a union', (v) => ({ shape: { type: 'union', of: [ball(1), ball(v)] }, sampling: COUNT })],
  [
    'what is left of a difference',
    (v) => ({ shape: { type: 'difference', of: [ball(1), ball(1 - v)] }, sampling: COUNT }),
  ],
  [
    'parts far apart',
    (v) => ({ shape: { type: 'union', of: [ball(1), { ...ball(1), position: [v, 0, 0] }] }, sampling: COUNT }),
  ],
  [
    'an implicit function',
    (v) => ({
      shape: {
        type: 'implicit',
        distance: (x, y, z) => x * x + y * y + z * z - v * v,
        min: [-v, -v, -v],
        max: [v, v, v],
      },
      sampling: COUNT,
    }),
  ],
  ['a mesh', (v) => ({ mesh: boxMesh(v, v, v), sampling: COUNT })],
  ['one side of a mesh', (v) => ({ mesh: boxMesh(v, 1, 1), sampling: COUNT })],
  ['an open mesh', (v) => ({ mesh: boxMesh(v, 1, 1, 0, 1), sampling: COUNT })],
  ['walls of a shell', (v) => ({ shape: ball(1), sampling: { ...COUNT, shell: v } })],
  ['walls of a mesh', (v) => ({ mesh: boxMesh(1, 1, 1, 0), sampling: { ...COUNT, shell: v } })],
  ['a coordinate of a point', (v) => ({ points: [0, 0, v, 1, 0, 0] })],
  ['coordinates of all points', (v) => ({ points: [0, 0, 0, v, 0, 0, 0, v, 0, 0, 0, v] })],
  ['one point', (v) => ({ points: [v, v, v] })],
  ['coincident points', (v) => ({ points: [v, v, v, v, v, v, v, v, v] })],
  ['a spacing', (v) => unit({ sampling: { spacing: v } })],
  ['a spacing in a thin body', (v) => ({ ...box(1e-9, 1, 1), sampling: { spacing: v } })],
  ['a radius of clusters', (v) => unit({ clustering: { radius: v, maxIterations: 1e6 } })],
  ['a largest radius', (v) => unit({ clustering: { maxRadius: v } })],
  ['ε of a kernel', (v) => unit({ clustering: { epsilon: v } })],
  ['weight of orphans', (v) => unit({ clustering: { orphanWeight: v, count: 4 } })],
  ['iterations', (v) => unit({ clustering: { maxIterations: v } })],
  [
    'a factor between levels',
    (v) => unit({ clustering: { count: 9 }, levels: { radiusFactor: 1 + v }, material: { raw: {} } }),
  ],
  ['a scale', (v) => unit({ scale: v })],
  ['a scale along one axis', (v) => unit({ scale: [v, 1, 1] })],
  ['a position', (v) => unit({ position: [v, 0, 0] })],
  ['a stretch', (v) => unit({ stretch: [v, 1, 1] })],
  ['a centre of stretch', (v) => unit({ stretch: [2, 1, 1], stretchCentre: [v, 0, 0] })],
  ['a density', (v) => unit({ material: { density: v } })],
])('%s of any magnitude', (_, make) => {
  it.each(MAGNITUDES)('%d is built or refused', (v) => {
    const refusal = attempt(make(v));
    if (refusal) expect(refusal.message).toMatch(/; expected /);
  });
});

describe('the bounds', () => {
  it('are named with the field and the value', () => {
    expect(() => buildBody(box(1e80, 1, 1))).toThrow('body.shape.size is 1e+80; expected a length from 1e-9 to 1e9 m.');
    expect(() => buildBody({ points: [0, 0, 1e155, 1, 0, 0] })).toThrow(
      'body.points[2] is 1e+155; expected a coordinate within ±1e9 m.',
    );
    expect(() => buildBody(unit({ clustering: { radius: 1e-300 } }))).toThrow(
      'body.clustering.radius is 1e-300; expected a length from 1e-9 to 1e9 m.',
    );
    expect(() => buildBody(unit({ scale: 1e-12 }))).toThrow(
      /^body\.shape has a side of 1e-12 m along x; expected sides from 1e-9 to 1e9 m\.$/,
    );
    expect(() => buildBody({ points: [0, 0, 0, 1e-12, 0, 0] })).toThrow(
      /^body\.points has an extent of 1e-12 m; expected 0, /,
    );
    expect(() => buildBody(unit({ stretch: [1e12, 1, 1] }))).toThrow(
      /^body coordinate x of particle 0, stretched, is /,
    );
  });

  it('themselves are allowed', () => {
    for (const length of [1e-9, 1e9]) expect(checkLength('length', length)).toBe(length);
    expect(checkPlace('place', [1e9, -1e9, 0])).toEqual([1e9, -1e9, 0]);
    expect(attempt({ ...box(1e9, 1e9, 1e9), material: { particleMass: 1 } })).toBeUndefined();
    expect(attempt({ ...box(1e-9, 1e-9, 1e-9), material: { particleMass: 1 } })).toBeUndefined();
  });

  it('end every search for a length', () => {
    let rounds = 0;
    expect(growUntil(1e-9, 1.1, (length) => ++rounds > 0 && length >= 1e9)).toBeGreaterThanOrEqual(1e9);
    expect(rounds).toBeLessThan(450);
    expect(() => growUntil(0, 2, (length) => length > 1)).toThrow(PliantError);
  });
});

describe('thin bodies', () => {
  it.each([1e-9, 1e-6, 1e-4])('a sheet of %d m is one layer of particles', (thickness) => {
    for (const method of ['blue-noise', 'grid'] as const) {
      const sheet = { ...box(thickness, 1, 1), sampling: { count: 300, method } };
      const { data } = buildBody(sheet);
      expect(Math.abs(data.masses.length - 300)).toBeLessThanOrEqual(6);
      for (let k = 0; k < data.positions.length; k++)
        expect(Math.abs(data.positions[k])).toBeLessThanOrEqual(k % 3 === 0 ? thickness / 2 : 0.5);
      // Spread over the sheet: each quarter has its share.
      let quarter = 0;
      for (let k = 0; k < data.positions.length; k += 3)
        if (data.positions[k + 1] > 0 && data.positions[k + 2] > 0) quarter++;
      expect(quarter / data.masses.length).toBeGreaterThan(0.2);
      expect(quarter / data.masses.length).toBeLessThan(0.3);
    }
  });

  it('a rod is one line of particles', () => {
    const { data } = buildBody({ ...box(1e-6, 1e-6, 1), sampling: { count: 50 } });
    expect(Math.abs(data.masses.length - 50)).toBeLessThanOrEqual(1);
  });

  it('walls too thin for their volume to be known are refused, with a thickness that is not', () => {
    const refusal = attempt({ shape: ball(1), sampling: { count: 40, shell: 1e-5 } });
    expect(refusal?.message).toMatch(/^body\.sampling\.shell is 0\.00001; expected at least /);
    const least = Number(/at least ([^:]+):/.exec(refusal!.message)![1]);
    expect(least).toBeGreaterThan(1e-5);
    expect(attempt({ shape: ball(1), sampling: { count: 40, shell: 2 * least } })).toBeUndefined();
    expect(attempt({ shape: ball(1), sampling: { count: 40, shell: 50 } })).toBeUndefined();
  });
});

describe('open and tiny meshes', () => {
  /** Triangles that have nothing to do with one another. */
  function soup(triangles: number, seed: number, size: (share: number) => number) {
    const next = random(seed);
    const positions: number[] = [];
    for (let t = 0; t < triangles; t++) {
      const centre = [next(), next(), next()];
      const scale = size(next());
      for (let k = 0; k < 9; k++) positions.push(centre[k % 3] + scale * (next() - 0.5));
    }
    return { positions };
  }

  it.each<[string, BodyOptions['mesh']]>([
    ['a box without a triangle', boxMesh(1, 1, 1, 0)],
    ['a box without a lid', boxMesh(1, 1, 1, 0, 1)],
    ['a box without two triangles', boxMesh(1, 1, 1, 2, 7)],
    ['a box without four', boxMesh(1, 1, 1, 0, 1, 2, 3)],
    ['a millimetre of it', boxMesh(1e-3, 1e-3, 1e-3, 3)],
    ['a sliver', boxMesh(1e-3, 1, 1, 0, 1)],
    ['a thin sliver', boxMesh(1e-6, 1, 1, 6)],
    ['an open rod', boxMesh(1e-4, 1e-4, 1, 3)],
    [
      'an open tetrahedron',
      { positions: [0, 0, 0, 1e-3, 0, 0, 0, 1e-3, 0, 0, 0, 1e-3], indices: [0, 2, 1, 0, 1, 3, 0, 3, 2] },
    ],
    ['one triangle', { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0.5] }],
    ['two', { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0.5, 1, 1, 1, 2, 0, 1, 0, 1, 0] }],
    ['a soup', soup(12, 1, () => 1)],
    ['a soup of many sizes', soup(12, 3, (share) => Math.sqrt(share))],
  ])('%s', (_, mesh) => {
    attempt({ mesh, sampling: { count: 60 } });
  });
});

describe('too many particles are refused before they are made', () => {
  it.each<[string, BodyOptions, RegExp]>([
    [
      'a count',
      unit({ sampling: { count: MAX_PARTICLES + 1 } }),
      /^body\.sampling\.count is 2000001; expected .*2000000/,
    ],
    [
      'a spacing',
      unit({ sampling: { spacing: 1e-3 } }),
      /^body\.sampling\.spacing is 0\.001; expected at least .* 2000000 particles at most/,
    ],
    [
      'a spacing in a sheet',
      { ...box(1e-6, 1, 1), sampling: { spacing: 1e-5 } },
      /^body\.sampling\.spacing is 0\.00001; expected (more|at least)/,
    ],
    ['points', { points: new Float64Array(3 * MAX_PARTICLES + 3) }, /^body\.points /],
  ])('%s', async (_, options, message) => {
    const work = new Work();
    expect(() => buildBody(options, 'body', work)).toThrow(message);
    expect(work.ticks).toBeLessThan(3);
    const world = await World.create({ backend: 'ts' });
    expect(() => world.addBody(options)).toThrow(PliantError);
  });

  it('a state beyond 4 GiB is refused and stays as it was', () => {
    const state = new State();
    const before = { ...state.capacity };
    expect(() => state.reserve({ membership: 1e9 })).toThrow(
      /^world needs \d+ MB for its bodies; expected at most 4096 MB/,
    );
    expect(state.capacity).toEqual(before);
    state.reserve({ particle: 1000 });
    expect(state.capacity.particle).toBeGreaterThanOrEqual(1000);
  });
});

it.each([[[0, 0, 0]], [[0, 0, 0, 0, 0, 0, 0, 0, 0]]])(
  'a copy of a snapshot of the shown body %j is restored',
  async (points) => {
    const world = await World.create({ backend: 'ts' });
    const body = world.addBody({ points });
    body.getSkin().update();
    const copy = structuredClone(world.snapshot());
    world.step();
    world.restore(copy);
    expect(world.time).toBe(0);
    body.getSkin().update();
    expect(body.getSkin().positions.every(Number.isFinite)).toBe(true);
  },
);
