import { describe, expect, it } from 'vitest';
import { BLOCK, worldWith } from './testing/bodies.js';
import { refusal } from './testing/refusal.js';
import { World } from './world.js';

const QUAD = {
  points: [1, 0, 0, -1, 0, 0, 0, 2, 0, 0, -2, 1],
  clusters: [{ members: [0, 1, 2, 3] }],
  material: { particleMass: 2 },
};

describe('measures', () => {
  it('are the sums that one finds by hand', async () => {
    const { world, body } = await worldWith(QUAD);
    const v = body.velocities;
    v.set([0, 3, 0], 0);
    v.set([0, 1, 0], 4);
    v.set([1, 0, 0], 8);
    v.set([0, 0, 2], 12);
    const m = world.measure();
    expect(m.mass).toBe(8);
    expect(m.com).toEqual([0, 0, 0.25]);
    expect(m.bboxMin).toEqual([-1, -2, 0]);
    expect(m.bboxMax).toEqual([1, 2, 1]);
    expect(m.momentum).toEqual([2, 8, 4]);
    // ½·2·(9 + 1 + 1 + 4)
    expect(m.kineticEnergy).toBe(15);
    // 2·Σ x × v: (1,0,0)×(0,3,0) = (0,0,3); (−1,0,0)×(0,1,0) = (0,0,−1); (0,2,0)×(1,0,0) = (0,0,−2); (0,−2,1)×(0,0,2) = (−4,0,0)
    expect(m.angularMomentum).toEqual([-8, 0, 0]);
    // |r|² about (0, 0, ¼): 1 + 1/16, 1 + 1/16, 4 + 1/16, 4 + 9/16
    expect(m.rms).toBeCloseTo(Math.sqrt((10 + 12 / 16) / 4), 12);
  });

  it('weigh the centre by mass, and the rms radius by particle', async () => {
    const { world, body } = await worldWith(QUAD);
    body.positions[3] = 6;
    const m = world.measure();
    expect(m.mass).toBe(12);
    expect(m.com[0]).toBeCloseTo((6 - 2) / 12, 12);
    const [cx, cy, cz] = m.com;
    const squares = [
      [1, 0, 0],
      [-1, 0, 0],
      [0, 2, 0],
      [0, -2, 1],
    ].map(([x, y, z]) => (x - cx) ** 2 + (y - cy) ** 2 + (z - cz) ** 2);
    expect(m.rms).toBeCloseTo(Math.sqrt(squares.reduce((a, b) => a + b) / 4), 12);
  });

  it('are of one body or of all, and of no one else’s', async () => {
    const { world, body } = await worldWith(QUAD);
    const second = world.addBody({ ...QUAD, position: [10, 0, 0], velocity: [0, 1, 0] });
    expect(world.measure(body).com).toEqual([0, 0, 0.25]);
    expect(world.measure(second).com).toEqual([10, 0, 0.25]);
    expect(world.measure(second).momentum).toEqual([0, 8, 0]);
    expect(world.measure().mass).toBe(16);
    expect(world.measure().com[0]).toBe(5);
    const { body: foreign } = await worldWith(QUAD);
    expect(refusal(() => world.measure(foreign))).toContain('expected a body of this world');
    world.removeBody(body);
    expect(refusal(() => world.measure(body))).toContain('expected a body of this world');
  });

  it('the largest stretch is that of the most stretched cluster, whatever its rotation; 0 with no cluster', async () => {
    const world = await World.create();
    expect(world.maxStretch()).toBe(0);
    world.addBody({ ...BLOCK, stretch: [1, 1.25, 0.5], rotation: [0, 0, Math.sin(0.4), Math.cos(0.4)] });
    // Stretched along the world's axes after the turn: the singular values of diag(1, 1.25, 0.5) R.
    expect(world.maxStretch()).toBeCloseTo(1.25, 5);
    world.addBody({ ...BLOCK, position: [3, 0, 0], stretch: [1.5, 1, 1], stretchCentre: [3, 0, 0] });
    expect(world.maxStretch()).toBeCloseTo(1.5, 5);
  });
});
