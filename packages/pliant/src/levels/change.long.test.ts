import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS } from '../kernels/kernels.js';
import { distance, worldWith } from '../testing/bodies.js';
import type { World } from '../world.js';

const BAR: BodyOptions = {
  shape: { type: 'box', size: [2, 0.3, 0.3] },
  sampling: { method: 'grid', spacing: 0.1 },
  clustering: { count: 40 },
  levels: {},
  material: { raw: {} },
};

const lengthOf = (world: World) => world.measure().bboxMax[0] - world.measure().bboxMin[0];

/** Pulls both ends apart, 0.4 m/s in all. */
function pull(world: World, steps: number): void {
  const clamps = [-1, 1].map((side) =>
    world.addClamp({
      region: { type: 'halfspace', normal: [side, 0, 0], offset: 0.8 },
      velocity: [0.2 * side, 0, 0],
    }),
  );
  for (let n = 0; n < steps; n++) world.step();
  for (const clamp of clamps) world.removeClamp(clamp);
}

describe.each(BACKENDS)('levels of a body that flows (%s)', (backend) => {
  const material = { yield: 0.05, raw: { damping: 0.1, bodyDamping: 0.05 } };

  it('take on what its clusters do: a bar pulled to 1.42 of its length stays long, where rigid levels would draw it back', async () => {
    const { world, body } = await worldWith({ ...BAR, material }, { backend });
    const before = lengthOf(world);
    pull(world, 120);
    expect(lengthOf(world) / before).toBeCloseTo(1.42, 2);
    for (let n = 0; n < 200; n++) world.step();
    // With levels that keep their rest shape it comes back to 1.000; one level alone ends at 1.35.
    expect(lengthOf(world) / before).toBeGreaterThan(1.15);
    expect(body.core.history.flowed).toBe(true);
    expect(world.validate()).toEqual([]);
    // At rest: nothing works against anything.
    const { kineticEnergy, mass } = world.measure();
    expect(Math.sqrt((2 * kineticEnergy) / mass)).toBeLessThan(0.02);

    // A rest shape that far off would flow at once.
    body.setMaterial({ yield: Number.POSITIVE_INFINITY });
    body.resetPlasticity();
    for (let n = 0; n < 300; n++) world.step();
    expect(lengthOf(world) / before).toBeCloseTo(1, 2);
  });

  it('stay as they are while nothing yields, to the last bit', async () => {
    const run = async (limit: number) => {
      const { world } = await worldWith(
        { ...BAR, material: { ...material, yield: limit }, stretch: [1.1, 1, 1] },
        { backend },
      );
      for (let n = 0; n < 30; n++) world.step();
      return world.positions.slice();
    };
    expect(await run(10)).toEqual(await run(Number.POSITIVE_INFINITY));
  });

  it('win nothing by it: a clamped bar that ten g crush against itself is at rest when they are gone', async () => {
    const bar = { ...BAR, shape: { type: 'box', size: [1.5, 0.3, 0.3] }, clustering: { count: 30 } } as const;
    const { world } = await worldWith(
      { ...bar, material: { yield: 0.02, raw: { ...material.raw, damping: 0.2 } } },
      { backend, dt: 1 / 120, gravity: [0, -100, 0] },
    );
    world.addClamp({ region: { type: 'halfspace', normal: [-1, 0, 0], offset: 0.5 } });
    for (let n = 0; n < 240; n++) world.step();
    world.gravity = [0, 0, 0];
    for (let n = 0; n < 480; n++) world.step();
    // Creeping at constant volume whatever it costs, it was 179 km long by now.
    const { bboxMin, bboxMax } = world.measure();
    expect(Math.max(...bboxMax.map((high, a) => high - bboxMin[a]))).toBeLessThan(4);
  });
});

describe.each(BACKENDS)('levels of a body that breaks (%s)', (backend) => {
  it('do not tie its pieces together', async () => {
    const { world, body } = await worldWith(
      {
        ...BAR,
        contact: { mode: 'none' },
        material: { toughness: 0.15, raw: { rotation: 'covariance', damping: 0.1 } },
      },
      { backend },
    );
    expect(body.levels.map((level) => level.clusters)).toEqual([40, 5, 1]);
    for (let n = 0; n < 12 && body.pieces.count < 2; n++) pull(world, 20);
    expect(body.pieces.count).toBeGreaterThan(1);
    expect(world.validate()).toEqual([]);
    // One cluster of the coarsest level for each piece.
    expect(body.levels[2].clusters).toBe(body.pieces.count);

    const pieces = world.separate(body);
    expect(world.validate()).toEqual([]);
    for (const piece of pieces) {
      expect(piece.levels[2].clusters).toBe(1);
      piece.setMaterial({ toughness: Number.POSITIVE_INFINITY });
    }
    // Apart and with nothing between them: each keeps its own momentum, though they fly in opposite directions.
    pieces.forEach((piece, n) => {
      const v = piece.velocities;
      for (let i = 0; i < piece.particleCount; i++) v[4 * i + 1] += n % 2 ? 1 : -1;
    });
    const momenta = () => pieces.map((piece) => world.measure(piece).momentum);
    for (let n = 0; n < 30; n++) world.step();
    const start = momenta();
    for (let n = 0; n < 60; n++) world.step();
    momenta().forEach((momentum, n) => {
      expect(distance(momentum, start[n]) / world.measure(pieces[n]).mass).toBeLessThan(1e-4);
    });
  });

  it('do not hold its pieces back while they are one body either', async () => {
    const { world, body } = await worldWith(
      { ...BAR, contact: { mode: 'none' }, material: { toughness: 0.15, raw: { rotation: 'covariance', damping: 0 } } },
      { backend },
    );
    for (let n = 0; n < 12 && body.pieces.count < 2; n++) pull(world, 20);
    body.setMaterial({ toughness: Number.POSITIVE_INFINITY });
    const { ofParticle, count } = body.pieces;
    expect(count).toBeGreaterThan(1);
    const v = body.velocities;
    for (let i = 0; i < body.particleCount; i++) v[4 * i + 1] = ofParticle[i] === 0 ? 1 : -1;
    const momentum = () => {
      let sum = 0;
      for (let i = 0; i < body.particleCount; i++)
        if (ofParticle[i] === 0) sum += body.positions[4 * i + 3] * body.velocities[4 * i + 1];
      return sum;
    };
    const start = momentum();
    for (let n = 0; n < 60; n++) world.step();
    expect(momentum() / start).toBeCloseTo(1, 4);
  });
});
