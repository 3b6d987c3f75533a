import type { LevelWeights, World } from 'pliant';
import { World as PliantWorld } from 'pliant';
import { describe, expect, test } from 'vitest';
import { report } from '../../pliant/src/testing/report.js';
import { rigidFit } from '../../pliant/src/testing/rigidFit.js';
import { loadOwn } from './testing/gallery.js';

/** The scene's one body alone with its obstacles, and a way back to its start: clusters are found once for all weightings. */
async function stage(name: string, change: (options: Record<string, unknown>) => void = () => {}) {
  const scene = await loadOwn(name);
  const world = await PliantWorld.create({ gravity: scene.gravity, dt: scene.dt, sleepSpeed: 0 });
  for (const actor of scene.actors) if (actor.kind === 'collider') world.addCollider(actor.options);
  const options = { ...scene.bodies[0].options };
  change(options as unknown as Record<string, unknown>);
  const body = world.addBody(options);
  const [x, v] = [body.positions.slice(), body.velocities.slice()];
  const begin = (weights: LevelWeights) => {
    body.positions.set(x);
    body.previousPositions.set(x);
    body.velocities.set(v);
    body.setLevels({ weights });
  };
  return { world, body, begin };
}

const height = (world: World) => world.measure().bboxMax[1] - world.measure().bboxMin[1];

describe("what [K20] says of levels, with its own scenes' counts", () => {
  test('falling ball: 101 clusters alone end as a puddle, one keeps the ball, six weightings squash more and come back', async () => {
    const { world, body, begin } = await stage('falling-ball');
    expect(body.levels.map((level) => level.clusters)).toEqual([101, 12, 1]);
    const fall = (weights: LevelWeights) => {
      begin(weights);
      let least = 1;
      for (let n = 0; n < 300; n++) {
        world.step();
        if (n < 72) least = Math.min(least, height(world));
      }
      // The ball is 1 m wide.
      return { squash: least, height: height(world), shape: rigidFit(body).rms };
    };
    const puddle = fall([1, 0, 0]);
    expect(puddle.height).toBeLessThan(0.6);
    // Farther from the ball than any of the weightings below may end.
    expect(puddle.shape).toBeGreaterThan(0.08);
    const one = fall([0, 0, 1]);
    expect(one.shape).toBeLessThan(0.03);
    const schemes: LevelWeights[] = [
      { type: 'polynomial', to: 'coarse', b: 10, c: 2 },
      { type: 'gaussian', to: 'coarse' },
      'uniform',
      { type: 'linear', to: 'coarse', epsilon: 0.1 },
      [1, 4, 1],
      { type: 'gaussian', to: 'fine' },
    ];
    for (const weights of schemes) {
      const { squash, shape } = fall(weights);
      const name = JSON.stringify(weights);
      // At impact flatter than one cluster, at the end within 5 % of its diameter of the ball it was.
      expect(squash, name).toBeLessThan(one.squash - 0.02);
      expect(shape, name).toBeLessThan(0.05);
    }
  });

  test('hovering cube: the more weight on coarse levels, the faster it swings', async () => {
    const { world, body, begin } = await stage('hovering-cube', (options) => {
      // A small stretch and nothing that brakes or limits: the stretch mode by itself.
      options.stretch = [1.05, 1, 1];
      options.material = { raw: { stiffness: 0.1, damping: 0, rotation: 'covariance', limit: { iterations: 0 } } };
    });
    expect(body.levels.map((level) => level.clusters)).toEqual([66, 8, 1]);
    const rest = body.restPositions;
    const stretch = () => {
      let [along, square] = [0, 0];
      for (let i = 0; i < body.particleCount; i++) {
        along += body.positions[4 * i] * rest[3 * i];
        square += rest[3 * i] ** 2;
      }
      return along / square - 1;
    };
    const frequency = (weights: LevelWeights) => {
      begin(weights);
      const falls: number[] = [];
      for (let n = 0, last = stretch(); n < 400; n++) {
        world.step();
        const now = stretch();
        if (last > 0 && now <= 0) falls.push(n + last / (last - now));
        last = now;
      }
      return (falls.length - 1) / (falls[falls.length - 1] - falls[0]);
    };
    const schemes: LevelWeights[] = [
      [1, 0, 0],
      { type: 'polynomial', to: 'fine', b: 10, c: 2 },
      { type: 'linear', to: 'fine', epsilon: 0.1 },
      { type: 'gaussian', to: 'fine' },
      'uniform',
      { type: 'gaussian', to: 'coarse' },
      { type: 'polynomial', to: 'coarse', b: 10, c: 2 },
      [0, 0, 1],
    ];
    const frequencies = schemes.map(frequency);
    for (let n = 1; n < schemes.length; n++)
      expect(frequencies[n], JSON.stringify(schemes[n])).toBeGreaterThan(1.03 * frequencies[n - 1]);
    // One cluster is known: the deviation from the goal swings with cos ω = 1 − α/2 a step.
    expect(frequencies[schemes.length - 1]).toBeCloseTo(Math.acos(1 - 0.1 / 2) / (2 * Math.PI), 3);
    // 66 clusters alone are more than three times as slow.
    expect(frequencies[0] / frequencies[schemes.length - 1]).toBeLessThan(0.3);
  });

  test('falling bunny: deformation grows richer with c, from that of one cluster to that of the finest level', async () => {
    const { world, body, begin } = await stage('falling-bunny', (options) => {
      // The scene has an elastic law; the paper's bunny has per-step parameters and levels.
      options.material = { raw: { stiffness: 0.6, damping: 0.1, rotation: 'covariance' } };
      options.clustering = { count: 330, radius: 0.1035 };
      options.levels = { weights: { type: 'polynomial', to: 'fine', b: 10, c: 2 } };
    });
    expect(Math.abs(body.particleCount / 16_510 - 1)).toBeLessThan(0.02);
    // The paper's 330, 41, 5 and 1: its ears and feet are not held together by what is beside them, which makes one more.
    expect(body.levels.map((level) => level.clusters)).toEqual([330, 42, 5, 1]);
    const richness = (weights: LevelWeights) => {
      begin(weights);
      let most = 0;
      for (let n = 0; n < 60; n++) {
        world.step();
        if (n > 24) most = Math.max(most, rigidFit(body).rms);
      }
      return most;
    };
    const found = [
      richness([0, 0, 0, 1]),
      ...[0, 1, 2, 4].map((c) => richness({ type: 'polynomial', to: 'fine', b: 10, c })),
    ];
    report('farthest off its shape', found, 'm');
    for (let n = 1; n < found.length; n++) expect(found[n]).toBeGreaterThan(1.02 * found[n - 1]);
    expect(found[found.length - 1]).toBeGreaterThan(3 * found[0]);
    // Of the paper's size, it took 154 s on a machine that had nine times as much to do as it has cores.
  });

  test.each([0.05, 0.5, 1.5, 1.95])('any stiffness is stable: α = %s, undamped', async (stiffness) => {
    const { world, body, begin } = await stage('hovering-cube', (options) => {
      options.material = { raw: { stiffness, damping: 0, rotation: 'covariance' } };
    });
    for (const weights of ['uniform', [1, 1, 8], [8, 1, 1]] as const) {
      begin(weights);
      let most = 0;
      for (let n = 0; n < 400; n++) {
        world.step();
        most = Math.max(most, rigidFit(body).rms);
      }
      // Stretched to twice its length it is 0.29 off its shape: undamped it rings for ever, and no farther than that, but for rounding of corners.
      expect(most).toBeLessThan(0.4);
    }
    begin('uniform');
    body.setMaterial({ raw: { damping: 0.2, bodyDamping: 0.05 } });
    for (let n = 0; n < 400; n++) world.step();
    expect(rigidFit(body).rms).toBeLessThan(0.01);
    expect(world.drainEvents()).toEqual([]);
  });
});
