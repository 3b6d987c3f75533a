import { describe, expect, it } from 'vitest';
import { loadBody, saveBody } from '../asset/bytes.js';
import { boxMesh } from '../mesh/testing/meshes.js';
import { signedVolume } from '../mesh/volume.js';
import { crossedTriangles } from '../skin/testing/crossings.js';
import { refusal } from '../testing/refusal.js';
import { report } from '../testing/report.js';
import { World } from '../world.js';
import type { Body } from './body.js';
import { buildBody } from './build.js';

const GRAVITY = 9.81;
const CLOTH = { young: 1e5, density: 300, dampingRatio: 0.3, poisson: 0 };
const TURNED = [Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const;
const run = (world: World, steps: number) => {
  for (let k = 0; k < steps; k++) world.step();
};

/** A square of n × n quads with corners at ±0.5 in the xz plane, with texture coordinates. */
function square(n: number) {
  const [positions, indices, uvs]: [number[], number[], number[]] = [[], [], []];
  for (let k = 0; k <= n; k++)
    for (let i = 0; i <= n; i++) {
      positions.push(i / n - 0.5, 0, k / n - 0.5);
      uvs.push(i / n, k / n);
    }
  for (let k = 0; k < n; k++)
    for (let i = 0; i < n; i++) {
      const a = k * (n + 1) + i;
      indices.push(a, a + n + 1, a + 1, a + 1, a + n + 1, a + n + 2);
    }
  return { positions, indices, uvs };
}

/** A sheet that hangs from its upper hem: its lengthening over that of theory, ρ g (L z − z²/2)/E at depth z, and its change of width. */
async function hang(geometry: object, young = CLOTH.young) {
  const world = await World.create();
  const sheet = world.addBody({
    ...geometry,
    material: { ...CLOTH, young },
    rotation: TURNED,
    position: [0, 2, 0],
  });
  world.addClamp({ region: { type: 'halfspace', normal: [0, 1, 0], offset: 2.5 - 1e-6 } });
  const before = sheet.positions.slice();
  run(world, 400);
  const after = sheet.positions;
  let [along, square2, wide] = [0, 0, 0];
  for (let o = 0; o < after.length; o += 4) {
    const z = 2.5 - before[o + 1];
    const theory = ((CLOTH.density * GRAVITY) / young) * (z - (z * z) / 2);
    along += (before[o + 1] - after[o + 1]) * theory;
    square2 += theory * theory;
    wide = Math.max(wide, Math.abs(after[o] - before[o]));
  }
  const { warnings } = sheet;
  world.dispose();
  return { ratio: along / square2, wide, warnings };
}

describe('a sheet', () => {
  it('hangs as long and as wide as its modulus says, within a tenth', async () => {
    const ratios: Record<string, number> = {};
    for (const [name, geometry, young] of [
      ['5 mm', { shape: { type: 'sheet', size: [1, 1], thickness: 0.005 }, sampling: { spacing: 0.04 } }, 1e5],
      ['1 mm', { shape: { type: 'sheet', size: [1, 1], thickness: 0.001 }, sampling: { spacing: 0.05 } }, 3e4],
      [
        'grid',
        { shape: { type: 'sheet', size: [1, 1], thickness: 0.005 }, sampling: { spacing: 0.05, method: 'grid' } },
        1e5,
      ],
      ['mesh', { mesh: square(7), thickness: 0.005, sampling: { spacing: 0.05 } }, 1e5],
    ] as const) {
      const { ratio, wide, warnings } = await hang(geometry, young);
      ratios[name] = ratio;
      expect(warnings).toEqual([]);
      expect(Math.abs(ratio - 1)).toBeLessThan(0.1);
      expect(wide).toBeLessThan(0.005);
    }
    report('lengthening of hanging sheets over theory', ratios, '');
  });

  it('laid over a ball folds down all around, through neither the ball nor itself, and comes to rest', async () => {
    const world = await World.create();
    world.addCollider({ type: 'plane', normal: [0, 1, 0] });
    world.addCollider({ type: 'sphere', radius: 0.3, centre: [0, 0.8, 0], friction: 0.3 });
    const sheet = world.addBody({
      shape: { type: 'sheet', size: [1.2, 1.2], thickness: 0.008 },
      sampling: { spacing: 0.045 },
      material: { ...CLOTH, young: 30_000, friction: 0.3 },
      position: [0, 1.15, 0],
    });
    const skin = sheet.getSkin();
    const rest = skin.positions.slice();
    for (let k = 0; k < 200; k++) {
      world.step();
      const p = sheet.positions;
      let clearance = Number.POSITIVE_INFINITY;
      for (let o = 0; o < p.length; o += 4)
        clearance = Math.min(clearance, p[o + 1], Math.hypot(p[o], p[o + 1] - 0.8, p[o + 2]) - 0.3);
      expect(clearance).toBeGreaterThan(0);
      if (k % 50 === 49) {
        skin.update();
        expect(crossedTriangles(skin, rest, 0.12)).toEqual([]);
      }
    }
    const { bboxMin, bboxMax, kineticEnergy } = world.measure(sheet);
    report('height of the lowest corner of a sheet over a ball', bboxMin[1], 'm');
    // Half of the diagonal is 0.85 m: it hangs by more than 0.4 m, and is drawn in.
    expect(bboxMin[1]).toBeLessThan(0.6);
    expect(bboxMax[0] - bboxMin[0]).toBeLessThan(1.15);
    expect(kineticEnergy).toBeLessThan(1e-3);
    world.dispose();
  });

  it('carries a soft ball', async () => {
    const world = await World.create();
    const sheet = world.addBody({
      shape: { type: 'sheet', size: [1, 1], thickness: 0.008 },
      sampling: { spacing: 0.05 },
      material: CLOTH,
    });
    for (const normal of [[1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]] as const) // biome-ignore format: a line
      world.addClamp({ bodies: [sheet], region: { type: 'halfspace', normal, offset: 0.49 } });
    const ball = world.addBody({
      shape: { type: 'sphere', radius: 0.12 },
      sampling: { spacing: 0.05 },
      material: { young: 1e5, density: 200 },
      position: [0.02, 0.3, 0.01],
    });
    run(world, 240);
    // The sheet sags by some centimetres under the ball.
    expect(ball.centreOfMass[1]).toBeGreaterThan(-0.1);
    expect(ball.centreOfMass[1]).toBeLessThan(0.12);
    world.dispose();
  });

  it('crumpled on the floor does not pass through itself', async () => {
    const world = await World.create();
    world.addCollider({ type: 'plane', normal: [0, 1, 0], friction: 0.6 });
    const sheet = world.addBody({
      shape: { type: 'sheet', size: [1, 1], thickness: 0.008 },
      sampling: { spacing: 0.05 },
      material: { ...CLOTH, young: 30_000, friction: 0.3 },
      rotation: [Math.SQRT1_2, 0, 0.05, Math.SQRT1_2],
      position: [0, 0.6, 0],
    });
    const skin = sheet.getSkin();
    const rest = skin.positions.slice();
    for (let k = 0; k < 6; k++) {
      run(world, 40);
      skin.update();
      expect(crossedTriangles(skin, rest, 0.15)).toEqual([]);
    }
    expect(world.measure(sheet).bboxMax[1]).toBeLessThan(0.8);
    world.dispose();
  });

  it('of an open mesh is shown closed, with the texture coordinates of the mesh, and has its volume', () => {
    const mesh = square(5);
    const built = buildBody({ mesh, thickness: 0.02, sampling: { spacing: 0.1 } });
    const { positions, indices, uvs } = built.makeSkin();
    expect(signedVolume(positions, indices)).toBeCloseTo(0.02, 6);
    for (let k = 0; k < indices.length; k++) {
      expect(uvs![2 * k]).toBeCloseTo(positions[3 * indices[k]] + 0.5, 5);
      expect(uvs![2 * k + 1]).toBeCloseTo(positions[3 * indices[k] + 2] + 0.5, 5);
    }
    expect(built.data.masses.reduce((sum, m) => sum + m)).toBeCloseTo(20, 3);
  });

  it('goes through a snapshot and an asset, bit by bit', async () => {
    const [one, other] = [await World.create(), await World.create()];
    const built = buildBody({
      shape: { type: 'sheet', size: [0.6, 0.5], thickness: 0.004 },
      sampling: { spacing: 0.05 },
      material: CLOTH,
    });
    one.addBody(loadBody(saveBody(built)), { angularVelocity: [1, 0, 2] });
    run(one, 10);
    other.restore(one.save());
    run(one, 10);
    run(other, 10);
    expect(other.bodies[0].positions).toEqual(one.bodies[0].positions);
    one.dispose();
    other.dispose();
  });

  it('is refused with path, value and what was expected', () => {
    const sampling = { spacing: 0.1 };
    expect(refusal(() => buildBody({ mesh: boxMesh([1, 1, 1]), thickness: 0.1, sampling }))).toMatch(
      /^body\.thickness is 0\.1; expected nothing for a closed mesh/,
    );
    expect(refusal(() => buildBody({ shape: { type: 'sphere', radius: 1 }, thickness: 0.1, sampling }))).toBe(
      'body.thickness is 0.1; expected nothing for a body that is not made from a mesh.',
    );
    expect(refusal(() => buildBody({ mesh: square(2), thickness: -1, sampling }))).toMatch(
      /^body\.thickness is -1; expected a finite number above 0/,
    );
    expect(refusal(() => buildBody({ mesh: square(2), thickness: 0.1, sampling: { ...sampling, shell: 0.1 } }))).toBe(
      'body.sampling.shell is 0.1; expected nothing for a sheet.',
    );
    expect(refusal(() => buildBody({ mesh: square(2), sampling }))).toMatch(/flat|give the sheet a thickness/);
  });
});

/** Middles of the sections of a cord: its particles lie three by three. */
const middles = ({ positions: p }: Body) =>
  Array.from({ length: p.length / 12 }, (_, n) =>
    [0, 1, 2].map((a) => (p[12 * n + a] + p[12 * n + 4 + a] + p[12 * n + 8 + a]) / 3),
  );

describe('a cord', () => {
  it('between two hands has the sag of a catenary of its length, within 3 %', async () => {
    const world = await World.create({ maxSubsteps: 24 });
    const cord = world.addBody({
      shape: { type: 'cord', path: [[-1, 0, 0], [1, 0, 0]], radius: 0.02 }, // biome-ignore format: a line
      sampling: { spacing: 0.05 },
      material: { young: 2e5, density: 800, dampingRatio: 0.5 },
    });
    const [left, right] = [-1, 1].map((side) =>
      world.addClamp({ region: { type: 'halfspace', normal: [side, 0, 0], offset: 0.99 }, centre: [side, 0, 0] }),
    );
    for (let k = 0; k < 500; k++) {
      const x = 1 - 0.25 * Math.min(1, k / 120);
      left.moveTo([-x, 0, 0], [0, 0, 0, 1]);
      right.moveTo([x, 0, 0], [0, 0, 0, 1]);
      world.step();
    }
    const line = middles(cord);
    const length = line.slice(1).reduce((sum, p, n) => sum + Math.hypot(...p.map((c, a) => c - line[n][a])), 0);
    const sag = -Math.min(...line.map(([, y]) => y));
    report('sag of a rope over that of a catenary', sag / catenarySag(length, 1.5), '');
    expect(cord.warnings).toEqual([]);
    expect(Math.abs(sag / catenarySag(length, 1.5) - 1)).toBeLessThan(0.03);
    // Its own weight stretches it by some ρ g L/2E: 4 %.
    expect(length).toBeGreaterThan(2);
    expect(length).toBeLessThan(2.1);
    world.dispose();
  });

  it('that falls across another one hangs on it', async () => {
    const world = await World.create({ maxSubsteps: 16 });
    const material = { young: 1e5, density: 600, dampingRatio: 0.3, friction: 0.6 };
    const held = world.addBody({
      shape: { type: 'cord', path: [[-0.6, 0, 0], [0.6, 0, 0]], radius: 0.03 }, // biome-ignore format: a line
      sampling: { spacing: 0.05 },
      material,
    });
    for (const side of [-1, 1])
      world.addClamp({ bodies: [held], region: { type: 'halfspace', normal: [side, 0, 0], offset: 0.59 } });
    const free = world.addBody({
      shape: { type: 'cord', path: [[0, 0, -0.5], [0, 0, 0.5]], radius: 0.03 }, // biome-ignore format: a line
      sampling: { spacing: 0.05 },
      material,
      position: [0.01, 0.2, 0],
    });
    run(world, 240);
    const [under, over] = [held, free].map((cord) =>
      Math.max(
        ...middles(cord)
          .slice(8, -8)
          .map(([, y]) => y),
      ),
    );
    expect(over).toBeGreaterThan(Math.min(...middles(held).map(([, y]) => y)) + 0.04);
    expect(world.measure(free).bboxMin[1]).toBeLessThan(under - 0.28);
    world.dispose();
  });

  it('is shown closed, with its volume', () => {
    const path = [[0, 0, 0], [0.5, 0, 0], [1, 0.3, 0]] as const; // biome-ignore format: a line
    const { positions, indices } = buildBody({
      shape: { type: 'cord', path, radius: 0.03 },
      sampling: { spacing: 0.05 },
    }).makeSkin();
    const length = 0.5 + Math.hypot(0.5, 0.3);
    // Sixteen vertices around have 2.6 % less area than the circle.
    expect(signedVolume(positions, indices) / (Math.PI * 0.03 * 0.03 * (length + 0.04))).toBeGreaterThan(0.95);
    expect(signedVolume(positions, indices) / (Math.PI * 0.03 * 0.03 * (length + 0.04))).toBeLessThan(1);
    const edges = new Map<string, number>();
    for (let k = 0; k < indices.length; k++) {
      const [a, b] = [indices[k], indices[k % 3 === 2 ? k - 2 : k + 1]];
      const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
      edges.set(key, (edges.get(key) ?? 0) + (a < b ? 1 : -1));
    }
    expect([...edges.values()].every((sum) => sum === 0)).toBe(true);
  });
});

/** Sag of a line of this length between two places of equal height this far apart. */
function catenarySag(length: number, span: number): number {
  // length = 2 a sinh(span/2a), by bisection; sag = a (cosh(span/2a) − 1).
  let [low, high] = [1e-3, 1e3];
  for (let k = 0; k < 200; k++) {
    const a = Math.sqrt(low * high);
    if (2 * a * Math.sinh(span / (2 * a)) > length) low = a;
    else high = a;
  }
  return low * (Math.cosh(span / (2 * low)) - 1);
}
