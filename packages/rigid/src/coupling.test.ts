import { type Vec3, World } from 'pliant';
import { describe, expect, it } from 'vitest';
import { Coupling } from './coupling.js';
import type { RigidBody } from './rigid.js';
import { ENGINES } from './testing/engines.js';

const GRAVITY = 9.81;
const engines = Object.entries(ENGINES);

describe.each(engines)('%s: a collision with a free soft ball', (_, start) => {
  it.each([
    [50, 0.03],
    [0, 1e-4],
  ])('keeps momentum, off-centre and with friction; light ball %s', async (__, tolerance) => {
    // Bodies that are slow and touch something are brought to rest, unless no body falls asleep.
    const world = await World.create({ gravity: [0, 0, 0], ...(tolerance < 0.01 && { sleepSpeed: 0 }) });
    const { coupling, add } = await start(world);
    const soft = world.addBody({
      shape: { type: 'sphere', radius: 0.3 },
      sampling: { count: 200 },
      material: { density: 1000, young: 1e5 },
    });
    const ball = add({ radius: 0.2, mass: 30, position: [-0.6, 0.15, 0], velocity: [3, 0, 0] });
    const momentum = () => ball.velocity.map((v, a) => ball.mass * v + soft.mass * soft.linearVelocity[a]);
    const before = momentum();
    for (let n = 0; n < 120; n++) coupling.step();
    const after = momentum();
    expect(ball.velocity[0]).toBeLessThan(2);
    for (let a = 0; a < 3; a++)
      expect(Math.abs(after[a] - before[a])).toBeLessThan(Math.min(tolerance, 0.01) * before[0]);
    expect(coupling.drainEvents().map(({ type, body }) => [type, body])).toEqual([
      ['touch', soft],
      ['part', soft],
    ]);
  });
});

/** A rigid body without an engine: moves as its velocity says. */
function plainBody(more: Partial<RigidBody> = {}) {
  const state = {
    position: [0, 0, 0] as Vec3,
    linear: [0, 0, 0] as Vec3,
    pushed: [0, 0, 0] as Vec3,
    turned: [0, 0, 0] as Vec3,
  };
  const body: RigidBody = {
    native: 'plain',
    shapes: [{ type: 'box', size: [0.5, 0.5, 0.5] }],
    isDynamic: true,
    pose: () => ({ position: state.position, rotation: [0, 0, 0, 1] }),
    motion: () => ({ centre: state.position, linear: state.linear, angular: [0, 0, 0] }),
    push: (impulse, angular) => {
      state.pushed = state.pushed.map((p, a) => p + impulse[a]) as unknown as Vec3;
      state.turned = state.turned.map((p, a) => p + angular[a]) as unknown as Vec3;
    },
    ...more,
  };
  return { body, state };
}
const STILL = { step: () => {} };

describe('attachments', () => {
  it('a soft arm hangs from a rigid torso, which carries its weight and its torque', async () => {
    const world = await World.create();
    const coupling = new Coupling(world, STILL);
    const arm = world.addBody({
      shape: { type: 'box', size: [0.6, 0.15, 0.15] },
      position: [0.55, 0, 0],
      sampling: { method: 'grid', spacing: 0.05 },
      material: { density: 200, young: 1e6, dampingRatio: 0.8 },
    });
    const { body: torso, state } = plainBody();
    const points: Vec3[] = [-0.05, 0.05].flatMap((y) => [-0.05, 0.05].map((z): Vec3 => [0.28, y, z]));
    const attachment = coupling.attach(arm, torso, { points });
    for (let n = 0; n < 4 * 60; n++) coupling.step();
    state.pushed = state.turned = [0, 0, 0];
    const from = world.time;
    for (let n = 0; n < 4 * 15; n++) coupling.step();
    const seconds = world.time - from;
    const weight = GRAVITY * arm.mass;
    expect(state.pushed[1] / seconds / -weight).toBeCloseTo(1, 1);
    // About the torso: the weight acts at the arm's centre of mass.
    expect(state.turned[2] / seconds / (-weight * arm.centreOfMass[0])).toBeCloseTo(1, 1);
    expect(arm.centreOfMass[1]).toBeGreaterThan(-0.1);
    coupling.detach(attachment);
    expect(world.picks).toHaveLength(0);
  });

  it('it follows a torso that moves, without lagging behind', async () => {
    const world = await World.create({ gravity: [0, 0, 0] });
    const { body: torso, state } = plainBody();
    const coupling = new Coupling(world, {
      step: (dt) => {
        state.position = state.position.map((p, a) => p + dt * state.linear[a]) as unknown as Vec3;
      },
    });
    const arm = world.addBody({
      shape: { type: 'box', size: [0.4, 0.2, 0.2] },
      sampling: { method: 'grid', spacing: 0.05 },
      velocity: [2, 0, 0],
    });
    coupling.attach(arm, torso, {
      points: [
        [-0.2, 0.05, 0],
        [-0.2, -0.05, 0.05],
        [-0.2, -0.05, -0.05],
      ],
    });
    state.linear = [2, 0, 0];
    for (let n = 0; n < 4 * 60; n++) coupling.step();
    expect(arm.centreOfMass[0]).toBeCloseTo(2, 2);
    expect(Math.abs(state.pushed[0])).toBeLessThan(0.02 * arm.mass * 2);
  });

  it('pinned particles follow a bone in position and rotation', async () => {
    const world = await World.create({ gravity: [0, 0, 0] });
    const coupling = new Coupling(world, STILL);
    const body = world.addBody({
      shape: { type: 'box', size: [0.4, 0.2, 0.2] },
      sampling: { method: 'grid', spacing: 0.05 },
    });
    let angle = 0;
    const frame = () => ({
      position: [0, angle, 0] as Vec3,
      rotation: [0, Math.sin(angle / 2), 0, Math.cos(angle / 2)] as const,
    });
    const pinned = coupling.pin(
      { region: { type: 'halfspace', normal: [-1, 0, 0], offset: 0.1 }, bodies: [body] },
      frame,
    );
    for (let n = 0; n < 4 * 60; n++) {
      angle = Math.min(Math.PI / 2, angle + 0.02);
      coupling.step();
    }
    // A quarter turn about y leads from −x to +z, and from z to x.
    let held = 0;
    for (let i = 0; i < body.particleCount; i++) {
      const [x, y, z] = body.restPositions.subarray(3 * i, 3 * i + 3);
      if (x > -0.1) continue;
      held++;
      for (const [a, c] of [z, y + Math.PI / 2, -x].entries()) expect(body.positions[4 * i + a]).toBeCloseTo(c, 4);
    }
    expect(held).toBeGreaterThan(10);
    coupling.unpin(pinned);
    expect(world.clamps).toHaveLength(0);
  });
});

describe('what is coupled', () => {
  it('meets by its groups', async () => {
    const world = await World.create();
    const coupling = new Coupling(world, STILL);
    const { body } = plainBody({ shapes: [{ type: 'box', size: [4, 0.2, 4], groups: { membership: 2, filter: 2 } }] });
    coupling.add(body);
    const ghost = world.addBody({
      shape: { type: 'box', size: [0.2, 0.2, 0.2] },
      sampling: { method: 'grid', count: 27 },
      position: [0, 0.3, 0],
      groups: { membership: 1, filter: 1 },
    });
    const solid = world.addBody({
      shape: { type: 'box', size: [0.2, 0.2, 0.2] },
      sampling: { method: 'grid', count: 27 },
      position: [1, 0.3, 0],
      groups: { membership: 2, filter: 2 },
    });
    for (let n = 0; n < 4 * 60; n++) coupling.step();
    expect(ghost.centreOfMass[1]).toBeLessThan(-2);
    expect(solid.centreOfMass[1]).toBeGreaterThan(0.1);
  });

  it('refuses what it cannot couple, and leaves nothing behind', async () => {
    const world = await World.create();
    const coupling = new Coupling(world, STILL);
    const wrong = plainBody({
      shapes: [
        { type: 'sphere', radius: 1 },
        { type: 'sphere', radius: -1 },
      ],
    }).body;
    expect(() => coupling.add(wrong)).toThrow('radius');
    expect(world.colliders).toHaveLength(0);
    expect(() => coupling.add(plainBody({ shapes: [] }).body)).toThrow('body.shapes');
    expect(() => new Coupling(world, STILL, { substeps: 0 })).toThrow('substeps');
    const { body } = plainBody();
    coupling.add(body);
    expect(() => coupling.add(body)).toThrow('not added before');
    coupling.remove(body);
    expect(world.colliders).toHaveLength(0);
  });
});
