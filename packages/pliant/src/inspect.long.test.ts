import { describe, expect, it } from 'vitest';
import type { BodyOptions } from './body/options.js';
import {
  clusterMatricesInto,
  clusterRadiiInto,
  goalsInto,
  NO_CLUSTER,
  nearestClustersInto,
  plasticStrainInto,
  proxyPlanesInto,
  speedInto,
  strainEnergy,
  stressInto,
  toughnessInto,
  volumeShare,
} from './inspect.js';
import { BACKENDS } from './kernels/kernels.js';
import { bitsOf, differences } from './snapshot/testing/bits.js';
import { PROXY_PLANES } from './state/layout.js';
import { BLOCK, disturb, worldWith } from './testing/bodies.js';
import { linksOf } from './testing/links.js';
import { refusal } from './testing/refusal.js';

/** A quarter turn about z, and the same body standing beside the origin. */
const TURNED = { rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2], position: [3, 1, 0] } as const;

describe.each(BACKENDS)('what there is to see (%s)', (backend) => {
  it('stress: how far clusters are stretched or squeezed, wherever the body is and however it is turned', async () => {
    for (const [stretch, expected] of [
      [[1, 1, 1], 0],
      [[1.2, 1, 1], 0.2],
      [[1, 0.7, 1], 0.3],
      [[1.1, 0.95, 1], 0.1],
    ] as const) {
      const { world, body } = await worldWith({ ...BLOCK, stretch }, { backend });
      // Turned by writing positions: (x, y) → (−y, x).
      const x = body.positions;
      for (let o = 0; o < x.length; o += 4) [x[o], x[o + 1]] = [-x[o + 1] + 3, x[o]];
      const out = new Float32Array(body.particleCount).fill(9);
      stressInto(out, world, body);
      // f32 positions at 3 m of clusters of half a metre: 1e-6.
      expect(Math.max(...out.map((stress) => Math.abs(stress - expected)))).toBeLessThan(1e-5);
      expect(volumeShare(world, body)).toBeCloseTo(stretch[0] * stretch[1] * stretch[2], 5);
    }
  });

  it('stress is elastic: none is left where the rest shape has flowed as far, and the plastic strain tells', async () => {
    const { world, body } = await worldWith(BLOCK, { backend });
    const { views: s } = world.state;
    const k = 1.25;
    for (let c = 0; c < body.clusterCount; c++) {
      s.plastic.set([k, 0, 0, 0, 1 / k, 0, 0, 0, 1], 9 * c);
      s.plasticStrain[c] = 0.1 * c;
    }
    body.core.history.noteFlow();
    const x = body.positions;
    for (let o = 0; o < x.length; o += 4) [x[o], x[o + 1]] = [k * x[o], x[o + 1] / k];
    const out = new Float32Array(body.particleCount);
    stressInto(out, world, body);
    expect(Math.max(...out.map(Math.abs))).toBeLessThan(1e-5);
    plasticStrainInto(out, world, body);
    for (const i of [0, 17, 300]) {
      const mean = linksOf(world, i).reduce((sum, { cluster, w }) => sum + 0.1 * cluster * w, 0);
      expect(out[i]).toBeCloseTo(mean, 5);
    }
  });

  it('plastic strain of a body that has flowed in its run: some', async () => {
    const soft: BodyOptions = { ...BLOCK, stretch: [1.4, 1, 1], material: { yield: 0.05, raw: { stiffness: 0.2 } } };
    const { world, body } = await worldWith(soft, { backend });
    for (let n = 0; n < 10; n++) world.step();
    const out = new Float32Array(body.particleCount);
    plasticStrainInto(out, world, body);
    expect(Math.min(...out)).toBeGreaterThan(0.05);
    expect(Math.max(...out)).toBeLessThanOrEqual(Math.max(...body.plasticStrain) * (1 + 1e-6));
  });

  it('goals: where a step without inertia would bring particles with α = 1', async () => {
    for (const mode of ['rigid', 'quadratic'] as const)
      for (const levels of [undefined, { count: 2 }]) {
        const material = { raw: { stiffness: 1, damping: 0, mode, limit: { iterations: 0 } } };
        const { world, body } = await worldWith({ ...BLOCK, levels, material }, { backend });
        disturb(world, 5, 0.02, 0);
        const goals = new Float32Array(3 * body.particleCount);
        goalsInto(goals, world, body);
        world.step();
        const off = goals.map((g, k) => Math.abs(g - body.positions[4 * Math.floor(k / 3) + (k % 3)]));
        expect(Math.max(...off)).toBeLessThan(2e-6);
      }
  });

  it('strain energy: what an undamped step keeps, with the kinetic one', async () => {
    const material = { raw: { stiffness: 0.3, damping: 0, rotation: 'covariance', limit: { iterations: 0 } } } as const;
    const { world, body } = await worldWith({ ...BLOCK, ...TURNED, material }, { backend });
    // Of what is turned and moved away there is none: the square of f32's rounding at 3 m, times α m/h².
    expect(strainEnergy(world, body)).toBeLessThan(1e-4);
    const x = body.positions;
    for (let o = 0; o < x.length; o += 4) x[o] = 3 + 1.2 * (x[o] - 3);
    const goals = new Float32Array(3 * body.particleCount);
    const energies = () => {
      goalsInto(goals, world, body);
      const v = body.velocities;
      // (h/2) Σ v·∇Φ, with ∇Φ = (α m/h²)(x − g): symplectic Euler keeps not H, but this near it.
      let swing = 0;
      for (let i = 0; i < body.particleCount; i++)
        for (let a = 0; a < 3; a++)
          swing += ((0.3 * x[4 * i + 3]) / (2 * world.dt)) * v[4 * i + a] * (x[4 * i + a] - goals[3 * i + a]);
      const strain = strainEnergy(world, body);
      return { strain, whole: world.measure().kineticEnergy + strain - swing };
    };
    const start = energies();
    let least = start.strain;
    for (let n = 0; n < 60; n++) {
      world.step();
      const { strain, whole } = energies();
      least = Math.min(least, strain);
      // Rotations are not linear: the energy it keeps is this to second order.
      expect(Math.abs(whole / start.whole - 1)).toBeLessThan(1e-3);
    }
    // Nearly all of it has been motion meanwhile.
    expect(least).toBeLessThan(0.3 * start.strain);
  });

  it.each([
    [0, [1.05, 0.98, 1]],
    [0.3, [1.05, 0.98, 1]],
    [0.45, [0.8, 1.1, 1.1]],
  ] as const)('strain energy by the elastic law: kept with the kinetic one, ν = %d', async (poisson, stretch) => {
    const material = { young: 1e5, poisson, dampingRatio: 0 };
    const bodyOptions = { ...BLOCK, clustering: {}, contact: { mode: 'none' }, material } as const;
    const still = await worldWith({ ...bodyOptions, ...TURNED }, { backend });
    expect(strainEnergy(still.world, still.body)).toBeLessThan(1e-3);
    const { world, body } = await worldWith(
      { ...bodyOptions, stretch: [...stretch] },
      { backend, dt: 1 / 600, substeps: 1 },
    );
    const before = new Float32Array(body.velocities.length);
    let [start, least] = [0, Number.POSITIVE_INFINITY];
    for (let n = 0; n < 240; n++) {
      const strain = strainEnergy(world, body);
      before.set(body.velocities);
      world.step();
      // Velocities of symplectic Euler are those half a step before the positions: ½ Σ m v v' is the kinetic energy where Φ is measured.
      let kinetic = 0;
      for (let o = 0; o < before.length; o += 4)
        for (let a = 0; a < 3; a++) kinetic += 0.5 * body.positions[o + 3] * before[o + a] * body.velocities[o + a];
      if (n === 0) start = kinetic + strain;
      least = Math.min(least, strain);
      // 0.0003 at ν = 0.45; with steps of 1/300 s it is 0.016.
      expect(Math.abs((kinetic + strain) / start - 1)).toBeLessThan(0.001);
    }
    expect(least).toBeLessThan(0.5 * start);
  });

  it('clusters: the matrix of a ball, deformed or turned, and half-spaces in the world', async () => {
    const { world, body } = await worldWith({ ...BLOCK, ...TURNED }, { backend });
    const x = body.positions;
    // By 1.5 along the world's y, about 1.
    for (let o = 0; o < x.length; o += 4) x[o + 1] = 1 + 1.5 * (x[o + 1] - 1);
    world.state.views.xOld.set(world.state.views.x);
    const radii = new Float32Array(body.clusterCount);
    const matrices = new Float32Array(16 * body.clusterCount);
    clusterRadiiInto(radii, world, body);
    clusterMatricesInto(matrices, world, body);
    const { views: s } = world.state;
    const planes = new Float32Array(4 * PROXY_PLANES);
    for (let c = 0; c < body.clusterCount; c++) {
      const m = matrices.subarray(16 * c, 16 * c + 16);
      // Rest offsets are in the axes of the world, in which the body was placed.
      const expected = [1, 0, 0, 0, 0, 1.5, 0, 0, 0, 0, 1, 0].map((f) => f * radii[c]);
      expected.forEach((f, k) => {
        expect(Math.abs(m[k] - f)).toBeLessThan(1e-5);
      });
      const count = proxyPlanesInto(planes, world, body, c);
      for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
        const p = Array.from(x.slice(4 * s.memberParticle[k], 4 * s.memberParticle[k] + 3));
        const goal = [0, 1, 2].map((a) => m[12 + a] + [1, 1.5, 1][a] * s.member[4 * k + a]);
        for (let a = 0; a < 3; a++) expect(Math.abs(goal[a] - p[a])).toBeLessThan(1e-5);
        for (let n = 0; n < count; n++)
          expect(planes[4 * n] * p[0] + planes[4 * n + 1] * p[1] + planes[4 * n + 2] * p[2]).toBeLessThan(
            planes[4 * n + 3],
          );
      }
      for (let n = 0; n < count; n++) expect(Math.hypot(...planes.subarray(4 * n, 4 * n + 3))).toBeCloseTo(1, 5);
    }
    clusterMatricesInto(matrices, world, body, 'turned');
    expect(matrices[5] / radii[0]).toBeCloseTo(1, 5);
  });

  it('leaves no trace: the run goes on bit by bit', async () => {
    const make = async () => {
      const { world, body } = await worldWith(
        { ...BLOCK, levels: { count: 2 }, material: { toughness: 0.5, yield: 0.1, raw: {} } },
        { backend, gravity: [0, -9.81, 0] },
      );
      world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.6 });
      return { world, body };
    };
    const [one, other] = [await make(), await make()];
    const out = new Float32Array(16 * one.body.particleCount);
    for (let n = 0; n < 30; n++) {
      for (const look of [
        stressInto,
        plasticStrainInto,
        toughnessInto,
        speedInto,
        goalsInto,
        clusterMatricesInto,
        clusterRadiiInto,
      ])
        look(out, one.world, one.body);
      proxyPlanesInto(out, one.world, one.body, 3);
      volumeShare(one.world, one.body);
      strainEnergy(one.world, one.body);
      one.world.step();
      other.world.step();
    }
    expect(differences(bitsOf(one.world), bitsOf(other.world))).toEqual([]);
  });
});

describe('per particle', () => {
  it('speed, toughness and nearest cluster; debris has none', async () => {
    const { world, body } = await worldWith({ ...BLOCK, velocity: [3, 4, 0], material: { toughness: (x) => 1 + x } });
    const out = new Float32Array(body.particleCount);
    speedInto(out, world, body);
    expect(Math.max(...out.map((v) => Math.abs(v - 5)))).toBeLessThan(1e-6);
    toughnessInto(out, world, body);
    for (const i of [0, 100]) expect(out[i]).toBeCloseTo(1 + body.restPositions[3 * i], 6);
    const nearest = new Uint32Array(body.particleCount);
    nearestClustersInto(nearest, world, body);
    for (let i = 0; i < body.particleCount; i += 7) {
      const links = linksOf(world, i);
      const least = Math.min(...links.map(({ p }) => Math.hypot(...p)));
      expect(Math.hypot(...links.find(({ cluster }) => cluster === nearest[i])!.p)).toBe(least);
    }
    // A particle in no cluster: its run of links is empty.
    const { views: s } = world.state;
    s.linkStart[s.gatherRank[5] + 1] = s.linkStart[s.gatherRank[5]];
    nearestClustersInto(nearest, world, body);
    expect(nearest[5]).toBe(NO_CLUSTER);
  });

  it('refuses an array that is too small', async () => {
    const { world, body } = await worldWith(BLOCK);
    expect(refusal(() => speedInto(new Float32Array(3), world, body))).toBe(
      'out has room for 3 numbers; expected at least 504.',
    );
  });
});
