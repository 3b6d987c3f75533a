import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS } from '../kernels/kernels.js';
import { refusal } from '../testing/refusal.js';
import { report } from '../testing/report.js';
import { World } from '../world.js';

/** The ball with which a hand pushes (SPEC I2): one that is led, and switched on while a button is down. */
const BALL = { type: 'sphere', centre: [0, 50, 0], radius: 0.25, friction: 0.2, exitSpeed: 1 } as const;
const BLOCK: BodyOptions = {
  shape: { type: 'box', size: [0.4, 0.4, 0.4] },
  sampling: { spacing: 0.1, method: 'grid' },
  clustering: { count: 3 },
  material: { raw: { damping: 0.3, bodyDamping: 0.05 } },
};

/** Four blocks in a heap on the floor, asleep. */
async function heap(backend: 'ts' | 'wasm'): Promise<World> {
  const world = await World.create({ backend });
  world.addCollider({ type: 'plane', normal: [0, 1, 0], friction: 0.3 });
  for (const [x, y] of [
    [-0.22, 0.2],
    [0.22, 0.2],
    [0, 0.61],
  ])
    world.addBody({ ...BLOCK, position: [x, y, 0] });
  run(world, 60);
  for (const body of world.bodies) body.sleep();
  return world;
}
const run = (world: World, steps: number) => {
  for (let n = 0; n < steps; n++) world.step();
};
/** The longest way of a particle in the last step, by its time (m/s): also that of being put somewhere. */
const fastest = ({ state: { views }, particleCount, dt }: World) => {
  let most = 0;
  for (let o = 0; o < 4 * particleCount; o += 4)
    most = Math.max(most, Math.hypot(...[0, 1, 2].map((a) => views.x[o + a] - views.xOld[o + a])));
  return most / dt;
};

describe.each(BACKENDS)('a ball that is led (%s)', (backend) => {
  it('moves a sleeping heap out of its way, and no particle comes in', async () => {
    const world = await heap(backend);
    const before = world.measure().com[0];
    const ball = world.addCollider(BALL);
    for (const body of world.bodies) body.sleep();
    ball.enabled = false;
    ball.moveTo([-1, 0.3, 0]);
    world.step();
    ball.enabled = true;
    for (let x = -1; x < 1; x += 0.04) {
      ball.moveTo([x, 0.3, 0]);
      world.step();
      let nearest = 1;
      for (let o = 0; o < world.positions.length; o += 4) {
        const [px, py, pz] = world.positions.subarray(o, o + 3);
        nearest = Math.min(nearest, Math.hypot(px - x, py - 0.3, pz));
      }
      // The floor is met after it, once more: what lies between both is squeezed.
      expect(nearest).toBeGreaterThan(0.25 - 0.02);
      // It goes at 2.4 m/s.
      expect(fastest(world)).toBeLessThan(8);
    }
    expect(world.measure().com[0] - before).toBeGreaterThan(0.2);
    expect(world.drainEvents().filter((event) => event.type === 'quarantine')).toEqual([]);
  });

  it('appears within a body and lets it out gently', async () => {
    const peak = async (exitSpeed: number | undefined) => {
      const world = await World.create({ backend, gravity: [0, 0, 0] });
      const body = world.addBody(BLOCK);
      const ball = world.addCollider({ ...BALL, exitSpeed });
      ball.enabled = false;
      ball.moveTo([0.05, 0.02, 0.01]);
      run(world, 2);
      expect(fastest(world)).toBeLessThan(1e-3);
      ball.enabled = true;
      let most = 0;
      for (let n = 0; n < 90; n++) {
        world.step();
        most = Math.max(most, fastest(world));
      }
      let deepest = 0;
      for (let o = 0; o < body.positions.length; o += 4) {
        const [x, y, z] = body.positions.subarray(o, o + 3);
        deepest = Math.max(deepest, 0.25 - Math.hypot(x - 0.05, y - 0.02, z - 0.01));
      }
      // f32 places and the 60 steps that 0.25 m take at 1 m/s.
      expect(deepest).toBeLessThan(1e-5);
      return most;
    };
    const [gentle, sudden] = [await peak(1), await peak(undefined)];
    report('speed with exitSpeed and without', { gentle, sudden }, 'm/s');
    expect(gentle).toBeLessThan(4);
    expect(sudden).toBeGreaterThan(2 * gentle);
  });

  it('switched off meets nothing, and leaps where it is led to without hitting what is in between', async () => {
    const world = await World.create({ backend, gravity: [0, 0, 0] });
    const body = world.addBody(BLOCK);
    const ball = world.addCollider({ ...BALL, centre: [-2, 0, 0] });
    ball.enabled = false;
    for (const x of [-1, 0, 1, 2]) {
      ball.moveTo([x, 0, 0]);
      world.step();
    }
    ball.moveTo([-2, 0, 0]);
    ball.enabled = true;
    // Where it was led while it was off is behind it; from here on it hits.
    run(world, 1);
    const still = body.positions.slice();
    expect(Math.hypot(...world.measure().momentum)).toBeLessThan(1e-3);
    ball.moveTo([2, 0, 0]);
    world.step();
    expect(body.positions).not.toEqual(still);
    expect(ball.impulse[0]).toBeLessThan(0);
  });
});

describe('a collider that is switched', () => {
  it('wakes what lies on it, and what it comes to lie in', async () => {
    const world = await World.create();
    const floor = world.addCollider({ type: 'box', size: [2, 0.2, 2], position: [0, -0.1, 0] });
    const [block, far] = [
      world.addBody({ ...BLOCK, position: [0, 0.2, 0] }),
      world.addBody({ ...BLOCK, position: [9, 0, 0] }),
    ];
    run(world, 5);
    for (const body of [block, far]) body.sleep();
    floor.enabled = false;
    run(world, 30);
    expect([block.asleep, far.asleep]).toEqual([false, true]);
    expect(world.measure(block).com[1]).toBeLessThan(-0.5);
    expect(refusal(() => Object.assign(floor, { enabled: 1 }))).toBe('enabled is 1; expected true or false.');
    expect(refusal(() => world.addCollider({ ...BALL, exitSpeed: 0 }))).toBe(
      'collider.exitSpeed is 0; expected a finite number above 0.',
    );
  });

  it('that leaps onto a sleeping body in one step meets it in that step', async () => {
    const world = await World.create({ gravity: [0, 0, 0] });
    const body = world.addBody(BLOCK);
    const ball = world.addCollider({ type: 'sphere', centre: [-3, 0, 0], radius: 0.2 });
    body.sleep();
    ball.moveTo([3, 0, 0]);
    world.step();
    expect(body.asleep).toBe(false);
    expect(world.measure().momentum[0]).toBeGreaterThan(0);
  });
});
