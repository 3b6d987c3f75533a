import { expect, it } from 'vitest';
import { PliantError } from './check.js';
import { World } from './world.js';

/** A world with a force function that calls `act` in the first step. */
async function worldThat(act: (world: World) => void) {
  const world = await World.create();
  world.addBody({ points: [0, 0, 0, 1, 0, 0] });
  const snapshot = world.snapshot();
  const refusals: unknown[] = [];
  world.addForceField({
    type: 'custom',
    at: () => {
      try {
        act(world);
      } catch (error) {
        refusals.push(error);
      }
    },
  });
  return { world, snapshot, refusals };
}

const REGION = { type: 'sphere', centre: [0, 0, 0], radius: 1 } as const;

it.each<[string, (world: World) => void]>([
  ['addBody', (world) => world.addBody({ points: [0, 0, 0] })],
  ['removeBody', (world) => world.removeBody(world.bodies[0])],
  ['cut', (world) => world.cut(world.bodies[0], { point: [0.5, 0, 0], normal: [1, 0, 0] })],
  ['separate', (world) => world.separate(world.bodies[0])],
  ['addClamp', (world) => world.addClamp({ region: REGION })],
  ['addCollider', (world) => world.addCollider({ type: 'plane', normal: [0, 1, 0] })],
  ['addForceField', (world) => world.addForceField({ type: 'drag', rate: 1 })],
  ['removeForceField', (world) => world.removeForceField(world.forceFields[0])],
  ['addPick', (world) => world.addPick({ body: world.bodies[0], particle: 0 })],
  ['snapshot', (world) => world.snapshot()],
  ['save', (world) => world.save()],
  ['step', (world) => world.step()],
  ['advance', (world) => world.advance(1)],
  ['dispose', (world) => world.dispose()],
])('world.%s is refused inside a step, and the step goes on', async (name, act) => {
  const { world, refusals } = await worldThat(act);
  world.step();
  expect(refusals.length).toBe(2);
  expect(refusals[0]).toBeInstanceOf(PliantError);
  expect(String(refusals[0])).toContain(`world.${name} was called from inside a step`);
  expect([world.frame, world.bodies.length, world.validate()]).toEqual([1, 1, []]);
});

it('restoring is refused inside a step', async () => {
  const { world, snapshot, refusals } = await worldThat(() => world.restore(snapshot));
  world.step();
  expect(String(refusals[0])).toContain('world.restore was called from inside a step');
  world.restore(snapshot);
});

it('a step that throws can be followed by calls', async () => {
  const world = await World.create();
  world.addBody({ points: [0, 0, 0] });
  const field = world.addForceField({
    type: 'custom',
    at: () => {
      throw new Error('mine');
    },
  });
  expect(() => world.step()).toThrow('mine');
  world.removeForceField(field);
  world.step();
  expect(world.frame).toBe(1);
});
