import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/build.js';
import { BACKENDS } from '../kernels/kernels.js';
import { BLOCK, disturb, worldWith } from '../testing/bodies.js';

const LOAF: BodyOptions = {
  name: 'loaf',
  shape: { type: 'box', size: [2, 0.6, 0.6] },
  sampling: { method: 'grid', spacing: 0.1 },
  clustering: { count: 24 },
};

describe.each(BACKENDS)('a plane through a body (%s)', (backend) => {
  it('makes two of it; mass, momentum and every velocity stay', async () => {
    const { world, body } = await worldWith(LOAF, { backend });
    world.addBody({ ...BLOCK, position: [0, 5, 0] });
    disturb(world, 3, 0.02, 1);
    for (let n = 0; n < 5; n++) world.step();
    const before = world.measure(body);
    const state = new Map<string, number[]>();
    const key = (x: ArrayLike<number>, o: number) => [x[o], x[o + 1], x[o + 2], x[o + 3]].join(' ');
    for (let o = 0; o < body.positions.length; o += 4)
      state.set(key(body.positions, o), Array.from(body.velocities.subarray(o, o + 4)));
    const { met, bodies } = world.cut(body, { point: [0.2, 0, 0], normal: [1, 0.3, 0] });
    expect(met).toBe(true);
    expect(bodies).toHaveLength(2);
    expect(bodies[0]).toBe(body);
    expect(world.validate()).toEqual([]);
    const sum = bodies.map((b) => world.measure(b));
    // Sums over the same numbers in another order.
    expect(sum[0].mass + sum[1].mass).toBeCloseTo(before.mass, 10);
    for (let a = 0; a < 3; a++) expect(sum[0].momentum[a] + sum[1].momentum[a]).toBeCloseTo(before.momentum[a], 10);
    for (const b of bodies) {
      const { positions: x, velocities: v } = b;
      const heights = new Set<boolean>();
      for (let o = 0; o < x.length; o += 4) {
        heights.add(x[o] - 0.2 + 0.3 * x[o + 1] >= 0);
        expect(Array.from(v.subarray(o, o + 4))).toEqual(state.get(key(x, o)));
      }
      // All on one side.
      expect(heights.size).toBe(1);
    }
    expect(world.drainEvents().filter((e) => e.type === 'cut')).toEqual([
      { type: 'cut', body, bodies, time: world.time },
    ]);
    for (let n = 0; n < 60; n++) world.step();
    expect(world.validate()).toEqual([]);
  });

  it('that nothing pulls at stays where it is: halves do not push each other', async () => {
    const { world, body } = await worldWith(LOAF, { backend });
    const start = body.positions.slice();
    world.cut(body, { point: [0.03, 0, 0], normal: [1, 0.5, 0.2] });
    let fastest = 0;
    for (let n = 0; n < 60; n++) {
      world.step();
      for (const v of world.velocities) fastest = Math.max(fastest, Math.abs(v));
    }
    expect(fastest).toBeLessThan(1e-3);
    expect(start.length).toBe(world.positions.length);
  });

  it('lets halves move apart, and holds them off each other', async () => {
    for (const speed of [1, -1]) {
      const { world, body } = await worldWith(LOAF, { backend });
      const { bodies } = world.cut(body, { point: [0, 0, 0], normal: [1, 0, 0] });
      for (const b of bodies) {
        const right = world.measure(b).com[0] > 0;
        for (let o = 0; o < b.velocities.length; o += 4) b.velocities[o] = right ? speed : -speed;
      }
      for (let n = 0; n < 60; n++) world.step();
      const [left, right] = bodies.map((b) => world.measure(b).com[0]).sort((a, b) => a - b);
      // Centres were 1 m apart. Driven against each other they bounce off; nowhere are they in each other.
      if (speed > 0) expect(right - left).toBeCloseTo(3, 1);
      else expect(right - left).toBeGreaterThan(0.95);
    }
  });
});

describe('a blade in a body', () => {
  const blade = (depth: number): [number, number, number][] => [
    [0, 1, -1],
    [0, 1, 1],
    [0, 0.3 - depth, 1],
    [0, 0.3 - depth, -1],
  ];

  it('parts nothing but lets the cut open', async () => {
    const gaps = await Promise.all(
      [0, 0.4].map(async (depth) => {
        const { world, body } = await worldWith(LOAF);
        if (depth > 0) {
          const { met, bodies } = world.cut(body, { blade: blade(depth) });
          expect(met).toBe(true);
          expect(bodies).toEqual([body]);
          expect(body.pieces.count).toBe(1);
          expect(body.topologyVersion).toBe(1);
          expect(world.validate()).toEqual([]);
        }
        const x = body.positions;
        const near = (side: number) => {
          let [sum, count] = [0, 0];
          for (let o = 0; o < x.length; o += 4)
            if (
              body.restPositions[(3 * o) / 4 + 1] > 0.2 &&
              Math.abs(body.restPositions[(3 * o) / 4] - 0.05 * side) < 0.01
            ) {
              sum += body.positions[o];
              count++;
            }
          return sum / count;
        };
        for (const side of [1, -1])
          world.addClamp({
            region: { type: 'halfspace', normal: [side, 0, 0], offset: 0.8 },
            velocity: [0.2 * side, 0, 0],
          });
        for (let n = 0; n < 60; n++) world.step();
        return near(1) - near(-1);
      }),
    );
    console.log(gaps);
    expect(gaps[1]).toBeGreaterThan(gaps[0] + 0.1);
  });

  it('leaves no cluster that holds both sides', async () => {
    const { world, body } = await worldWith(LOAF);
    world.cut(body, { blade: blade(0.4) });
    const s = world.state.views;
    for (let c = body.rows.clusterStart; c < body.rows.clusterEnd; c++) {
      const sides = new Set<number>();
      for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
        const o = 4 * s.memberParticle[k];
        if (s.x[o + 1] > -0.1) sides.add(Math.sign(s.x[o]));
      }
      expect(sides.size).toBeLessThanOrEqual(1);
    }
  });
});
