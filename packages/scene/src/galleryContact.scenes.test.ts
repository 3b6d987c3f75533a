import type { Body, BoxShape, Collider, World } from 'pliant';
import { describe, expect, test } from 'vitest';
import { report } from '../../pliant/src/testing/report.js';
import { type Run, runOwn } from './testing/gallery.js';
import { penetration } from './testing/penetration.js';

/** Deepest penetration that may be left, as a share of a body's diagonal (issue 3, done 2). */
const DEEPEST = 0.02;

const bodyOf = ({ bodies }: Run, name: string) => bodies.find((body) => body.name === name)!;

function expectApart({ world, scene }: Run, deepest = DEEPEST): void {
  const { particles, surface, pair } = penetration(world, scene);
  report('deepest penetration, as a share of the diagonal', { particles, surface, pair }, '');
  expect(particles, pair).toBeLessThan(deepest);
}

/** Σ m |v|, which total momentum is measured against. */
function momentumScale({ positions: x, velocities: v, particleCount }: World): number {
  let sum = 0;
  for (let o = 0; o < 4 * particleCount; o += 4) sum += x[o + 3] * Math.hypot(v[o], v[o + 1], v[o + 2]);
  return sum;
}

const lowest = ({ positions }: Body) =>
  positions.reduce((low, y, k) => (k % 4 === 1 ? Math.min(low, y) : low), Infinity);

/** Particles whose rest position is in the region are where they were. */
function expectHeld(
  { positions, restPositions: rest }: Body,
  region: (x: number, y: number, z: number) => boolean,
): void {
  let moved = 0;
  for (let i = 0; i < rest.length / 3; i++)
    if (region(rest[3 * i], rest[3 * i + 1], rest[3 * i + 2]))
      for (let a = 0; a < 3; a++) moved = Math.max(moved, Math.abs(positions[4 * i + a] - rest[3 * i + a]));
  expect(moved).toBeLessThan(1e-5);
}

/** How deep (m) the deepest particle is in a box. */
function deepestIn({ position, rotation: [qx, qy, qz, w], shape }: Collider, world: World): number {
  const half = (shape as BoxShape).size.map((s) => s / 2);
  const x = world.positions;
  let deepest = 0;
  for (let o = 0; o < 4 * world.particleCount; o += 4) {
    const [dx, dy, dz] = [0, 1, 2].map((a) => x[o + a] - position[a]);
    // Turned back by the quaternion: d + 2 q × (q × d − w d).
    const [tx, ty, tz] = [qy * dz - qz * dy - w * dx, qz * dx - qx * dz - w * dy, qx * dy - qy * dx - w * dz];
    const p = [dx + 2 * (qy * tz - qz * ty), dy + 2 * (qz * tx - qx * tz), dz + 2 * (qx * ty - qy * tx)];
    deepest = Math.max(deepest, Math.min(...p.map((value, a) => half[a] - Math.abs(value))));
  }
  return deepest;
}

describe('bodies that meet', () => {
  test.each(['four-bunnies', 'three-bunnies'])(
    '%s: total momentum stays, energy only falls, they part',
    async (name) => {
      let scale = 0;
      let energy = Infinity;
      let worst = 0;
      const run = await runOwn(name, 2, (world) => {
        const { momentum, kineticEnergy } = world.measure();
        if (world.frame === 1) {
          scale = momentumScale(world);
          energy = kineticEnergy;
        }
        worst = Math.max(worst, Math.hypot(...momentum) / scale);
        expect(kineticEnergy).toBeLessThan(1.0001 * energy);
      });
      report('total momentum off by, as a share of Σ m |v|', worst, '');
      expect(worst).toBeLessThan(1e-5);
      // They met: what they brought along is not what they have.
      expect(run.world.measure().kineticEnergy).toBeLessThan(0.5 * energy);
      expectApart(run);
    },
  );

  test('sphere-on-sheet: the sheet, whose edges stay, carries the ball', async () => {
    const run = await runOwn('sphere-on-sheet', 3);
    const [sheet, ball] = ['sheet', 'ball'].map((name) => bodyOf(run, name));
    expectHeld(sheet, (x, _, z) => Math.max(Math.abs(x), Math.abs(z)) > 0.92);
    const { com } = run.world.measure(ball);
    expect(Math.hypot(com[0], com[2])).toBeLessThan(0.3);
    // The ball's lowest particle is above the sheet's, so it is on it and not through.
    expect(lowest(ball)).toBeGreaterThan(lowest(sheet));
    expect(com[1]).toBeGreaterThan(-0.6);
    expectApart(run);
  });

  test('sphere-on-beam: the beam, whose ends stay, carries the ball', async () => {
    const run = await runOwn('sphere-on-beam', 3);
    const [beam, ball] = ['beam', 'ball'].map((name) => bodyOf(run, name));
    expectHeld(beam, (x) => Math.abs(x) > 1.05);
    expect(run.world.measure(ball).com[1]).toBeGreaterThan(run.world.measure(beam).com[1]);
    expect(lowest(beam)).toBeGreaterThan(-1);
    expectApart(run);
  });

  test('ball-into-wall: the wall is knocked over and lies on the ground', async () => {
    const run = await runOwn('ball-into-wall', 3);
    expect(run.world.measure().bboxMin[1]).toBeGreaterThanOrEqual(0);
    const { com } = run.world.measure(bodyOf(run, 'wall'));
    expect(com[0]).toBeGreaterThan(0.1);
    expect(com[1]).toBeLessThan(0.4);
    expectApart(run);
  });

  test('stack: the blocks lie on one another in order, and lie still', async () => {
    let then: number[][] = [];
    const run = await runOwn('stack', 6, (world) => {
      if (world.frame === 300) then = world.bodies.map((body) => world.measure(body).com);
    });
    const now = run.bodies.map((body) => run.world.measure(body).com);
    const diagonal = Math.hypot(0.8, 0.24, 0.8);
    const creep = Math.max(...now.map((com, k) => Math.hypot(...com.map((c, a) => c - then[k][a])))) / diagonal;
    report('way of a centre in the last second, as a share of the diagonal', creep, '');
    now.forEach((com, k) => {
      expect(com[1] / (0.12 + 0.24 * k), `block ${k + 1}`).toBeGreaterThan(0.85);
    });
    expect(creep).toBeLessThan(0.01);
    // Contacts of rigid bodies leave 0.1 mm.
    expect(run.world.measure().bboxMin[1]).toBeGreaterThan(-0.001);
    const skin = run.bodies[0].getSkin();
    skin.update();
    const surface = skin.positions.reduce((low, y, k) => (k % 3 === 1 ? Math.min(low, y) : low), Infinity);
    report('surface above the ground', surface, 'm');
    expect(surface).toBeGreaterThan(-0.001);
    expectApart(run);
  });

  test('pile: fifty bodies of about 250 particles come to rest inside the box and sleep', async () => {
    // Root mean square speed of the centres (m/s), after each step.
    const centres: number[] = [];
    const run = await runOwn('pile', 7, ({ bodies }) => {
      const sum = bodies.reduce((s, b) => s + (b.asleep ? 0 : Math.hypot(...b.linearVelocity) ** 2), 0);
      centres.push(Math.sqrt(sum / bodies.length));
    });
    // Balls that rolled over others without resistance kept the pile awake for 7 to 10.5 s. Now it is calm after 3.0 to 4.8 s and sleeps after 4.0 to 5.8 s, by chance: thirteen
    // piles whose bodies begin with velocities that differ by 1 to 4 mm/s.
    const calm = (1 + centres.findLastIndex((speed) => speed > 0.03)) * run.world.dt;
    expect(calm).toBeLessThan(5.5);
    expect(run.bodies).toHaveLength(50);
    for (const body of run.bodies) expect(Math.abs(body.particleCount - 250)).toBeLessThan(30);
    const { bboxMin, bboxMax, kineticEnergy, mass } = run.world.measure();
    for (const a of [0, 2]) expect([bboxMin[a] >= -1.4001, bboxMax[a] <= 1.4001]).toEqual([true, true]);
    expect(bboxMin[1]).toBeGreaterThanOrEqual(0);
    expect(bboxMax[1]).toBeLessThan(2.5);
    const speed = Math.sqrt((2 * kineticEnergy) / mass);
    const asleep = run.bodies.filter((body) => body.asleep).length;
    report(
      'pile after 7 s: rms speed (m/s), bodies asleep; centres below 3 cm/s after (s)',
      { speed, asleep, calm },
      '',
    );
    expect(asleep).toBe(50);
    expect(speed).toBe(0);
    // Wedged between others and walls, two bodies were left 3.4 % in one another.
    expectApart(run, 0.05);
  });

  test('chain: the rings hang in one another by their surfaces, come to rest and sleep', async () => {
    // When the last ring stops swinging goes by chance: 4 to 6 s with velocities that differ by a thousandth.
    const run = await runOwn('chain', 7);
    const [hook, middle, last] = run.bodies.map((body) => run.world.measure(body).com);
    // Two tubes of 7 cm on each other put the middles of two rings of 24 cm 34 cm apart; rubber gives a little.
    for (const [above, below] of [
      [hook, middle],
      [middle, last],
    ])
      expect(Math.abs(Math.hypot(...above.map((c, a) => c - below[a])) - 0.34)).toBeLessThan(0.03);
    expect(run.world.contactPairs().map(({ a, b }) => [a.name, b.name])).toEqual([
      ['ring', 'ring 2'],
      ['ring 2', 'ring 3'],
    ]);
    expect(run.bodies.map((body) => body.asleep)).toEqual([true, true, true]);
    expectApart(run);
  });

  test('bullet: at 30 m/s and 60 steps a second it does not pass the sheet', async () => {
    let farthest = Infinity;
    const run = await runOwn('bullet', 2, (world) => {
      farthest = Math.min(farthest, world.measure(world.bodies[1]).com[2]);
    });
    report('farthest that the centre of the bullet came; the sheet lies at 0', farthest, 'm');
    expectHeld(bodyOf(run, 'sheet'), (_, y) => Math.abs(y) > 0.55);
    // The sheet, 1.1 m between its edges, gives way; the bullet comes back, or rests on it.
    expect(farthest).toBeGreaterThan(-1);
    expect(run.world.measure(bodyOf(run, 'bullet')).com[2]).toBeGreaterThan(-0.2);
  });

  test('obstacles: bodies are outside of the board, the paddle and the roof, and above the ground', async () => {
    let inside = 0;
    const run = await runOwn('obstacles', 3, (world) => {
      for (const collider of world.colliders)
        if (collider.type === 'box') inside = Math.max(inside, deepestIn(collider, world));
    });
    report('deepest particle in a board', inside, 'm');
    expect(inside).toBeLessThan(0.01);
    expect(run.world.measure().bboxMin[1]).toBeGreaterThanOrEqual(0);
    expectApart(run);
  });
});
