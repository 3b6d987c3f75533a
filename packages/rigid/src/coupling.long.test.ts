import { type BodyOptions, World } from 'pliant';
import { describe, expect, it } from 'vitest';
import { ENGINES } from './testing/engines.js';

const GRAVITY = 9.81;
const BED: BodyOptions = {
  shape: { type: 'box', size: [0.8, 0.32, 0.8] },
  position: [0, 0.16, 0],
  sampling: { method: 'grid', spacing: 0.08 },
  material: { density: 100, young: 2e4, poisson: 0.3, dampingRatio: 1 },
};
const FLOOR = { type: 'plane', normal: [0, 1, 0] } as const;

const engines = Object.entries(ENGINES);

describe.each(engines)('%s: a rigid ball on a soft bed', (_, start) => {
  it('rests, carried by its weight, as deep as a ball that is led there has to be pressed with it', async () => {
    const world = await World.create();
    const { coupling, add } = await start(world, { substeps: 8 });
    world.addBody(BED);
    world.addCollider(FLOOR);
    const ball = add({ radius: 0.2, mass: 20, position: [0, 0.56, 0] });
    for (let n = 0; n < 8 * 150; n++) coupling.step();
    const [heights, forces]: [number[], number[]] = [[], []];
    for (let n = 0; n < 8 * 15; n++) {
      coupling.step();
      heights.push(ball.position[1]);
      forces.push(ball.collider.impulse[1] / world.dt);
    }
    const mean = (values: number[]) => values.reduce((sum, v) => sum + v, 0) / values.length;
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(2e-3);
    expect(Math.abs(mean(forces) / (20 * GRAVITY) - 1)).toBeLessThan(0.01);

    // The same bed, pressed by a ball that stands where the rigid one rests.
    const other = await World.create({ dt: world.dt });
    other.addBody(BED);
    other.addCollider(FLOOR);
    const led = other.addCollider({ type: 'sphere', centre: [0, 0.56, 0], radius: 0.2 });
    const [from, to] = [0.56, mean(heights)];
    for (let n = 0; n < 8 * 120; n++) {
      led.moveTo([0, from + (to - from) * Math.min(1, n / (8 * 40)), 0]);
      other.step();
    }
    let pressed = 0;
    for (let n = 0; n < 60; n++) {
      other.step();
      pressed += led.impulse[1] / (60 * other.dt);
    }
    // How deep a dent is for one force depends on how friction was passed on the way: 8.2 % here.
    expect(Math.abs(pressed / (20 * GRAVITY) - 1)).toBeLessThan(0.09);
  });
});
