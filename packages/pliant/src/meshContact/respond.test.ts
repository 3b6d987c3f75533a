import { describe, expect, it } from 'vitest';
import { disturb } from '../testing/bodies.js';
import { report } from '../testing/report.js';
import { testSeed } from '../testing/seed.js';
import { resolveSurfaceContact } from './collideSurfaces.js';
import { appendContact, newContacts } from './contacts.js';
import { meshes, respond } from './respond.js';
import { addBall, addBox, effort, emptyWorld, holdAll, meet, moment } from './testing/bodies.js';

/** A cube and a ball that overlap by a few centimetres, all particles moved at random. */
async function perturbedPair(seed: number) {
  const world = await emptyWorld();
  const a = addBox(world, [1, 1, 1], 5, { velocity: [1, 0.4, 0] });
  const b = addBall(world, 0.5, 3, { centre: [0.92, 0.1, 0.05], velocity: [-1, 0, 0.3], angularVelocity: [0, 3, 1] });
  disturb(world, seed, 0.01, 0.5);
  return { world, a, b };
}

describe('the answer to contacts', () => {
  it.each([
    { friction: 0, restitution: 0 },
    { friction: 0.8, restitution: 0 },
    { friction: 0.3, restitution: 1 },
  ])('keeps linear momentum and the centre of mass to rounding: %j', async (options) => {
    const { world, a, b } = await perturbedPair(testSeed('momentum'));
    for (let n = 0; n < 20; n++) {
      world.step();
      const [before, at] = [world.measure(), moment(world)];
      const { contacts } = meet(world, a, b, options);
      const [after, now] = [world.measure(), moment(world)];
      if (n === 0) expect(contacts).toBeGreaterThan(5);
      for (let k = 0; k < 3; k++) {
        // f32 rounds every particle once: 6e-8 of it, and their errors are as often up as down.
        expect(Math.abs(after.momentum[k] - before.momentum[k])).toBeLessThan(3e-8 * effort(world));
        expect(Math.abs(now[k] - at[k])).toBeLessThan(3e-8 * after.mass);
      }
    }
  });

  it('keeps angular momentum to rounding without friction and depth; else to depth times friction impulse', async () => {
    for (const friction of [0, 0.8]) {
      const { world, a, b } = await perturbedPair(testSeed('angular momentum'));
      const before = world.measure();
      const { impulse, deepest } = meet(world, a, b, { friction, gamma: 0 });
      const after = world.measure();
      const off = Math.hypot(...after.angularMomentum.map((l, k) => l - before.angularMomentum[k]));
      report(`angular momentum off by, with friction ${friction}`, { off, of: impulse * 0.5 }, 'kg m²/s');
      expect(impulse).toBeGreaterThan(10);
      expect(off).toBeLessThan(friction ? deepest * impulse : 2e-3 * deepest * impulse);
    }
  });

  it('bounces bodies of one cluster with the restitution asked for', async () => {
    for (const restitution of [0, 0.5, 1]) {
      const world = await emptyWorld();
      const one = { clustering: { count: 1 } };
      const a = addBall(world, 0.5, 3, { ...one, centre: [-0.6, 0, 0], velocity: [1, 0, 0] });
      const b = addBall(world, 0.5, 3, { ...one, centre: [0.6, 0, 0], velocity: [-1, 0, 0] });
      for (let n = 0; n < 90; n++) {
        world.step();
        meet(world, a, b, { restitution, friction: 0 });
      }
      const speed = world.measure(b.body).momentum[0] / world.measure(b.body).mass;
      report(`speed with a restitution of ${restitution}`, speed, 'm/s');
      expect(Math.abs(speed - restitution)).toBeLessThan(0.05);
      expect(b.mesh.bounds[0]).toBeGreaterThan(a.mesh.bounds[3] - 0.01);
    }
  });

  it('moves nothing that will have parted by the next step, and the rest by as much as is left', async () => {
    const shift = async (speed: number) => {
      const world = await emptyWorld();
      const one = { clustering: { count: 1 } };
      const a = addBall(world, 0.5, 3, { ...one, centre: [-0.495, 0, 0], velocity: [-speed / 2, 0, 0] });
      const b = addBall(world, 0.5, 3, { ...one, centre: [0.495, 0, 0], velocity: [speed / 2, 0, 0] });
      const at = world.measure(b.body).com[0];
      expect(meet(world, a, b, { gamma: 0.25 }).deepest).toBeCloseTo(0.01, 3);
      return world.measure(b.body).com[0] - at;
    };
    // 10 mm deep, of which each side gets half of γ; 0.3 m/s part by 5 mm in a step, 0.66 by 11.
    expect(await shift(0)).toBeCloseTo(0.00125, 4);
    expect(await shift(0.3)).toBeCloseTo(0.000625, 4);
    expect(await shift(0.66)).toBe(0);
  });

  it('does not go far across to meet two contacts that look almost against each other', async () => {
    const world = await emptyWorld();
    const one = { clustering: { count: 1 } };
    const [a, b] = [addBox(world, [1, 1, 1], 2, one), addBox(world, [1, 1, 1], 2, { ...one, centre: [0, 0.99, 0] })];
    const contacts = newContacts();
    meshes.splice(0, meshes.length, a.mesh, b.mesh);
    // A vertex of a on a triangle of b, 5 mm deep in two ways that are ten degrees off opposite.
    for (const side of [1, -1]) {
      const n = appendContact(contacts);
      contacts.meshes.set([0, 1], 2 * n);
      contacts.vertices.set([0, ...b.mesh.indices.subarray(0, 3)], 4 * n);
      contacts.barycentric.fill(1 / 3, 3 * n, 3 * n + 3);
      contacts.normals.set([Math.sin(Math.PI / 36), side * Math.cos(Math.PI / 36), 0, 0.005], 4 * n);
      contacts.laws.set([0, 0, 1, 0], 4 * n);
    }
    const rest = [...world.positions];
    respond(contacts, world.state.views, world.dt);
    const moved = Math.max(...[...world.positions].map((x, k) => Math.abs(x - rest[k])));
    expect(moved).toBeGreaterThan(0);
    // To meet both it would take 5 mm / sin 5°, which is 57 mm, shared by two.
    expect(moved).toBeLessThan(0.01);
  });

  it('holds a cube on a slope by friction, and lets it slide without', async () => {
    const slide = async (friction: number) => {
      // Gravity leans by 20°: tan 20° = 0.36.
      const [sin, cos] = [Math.sin(0.349), Math.cos(0.349)];
      const world = await emptyWorld({ gravity: [9.81 * sin, -9.81 * cos, 0] });
      const cube = addBox(world, [0.5, 0.5, 0.5], 4, { centre: [-0.6, 0.25, 0], clustering: { count: 1 } });
      const slab = addBox(world, [3, 0.6, 2], 8, { centre: [0, -0.3, 0], clustering: { count: 1 } });
      holdAll(slab.body);
      for (let n = 0; n < 30; n++) {
        world.step();
        meet(world, cube, slab, { friction });
      }
      return world.measure(cube.body).com[0] + 0.6;
    };
    const [held, slid] = [await slide(0.6), await slide(0)];
    // ½ g sin 20° t² after half a second.
    expect(slid).toBeGreaterThan(0.35);
    expect(held).toBeLessThan(0.02);
  });

  it('leaves held bodies alone, and takes momentum from what hits them', async () => {
    const world = await emptyWorld();
    const slab = addBox(world, [1, 0.5, 1], 4, { centre: [0, -0.25, 0] });
    const ball = addBall(world, 0.3, 2, { centre: [0, 0.27, 0], velocity: [0, -2, 0] });
    holdAll(slab.body);
    const still = [...slab.body.positions];
    const { contacts, impulse } = meet(world, ball, slab);
    expect(contacts).toBeGreaterThan(0);
    expect(impulse).toBeGreaterThan(0);
    expect([...slab.body.positions]).toEqual(still);
    expect(slab.body.velocities.every((v) => v === 0)).toBe(true);
    // Only the clusters at the bottom are stopped at once, the others by them.
    expect(world.measure(ball.body).momentum[1]).toBeGreaterThan(-1 * world.measure(ball.body).mass);
  });

  it('does nothing when both are held', async () => {
    const world = await emptyWorld();
    const [a, b] = [addBox(world, [1, 1, 1], 3), addBall(world, 0.5, 2, { centre: [0.9, 0, 0] })];
    holdAll(a.body);
    holdAll(b.body);
    const still = [...world.positions];
    expect(meet(world, a, b).impulse).toBe(0);
    expect([...world.positions]).toEqual(still);
  });

  it('refuses options out of range', () => {
    expect(() => resolveSurfaceContact('surface', { restitution: 1.5 })).toThrow(
      'surface.restitution is 1.5; expected a finite number in [0, 1].',
    );
    expect(() => resolveSurfaceContact('surface', { detour: 0.5 })).toThrow('surface.detour is 0.5');
    expect(resolveSurfaceContact('surface', { detour: Number.POSITIVE_INFINITY }).gamma).toBe(0.5);
  });
});
