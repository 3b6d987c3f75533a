import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import { TOUCH } from '../kernels/constants.js';
import { BACKENDS } from '../kernels/kernels.js';
import { random } from '../math/random.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { isCalm } from './calm.js';
import { perturb, randomCloud } from './testing/clouds.js';

const SHAPES = {
  cube: { type: 'box', size: [1, 1, 1] },
  bar: { type: 'box', size: [0.4, 0.4, 2] },
  ball: { type: 'sphere', radius: 0.6 },
} as const;

async function bodyOf(shape: keyof typeof SHAPES): Promise<Body> {
  const world = await World.create({ threads: 1 });
  return world.addBody({ shape: SHAPES[shape], sampling: { count: 1500 }, position: [0, 3, 0] });
}

/** Of all clusters that share no particle, the least distance of first members over that at rest. */
function leastNearness({ core, rows }: Body): number {
  const { x, firstMemberRest: rest, memberParticle, memberStart, neighbour, neighbourStart } = core.state.views;
  const distance = (p: ArrayLike<number>, a: number, b: number) =>
    Math.hypot(p[a] - p[b], p[a + 1] - p[b + 1], p[a + 2] - p[b + 2]);
  let least = Number.POSITIVE_INFINITY;
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    const sharing = new Set(neighbour.subarray(neighbourStart[3 * c], neighbourStart[3 * c + 1]));
    for (let d = rows.clusterStart; d < c; d++) {
      if (sharing.has(d - rows.clusterStart)) continue;
      const now = distance(x, 4 * memberParticle[memberStart[c]], 4 * memberParticle[memberStart[d]]);
      least = Math.min(least, now / distance(rest, 4 * c, 4 * d));
    }
  }
  return least;
}

/** Moves all particles to where a map takes them. */
function deform({ core, rows }: Body, rest: Float32Array, map: (x: number, y: number, z: number) => number[]): void {
  const { x } = core.state.views;
  for (let o = 4 * rows.particleStart; o < 4 * rows.particleEnd; o += 4)
    x.set(map(rest[o], rest[o + 1], rest[o + 2]), o);
}

describe('a body that is calm', () => {
  it.each(Object.keys(SHAPES) as (keyof typeof SHAPES)[])(
    'has no clusters that came near each other (%s)',
    async (shape) => {
      const body = await bodyOf(shape);
      const { views } = body.core.state;
      const rest = views.x.slice();
      const next = random(testSeed(`calm ${shape}`));
      const answers = { calm: 0, pressed: 0, restless: 0 };
      for (let n = 0; n < 300; n++) {
        // A turn and a stretch, every other time with a bend and a ripple, all of random size.
        const [angle, size] = [6 * next(), 0.3 * next()];
        const stretch = [1, 2, 3].map(() => 1 + size * (next() - 0.6));
        const uneven = n % 2 === 0 ? 0 : size;
        const [bend, ripple, wave] = [uneven * (next() - 0.5), 0.2 * uneven * next(), 1 + 6 * next()];
        const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
        deform(body, rest, (x, y, z) => {
          const [p, q, r] = [
            x * stretch[0],
            (y - 3) * stretch[1] + bend * z * z,
            z * stretch[2] + ripple * Math.sin(wave * y),
          ];
          return [cos * p - sin * q, sin * p + cos * q, r];
        });
        const nearness = leastNearness(body);
        if (isCalm(views, body)) {
          answers.calm++;
          expect(nearness).toBeGreaterThan(TOUCH.NEARER);
          if (nearness < 0.92) answers.pressed++;
        } else answers.restless++;
      }
      // The test can fail: bodies that are just calm are among them.
      expect(answers.calm).toBeGreaterThan(50);
      expect(answers.pressed).toBeGreaterThan(5);
      expect(answers.restless).toBeGreaterThan(30);
    },
  );

  it('is none of which two clusters alone came near each other', async () => {
    const body = await bodyOf('cube');
    const { x, firstMemberRest: rest, memberParticle, memberStart } = body.core.state.views;
    const { clusterStart: c } = body.rows;
    const { neighbour, neighbourStart } = body.core.state.views;
    const sharing = new Set(neighbour.subarray(neighbourStart[3 * c], neighbourStart[3 * c + 1]));
    const away = (d: number) => Math.hypot(...[0, 1, 2].map((a) => rest[4 * (c + d) + a] - rest[4 * c + a]));
    const apart = Array.from({ length: body.clusterCount - 1 }, (_, k) => k + 1).filter((d) => !sharing.has(d));
    const nearest = apart.reduce((least, d) => (away(d) < away(least) ? d : least));
    const [p, q] = [0, nearest].map((d) => 4 * memberParticle[memberStart[c + d]]);
    const way = [0, 1, 2].map((a) => x[q + a] - x[p + a]);
    let calm = 0;
    for (; isCalm(body.core.state.views, body); calm++) {
      expect(leastNearness(body)).toBeGreaterThan(TOUCH.NEARER);
      for (let a = 0; a < 3; a++) {
        x[p + a] += 0.002 * way[a];
        x[q + a] -= 0.002 * way[a];
      }
    }
    expect(calm).toBeGreaterThan(10);
  });

  it('is one that falls or stands, not one that is pressed, bent double or not finite', async () => {
    const body = await bodyOf('cube');
    const { world, views } = body.core.state;
    world!.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 2 });
    for (let step = 0; step < 12; step++) {
      world!.step();
      expect(body.core.boxes).toMatchObject({ isCalm: true, found: 'body' });
    }
    for (let step = 0; step < 200 && !body.asleep; step++) world!.step();
    expect(body.asleep).toBe(true);
    expect(isCalm(views, body)).toBe(true);
    const stood = views.x.slice();
    deform(body, stood, (x, y, z) => [x, 0.8 * y, z]);
    expect(isCalm(views, body)).toBe(false);
    deform(body, stood, (x, y, z) => (z > 0 ? [x, y, z] : [x, y + 1, -z]));
    expect(isCalm(views, body)).toBe(false);
    deform(body, stood, (x, y, z) => [x, y, z]);
    views.x[4 * views.memberParticle[views.memberStart[body.rows.clusterStart]]] = Number.NaN;
    expect(isCalm(views, body)).toBe(false);
  });

  it('has the boxes of its clusters where another body comes near', async () => {
    const world = await World.create({ threads: 1 });
    const [left, right, far] = [0, 1.5, 5].map((x) =>
      world.addBody({ shape: SHAPES.cube, sampling: { count: 500 }, position: [x, 0, 0] }),
    );
    world.gravity = [0, 0, 0];
    world.step();
    expect([left, right, far].map(({ core }) => core.boxes.isCalm)).toEqual([true, true, true]);
    expect(left.core.boxes.found).toBe('body');
    right.setVelocity({ linear: [-30, 0, 0] });
    world.step();
    expect([left, right, far].map(({ core }) => core.boxes.found)).toEqual(['clusters', 'clusters', 'body']);
  });
});

describe.each(BACKENDS)('boundBody (%s)', (backend) => {
  it('finds the box of the root of the tree', async () => {
    const next = random(testSeed('boundBody'));
    const world = await World.create({ backend });
    for (const size of [60, 150, 400]) world.addBody({ ...randomCloud(next, size, 8), contact: { margin: 0.013 } });
    const { kernels, state } = world;
    for (let step = 0; step < 5; step++) {
      perturb(world, next, 0.5);
      for (const { rows, core } of world.bodies) {
        const { particleStart, particleEnd, clusterStart, clusterEnd } = rows;
        const { treeBox } = state.views;
        kernels.boundBody(particleStart, particleEnd, clusterStart, core.contact.pad);
        const found = treeBox.slice(16 * clusterStart, 16 * clusterStart + 8);
        treeBox.fill(0, 16 * clusterStart, 16 * clusterEnd);
        kernels.boundParticles(particleStart, particleEnd);
        kernels.boundClusters(clusterStart, clusterEnd, core.contact.pad);
        expect(found).toEqual(treeBox.slice(16 * clusterStart, 16 * clusterStart + 8));
      }
    }
  });
});
