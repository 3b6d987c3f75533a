import { existsSync } from 'node:fs';
import type { World } from 'pliant';
import { describe, expect, it } from 'vitest';
import { report } from '../packages/pliant/src/testing/report.js';
// @ts-expect-error: a plain script, which writes the figures.
import { figuresOf, readFigures, SCENES } from '../scripts/referenceFigures.mjs';
import {
  hasReference,
  REFERENCE,
  type ReferenceFrame,
  referenceNames,
  referenceResult,
  referenceWorld,
} from './reference.js';

// Elastic scenes: no plasticity, no fracture, no contact between bodies before frame 50. The clamped and pinned ones run with
// the research code's self-collision and outlier splitting in the reference, which ours does not have yet: they agree until
// these act (particle counts that changed are left out), which the bounds leave room for.
const ELASTIC: string[] = [...SCENES, 'dropWithHold'];
/** Share of the body's diagonal that a probe may be off, by frame. */
const BOUND: Record<number, number> = { 0: 1e-6, 10: 1e-4, 20: 1e-4, 50: 1e-3 };

function diagonalOf(world: World): number {
  const { restPositions } = world.bodies[0];
  const [low, high] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  restPositions.forEach((value, k) => {
    low[k % 3] = Math.min(low[k % 3], value);
    high[k % 3] = Math.max(high[k % 3], value);
  });
  return Math.hypot(...high.map((h, a) => h - low[a]));
}

const farthest = (world: World, frame: ReferenceFrame) =>
  Math.max(...frame.probe.map(([i, p]) => Math.hypot(...p.map((value, a) => world.positions[4 * i + a] - value))));

describe.skipIf(!hasReference)("with the reference clusters and the papers' settings", () => {
  it.each(ELASTIC)('%s follows the reference trajectory', async (name) => {
    const result = referenceResult(name);
    const { world } = await referenceWorld(name, 'reference clusters');
    const diagonal = diagonalOf(world);
    const errors: string[] = [];
    for (let frame = 0; frame <= 50; frame++) {
      const there = result.frames.find((f) => f.frame === frame && f.particles === world.particleCount);
      if (there) {
        const error = farthest(world, there) / diagonal;
        errors.push(`${frame}: ${error.toExponential(1)}`);
        expect(error, `frame ${frame}`).toBeLessThan(BOUND[frame]);
        expect(Math.abs(world.measure().mass / there.mass - 1)).toBeLessThan(1e-7);
      }
      if (frame < 50) world.step();
    }
    report('probes off by', errors, 'diagonals');
  });

  it('the plain kernels follow it as well (CubeComparisons-default)', async () => {
    const { world } = await referenceWorld('CubeComparisons-default', 'reference clusters', 'ts');
    for (let k = 0; k < 50; k++) world.step();
    const last = referenceResult('CubeComparisons-default').frames.find((f) => f.frame === 50)!;
    expect(farthest(world, last) / diagonalOf(world)).toBeLessThan(1e-3);
  });
});

describe.skipIf(!hasReference)('the figures that the project keeps (tests/data/reference.json)', () => {
  it('are of the scenes that scripts/referenceFigures.mjs lists', () => {
    expect(Object.keys(readFigures())).toEqual(SCENES);
  });

  it.each(SCENES as string[])("%s: are the reference's", (name) => {
    expect(readFigures()[name]).toEqual(figuresOf(name));
  });
});

/** Scenes that flow, and the last frame at which nothing has broken in the reference. */
const PLASTIC: Record<string, number> = {
  cubeTwistPlastic2: 200,
  cubeTwistPlasticFracture: 200,
  brokenHeart: 20,
  projectilePlateDuctileStrong: 10,
};

describe.skipIf(!hasReference)('bodies that flow (SPEC P1, P2)', () => {
  it.each(Object.entries(PLASTIC))('%s follows the reference trajectory up to frame %d', async (name, last) => {
    const result = referenceResult(name);
    const { world } = await referenceWorld(name, 'reference clusters');
    const diagonal = diagonalOf(world);
    const off = (a: ArrayLike<number>, b: number[]) => Math.hypot(...b.map((value, k) => a[k] - value)) / diagonal;
    const errors: string[] = [];
    for (let frame = 0; frame <= last; frame++) {
      const there = result.frames.find((f) => f.frame === frame);
      if (there) {
        expect(there.particles).toBe(world.particleCount);
        const here = world.measure();
        const error = Math.max(
          farthest(world, there) / diagonal,
          off(here.com, there.com),
          off(here.bboxMin, there.bboxMin),
          off(here.bboxMax, there.bboxMax),
          Math.abs(here.rms - there.rms) / diagonal,
        );
        errors.push(`${frame}: ${error.toExponential(1)}`);
        // Positions are f32 here and f64 there, and flow forgets: nothing rings on. An elastic body would be off by 6e-4 at frame 50,
        // one that does not harden by 1.5e-5.
        expect(error, `frame ${frame}`).toBeLessThan(2e-6);
      }
      if (frame < last) world.step();
    }
    report('off by', errors, 'diagonals');
    expect(errors.length).toBeGreaterThan(1);
  });

  it('contact between clusters, as the scene asks for, changes nothing up to frame 50 (cubeTwistPlastic2)', async () => {
    const { world } = await referenceWorld('cubeTwistPlastic2', 'reference clusters', 'wasm', undefined);
    for (let k = 0; k < 50; k++) world.step();
    const there = referenceResult('cubeTwistPlastic2').frames.find((f) => f.frame === 50)!;
    expect(farthest(world, there) / diagonalOf(world)).toBeLessThan(2e-6);
  });

  it('the plain kernels follow it as well (cubeTwistPlastic2)', async () => {
    const { world } = await referenceWorld('cubeTwistPlastic2', 'reference clusters', 'ts');
    for (let k = 0; k < 20; k++) world.step();
    const there = referenceResult('cubeTwistPlastic2').frames.find((f) => f.frame === 20)!;
    expect(farthest(world, there) / diagonalOf(world)).toBeLessThan(2e-6);
    // And it does flow.
    expect(Math.max(...world.bodies[0].plasticStrain)).toBeGreaterThan(0.01);
  });
});

describe.skipIf(!hasReference)('with our own clusters', () => {
  it('centre of mass within 2 % and rms radius within 3 % at frame 20 wherever the count is the same', async () => {
    let compared = 0;
    for (const name of referenceNames()) {
      if (!ELASTIC.includes(name)) continue;
      const result = referenceResult(name);
      const { world } = await referenceWorld(name, 'own clusters');
      if (world.clusterCount !== result.clusters) {
        report(`${name}: left out, clusters here and there`, [world.clusterCount, result.clusters], '');
        continue;
      }
      for (let k = 0; k < 20; k++) world.step();
      const there = result.frames.find((f) => f.frame === 20)!;
      const here = world.measure();
      const diagonal = diagonalOf(world);
      const com = Math.hypot(...here.com.map((c, a) => c - there.com[a])) / diagonal;
      const rms = Math.abs(here.rms - there.rms) / diagonal;
      report(`${name}: centre and rms radius off by`, { com, rms }, 'diagonals');
      expect.soft(com, name).toBeLessThan(0.02);
      expect.soft(rms, name).toBeLessThan(0.03);
      compared++;
    }
    expect(compared).toBeGreaterThan(5);
  });
});

describe.skipIf(!hasReference)('with our own settings (SPEC M3, M7, M10)', () => {
  const cubes = ELASTIC.filter((name) => /cube/i.test(name) && existsSync(`${REFERENCE}clusters/${name}.json`));
  it.each(cubes)(
    '%s, free and stretched, keeps centre of mass and angular momentum to 1e-5 over 200 steps',
    async (name) => {
      const { world } = await referenceWorld(name, 'reference clusters');
      for (const body of world.bodies)
        body.setMaterial({
          raw: { rotation: 'covariance', dampingMode: 'rigid', inversion: 'proper', limit: { mode: 'conserving' } },
        });
      const diagonal = diagonalOf(world);
      const before = world.measure();
      // Angular momentum against Σ m |r| |v| at its largest, which is what would turn if it were not balanced.
      let scale = 0;
      for (let k = 0; k < 200; k++) {
        world.step();
        const { mass, kineticEnergy, rms } = world.measure();
        scale = Math.max(scale, mass * rms * Math.sqrt((2 * kineticEnergy) / mass));
      }
      const after = world.measure();
      const drift = Math.hypot(...after.com.map((c, a) => c - before.com[a])) / diagonal;
      const spin = Math.hypot(...after.angularMomentum.map((l, a) => l - before.angularMomentum[a])) / scale;
      report('drift of the centre (diagonals) and of the angular momentum (share)', { drift, spin }, '');
      expect(drift).toBeLessThan(1e-5);
      expect(spin).toBeLessThan(1e-5);
    },
  );

  it.each(cubes)("%s: the conserving limit leaves at most a tenth more stretch than the papers' form", async (name) => {
    const largest: Record<string, number> = {};
    for (const mode of ['paper', 'conserving'] as const) {
      const { world } = await referenceWorld(name, 'reference clusters');
      world.bodies[0].setMaterial({ raw: { rotation: 'covariance', inversion: 'proper', limit: { mode } } });
      largest[mode] = 0;
      for (let k = 0; k < 200; k++) {
        world.step();
        // The first steps still show the stretch that the scene begins with.
        if (k >= 5) largest[mode] = Math.max(largest[mode], world.maxStretch());
      }
    }
    report('largest stretch', largest, '');
    expect(largest.conserving / largest.paper).toBeLessThan(1.1);
  });
});
