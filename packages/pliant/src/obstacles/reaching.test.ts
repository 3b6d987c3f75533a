import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { random } from '../math/random.js';
import { boxMesh } from '../mesh/testing/meshes.js';
import { refusal } from '../testing/refusal.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { BoxShape } from './box.js';
import { MeshShape } from './meshShape.js';
import type { ColliderOptions } from './options.js';
import { RoundShape } from './round.js';
import { newHit, type Shape } from './shape.js';

/** Grid particles lie half a spacing below the faces: 0.05 m. */
const CUBE: BodyOptions = {
  shape: { type: 'box', size: [0.6, 0.6, 0.6] },
  sampling: { method: 'grid', spacing: 0.1 },
  clustering: { count: 1 },
  position: [0, 0.31, 0],
  material: { raw: { stiffness: 1, damping: 0.5 } },
};

/** Obstacles whose top is at y = 0, with a face or a point there. */
const FLOORS: [string, ColliderOptions][] = [
  ['plane', { type: 'plane', normal: [0, 1, 0] }],
  ['moving plane', { type: 'plane', normal: [0, 1, 0], velocity: [1, 0, 0], friction: 0 }],
  ['box', { type: 'box', size: [3, 1, 3], position: [0, -0.5, 0] }],
  ['mesh', { type: 'mesh', mesh: boxMesh([3, 1, 3]), position: [0, -0.5, 0] }],
  ['cylinder', { type: 'cylinder', axis: [1, 0, 0], point: [0, -1000, 0], radius: 1000 }],
];

const lowest = (values: Float32Array, stride: number) => {
  let least = Number.POSITIVE_INFINITY;
  for (let k = 1; k < values.length; k += stride) least = Math.min(least, values[k]);
  return least;
};

async function atRest(body: BodyOptions, floor: ColliderOptions) {
  // Little weight: on earth the cube sags by 6 mm.
  const world = await World.create({ gravity: [0, -0.5, 0] });
  world.addCollider(floor);
  const added = world.addBody(body);
  const [skin, positions] = [added.getSkin(), added.positions];
  for (let n = 0; n < 200; n++) world.step();
  skin.update();
  return { particles: lowest(positions, 4), surface: lowest(skin.positions, 3) };
}

describe('a body whose surface obstacles meet', () => {
  // It sags by some tenths of a millimetre; on the cylinder, 2 km wide, its edges are 0.05 mm lower than the middle.
  it.each(FLOORS)('lies on a %s with its surface, and else with its particles', async (_, floor) => {
    const on = await atRest({ ...CUBE, contact: { obstacles: 'surface' } }, floor);
    expect(Math.abs(on.surface)).toBeLessThan(2e-3);
    expect(Math.abs(on.particles - 0.05)).toBeLessThan(1e-3);
    const points = await atRest(CUBE, floor);
    expect(Math.abs(points.surface + 0.05)).toBeLessThan(2e-3);
    expect(Math.abs(points.particles)).toBeLessThan(1e-3);
  });

  it('of random samples too, each by its own distance', async () => {
    const random = { ...CUBE, sampling: { count: 300 } };
    const { surface } = await atRest({ ...random, contact: { obstacles: 'surface' } }, FLOORS[0][1]);
    expect(Math.abs(surface)).toBeLessThan(2e-3);
    // Points sink by what the three lowest lie below the surface.
    expect((await atRest(random, FLOORS[0][1])).surface).toBeLessThan(-5e-3);
  });

  it('stays in front of a thin wall, however fast it comes', async () => {
    for (const wall of [
      { type: 'box', size: [0.01, 9, 9], position: [1, 0, 0] },
      { type: 'mesh', mesh: boxMesh([0.01, 9, 9]), position: [1, 0, 0] },
    ] as const) {
      const world = await World.create({ gravity: [0, 0, 0] });
      world.addCollider(wall);
      const body = world.addBody({
        ...CUBE,
        position: [0, 0, 0],
        velocity: [60, 0, 0],
        contact: { obstacles: 'surface' },
      });
      for (let n = 0; n < 30; n++) {
        world.step();
        // f32 of a coordinate of 1, and the lift. Particles deeper in the body end at the body itself: the impact flattens it.
        body.positions.forEach((x, k) => {
          if (k % 4 === 0) expect(x).toBeLessThan(0.995 - world.state.views.reach[k / 4] + 1e-6);
        });
      }
    }
  });

  it('is asked for by name', async () => {
    const world = await World.create();
    expect(refusal(() => world.addBody({ ...CUBE, contact: { obstacles: 'skin' as never } }))).toBe(
      'body.contact.obstacles is "skin"; expected one of "points", "surface".',
    );
  });
});

describe('the way to a distance from a shape', () => {
  const half = [0.5, 0.3, 0.7];
  const toBox = (p: number[]) => Math.hypot(...p.map((c, a) => Math.max(0, Math.abs(c) - half[a])));
  const toCapsule = (p: number[]) => Math.hypot(p[0], p[1] - Math.max(-0.4, Math.min(0.4, p[1])), p[2]) - 0.3;
  it.each<[string, Shape, (p: number[]) => number]>([
    ['box', new BoxShape([1, 0.6, 1.4]), toBox],
    ['mesh', new MeshShape(boxMesh([1, 0.6, 1.4]), 'mesh'), toBox],
    ['ball', new RoundShape([0, 1, 0], 0, 0.5), (p) => Math.hypot(...p) - 0.5],
    ['capsule', new RoundShape([0, 1, 0], 0.4, 0.3), toCapsule],
  ])('ends there, and is the shortest: %s', (_, shape, distance) => {
    const next = random(testSeed('near'));
    const [hit, reach] = [newHit(), 0.2];
    let found = 0;
    for (let n = 0; n < 3000; n++) {
      const p = [0, 1, 2].map(() => 2.4 * (next() - 0.5));
      const d = distance(p);
      if (d < 1e-6) continue;
      expect(shape.near(hit, p[0], p[1], p[2], reach)).toBe(d < reach);
      if (!(d < reach)) continue;
      found++;
      expect(hit.depth).toBeCloseTo(reach - d, 10);
      expect(Math.hypot(hit.nx, hit.ny, hit.nz)).toBeCloseTo(1, 10);
      const out = [hit.nx, hit.ny, hit.nz].map((c, a) => p[a] + hit.depth * c);
      expect(distance(out)).toBeCloseTo(reach, 10);
    }
    expect(found).toBeGreaterThan(100);
  });
});
