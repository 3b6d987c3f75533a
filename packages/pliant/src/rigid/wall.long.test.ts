import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import { type BuiltBody, buildBody } from '../body/build.js';
import type { BodyOptions } from '../body/options.js';
import { MATERIALS } from '../material/presets.js';
import { report } from '../testing/report.js';
import { World } from '../world.js';

/** A brick, the air between bricks as they are laid (m), and the time within which all must sleep (s). */
const BRICK = [0.2, 0.1, 0.1] as const;
const GAP = 0.001;
const SOON = 4;

type Place = { at: [number, number, number]; length: number };

const rowAt = (row: number) => BRICK[1] / 2 + GAP + row * (BRICK[1] + GAP);

const stack = (): Place[] => Array.from({ length: 5 }, (_, row) => ({ at: [0, rowAt(row), 0], length: BRICK[0] }));

/** Running bond with half bricks at the ends of every other row. */
function wall(rows = 5, columns = 10): Place[] {
  const pitch = BRICK[0] + GAP;
  const half = BRICK[0] / 2 - GAP;
  const places: Place[] = [];
  for (let row = 0; row < rows; row++) {
    const bricks = columns - (row % 2);
    for (let k = 0; k < bricks; k++)
      places.push({ at: [(k - (bricks - 1) / 2) * pitch, rowAt(row), 0], length: BRICK[0] });
    if (row % 2)
      for (const side of [-1, 1])
        places.push({ at: [(side * (columns * pitch - BRICK[0] / 2)) / 2, rowAt(row), 0], length: half });
  }
  return places;
}

function boxOf(body: Body): { low: number[]; high: number[] } {
  const skin = body.getSkin();
  skin.update();
  const low = [9, 9, 9];
  const high = [-9, -9, -9];
  for (let o = 0; o < skin.positions.length; o++) {
    low[o % 3] = Math.min(low[o % 3], skin.positions[o]);
    high[o % 3] = Math.max(high[o % 3], skin.positions[o]);
  }
  return { low, high };
}

async function build(places: Place[], options: (length: number) => BodyOptions, sleepSpeed?: number) {
  const world = await World.create({ ...(sleepSpeed !== undefined && { sleepSpeed }) });
  world.addCollider({ type: 'plane', normal: [0, 1, 0], friction: 0.8 });
  const built = new Map<number, BuiltBody>();
  for (const { at, length } of places) {
    const brick =
      built.get(length) ??
      buildBody({ shape: { type: 'box', size: [length, BRICK[1], BRICK[2]] }, ...options(length) });
    built.set(length, brick);
    world.addBody(brick, { position: at });
  }
  return world;
}

const centres = (world: World) => world.bodies.map((body) => world.measure(body).com);

/** The largest way (m) of a body's centre between two times. */
const farthest = (a: readonly (readonly number[])[], b: readonly (readonly number[])[]) =>
  Math.max(...a.map((p, k) => Math.hypot(...p.map((v, axis) => v - b[k][axis]))));

describe.each(['hardRubber', 'wood'] as const)('bricks of %s at 60 Hz', (name) => {
  const { material } = MATERIALS[name];

  it.each([
    ['a stack of five, 60 particles each', stack(), (): BodyOptions => ({ sampling: { count: 60 }, material })],
    ['a stack of five, 300 particles each', stack(), (): BodyOptions => ({ sampling: { count: 300 }, material })],
    [
      'a wall of fifty',
      wall(),
      (length: number): BodyOptions => ({ sampling: { count: Math.round((60 * length) / BRICK[0]) }, material }),
    ],
    // The particles of both kinds of bricks lie alike: one of them is enough.
    ...(name === 'wood'
      ? [
          [
            'a wall of fifty on a grid',
            wall(),
            (): BodyOptions => ({ sampling: { method: 'grid', spacing: 0.033 }, material }),
          ] as const,
        ]
      : []),
  ] as const)('%s stands and sleeps', async (_, places, options) => {
    const world = await build(places, options);
    const before = centres(world);
    let asleep = Number.NaN;
    for (let k = 1; k <= 3 * SOON * 60; k++) {
      world.step();
      if (Number.isNaN(asleep) && world.bodies.every((body) => body.asleep)) asleep = world.time;
    }
    const boxes = world.bodies.map(boxOf);
    const height = Math.max(...boxes.map(({ high }) => high[1]));
    const low = Math.min(...boxes.map(({ low: [, y] }) => y));
    const moved = farthest(before, centres(world));
    report(
      `${name}: asleep after, height, lowest drawn point, largest way`,
      { asleep, height, low, moved },
      's, m, m, m',
    );
    expect(asleep).toBeLessThan(SOON);
    expect(world.bodies.every((body) => body.asleep)).toBe(true);
    expect(Math.abs(height / 0.5 - 1)).toBeLessThan(0.02);
    expect(low).toBeGreaterThan(-2e-4);
    // They fall by the air between them, 5 mm in the uppermost row.
    expect(moved).toBeLessThan(0.01);
    // Bricks of a row stand as they were laid: none leans, none is in another.
    for (const [k, { low: l, high: h }] of boxes.entries()) {
      expect(h[1] - l[1]).toBeLessThan(BRICK[1] + 0.004);
      expect(h[2] - l[2]).toBeLessThan(BRICK[2] + 0.008);
      const { at, length } = places[k];
      expect(Math.abs((l[0] + h[0]) / 2 - at[0])).toBeLessThan(0.006);
      expect(h[0] - l[0]).toBeLessThan(length + 0.006);
    }
    world.dispose();
  });

  it('a stack that may not sleep does not creep', async () => {
    const world = await build(stack(), () => ({ sampling: { count: 60 }, material }), 0);
    for (let k = 0; k < 2 * 60; k++) world.step();
    const settled = centres(world);
    for (let k = 0; k < SOON * 60; k++) world.step();
    const crept = farthest(settled, centres(world));
    report(`${name}: creep of a stack in ${SOON} s`, crept, 'm');
    expect(crept).toBeLessThan(5e-5);
    world.dispose();
  });
});
