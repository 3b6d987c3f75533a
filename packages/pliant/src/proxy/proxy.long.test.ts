import { beforeEach, describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import type { Vec3 } from '../check.js';
import { random } from '../math/random.js';
import { svdInto } from '../math/svd.js';
import { Flag } from '../state/flags.js';
import { PROXY_OPEN, PROXY_PLANES, type Views } from '../state/layout.js';
import { PROXY_ROW, REACH } from '../state/proxyRow.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { addPlane, clearProxy } from './proxy.js';

/** Normals, reaches and kinds are stored in f32. */
const ROUNDING = 1e-6;

interface Plane {
  n: number[];
  reach: number;
  exit: boolean;
}

function planesOf(s: Views, c: number): Plane[] {
  return Array.from({ length: s.proxyPlanes[c] }, (_, k) => {
    const row = PROXY_ROW * c + k;
    const n = [0, 1, 2].map((a) => s.proxy[row + a * PROXY_PLANES]);
    return { n, reach: s.proxy[row + REACH], exit: k < s.proxyExits[c] };
  });
}

const dot = (n: ArrayLike<number>, p: ArrayLike<number>) => n[0] * p[0] + n[1] * p[1] + n[2] * p[2];

/** Rest offsets of a cluster's members. */
const membersOf = ({ memberStart, member }: Views, c: number) =>
  Array.from({ length: memberStart[c + 1] - memberStart[c] }, (_, k) =>
    member.slice(4 * (memberStart[c] + k), 4 * (memberStart[c] + k) + 4),
  );

/** Where the centre of mass of a cluster of the first body is at rest. */
function restCentre({ state: { views: s }, bodies: [{ restPositions }] }: World, c: number): number[] {
  const k = s.memberStart[c];
  return [0, 1, 2].map((a) => restPositions[3 * s.memberParticle[k] + a] - s.member[4 * k + a]);
}

async function worldOf(body: BodyOptions): Promise<{ world: World; s: Views }> {
  const world = await World.create();
  world.addBody(body);
  return { world, s: world.state.views };
}

/** A layer of 12 × 12 points. */
const LAYER: BodyOptions = {
  points: Array.from({ length: 3 * 144 }, (_, k) => [Math.floor(k / 3) % 12, Math.floor(k / 36), 0][k % 3] / 11),
  clustering: { count: 4 },
};

/** A tilted cloud of points, of any proportions and lopsided. */
function cloud(next: () => number, count = 60): BodyOptions {
  const size = [0.2 + next(), 0.2 + next(), 0.2 + next()];
  const points = Array.from({ length: 3 * count }, (_, k) => size[k % 3] * next() ** 2);
  return { points, rotation: [next(), next(), next(), next()], clustering: { count: 1 + Math.floor(4 * next()) } };
}

describe('the proxy of a cluster', () => {
  it('is cut along the axes of A_rr where the members end within `fraction` of the radius, and nowhere else', async () => {
    const next = random(testSeed('axes'));
    let [cut, left] = [0, 0];
    for (let trial = 0; trial < 30; trial++) {
      const [fraction, margin] = [0.2 + 0.8 * next(), 0.1 * next()];
      const { world, s } = await worldOf({ ...cloud(next), contact: { exits: 'planes', fraction, margin } });
      const { radius } = world.bodies[0].clustering;
      for (let c = 0; c < world.clusterCount; c++) {
        const members = membersOf(s, c);
        const moment = new Float64Array(9);
        for (const p of members) for (let k = 0; k < 9; k++) moment[k] += p[3] * p[k % 3] * p[Math.floor(k / 3)];
        const axes = new Float64Array(9);
        svdInto(axes, new Float64Array(3), new Float64Array(9), moment);
        const sphere = Math.max(radius, ...members.map((p) => Math.hypot(p[0], p[1], p[2])));
        expect(s.proxyRadius[c]).toBeCloseTo(sphere + margin, 5);
        const planes = planesOf(s, c);
        let expected = 0;
        for (const sign of [1, -1])
          for (let axis = 0; axis < 3; axis++) {
            const n = axes.slice(3 * axis, 3 * axis + 3).map((v) => sign * v);
            const extent = Math.max(...members.map((p) => dot(n, p)));
            if (!(extent < fraction * sphere)) continue;
            expected++;
            const plane = planes.find((q) => dot(q.n, n) > 1 - ROUNDING);
            expect(plane?.reach).toBeCloseTo(extent + margin, 5);
            expect(plane?.exit).toBe(true);
          }
        expect(planes.length).toBe(expected);
        cut += expected;
        left += 6 - expected;
      }
    }
    // Both kinds of direction have been seen, many times.
    expect(cut).toBeGreaterThan(100);
    expect(left).toBeGreaterThan(30);
  });

  it('holds every member of its cluster', async () => {
    const next = random(testSeed('members'));
    for (let trial = 0; trial < 40; trial++) {
      const exits = trial % 2 ? 'planes' : 'skin';
      const body = { ...cloud(next), contact: { exits, fraction: next() } as const };
      if (trial % 4 > 1) {
        // Clusters that nobody asked for a radius.
        delete body.clustering;
        body.clusters = [0, 1, 2].map((k) => ({
          members: Array.from({ length: 60 }, (_, i) => i).filter((i) => i % 3 === k || i % 7 === 0),
        }));
      }
      const { world, s } = await worldOf(body);
      for (let c = 0; c < world.clusterCount; c++) {
        const slack = ROUNDING * s.width[c];
        for (const p of membersOf(s, c)) {
          expect(Math.hypot(p[0], p[1], p[2])).toBeLessThanOrEqual(s.proxyRadius[c] + slack);
          for (const { n, reach } of planesOf(s, c)) expect(dot(n, p)).toBeLessThanOrEqual(reach + slack);
        }
      }
    }
  });

  it('has room for what touches the skin, which stands off the members, and no exits of its own', async () => {
    const { world, s } = await worldOf({
      shape: { type: 'box', size: [1, 0.6, 0.5] },
      sampling: { method: 'grid', spacing: 0.1 },
      clustering: { count: 1, radius: 0.8 },
      contact: { margin: 0.03 },
    });
    expect(world.clusterCount).toBe(1);
    expect(s.proxyRadius[0]).toBeCloseTo(0.8 + 0.03 + 0.2, 6);
    expect(s.surfaceParameters[0]).toBeCloseTo(100, 4);
    expect(s.surfaceParameters[1]).toBeCloseTo(0.03, 6);
    expect(s.proxyExits[0] + s.proxyRound[0]).toBe(0);
    // Members end half a spacing below the faces.
    const reaches = planesOf(s, 0).map(({ n, reach }) => [n.findIndex((v) => Math.abs(v) > 0.5), reach] as const);
    expect(reaches.length).toBe(6);
    for (const [axis, reach] of reaches) expect(reach).toBeCloseTo([0.45, 0.25, 0.2][axis] + 0.03 + 0.2, 5);
  });

  it('is a bare sphere for a ball, and for everything at fraction 0', async () => {
    const ball: BodyOptions = {
      shape: { type: 'sphere', radius: 0.5 },
      sampling: { spacing: 0.07 },
      clustering: { count: 1, radius: 0.52 },
    };
    for (const exits of ['skin', 'planes'] as const) {
      const { s } = await worldOf({ ...ball, contact: { exits, fraction: 0.9 } });
      expect([s.proxyPlanes[0], s.proxyRound[0]]).toEqual([0, exits === 'planes' ? 1 : 0]);
      const long = { ...ball, scale: [1, 1, 4] as Vec3, clustering: { count: 1, radius: 2 } };
      expect((await worldOf({ ...long, contact: { exits, fraction: 0.9 } })).s.proxyPlanes[0]).toBe(4);
      expect((await worldOf({ ...long, contact: { exits, fraction: 0 } })).s.proxyPlanes[0]).toBe(0);
    }
    expect((await worldOf({ ...LAYER, contact: { exits: 'planes', fraction: 0 } })).s.proxyPlanes[0]).toBe(0);
    // A layer without faces would be no obstacle at all.
    expect((await worldOf({ ...LAYER, contact: { fraction: 0 } })).s.proxyExits[0]).toBe(2);
  });
});

describe('the faces of a layer', () => {
  const sheet = (thickness: number, method: 'grid' | 'blue-noise'): BodyOptions => ({
    shape: { type: 'box', size: [1.2, 1, thickness] },
    sampling: { spacing: 0.1, method },
    clustering: { count: 4 },
  });
  // Half a spacing off points, and never less than a quarter.
  it.each<[string, BodyOptions, number]>([
    ['one layer of a grid', sheet(0.1, 'grid'), 0.05],
    ['two layers of a grid', sheet(0.2, 'grid'), 0.1],
    ['a layer as thin as a quarter of a spacing', sheet(0.025, 'grid'), 0.025],
    ['a layer of points', LAYER, 1 / 22],
    ['a thin sheet of random particles', sheet(0.08, 'blue-noise'), 0.04],
  ])('of %s stand where its solid ends', async (_, body, height) => {
    // A tilt, so that no axis is anything special.
    const rotation = [0.1, 0.2, 0.3, 0.5] as const;
    const [x, y, z, w] = rotation.map((v) => v / Math.hypot(...rotation));
    const normal = [2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y)];
    for (const scale of [1, 3]) {
      const { world, s } = await worldOf({ ...body, rotation, scale, contact: { margin: 0.01 } });
      for (let c = 0; c < world.clusterCount; c++) {
        expect(s.surfaceParameters[2 * c]).toBe(0);
        const exits = planesOf(s, c).filter(({ exit }) => exit);
        expect(exits.length).toBe(2);
        const centre = restCentre(world, c);
        for (const { n, reach } of exits) {
          const cosine = Math.abs(dot(n, normal));
          // Random particles make their axis lean a little.
          expect(cosine).toBeGreaterThan(0.999);
          const sine = Math.sqrt(Math.max(0, 1 - cosine * cosine));
          const face = reach - 0.01 + Math.sign(dot(n, normal)) * dot(normal, centre);
          expect(face).toBeGreaterThan(scale * height * cosine * (1 - ROUNDING));
          expect(face).toBeLessThan(scale * height * (1 + ROUNDING) + sine * s.width[c]);
        }
      }
      // No particle of a layer is inside, or slow bodies would not be tested against it.
      for (let i = 0; i < world.particleCount; i++) expect(s.flags[i] & Flag.INNER).toBe(0);
    }
  });
});

it('a single particle is not inside anything', async () => {
  const { s } = await worldOf({ points: [1, 2, 3] });
  expect([s.flags[0] & Flag.INNER, s.surfaceParameters[0]]).toEqual([0, 0]);
});

describe('addPlane', () => {
  let s: Views;
  const c = 1;
  beforeEach(async () => {
    const points = Array.from({ length: 90 }, (_, k) => Math.sin(k * k));
    const next = [0, 1, 2].map((k) => ({ members: Array.from({ length: 12 }, (_, i) => 9 * k + i) }));
    ({ s } = await worldOf({ points, clusters: next }));
    for (const other of [0, 1, 2]) clearProxy(s, other);
  });

  const direction = (next: () => number) => {
    const n = [next() - 0.5, next() - 0.5, next() - 0.5];
    return n.map((v) => v / Math.hypot(...n));
  };
  const inside = (p: number[]) => planesOf(s, c).every(({ n, reach }) => dot(n, p) < reach);
  const reaches = (exit: boolean) =>
    planesOf(s, c)
      .filter((p) => p.exit === exit)
      .map((p) => Math.round(1e4 * p.reach) / 1e4)
      .sort((a, b) => a - b);

  it('leaves inside what was inside and is below the plane, and puts exits first', () => {
    const next = random(testSeed('addPlane'));
    const others = [0, 2].map((o) => s.proxy.slice(PROXY_ROW * o, PROXY_ROW * (o + 1)));
    const points = Array.from({ length: 500 }, () => [next() - 0.5, next() - 0.5, next() - 0.5]);
    let exits = 0;
    for (let k = 0; k < PROXY_PLANES; k++) {
      const [n, reach, exit] = [direction(next), 0.2 + 0.4 * next(), next() < 0.5];
      const before = points.map(inside);
      addPlane(s, c, n, reach, exit);
      exits += exit ? 1 : 0;
      expect([s.proxyPlanes[c], s.proxyExits[c]]).toEqual([k + 1, exits]);
      const found = planesOf(s, c).find((p) => dot(p.n, n) > 1 - ROUNDING)!;
      expect(found.exit).toBe(exit);
      expect(found.reach).toBeCloseTo(reach, 6);
      points.forEach((p, m) => {
        // Not within rounding of the border.
        if (Math.abs(dot(n, p) - reach) > ROUNDING) expect(inside(p)).toBe(before[m] && dot(n, p) < reach);
      });
    }
    expect([0, 2].map((o) => s.proxy.slice(PROXY_ROW * o, PROXY_ROW * (o + 1)))).toEqual(others);
  });

  it('keeps of planes that look the same way the nearer, but an exit behind a bound', () => {
    const up = [0, 0.6, 0.8];
    addPlane(s, c, up, 0.5, false);
    addPlane(s, c, up, 0.7, false);
    addPlane(s, c, [0, 0.6 + 1e-4, Math.sqrt(1 - (0.6 + 1e-4) ** 2)], 0.4, false);
    expect([reaches(false), reaches(true)]).toEqual([[0.4], []]);
    // One leaves through the exit, wherever the cluster stops answering.
    addPlane(s, c, up, 0.45, true);
    expect([reaches(false), reaches(true)]).toEqual([[0.4], [0.45]]);
    addPlane(s, c, up, 0.3, true);
    expect([reaches(false), reaches(true)]).toEqual([[], [0.3]]);
    addPlane(s, c, up, 0.35, true);
    addPlane(s, c, up, 0.35, false);
    expect([reaches(false), reaches(true)]).toEqual([[], [0.3]]);
    addPlane(s, c, up, 0.2, false);
    addPlane(s, c, [0, -0.6, -0.8], 0.1, true);
    expect([reaches(false), reaches(true)]).toEqual([[0.2], [0.1, 0.3]]);
  });

  it('does not fill up when the same cut comes again and again', () => {
    for (let n = 0; n < 200; n++) addPlane(s, c, [1, 0, 0], 0.5 - 1e-3 * n, true);
    expect(reaches(true)).toEqual([0.301]);
  });

  it('gives up bounds for exits when there is no more room, the farthest first, and then the farthest exit', () => {
    const next = random(testSeed('full row'));
    const bounds = Array.from({ length: 10 }, (_, k) => 0.5 + 0.01 * k);
    const exits = Array.from({ length: PROXY_PLANES - 10 }, (_, k) => 1 + 0.01 * k);
    for (const reach of bounds) addPlane(s, c, direction(next), reach, false);
    for (const reach of exits) addPlane(s, c, direction(next), reach, true);
    const round = (list: number[]) => list.map((v) => Math.round(1e4 * v) / 1e4).sort((a, b) => a - b);
    // A bound only takes the place of one farther off.
    addPlane(s, c, direction(next), 0.8, false);
    expect(reaches(false)).toEqual(round(bounds));
    addPlane(s, c, direction(next), 0.4, false);
    bounds.splice(9, 1, 0.4);
    expect([reaches(false), reaches(true)]).toEqual([round(bounds), round(exits)]);
    // Exits take the place of all bounds, though these cut more.
    for (let k = 0; k < 10; k++) {
      addPlane(s, c, direction(next), 2 + k, true);
      exits.push(2 + k);
      bounds.splice(bounds.indexOf(Math.max(...bounds)), 1);
      expect([reaches(false), reaches(true)]).toEqual([round(bounds), round(exits)]);
    }
    expect(s.proxyExits[c]).toBe(PROXY_PLANES);
    // Then only a nearer one than the farthest comes in, and no bound.
    addPlane(s, c, direction(next), 0.1, false);
    addPlane(s, c, direction(next), 12, true);
    expect(reaches(true)).toEqual(round(exits));
    addPlane(s, c, direction(next), 0.2, true);
    exits.splice(exits.indexOf(11), 1, 0.2);
    expect([reaches(false), reaches(true)]).toEqual([[], round(exits)]);
  });

  it('clearProxy takes all of them out again', () => {
    const next = random(testSeed('clearProxy'));
    for (let k = 0; k < 9; k++) addPlane(s, c, direction(next), next(), k % 2 > 0);
    clearProxy(s, c);
    expect([s.proxyPlanes[c], s.proxyExits[c]]).toEqual([0, 0]);
    const row = s.proxy.slice(PROXY_ROW * c, PROXY_ROW * (c + 1));
    expect(row.slice(0, REACH).every((v) => v === 0)).toBe(true);
    expect(row.slice(REACH).every((v) => v === Math.fround(PROXY_OPEN))).toBe(true);
  });
});
