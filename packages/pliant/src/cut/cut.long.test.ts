import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS } from '../kernels/kernels.js';
import { signedVolume } from '../mesh/volume.js';
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

describe('a plane between layers that no particle is near', () => {
  it.each([3, 9, 40])('cuts a box that is drawn out %d times in two halves of the same volume', async (stretch) => {
    const { world, body } = await worldWith({
      shape: { type: 'box', size: [1, 1, 1] },
      sampling: { method: 'grid', spacing: 0.25 },
      stretch: [stretch, 1, 1],
    });
    const { bodies } = world.cut(body, { point: [0, 0, 0], normal: [1, 0, 0] });
    expect(bodies.map((b) => b.particleCount)).toEqual([32, 32]);
    expect(world.validate()).toEqual([]);
    for (const half of bodies) {
      half.getSkin().update();
      expect(signedVolume(half.getSkin().positions, half.getSkin().indices)).toBeCloseTo(stretch / 2, 3);
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

describe('the skin of a body that is cut', () => {
  /** Volume within a skin, and edges that have not one triangle on each side. */
  function examine(body: Body) {
    body.getSkin().update();
    const { positions, indices, welded } = body.getSkin();
    const count = positions.length / 3;
    const edges = new Set<number>();
    for (let h = 0; h < indices.length; h++)
      edges.add(welded[indices[h]] * count + welded[indices[h % 3 === 2 ? h - 2 : h + 1]]);
    let open = indices.length - edges.size;
    for (const key of edges) if (!edges.has((key % count) * count + Math.floor(key / count))) open++;
    return { volume: signedVolume(positions, indices), open };
  }

  it('is cut and closed by faces of a group of their own, and stays where it is', async () => {
    const { world, body } = await worldWith(LOAF);
    disturb(world, 7, 0.02, 0.5);
    for (let n = 0; n < 5; n++) world.step();
    const before = examine(body);
    const { bodies } = world.cut(body, { point: [0.1, 0, 0], normal: [1, 0.2, 0.1] });
    const after = bodies.map(examine);
    expect(before.open).toBe(0);
    for (const { open } of after) expect(open).toBe(0);
    // To rounding of f32 places: both halves have the same face.
    expect(after[0].volume + after[1].volume).toBeCloseTo(before.volume, 5);
    for (const body of bodies) {
      const skin = body.getSkin();
      const inner = skin.groups.filter((g) => g.kind === 'inner');
      expect(inner).toHaveLength(1);
      // The face lies in the plane.
      let off = 0;
      for (let k = inner[0].start; k < inner[0].start + inner[0].count; k++) {
        const o = 3 * skin.indices[k];
        const [x, y, z] = [skin.positions[o] - 0.1, skin.positions[o + 1], skin.positions[o + 2]];
        off = Math.max(off, Math.abs(x + 0.2 * y + 0.1 * z));
      }
      expect(off).toBeLessThan(1e-4);
    }
    for (let n = 0; n < 30; n++) world.step();
    for (const { open } of bodies.map(examine)) expect(open).toBe(0);
  });

  it('stays where it is around a splinter that is crushed flat', async () => {
    const { world, body } = await worldWith(LOAF);
    // The ten particles of a corner, pressed into a plane: the surface, which follows large clusters, hardly notices, until they are on their own.
    const { positions: x } = body;
    for (let o = 0; o < x.length; o += 4) if (x[o] + x[o + 1] + x[o + 2] > 1.22) x[o] = 0.9 + 0.02 * (x[o] - 0.9);
    const before = examine(body);
    const { bodies } = world.cut(body, { point: [0.82, 0.2, 0.2], normal: [1, 1, 1] });
    const after = bodies.map(examine);
    expect(bodies.map((b) => b.particleCount).at(-1)).toBeLessThan(20);
    for (const { open } of after) expect(open).toBe(0);
    expect(after[0].volume + after[1].volume).toBeCloseTo(before.volume, 5);
    // Its particles get their shape back, the surface spreads with them (0.32 to 0.58 m around their middle), and nothing flies off.
    for (let n = 0; n < 30; n++) world.step();
    examine(bodies[1]);
    const { positions } = bodies[1].getSkin();
    const { com } = world.measure(bodies[1]);
    for (let o = 0; o < positions.length; o += 3)
      expect(Math.hypot(...com.map((c, a) => positions[o + a] - c))).toBeLessThan(0.7);
  });

  it('opens with the flap that a blade leaves, closed all the while', async () => {
    const { world, body } = await worldWith({ ...LOAF, material: { raw: { damping: 0.1 } } });
    const before = examine(body);
    const corners: [number, number, number][] = [[0, 1, -1], [0, 1, 1], [0, -0.1, 1], [0, -0.1, -1]]; // biome-ignore format: short
    world.cut(body, { blade: corners });
    const closed = examine(body);
    expect(closed.open).toBe(0);
    expect(closed.volume).toBeCloseTo(before.volume, 5);
    for (const side of [1, -1])
      world.addClamp({
        region: { type: 'halfspace', normal: [side, 0, 0], offset: 0.8 },
        velocity: [0.2 * side, 0, 0],
        lifetime: 1,
      });
    for (let n = 0; n < 60; n++) world.step();
    const open = examine(body);
    expect(open.open).toBe(0);
    // Faces of the slot have parted: of the vertices that lay at x = 0 above its ground, those of the two sides are apart.
    const skin = body.getSkin();
    const rest = skin.restMesh.positions;
    const [left, right]: number[][] = [[], []];
    const inner = skin.groups.find((g) => g.kind === 'inner')!;
    for (let k = inner.start; k < inner.start + inner.count; k++) {
      const v = skin.indices[k];
      if (skin.positions[3 * v + 1] < 0.25) continue;
      (skin.normals[3 * v] > 0 ? left : right).push(skin.positions[3 * v]);
    }
    expect(rest.length).toBeGreaterThan(0);
    expect(Math.min(...right) - Math.max(...left)).toBeGreaterThan(0.1);
    // Let go it closes again, and what held it moves on: nothing explodes and nothing sticks.
    for (let n = 0; n < 180; n++) world.step();
    expect(examine(body).open).toBe(0);
    expect(examine(body).volume / before.volume).toBeGreaterThan(0.9);
    expect(examine(body).volume / before.volume).toBeLessThan(1.1);
    expect(body.pieces.count).toBe(1);
  });
});

describe('a cut', () => {
  it('that meets nothing changes nothing', async () => {
    const { world, body } = await worldWith(LOAF);
    for (const cut of [
      { point: [0, 2, 0], normal: [0, 1, 0] } as const,
      { blade: [[3, 0, 0], [4, 0, 0], [3, 1, 0]] } as const, // biome-ignore format: short
    ]) {
      const { met, bodies } = world.cut(body, cut);
      expect(met).toBe(false);
      expect(bodies).toEqual([body]);
    }
    expect(body.topologyVersion).toBe(0);
    expect(world.drainEvents()).toEqual([]);
  });

  it('wakes what slept, and refuses what is not of this world', async () => {
    const { world, body } = await worldWith(LOAF);
    const { body: stranger } = await worldWith(LOAF);
    body.sleep();
    const { bodies } = world.cut(body, { point: [0, 0, 0], normal: [1, 0, 0] });
    expect(bodies.some((b) => b.asleep)).toBe(false);
    expect(() => world.cut(stranger, { point: [0, 0, 0], normal: [1, 0, 0] })).toThrow(
      /body is "loaf"; expected a body of/,
    );
    expect(() => world.cut(body, { point: [0, 0, 0], normal: [0, 0, 0] })).toThrow(/cut\.normal is/);
  });

  it('parts the teeth of a comb, levels and clamps follow', async () => {
    const box = (size: [number, number, number], x: number, y: number) =>
      ({ type: 'box', size, position: [x, y, 0] }) as const;
    const { world, body } = await worldWith({
      shape: {
        type: 'union',
        of: [box([1.4, 0.3, 0.3], 0, 0.6), ...[-0.55, 0, 0.55].map((x) => box([0.3, 1, 0.3], x, 0))],
      },
      sampling: { method: 'grid', spacing: 0.075 },
      clustering: { count: 24 },
      levels: {},
      material: { raw: {} },
    });
    const clamp = world.addClamp({ region: { type: 'halfspace', normal: [0, -1, 0], offset: 0.4 }, bodies: [body] });
    const held = clamp.particleCount;
    const { bodies } = world.cut(body, { point: [0, 0.1, 0], normal: [0, 1, 0.05] });
    expect(bodies).toHaveLength(4);
    expect(world.validate()).toEqual([]);
    expect(clamp.particleCount).toBe(held);
    for (const b of bodies) expect(examineClosed(b)).toBe(true);
    for (let n = 0; n < 20; n++) world.step();
    expect(world.validate()).toEqual([]);
  });
});

function examineClosed(body: Body): boolean {
  const skin = body.getSkin();
  const { indices, welded } = skin;
  const count = skin.vertexCount;
  const edges = new Set<number>();
  for (let h = 0; h < indices.length; h++)
    edges.add(welded[indices[h]] * count + welded[indices[h % 3 === 2 ? h - 2 : h + 1]]);
  return indices.length > 0 && edges.size === indices.length;
}
