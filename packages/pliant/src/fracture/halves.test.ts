import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS } from '../kernels/kernels.js';
import { random } from '../math/random.js';
import { deform, plasticOf } from '../plasticity/testing/deform.js';
import { PROXY_PLANES, type Views } from '../state/layout.js';
import { PROXY_ROW, REACH } from '../state/proxyRow.js';
import { worldWith } from '../testing/bodies.js';
import { testSeed } from '../testing/seed.js';
import { BAR, run } from './testing/pulled.js';

/** Nothing draws particles back: they are where they were put when the body breaks, and what it is stretched by is known exactly. */
const LIMP = { raw: { stiffness: 0, damping: 0, limit: { iterations: 0 } } } as const;

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Planes of a cluster's proxy by which particles leave it: n·p < reach. */
const exitsOf = (s: Views, c: number) =>
  Array.from({ length: s.proxyExits[c] }, (_, k) => ({
    normal: [0, 1, 2].map((a) => s.proxy[PROXY_ROW * c + k + a * PROXY_PLANES]),
    reach: s.proxy[PROXY_ROW * c + REACH + k],
  }));

/** Rest offsets of a cluster's members, by where they were in the body at rest. */
function membersOf(s: Views, rest: Float64Array, c: number) {
  return Array.from({ length: s.memberStart[c + 1] - s.memberStart[c] }, (_, n) => {
    const k = s.memberStart[c] + n;
    const i = s.memberParticle[k];
    return { p: [...s.member.slice(4 * k, 4 * k + 3)], built: [...rest.slice(3 * i, 3 * i + 3)] };
  });
}

/** Turned by a random rotation after a stretch by `much` along a random direction, by columns. */
function turnedStretch(next: () => number, much: number): { m: number[]; along: number[] } {
  const q = [0, 0, 0, 0].map(() => 2 * next() - 1);
  const length = Math.hypot(...q);
  const [x, y, z, w] = q.map((a) => a / length);
  const turn = [
    [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)],
    [2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w)],
    [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)],
  ];
  const e = [0, 0, 0].map(() => 2 * next() - 1);
  const along = e.map((a) => a / Math.hypot(...e));
  const stretch = [0, 1, 2].map((b) => [0, 1, 2].map((a) => (a === b ? 1 : 0) + (much - 1) * along[a] * along[b]));
  return {
    m: stretch.flatMap((s) => [0, 1, 2].map((a) => s[0] * turn[0][a] + s[1] * turn[1][a] + s[2] * turn[2][a])),
    along,
  };
}

describe.each(BACKENDS)('the halves of a cluster (%s)', (backend) => {
  it.each([
    ['as it was built', [1, 0, 0, 0, 1, 0, 0, 0, 1]],
    ['that has flowed', [1.3, 0.1, 0, 0.1, 0.9, 0, 0, 0, 1 / (1.3 * 0.9 - 0.01)]],
  ])('%s both have its plane in their proxies, each on its own side of it', async (_, plastic) => {
    const next = random(testSeed('split planes'));
    for (let trial = 0; trial < 5; trial++) {
      const material = { ...BAR.material, ...LIMP };
      const { world, body } = await worldWith(
        { ...BAR, material, fracture: { budget: 1 }, contact: { mode: 'none' } },
        { backend },
      );
      const { m, along } = turnedStretch(next, 1.7);
      deform(body, m);
      for (let c = 0; c < body.clusterCount; c++) world.state.views.plastic.set(plastic, 9 * c);
      const restCentres = Array.from({ length: body.clusterCount }, (_, c) => {
        const [{ p, built }] = membersOf(world.state.views, body.restPositions, c);
        return built.map((x, a) => x - p[a]);
      });
      const [{ splits }] = run(world, 1);
      expect(splits.length).toBe(1);
      const [{ cluster, into, position, normal }] = splits;
      const s = world.state.views;
      // The split is through where the cluster's centre has come to.
      const centre = restCentres[cluster];
      const placed = [0, 1, 2].map((a) => m[a] * centre[0] + m[3 + a] * centre[1] + m[6 + a] * centre[2]);
      for (let a = 0; a < 3; a++) expect(position[a]).toBeCloseTo(placed[a], 5);
      // The same plane seen from the rest shape: normals of planes go by Mᵀ.
      const asked = [0, 1, 2].map((b) => dot(m.slice(3 * b, 3 * b + 3), normal));
      const length = Math.hypot(...asked);
      const found = into.map((half, side) => {
        const sign = side === 0 ? 1 : -1;
        const plane = exitsOf(s, half).find(({ normal: n }) => (sign * dot(n, asked)) / length > 1 - 1e-5);
        expect(plane, `half ${side}`).toBeDefined();
        const members = membersOf(s, body.restPositions, half);
        // Through the rest place of the split.
        const here = centre.map((x, a) => x - (members[0].built[a] - members[0].p[a]));
        expect(dot(plane!.normal, here)).toBeCloseTo(plane!.reach, 5);
        for (const { p } of members) expect(dot(plane!.normal, p)).toBeLessThan(plane!.reach + 1e-5);
        return plane!;
      });
      for (let a = 0; a < 3; a++) expect(found[0].normal[a]).toBeCloseTo(-found[1].normal[a], 6);
      // Without flow the largest stretch is the one that was given.
      if (plastic[0] === 1) expect(Math.abs(dot(found[0].normal, along))).toBeGreaterThan(1 - 1e-5);
    }
  });

  it.each([
    ['along the axes', [0, 0, 0, 1]],
    ['across the axes', [0.3, 0.2, -0.4, 0.8]],
  ] as const)('%s begin with F^p = I where they are flat, and keep it where they are not', async (_, q) => {
    const rotation = q.map((a) => a / Math.hypot(...q)) as [number, number, number, number];
    const [x, y, z, w] = rotation;
    // Where the layers' normal is turned to.
    const n = [1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w)];
    // Three layers and, farther off, a fourth: the crack leaves it alone.
    const points = [-0.1, 0, 0.1, 0.6].flatMap((at) =>
      Array.from({ length: 25 }, (_, k) => [at, 0.1 * (k % 5), 0.1 * Math.floor(k / 5)]).flat(),
    );
    const body: BodyOptions = {
      points,
      rotation,
      clustering: { count: 1 },
      material: { ...LIMP, toughness: 0.2 },
      contact: { mode: 'none' },
    };
    const { world, body: made } = await worldWith(body, { backend });
    const plastic = [1.25, 0.05, 0, 0.05, 0.9, 0, 0, 0, 1 / (1.25 * 0.9 - 0.0025)];
    const s = world.state.views;
    s.plastic.set(plastic);
    s.plasticStrain[0] = 0.3;
    deform(
      made,
      Array.from({ length: 9 }, (_, k) => (k % 4 === 0 ? 1 : 0) + n[k % 3] * n[Math.floor(k / 3)]),
    );
    const [{ splits }] = run(world, 1);
    expect(splits.length).toBe(1);
    const sizes = splits[0].into.map((c) => world.state.views.memberStart[c + 1] - world.state.views.memberStart[c]);
    expect([...sizes].sort((a, b) => a - b)).toEqual([25, 75]);
    const [flat, full] = sizes[0] === 25 ? splits[0].into : [splits[0].into[1], splits[0].into[0]];
    expect(plasticOf(world, flat)).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
    expect(plasticOf(world, full)).toEqual(plastic);
    expect(made.plasticStrain[flat]).toBe(0);
    expect(made.plasticStrain[full]).toBeCloseTo(0.3, 6);
    expect(world.validate()).toEqual([]);
  });
});
