import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../check.js';
import { random } from '../math/random.js';
import { icosphere } from '../mesh/testing/meshes.js';
import type { ColliderOptions } from '../obstacles/options.js';
import { BLOCK, distance } from '../testing/bodies.js';
import { refusal } from '../testing/refusal.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';

const TILT = [0.2, 0.1, -0.3, 0.9] as const;
const BALL = icosphere(4);

/** Turns p by the inverse of TILT, about the origin. */
function untilt(p: Vec3): Vec3 {
  const n = Math.hypot(...TILT);
  const [x, y, z, w] = TILT.map((c) => c / n);
  const cross = (a: Vec3, b: Vec3): Vec3 => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  const u: Vec3 = [-x, -y, -z];
  const c = cross(u, p);
  const d = cross(u, [c[0] + w * p[0], c[1] + w * p[1], c[2] + w * p[2]]);
  return [p[0] + 2 * d[0], p[1] + 2 * d[1], p[2] + 2 * d[2]];
}

/** Signed distance of the same shapes, written down independently; of a box exact outside and inside. */
const boxDistance = (p: Vec3, half: Vec3) => {
  const q = p.map((c, a) => Math.abs(c) - half[a]);
  return Math.hypot(...q.map((c) => Math.max(0, c))) + Math.min(0, Math.max(...q));
};
const segmentDistance = (p: Vec3, from: Vec3, to: Vec3) => {
  const d = to.map((c, a) => c - from[a]);
  const t = Math.max(
    0,
    Math.min(1, d.reduce((s, c, a) => s + c * (p[a] - from[a]), 0) / d.reduce((s, c) => s + c * c, 0)),
  );
  return Math.hypot(...p.map((c, a) => c - from[a] - t * d[a]));
};

const SHAPES: Record<string, { options: ColliderOptions; at: (p: Vec3) => number; blunt?: number }> = {
  plane: {
    options: { type: 'plane', normal: [1, 2, 0], offset: 0.3 },
    at: ([x, y]) => (x + 2 * y) / Math.sqrt(5) - 0.3,
  },
  sphere: {
    options: { type: 'sphere', centre: [0.2, 0.1, 0], radius: 0.5 },
    at: ([x, y, z]) => Math.hypot(x - 0.2, y - 0.1, z) - 0.5,
  },
  cylinder: {
    options: { type: 'cylinder', axis: [0, 1, 1], point: [0.1, 0, 0], radius: 0.4 },
    at: ([x, y, z]) => Math.hypot(x - 0.1, (y - z) / Math.SQRT2) - 0.4,
  },
  capsule: {
    options: { type: 'capsule', from: [-0.5, 0, 0], to: [0.4, 0.3, 0.2], radius: 0.3 },
    at: (p) => segmentDistance(p, [-0.5, 0, 0], [0.4, 0.3, 0.2]) - 0.3,
  },
  box: {
    options: { type: 'box', size: [1, 0.6, 0.8], rotation: TILT },
    at: (p) => boxDistance(untilt(p), [0.5, 0.3, 0.4]),
  },
  mesh: {
    options: { type: 'mesh', mesh: BALL, scale: 0.5, position: [0.1, 0, 0], rotation: TILT },
    at: ([x, y, z]) => Math.hypot(x - 0.1, y, z) - 0.5,
    // The sphere that its triangles are in.
    blunt: 2e-3,
  },
};

async function worldOf(options: ColliderOptions) {
  const world = await World.create({ backend: 'ts' });
  return { world, collider: world.addCollider(options) };
}

describe.each(Object.entries(SHAPES))('a %s', (name, { options, at, blunt = 1e-7 }) => {
  it('is met by rays where its surface is', async () => {
    const { world, collider } = await worldOf(options);
    const next = random(testSeed(`rays at a ${name}`));
    let met = 0;
    for (let k = 0; k < 200; k++) {
      const origin = [0, 1, 2].map(() => 6 * next() - 3) as unknown as Vec3;
      const to = [0, 1, 2].map(() => 1.6 * next() - 0.8);
      const way = to.map((c, a) => c - origin[a]);
      const direction = way.map((c) => c / Math.hypot(...way)) as unknown as Vec3;
      const hit = world.castRay(origin, direction, { obstacles: true });
      if (!hit) {
        // Nothing all along the way.
        for (let t = 0; t < 8; t += 0.02)
          expect(at(origin.map((c, a) => c + t * direction[a]) as unknown as Vec3)).toBeGreaterThan(-blunt);
        continue;
      }
      met++;
      expect(hit.collider).toBe(collider);
      expect('body' in hit).toBe(false);
      const { distance: t, point, normal } = hit;
      if (at(origin) < -blunt) {
        expect(t).toBe(0);
        expect(
          distance(
            normal,
            direction.map((c) => -c),
          ),
        ).toBeLessThan(1e-12);
        continue;
      }
      if (at(origin) < blunt) continue;
      expect(Math.abs(at(point))).toBeLessThan(Math.max(blunt, 1e-6));
      expect(distance(point, origin)).toBeCloseTo(t, 6);
      for (let s = 0.02; s < t; s += 0.02)
        expect(at(origin.map((c, a) => c + s * direction[a]) as unknown as Vec3)).toBeGreaterThan(-blunt);
      expect(Math.hypot(...normal)).toBeCloseTo(1, 6);
      // The surface rises along its normal; an edge of a box or of triangles has several.
      expect(at(point.map((c, a) => c + 0.05 * normal[a]) as unknown as Vec3)).toBeGreaterThan(0.04);
      expect(world.castRay(origin, direction, { obstacles: true, maxDistance: t * 0.999 })).toBeUndefined();
      expect(world.castRay(origin, direction)).toBeUndefined();
    }
    expect(met).toBeGreaterThan(60);
  });

  it('is found by balls that reach its surface', async () => {
    const { world, collider } = await worldOf(options);
    const next = random(testSeed(`balls at a ${name}`));
    for (let k = 0; k < 200; k++) {
      const centre = [0, 1, 2].map(() => 3 * next() - 1.5) as unknown as Vec3;
      const radius = next();
      const [found] = world.overlapSphere(centre, radius, { obstacles: true });
      const away = at(centre);
      if (Math.abs(away - radius) < blunt) continue;
      expect(found?.collider).toBe(away < radius ? collider : undefined);
      if (!found) continue;
      expect(Math.abs(found.distance - away)).toBeLessThan(Math.max(blunt, 1e-6));
      expect(Math.abs(at(found.point))).toBeLessThan(Math.max(blunt, 1e-6));
      expect(world.overlapSphere(centre, radius)).toEqual([]);
    }
  });
});

describe('obstacles in queries', () => {
  it('are met before or behind bodies, whichever is nearer', async () => {
    const world = await World.create({ gravity: [0, 0, 0] });
    const body = world.addBody(BLOCK);
    const wall = world.addCollider({ type: 'box', size: [0, 4, 4], position: [2, 0, 0] });
    expect(world.castRay([5, 0.03, 0.02], [-1, 0, 0], { obstacles: true })).toMatchObject({
      collider: wall,
      distance: 3,
    });
    expect(world.castRay([-5, 0.03, 0.02], [1, 0, 0], { obstacles: true })?.body).toBe(body);
    expect(world.castRay([5, 0.03, 0.02], [-1, 0, 0], { obstacles: true, filter: { filter: 1 } })?.collider).toBe(wall);
    const found = world.overlapSphere([1, 0, 0], 1.01, { obstacles: true });
    expect(found.map(({ body, collider }) => body ?? collider)).toEqual([body, wall]);
  });

  it('are where they have moved to', async () => {
    const world = await World.create({ gravity: [0, 0, 0] });
    const ball = world.addCollider({ type: 'sphere', centre: [0, 0, 0], radius: 0.5 });
    ball.moveTo([3, 0, 0]);
    expect(world.castRay([10, 0, 0], [-1, 0, 0], { obstacles: true })?.distance).toBeCloseTo(9.5, 9);
    world.step();
    expect(world.castRay([10, 0, 0], [-1, 0, 0], { obstacles: true })?.distance).toBeCloseTo(6.5, 9);
  });

  it('are not seen when they are switched off, or over', async () => {
    const world = await World.create({ gravity: [0, 0, 0] });
    const ball = world.addCollider({ type: 'sphere', centre: [0, 0, 0], radius: 0.5, lifetime: 0.05 });
    const see = (includeDisabled = false) =>
      world.castRay([10, 0, 0], [-1, 0, 0], { obstacles: true, includeDisabled })?.collider;
    ball.enabled = false;
    expect([see(), see(true)]).toEqual([undefined, ball]);
    ball.enabled = true;
    expect(see()).toBe(ball);
    for (let k = 0; k < 4; k++) world.step();
    expect([see(), see(true)]).toEqual([undefined, undefined]);
  });

  it('refuse what they do not know', async () => {
    const world = await World.create();
    expect(refusal(() => world.castRay([0, 0, 0], [1, 0, 0], { obstacles: 1 } as never))).toContain(
      'castRay.obstacles',
    );
    expect(refusal(() => world.overlapSphere([0, 0, 0], 1, { obstacles: 'all' } as never))).toContain(
      'overlapSphere.obstacles',
    );
    expect(refusal(() => world.nearestParticle([0, 0, 0], { obstacles: true } as never))).toContain('not an option');
  });
});
