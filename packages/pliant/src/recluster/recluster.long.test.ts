import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/options.js';
import { KERNELS, weigh, weightAt } from '../cluster/weightKernel.js';
import type { WorldEvent } from '../events.js';
import { BACKENDS } from '../kernels/kernels.js';
import { random } from '../math/random.js';
import { disturb, spinOf, turmoil, worldWith } from '../testing/bodies.js';
import { report } from '../testing/report.js';
import { testSeed } from '../testing/seed.js';
import type { World } from '../world.js';
import type { ReclusterOptions } from './options.js';

type Reclustering = Extract<WorldEvent, { type: 'recluster' }>;

const BAR: BodyOptions = {
  shape: { type: 'box', size: [1.6, 0.4, 0.4] },
  sampling: { method: 'grid', spacing: 0.08 },
  clustering: { count: 40 },
  material: { yield: 0.05, raw: { rotation: 'covariance', damping: 0.1, limit: { gamma: 0.5 } } },
};

/** The bar, drawn out by clamps at its ends, each half a metre a second. */
async function drawn(reclustering: ReclusterOptions, material = {}, options = {}, more: BodyOptions = {}) {
  const bar = { ...BAR, ...more, material: { ...BAR.material, ...material }, reclustering };
  const { world, body } = await worldWith(bar, options);
  for (const side of [1, -1])
    world.addClamp({
      region: { type: 'halfspace', normal: [side, 0, 0], offset: 0.7 },
      velocity: [0.5 * side, 0, 0],
      lifetime: 1.2,
    });
  return { world, body };
}

function run(world: World, steps: number, each: () => void = () => {}): Reclustering[] {
  const events: Reclustering[] = [];
  for (let n = 0; n < steps; n++) {
    world.step();
    for (const event of world.drainEvents()) if (event.type === 'recluster') events.push(event);
    each();
  }
  return events;
}

const total = (events: Reclustering[], what: 'added' | 'removed' | 'divided') =>
  events.reduce((sum, event) => sum + event[what], 0);

/** Ratio of the largest to the smallest stretch of a cluster's F^p, which is symmetric: by powers of it and of its inverse. */
function condition(F: Float64Array): number {
  const power = (m: number[]) => {
    let [v, norm] = [[1, 0.7, 0.4], 1];
    for (let k = 0; k < 200; k++) {
      v = [0, 1, 2].map((a) => m[a] * v[0] + m[3 + a] * v[1] + m[6 + a] * v[2]);
      norm = Math.hypot(...v);
      v = v.map((x) => x / norm);
    }
    return norm;
  };
  const [a, b, c, , d, e, , , f] = F;
  return (
    power([...F]) *
    power([
      d * f - e * e,
      c * e - b * f,
      b * e - c * d,
      c * e - b * f,
      a * f - c * c,
      b * c - a * e,
      b * e - c * d,
      b * c - a * e,
      a * d - b * b,
    ])
  );
}

describe.each(BACKENDS)('reclustering (%s)', (backend) => {
  it('begins when cond(F^p) passes the threshold, and not before; clusters come and go, and all invariants hold', async () => {
    const { world, body } = await drawn(
      { threshold: 1.5, every: 1 / 60, fadeOut: 8 / 60, fadeIn: 5 / 60 },
      { yield: 0.02 },
      { backend },
    );
    const { mass } = world.measure();
    let marked = 0;
    const events = run(world, 60, () => {
      expect(world.validate()).toEqual([]);
      const { views: s } = world.state;
      for (let c = 0; c < body.clusterCount; c++) {
        // Those that stay are below it, as of the flow of this very step.
        if (!s.leaving[c]) expect(condition(s.plastic.slice(9 * c, 9 * c + 9))).toBeLessThan(1.5 + 1e-9);
        else marked++;
      }
      expect(world.measure().mass).toBe(mass);
    });
    expect(marked).toBeGreaterThan(0);
    expect(total(events, 'added')).toBeGreaterThan(10);
    expect(total(events, 'removed')).toBeGreaterThan(10);
    expect(events.length).toBeLessThanOrEqual(body.topologyVersion);
    expect(body.particleCount).toBe(body.restPositions.length / 3);
  });

  it('is none for a body that does not flow: not a bit of it changes', async () => {
    const seed = testSeed('no reclustering');
    const runs: Float32Array[] = [];
    for (const threshold of [1.0001, Number.POSITIVE_INFINITY]) {
      const { world, body } = await worldWith(
        { ...BAR, material: { ...BAR.material, yield: 10 }, reclustering: { threshold } },
        { backend },
      );
      disturb(world, seed, 0.01, 1);
      expect(run(world, 40)).toEqual([]);
      runs.push(body.positions.slice());
    }
    expect(runs[0]).toEqual(runs[1]);
  });

  it('keeps the momentum of a free body to rounding, and its angular momentum', async () => {
    const reclustering = { threshold: 1.5, every: 1 / 60, fadeOut: 6 / 60, fadeIn: 4 / 60 };
    // Contact of a body with itself keeps its angular momentum to some 1e-4 only.
    const { world } = await drawn(
      reclustering,
      { raw: { ...BAR.material?.raw, flowRate: 0.5 } },
      { backend },
      { contact: { mode: 'none' } },
    );
    run(world, 73);
    disturb(world, testSeed('momentum of reclustering'), 0, 2);
    const { momentum: p, mass } = world.measure();
    const [spin, scale] = [spinOf(world), turmoil(world)];
    const events = run(world, 40);
    expect(total(events, 'added') + total(events, 'removed')).toBeGreaterThan(5);
    const after = world.measure();
    // 2 m/s at random; f32 positions and velocities.
    for (let a = 0; a < 3; a++) expect(Math.abs(after.momentum[a] - p[a])).toBeLessThan(2e-5 * mass);
    const now = spinOf(world);
    for (let a = 0; a < 3; a++) expect(Math.abs(now[a] - spin[a])).toBeLessThan(1e-6 * scale);
  });
});

describe('what reclustering keeps', () => {
  /** Drawn out by a quarter and held, every cluster replaced, then let go: by how much it becomes shorter. */
  async function comesBack(space: ReclusterOptions['space'] | 'none', options: BodyOptions = {}): Promise<number> {
    const { world, body } = await worldWith({
      ...BAR,
      ...options,
      stretch: [1.25, 1, 1],
      material: {
        ...BAR.material,
        yield: Number.POSITIVE_INFINITY,
        raw: { ...BAR.material?.raw, damping: 0.2, bodyDamping: 0.2 },
      },
      reclustering: {
        threshold: 2,
        every: 1 / 60,
        fadeOut: 8 / 60,
        fadeIn: 5 / 60,
        ...(space === 'none' ? {} : { space }),
      },
    });
    const ends = Array.from({ length: body.particleCount }, (_, i) => i).filter(
      (i) => Math.abs(body.restPositions[3 * i]) > 0.7,
    );
    for (const i of ends) body.pin(i);
    run(world, 60);
    const long = lengthOf(body);
    if (space !== 'none') {
      // As if all of them had flowed too far.
      body.core.history.noteFlow();
      body.core.history.setFading(true);
      world.state.views.leaving.fill(1, 0, body.clusterCount);
      const clusters = body.clusterCount;
      const events = run(world, 60);
      expect(total(events, 'removed')).toBe(clusters);
      expect(total(events, 'added')).toBe(body.clusterCount);
    }
    for (const i of ends) body.unpin(i);
    run(world, 300);
    return long - lengthOf(body);
  }

  it('is the stress: held, replaced and let go, a bar goes back as far as one that kept its clusters; in world space it has forgotten', async () => {
    const [none, embedded, world] = [await comesBack('none'), await comesBack('embedded'), await comesBack('world')];
    report('comes back by', { none, embedded, world }, 'm');
    // Of 1.52 m.
    expect(none).toBeGreaterThan(0.35);
    expect(embedded).toBeGreaterThan(0.9 * none);
    expect(embedded).toBeLessThan(1.1 * none);
    expect(world).toBeLessThan(0.2 * none);
  });

  it('are the levels: coarser clusters hold the new ones where the old ones were', async () => {
    const levels = { weights: { type: 'uniform' as const } };
    const [none, embedded] = [await comesBack('none', { levels }), await comesBack('embedded', { levels })];
    report('with levels comes back by', { none, embedded }, 'm');
    expect(none).toBeGreaterThan(0.35);
    expect(Math.abs(embedded / none - 1)).toBeLessThan(0.1);
  });

  it('is the motion: the step in which new clusters come moves nothing by more than 1 % of the speed there is (SPEC R6)', async () => {
    const options = { threshold: 1.6, every: 8 / 60 };
    const first = await drawn(options, { yield: 0.02 });
    let frame = 0;
    while (total(run(first.world, 1), 'added') === 0) expect(++frame).toBeLessThan(60);
    const twins = [await drawn(options, { yield: 0.02 }), await drawn(options, { yield: 0.02 })];
    for (const { world } of twins) run(world, frame);
    // One of them never looks again.
    Object.assign(twins[1].body.reclustering, { every: 1e9 });
    expect(total(run(twins[0].world, 1), 'added')).toBeGreaterThan(2);
    run(twins[1].world, 1);
    for (const { world } of twins) run(world, 1);
    const [v, u] = twins.map(({ body }) => body.velocities);
    let [jump, speed] = [0, 0];
    for (let o = 0; o < v.length; o++) {
      jump += (v[o] - u[o]) ** 2;
      speed += u[o] ** 2;
    }
    report('jump at a swap, as a share of the rms speed', Math.sqrt(jump / speed), '');
    expect(jump).toBeGreaterThan(0);
    expect(Math.sqrt(jump / speed)).toBeLessThan(0.01);
  });

  it('are the neighbours that a crack has parted: no new cluster holds particles of two pieces', async () => {
    const { world, body } = await worldWith({
      ...BAR,
      material: { ...BAR.material, toughness: 0.25, yield: 0.1, raw: { ...BAR.material?.raw, flowRate: 0.3 } },
      reclustering: { threshold: 1.12, every: 2 / 60, fadeOut: 8 / 60, fadeIn: 5 / 60 },
    });
    for (const side of [1, -1])
      world.addClamp({
        region: { type: 'halfspace', normal: [side, 0, 0], offset: 0.7 },
        velocity: [0.8 * side, 0, 0],
      });
    let pieces = 1;
    let reclustered = 0;
    for (let n = 0; n < 120; n++) {
      reclustered += total(run(world, 1), 'added');
      expect(world.validate()).toEqual([]);
      const { count } = body.pieces;
      expect(count).toBeGreaterThanOrEqual(Math.min(pieces, 2));
      pieces = count;
    }
    expect(pieces).toBeGreaterThan(1);
    expect(reclustered).toBeGreaterThan(3);
  });
});

describe('a body of too few particles, or one turned inside out', () => {
  it('keeps its clusters and stays finite', async () => {
    const next = random(testSeed('poor bodies'));
    const { world, body } = await worldWith({
      shape: { type: 'box', size: [0.3, 0.3, 0.3] },
      sampling: { method: 'grid', spacing: 0.1 },
      clustering: { count: 2 },
      material: { yield: 0, raw: { flowRate: 2 } },
      reclustering: { threshold: 1.1, every: 1 / 60, fadeOut: 3 / 60, fadeIn: 2 / 60 },
    });
    for (let n = 0; n < 200; n++) {
      const x = body.positions;
      // Flat, inverted, a line, a point, far apart.
      if (n % 20 === 0) {
        const scale = [next() * 3 - 1.5, next() < 0.3 ? 0 : next(), next() < 0.3 ? 0 : -next()];
        for (let o = 0; o < x.length; o += 4) for (let a = 0; a < 3; a++) x[o + a] *= scale[a];
      }
      world.step();
      expect(world.validate()).toEqual([]);
    }
    expect(body.enabled).toBe(true);
    expect(world.positions.every(Number.isFinite)).toBe(true);
  });
});

describe('reclustering options', () => {
  it.each([
    [{ threshold: 1 }, /reclustering\.threshold.*1.*above 1/],
    [{ fadeIn: 0 }, /reclustering\.fadeIn/],
    [{ space: 'rest' }, /reclustering\.space.*'embedded'|reclustering\.space/],
    [{ resample: 0.5 }, /reclustering\.resample/],
    [{ fade: 3 }, /reclustering.*fade/],
  ])('%j are refused by name', async (reclustering, message) => {
    await expect(worldWith({ ...BAR, reclustering: reclustering as ReclusterOptions })).rejects.toThrow(message);
  });
});

describe('the weight of one particle', () => {
  it.each(KERNELS)('is that of the clustering up to a factor (%s)', (kernel) => {
    const parameters = { kernel, beta: 2, epsilon: 1e-4, m: 1.7 };
    const d2 = Float64Array.from([0.001, 0.04, 0.2, 0.7]);
    const [weights, sums, scratch] = [d2.slice(), new Float64Array(1), new Float64Array(1)];
    weigh(weights, new Uint32Array(4), 4, 1, parameters, sums, scratch);
    const own = Array.from(d2, (d) => weightAt(d, 1, parameters));
    for (let k = 0; k < 4; k++) expect(own[k] / own[0]).toBeCloseTo(weights[k] / weights[0], 12);
  });
});

function lengthOf(body: Body): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let o = 0; o < body.positions.length; o += 4) {
    low = Math.min(low, body.positions[o]);
    high = Math.max(high, body.positions[o]);
  }
  return high - low;
}
