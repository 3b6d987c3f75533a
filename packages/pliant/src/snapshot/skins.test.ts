import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import { World } from '../world.js';
import { BAR } from './testing/scenes.js';

const shownBy = (body: Body) => {
  const skin = body.getSkin();
  skin.update();
  return { indices: [...skin.indices], positions: [...skin.positions] };
};

/** A bar of two clusters that share no particle: pieces that `separate` makes bodies of, without any skin. */
async function inTwo() {
  const world = await World.create({ gravity: [0, 0, 0] });
  const points = Array.from({ length: 16 }, (_, k) => [0.1 * (k >> 2), 0.1 * ((k >> 1) & 1), 0.1 * (k & 1)]);
  const body = world.addBody({
    points: points.flat(),
    clusters: [
      { members: [0, 1, 2, 3, 4, 5, 6, 7], weights: Array(8).fill(1) },
      { members: [8, 9, 10, 11, 12, 13, 14, 15], weights: Array(8).fill(1) },
    ],
  });
  return { world, body };
}

describe('skins in snapshots', () => {
  it('are whole in a copy if they were never cut: a cut of an open surface finds the same', async () => {
    const world = await World.create();
    const positions = [0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 1, 0];
    const indices = [0, 2, 1, 0, 3, 1];
    const body = world.addBody({ sampling: { count: 1 }, mesh: { positions, indices } });
    body.getSkin();
    const snapshot = world.snapshot();
    const cuts = [snapshot, structuredClone(snapshot)].map((kept) => {
      world.restore(kept);
      return world.cut(body, { point: body.centreOfMass, normal: [1, 0, 0] }).bodies.map((part) => part.particleCount);
    });
    expect(cuts[1]).toEqual(cuts[0]);
  });

  it('show a part of a larger body, as before, if they were made after it came off', async () => {
    const { world, body } = await inTwo();
    expect(world.separate(body)).toHaveLength(2);
    const before = world.bodies.map(shownBy);
    const snapshot = structuredClone(world.snapshot());
    world.restore(snapshot);
    expect(world.bodies.map(shownBy)).toEqual(before);
  });

  it('are those of the whole body again where a snapshot from before it came apart is restored', async () => {
    const { world, body } = await inTwo();
    const snapshot = world.snapshot();
    const whole = shownBy(body);
    world.separate(body);
    world.restore(snapshot);
    expect(shownBy(body)).toEqual(whole);
  });
});

describe('a body restored from before a part of it was cut off', () => {
  it('has the modulus that it had', async () => {
    const world = await World.create();
    const { material: _, ...bar } = BAR;
    const body = world.addBody({ ...bar, material: { young: (x) => 2e4 * (1 + x * x), poisson: 0.3 } });
    const { young } = body;
    const snapshot = world.snapshot();
    world.cut(body, { point: [0.4, 0, 0], normal: [1, 0, 0] });
    expect(body.young).not.toBe(young);
    world.restore(snapshot);
    expect(body.young).toBe(young);
  });
});
