import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import type { Vec3 } from '../check.js';
import { refusal } from '../testing/refusal.js';
import { report } from '../testing/report.js';
import { World } from '../world.js';
import { cubesMesh, run, SHAPES, surfaceBall, surfaceBody, surfaceBox, worldOf } from './testing/steps.js';

/** Contact by surfaces as World.step() has it; its parts have tests of their own beside them. */

const velocityOf = (world: World, k: number) => {
  const { momentum, mass } = world.measure(world.bodies[k]);
  return momentum.map((p) => p / mass);
};

describe('bodies in free flight that meet by their surfaces', () => {
  const torus = (more: BodyOptions) => SHAPES[2](more);
  const corner = (more: BodyOptions) => SHAPES[3](more);
  // Collisions that won energy before: by 11, 5 and 110 %.
  it.each([
    [
      'contacts that call a depth what is across the motion (respond.ts, PATIENCE)',
      { friction: 0.83, restitution: 0.3 },
      torus({
        clustering: { count: 4 },
        rotation: [-0.18, -0.25, -0.26, 0.19],
        position: [-0.6, -0.03, -0.03],
        velocity: [7.77, 0.34, 0.67],
        angularVelocity: [1.89, -1.63, 1.23],
        material: { density: 415 },
      }),
      torus({
        clustering: { count: 1 },
        rotation: [0.13, 0.46, -0.18, -0.39],
        position: [0.6, -0.01, 0],
        velocity: [-4.73, -0.46, 0.06],
        angularVelocity: [-0.55, -1.86, 0.09],
        material: { density: 326 },
      }),
    ],
    [
      'impulses from several sides, all of which bounce (respond.ts, bounce)',
      { friction: 1.4, restitution: 0.8 },
      torus({
        clustering: { count: 4 },
        rotation: [-0.13, 0.39, -0.43, 0.1],
        position: [-0.6, 0.15, 0.03],
        velocity: [6.03, -0.7, -0.39],
        angularVelocity: [-0.63, -1.85, 2.97],
        material: { density: 1713 },
      }),
      torus({
        clustering: { count: 2 },
        rotation: [-0.08, 0.35, 0.13, -0.34],
        position: [0.6, -0.07, 0.1],
        velocity: [-4.97, -0.62, 0.24],
        angularVelocity: [-2.28, -0.25, -0.66],
        material: { density: 1755 },
      }),
    ],
    [
      'displacements that turn a cluster far (respond.ts, TURN)',
      { friction: 0.92, restitution: 0.63 },
      torus({
        clustering: { count: 5 },
        rotation: [0.48, 0.48, -0.22, -0.34],
        position: [-0.6, -0.09, 0.05],
        velocity: [6.24, -0.67, -0.4],
        angularVelocity: [-0.16, 2.44, 1.23],
        material: { density: 1515 },
      }),
      corner({
        clustering: { count: 2 },
        rotation: [-0.14, 0.25, -0.48, 0.1],
        position: [0.6, 0.12, 0.06],
        velocity: [-9.52, -0.69, 0.51],
        angularVelocity: [2.37, -2.4, -2.74],
        material: { density: 1238 },
      }),
    ],
  ])('gain no energy by %s', async (_, material, a, b) => {
    const world = await worldOf([a, b]);
    for (const body of world.bodies) body.setMaterial(material);
    const { kineticEnergy } = world.measure();
    run(world, 0.6, () => expect(world.measure().kineticEnergy).toBeLessThan(kineticEnergy * (1 + 1e-5)));
    expect(world.drainEvents().map((event) => event.type)).toContain('touch');
  });

  it.each([0, 0.5, 1])('part with %f of the speed they met with, as their restitution says', async (restitution) => {
    const ball = (side: number) =>
      surfaceBall(0.5, 3, {
        clustering: { count: 1 },
        position: [0.6 * side, 0, 0],
        velocity: [-side, 0, 0],
        material: { restitution, friction: 0 },
      });
    const world = await worldOf([ball(-1), ball(1)]);
    run(world, 1.5);
    const parting = velocityOf(world, 1)[0] - velocityOf(world, 0)[0];
    report('speed at which they part after 2 m/s', parting, 'm/s');
    expect(Math.abs(parting - 2 * restitution)).toBeLessThan(0.1);
  });

  it('rub by their friction: a block that strikes another at a slant takes it along, or does not', async () => {
    const dragged = async (friction: number) => {
      const block = (y: number, velocity: Vec3) =>
        surfaceBox([0.6, 0.6, 0.6], 4, {
          clustering: { count: 1 },
          position: [0, y, 0],
          velocity,
          material: { friction },
        });
      const world = await worldOf([block(0, [0, 0, 0]), block(0.65, [1, -2, 0])]);
      run(world, 0.3);
      expect(velocityOf(world, 0)[1]).toBeLessThan(-0.5);
      return velocityOf(world, 0)[0];
    };
    const [smooth, rough] = [await dragged(0), await dragged(0.4)];
    expect(Math.abs(smooth)).toBeLessThan(0.02);
    // Each block gets 1 m/s along the normal, and at most μ times that across it.
    expect(rough).toBeGreaterThan(0.1);
    expect(rough).toBeLessThan(0.42);
  });

  it('tell when they meet and part, and how hard', async () => {
    const ball = (side: number) =>
      surfaceBall(0.3, 2, {
        clustering: { count: 3 },
        position: [0.4 * side, 0.2, 0],
        velocity: [-2 * side, 0, 0],
        material: { restitution: 0.5 },
      });
    const world = await worldOf([ball(-1), ball(1)]);
    const [a, b] = world.bodies;
    const before = [a, b].map((body) => world.measure(body).momentum);
    const given = [0, 0, 0];
    let most = 0;
    run(world, 0.6, () => {
      for (const pair of world.contactPairs()) {
        expect([pair.a, pair.b]).toEqual([a, b]);
        pair.impulse.forEach((j, k) => {
          given[k] += j;
        });
        most = Math.max(most, pair.count);
      }
    });
    const events = world.drainEvents();
    expect(events.map((event) => event.type)).toEqual(['touch', 'part']);
    const [touch] = events;
    if (touch.type !== 'touch') throw new Error('no touch');
    expect(touch.bodies).toEqual([a, b]);
    expect(Math.abs(touch.position[0])).toBeLessThan(0.03);
    expect(Math.abs(touch.position[1] - 0.2)).toBeLessThan(0.05);
    expect(touch.normal[0]).toBeLessThan(-0.95);
    expect(most).toBeGreaterThan(1);
    // The impulse from b to a is the momentum that a gained and b lost; f32 rounds each of the velocities to 6e-8.
    const scale = Math.hypot(...given);
    expect(scale).toBeGreaterThan(2.5 * world.measure(a).mass);
    for (let k = 0; k < 3; k++) {
      expect(Math.abs(world.measure(a).momentum[k] - before[0][k] - given[k])).toBeLessThan(1e-5 * scale);
      expect(Math.abs(world.measure(b).momentum[k] - before[1][k] + given[k])).toBeLessThan(1e-5 * scale);
    }
  });
});

describe('a body that may touch itself', () => {
  /** A U, 90 cm wide and 60 high, legs of 20 cm 50 cm apart. */
  const arch = cubesMesh([9, 6, 2], 0.1, (i, j) => j < 2 || i < 2 || i > 6);

  /** How far the tips of the legs got past each other (m), at worst. */
  async function clap(self: boolean) {
    const world = await worldOf([
      surfaceBody(arch, 0.05, {
        clustering: { count: 24 },
        contact: { self },
        // Soft, so that the legs can meet.
        material: { friction: 0, raw: { stiffness: 0.05, damping: 0.05 } },
      }),
    ]);
    const [body] = world.bodies;
    const { restPositions: rest, velocities } = body;
    const tips = [0, 1].map((side) =>
      Array.from({ length: body.particleCount }, (_, i) => i).filter(
        (i) => rest[3 * i + 1] > 0.45 && (side ? rest[3 * i] > 0.6 : rest[3 * i] < 0.3),
      ),
    );
    for (let i = 0; i < body.particleCount; i++)
      velocities[4 * i] += 8 * Math.max(0, rest[3 * i + 1] - 0.2) * (rest[3 * i] < 0.45 ? 1 : -1);
    const start = world.measure();
    let past = Number.NEGATIVE_INFINITY;
    run(world, 1, () => {
      const x = body.positions;
      past = Math.max(past, Math.max(...tips[0].map((i) => x[4 * i])) - Math.min(...tips[1].map((i) => x[4 * i])));
      expect(world.measure().kineticEnergy).toBeLessThan(1.25 * start.kineticEnergy);
    });
    expect(world.contactPairs()).toEqual([]);
    expect(world.drainEvents()).toEqual([]);
    for (let k = 0; k < 3; k++)
      expect(Math.abs(world.measure().momentum[k] - start.momentum[k])).toBeLessThan(1e-5 * start.mass);
    return past;
  }

  it('does not pass through itself: the legs of a U that are clapped together', async () => {
    const [apart, through] = [await clap(true), await clap(false)];
    report('legs of a U past each other, with self-contact and without', { apart, through }, 'm');
    // A leg is 20 cm thick; its outermost particles are 2.5 cm within it, which is 5 cm for both.
    expect(through).toBeGreaterThan(0.2);
    expect(apart).toBeGreaterThan(-0.15);
    expect(apart).toBeLessThan(0.02);
  });
});

describe('surfaces in the step', () => {
  it.each([
    ['coincident bodies', {}],
    ['nearly coincident bodies', { position: [1e-7, 0, 0] }],
    ['faces in one plane', { position: [0, 0.6, 0] }],
    ['a million m/s', { position: [-2, 0, 0], velocity: [1e6, 0, 0] }],
    ['a body pressed flat', { position: [0, 0.3, 0], stretch: [1, 0, 1] }],
    ['a body pressed to a line', { position: [0, 0.3, 0], stretch: [1, 1e-6, 0] }],
    ['a body in one point', { position: [0, 0.1, 0], stretch: [0, 0, 0] }],
    ['a body turned inside out', { position: [0, 0.3, 0], stretch: [-1, 1, 1] }],
  ] as [string, BodyOptions][])('stay finite, and the bodies recover: %s', async (_, more) => {
    const box = (options: BodyOptions) => surfaceBox([0.6, 0.6, 0.6], 3, { contact: { self: true }, ...options });
    const world = await worldOf([box({}), box({ stretchCentre: more.position, ...more })]);
    run(world, 1);
    expect(world.drainEvents().filter((event) => event.type === 'quarantine')).toEqual([]);
    expect(world.positions.every(Number.isFinite)).toBe(true);
    expect(world.maxStretch()).toBeLessThan(1.6);
  });

  it('are for those that both chose them: against proxies a body meets by proxies, to the last bit', async () => {
    const fall = async (mode: 'surface' | 'proxies') => {
      const body = (y: number, contact: BodyOptions['contact']) =>
        surfaceBox([0.5, 0.4, 0.6], 3, { position: [0.05 * y, y, 0], velocity: [0, -3 * y, 0], contact });
      const world = await worldOf([body(0, { mode }), body(0.5, { mode: 'proxies' })]);
      run(world, 0.5);
      expect(world.drainEvents().map((event) => event.type)).toContain('touch');
      return [...world.positions, ...world.velocities];
    };
    expect(await fall('surface')).toEqual(await fall('proxies'));
  });

  it('need a mesh, and a body without is refused', async () => {
    const world = await World.create();
    const contact = { mode: 'surface' } as const;
    const expected =
      "body.contact.mode is \"surface\"; expected 'proxies' or 'none' for a body that is not made from a mesh.";
    const ball = { shape: { type: 'sphere', radius: 0.5 }, sampling: { spacing: 0.2 } } as const;
    expect(refusal(() => world.addBody({ ...ball, contact }))).toBe(expected);
    expect(refusal(() => world.addBody({ points: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], contact }))).toBe(expected);
    expect([world.bodies.length, world.particleCount, world.clusterCount]).toEqual([0, 0, 0]);
  });
});
