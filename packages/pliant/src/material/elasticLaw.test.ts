import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS } from '../kernels/kernels.js';
import { random } from '../math/random.js';
import { withoutKernels } from '../spatial/wasm/workspace.js';
import { LAW } from '../state/elasticity.js';
import { disturb, spinOf, turmoil, worldWith } from '../testing/bodies.js';
import { refusal } from '../testing/refusal.js';
import { testSeed } from '../testing/seed.js';
import type { WorldOptions } from '../world/options.js';
import { World } from '../world.js';
import { clusterRates, stiffestOf } from './elasticLaw.js';
import type { MaterialOptions } from './material.js';

const BOX = { shape: { type: 'box', size: [1, 0.8, 0.6] }, sampling: { method: 'grid', spacing: 0.1 } } as const;
const VOLUME = 0.48;
const DENSITY = 1000;

/** A box with an elastic law in empty space, without contact. */
const free = (material: MaterialOptions, body: Partial<BodyOptions> = {}, options: WorldOptions = {}) =>
  worldWith({ ...BOX, contact: { mode: 'none' }, material: { density: DENSITY, ...material }, ...body }, options);

/** Nominal stress −Σ f X/V (Pa) along and across an axis by which a free body is strained, from the velocities that one short step gives. */
async function stressOf(material: MaterialOptions, axis: number, body: Partial<BodyOptions>, options: WorldOptions) {
  const strain = 0.002;
  const stretch: [number, number, number] = [1, 1, 1];
  stretch[axis] += strain;
  const { world, body: made } = await free(
    { ...material, dampingRatio: 0 },
    { stretch, ...body },
    { ...options, dt: 1e-4 },
  );
  world.step();
  const stress = [0, 0, 0];
  const { mass } = world.measure();
  for (let i = 0; i < made.particleCount; i++)
    for (let a = 0; a < 3; a++)
      stress[a] -=
        (made.positions[4 * i + 3] * made.velocities[4 * i + a] * made.restPositions[3 * i + a] * DENSITY) /
        (mass * world.dt);
  const across = (stress[(axis + 1) % 3] + stress[(axis + 2) % 3]) / 2;
  return { along: stress[axis] / strain, across: across / strain };
}

/** E and ν from σ = (λ + 2μ) ε along and λ ε across. */
async function moduli(
  material: MaterialOptions,
  axis: number,
  body: Partial<BodyOptions> = {},
  options: WorldOptions = {},
) {
  const { along, across } = await stressOf(material, axis, body, options);
  return { young: along - (2 * across * across) / (along + across), poisson: across / (along + across) };
}

describe.each(BACKENDS)('the stress of a homogeneous strain (%s)', (backend) => {
  it.each([0, 0.3, 0.45])(
    'gives the modulus, corrected for what bodies of clusters lose, in the volume between particles, and ν = %d',
    async (poisson) => {
      const layers = [10, 8, 6];
      for (const axis of [0, 1, 2]) {
        const found = await moduli({ young: 2e5, poisson }, axis, {}, { backend });
        // The layer beyond the outermost centres is not stretched: 1/n of the volume, at edges and corners too.
        const between = 1 - 1 / layers[axis];
        expect(Math.abs(found.young / (LAW.CORRECTION * 2e5) / between - 1)).toBeLessThan(0.02);
        expect(Math.abs(found.poisson - poisson)).toBeLessThan(0.05 * Math.max(poisson, 0.1));
      }
    },
  );

  it('does not depend on sampling, clusters, density or the length of the step', async () => {
    // The share of the volume between particles along y: the box of a grid has 8 layers, particles of blue noise lie nearer to the surface.
    const cases: [Partial<BodyOptions>, { density?: number }, WorldOptions, number][] = [
      [{}, {}, {}, 0.87],
      [{ clustering: { count: 4 } }, {}, {}, 0.87],
      [{ clustering: { count: 1 } }, {}, {}, 0.87],
      [{}, {}, { substeps: 3 }, 0.87],
      [{}, { density: 300 }, {}, 0.87],
      [{ sampling: { count: 300 } }, {}, {}, 0.923],
      [{ shape: { type: 'sphere', radius: 0.5 }, sampling: { count: 400 } }, {}, {}, 0.955],
    ];
    for (const [body, material, options, between] of cases) {
      const found = await moduli({ young: 5e4, poisson: 0.3, ...material }, 1, body, { backend, ...options });
      const young = (found.young * (material.density ?? DENSITY)) / DENSITY / (LAW.CORRECTION * 5e4);
      expect(Math.abs(young / between - 1), JSON.stringify(body)).toBeLessThan(0.01);
      expect(Math.abs(found.poisson - 0.3)).toBeLessThan(0.006);
    }
  });
});

describe('a modulus that varies', () => {
  it('is that of the place, and its mean is what the body tells', async () => {
    const { body } = await free({ young: (x) => (x > 0 ? 4e5 : 1e5) });
    expect(body.young).toBeCloseTo(2.5e5, -1);
    const found = await moduli({ young: (x) => (x > 0 ? 4e5 : 1e5), poisson: 0 }, 1);
    expect(found.young / (LAW.CORRECTION * 2.5e5)).toBeCloseTo(0.87, 1);
  });
});

describe('a free body', () => {
  it.each(BACKENDS)(
    'keeps linear and angular momentum to rounding while it spins and rings, in substeps (%s)',
    async (backend) => {
      for (const dampingRatio of [0, 0.2]) {
        const { world } = await free(
          { young: 2e5, poisson: 0.4, dampingRatio },
          { stretch: [1.15, 0.9, 1], velocity: [0.5, 1, -0.3], angularVelocity: [1, 3, -2] },
          { backend, substeps: 4 },
        );
        disturb(world, 3, 0.005, 0.2);
        const before = world.measure();
        const [spin, scale] = [spinOf(world), turmoil(world)];
        for (let k = 0; k < (backend === 'ts' ? 30 : 500); k++) world.step();
        const { momentum, mass } = world.measure();
        for (let a = 0; a < 3; a++) {
          // Metres a second: an ulp of these velocities is 2e-7, and 2000 substeps add up.
          expect(Math.abs(momentum[a] - before.momentum[a]) / mass).toBeLessThan(2e-5);
          expect(Math.abs(spinOf(world)[a] - spin[a]) / scale).toBeLessThan(2e-4);
        }
      }
    },
  );

  it('without damping never moves with more than the energy of its strain, and never comes to rest', async () => {
    const [young, poisson, strain] = [1e5, 0.3, 0.05];
    const longitudinal = (young * (1 - poisson)) / ((1 + poisson) * (1 - 2 * poisson));
    const stored = 0.5 * LAW.CORRECTION * longitudinal * strain ** 2 * VOLUME;
    const { world } = await free({ young, poisson, dampingRatio: 0 }, { stretch: [1 + strain, 1, 1] });
    const largest = [0, 0, 0, 0];
    for (let k = 0; k < 1200; k++) {
      world.step();
      largest[Math.floor(k / 300)] = Math.max(largest[Math.floor(k / 300)], world.measure().kineticEnergy);
    }
    // Symplectic Euler keeps an energy that is within ωh/2 of the true one: an eighth for the fastest waves, less for those that hold the energy.
    for (const energy of largest) expect(energy).toBeLessThan(1.05 * stored);
    expect(largest[3]).toBeGreaterThan(0.3 * stored);
  });

  it('is damped by the ratio of its first stretching mode, alike at every rate', async () => {
    const left = [];
    for (const hz of [60, 240]) {
      const { world, body } = await free(
        { young: 1e5, poisson: 0, dampingRatio: 0.1 },
        { stretch: [1.05, 1, 1] },
        { dt: 1 / hz },
      );
      let most = 0;
      // From the second to the third turning point of a swing of 5 Hz.
      for (let k = 0; k < 0.32 * hz; k++) {
        world.step();
        const { bboxMin, bboxMax } = world.measure(body);
        if (k > 0.15 * hz) most = Math.max(most, bboxMax[0] - bboxMin[0] - 0.9);
      }
      left.push(most / (0.05 * 0.9));
    }
    // exp(−2π ζ/√(1 − ζ²)) = 0.53 in a period; waves shorter than the body go sooner.
    for (const share of left) expect(share).toBeGreaterThan(0.3);
    for (const share of left) expect(share).toBeLessThan(0.6);
    expect(Math.abs(left[0] - left[1])).toBeLessThan(0.03);
  });
});

describe('young, maxYoung and warnings', () => {
  it('tell what is asked for where the substeps allow it', async () => {
    const { world, body } = await free({ young: 1e5 });
    expect(body.young).toBeCloseTo(1e5, 0);
    expect(body.maxYoung).toBeGreaterThan(1e5);
    expect(body.warnings).toEqual([]);
    world.substeps = 1;
    const one = body.maxYoung!;
    world.substeps = 4;
    expect(body.maxYoung! / one).toBeCloseTo(16, 3);
    world.dt /= 2;
    expect(body.maxYoung! / one).toBeCloseTo(64, 3);
  });

  it('tell what is reached where they do not, and what would help', async () => {
    const { world, body } = await free({ young: 1e8 }, { clustering: { count: 13 } });
    expect(body.maxYoung).toBeLessThan(1e8);
    // maxYoung is what all but the stiffest clusters reach; the softer ones among them reach more.
    expect(body.young! / body.maxYoung!).toBeGreaterThan(0.9);
    expect(body.young! / body.maxYoung!).toBeLessThan(2);
    expect(body.warnings).toHaveLength(1);
    const [, substeps] = body.warnings[0].match(/it takes (\d+) substeps of/)!;
    expect(body.warnings[0]).toContain('material.young is 1.00e+8 Pa');
    expect(body.warnings[0]).toContain('world.maxSubsteps is 8');
    world.maxSubsteps = Number(substeps);
    expect(body.warnings).toEqual([]);
    expect(body.maxYoung).toBeGreaterThanOrEqual(1e8);
    world.maxSubsteps = Number(substeps) - 1;
    expect(body.maxYoung).toBeLessThan(1e8);
  });

  it('a body that is stiffer than its substeps allow stays stable', async () => {
    const { world } = await free({ young: 1e9, dampingRatio: 0 }, { stretch: [1.05, 1, 1], clustering: { count: 13 } });
    let early = 0;
    for (let k = 0; k < 60; k++) {
      world.step();
      early = Math.max(early, world.measure().kineticEnergy);
    }
    let late = 0;
    for (let k = 0; k < 600; k++) {
      world.step();
      late = Math.max(late, world.measure().kineticEnergy);
    }
    expect(late).toBeLessThan(1.2 * early);
  });

  it('are undefined for a body with per-step parameters', async () => {
    const { body } = await worldWith({ ...BOX, material: { raw: { stiffness: 0.5 } } });
    expect([body.young, body.maxYoung]).toEqual([undefined, undefined]);
  });

  it('without young a body is as stiff as one that sags by 5 % on its smallest side', async () => {
    const { body } = await free({ poisson: 0.2 });
    expect(body.young! / ((DENSITY * 9.81 * 1) / 0.1)).toBeCloseTo(1, 1);
  });

  it('without young a body is as stiff whatever its particles', async () => {
    const world = await World.create({ maxSubsteps: 64 });
    for (const sampling of [
      { method: 'grid', count: 343 },
      { method: 'blue-noise', count: 100 },
      { method: 'blue-noise', count: 343 },
      { method: 'blue-noise', count: 1331 },
    ] as const) {
      const body = world.addBody({ shape: { type: 'box', size: [1, 1, 1] }, sampling });
      expect(body.young! / ((1000 * 9.81) / 0.1)).toBeCloseTo(1, 3);
    }
  });

  it('setMaterial changes the modulus and the ratio of a body, and keeps what it does not name', async () => {
    const { body } = await free({ young: 1e5, poisson: 0.3 });
    body.setMaterial({ young: 3e5 });
    expect(body.young).toBeCloseTo(3e5, 0);
    expect(body.material.law!.poisson).toBe(0.3);
    const { world, body: probe } = await free(
      { young: 1e5, poisson: 0, dampingRatio: 0 },
      { stretch: [1.002, 1, 1] },
      { dt: 1e-4 },
    );
    const x = probe.positions.slice();
    world.step();
    const one = world.measure().kineticEnergy;
    probe.positions.set(x);
    probe.velocities.fill(0);
    probe.setMaterial({ young: 4e5 });
    world.step();
    // Four times the force in the same time.
    expect(world.measure().kineticEnergy / one).toBeCloseTo(16, 1);
  });

  it('are refused beside per-step parameters, and outside their ranges', async () => {
    const made = (material: MaterialOptions) => free(material);
    const messages = [];
    for (const material of [
      { young: 1e5, raw: { stiffness: 0.5 } },
      { young: -1 },
      { poisson: 0.5 },
      { dampingRatio: -0.1 },
    ] as const)
      messages.push(
        await made(material).then(
          () => '',
          ({ message }) => message as string,
        ),
      );
    expect(messages.map((message) => message.split(' ')[0])).toEqual([
      expect.stringContaining('material.young'),
      expect.stringContaining('material.young'),
      expect.stringContaining('material.poisson'),
      expect.stringContaining('material.dampingRatio'),
    ]);
    const { body } = await worldWith({ ...BOX, material: { raw: { stiffness: 0.5 } } });
    expect(refusal(() => body.setMaterial({ young: 1e5 }))).toContain(
      'material.young is 100000; expected nothing: the body was built with raw',
    );
    const { body: lawful } = await free({ young: 1e5 });
    expect(refusal(() => lawful.setMaterial({ raw: { damping: 0.1 } }))).toContain(
      'material.raw is an object with damping; expected nothing: the body was built without raw',
    );
  });
});

describe.each(BACKENDS)('a body of no extent with an elastic law (%s)', (backend) => {
  const BODIES: [string, BodyOptions][] = [
    ['a particle', { shape: { type: 'box', size: [1, 1, 1] }, sampling: { count: 1 } }],
    ['a point', { points: [0, 0, 0] }],
    ['points at one place', { points: [1, 0, 0, 1, 0, 0] }],
  ];
  it.each(BODIES)('keeps its velocity at any damping ratio: %s', async (_, options) => {
    for (const dampingRatio of [0, 0.1]) {
      const { world, body } = await worldWith(
        { ...options, velocity: [1, 2, 0], material: { young: 1e4, dampingRatio } },
        { backend, gravity: [0, 0, 0] },
      );
      world.step();
      expect([...body.velocities.subarray(0, 3)]).toEqual([1, 2, 0]);
      expect(body.enabled).toBe(true);
    }
  });
});

it('finds the rates of clusters in kernels as without them', () => {
  const next = random(testSeed('clusterRates'));
  const reals = (count: number) => Float64Array.from({ length: count }, () => 0.1 + next());
  const start = Uint32Array.of(0, 1, 40, 300);
  const clusters = {
    start,
    particle: Uint32Array.from({ length: 300 }, () => 100 * next()),
    weight: reals(300),
    count: 3,
  };
  const rates = () => clusterRates(clusters, points, masses, modulus, 0.3);
  const [points, masses, modulus] = [reals(300), reals(100), reals(100)];
  expect(rates().rates[2]).toBeGreaterThan(0);
  expect(withoutKernels(rates)).toEqual(rates());
});

it('the stiffest clusters are those of a sorted list from which a twentieth of the mass is taken', () => {
  const next = random(testSeed('stiffest clusters'));
  for (let n = 0; n < 300; n++) {
    const count = Math.floor(1 + 60 * next());
    // Few different rates, so that many are alike.
    const rates = Float64Array.from({ length: count }, () => Math.floor(1 + 40 * next() ** 3));
    const masses = Float64Array.from({ length: count }, () => 0.1 + next());
    const sorted = Array.from(rates, (rate, k) => ({ rate, mass: masses[k] })).sort((a, b) => b.rate - a.rate);
    let left = 0.05 * masses.reduce((sum, mass) => sum + mass, 0);
    const expected = sorted.find(({ mass }) => (left -= mass) < 0)!.rate;
    expect(stiffestOf({ rates, masses })).toBe(expected);
  }
  expect(stiffestOf({ rates: new Float64Array(0), masses: new Float64Array(0) })).toBe(0);
});
