import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import { crossedTriangles } from '../skin/testing/crossings.js';
import { report } from '../testing/report.js';
import { World } from '../world.js';

const CLOTH = { young: 30_000, density: 300, dampingRatio: 0.3, friction: 0.3 };
const UPRIGHT = [Math.SQRT1_2, 0, 0, Math.SQRT1_2] as const;

/** Steps a world and looks at the drawn surface of a sheet every 20 steps: parts of it that lay more than three spacings apart must not pass through each other. */
function watch(world: World, sheet: Body, steps: number, before?: (k: number) => void): void {
  const skin = sheet.getSkin();
  const rest = skin.positions.slice();
  for (let k = 0; k < steps; k++) {
    before?.(k);
    world.step();
    if (k % 20 < 19) continue;
    skin.update();
    expect(crossedTriangles(skin, rest, 3 * sheet.spacing!), `step ${k}`).toEqual([]);
  }
}

/** Triangles of the middle surface, which contacts keep apart, that pass through others which lay more than three spacings away. */
function crossedMiddles({ core, positions: x, spacing }: Body): number[] {
  const { nodes, particles, rest, triangles } = core.folds!.mesh!;
  const positions = Float32Array.from({ length: 3 * nodes }, (_, k) => x[4 * particles[Math.floor(k / 3)] + (k % 3)]);
  return crossedTriangles({ positions, indices: triangles }, rest, 3 * spacing!);
}

/** Momentum and angular momentum about the origin. */
function momenta(world: World, { positions: x, velocities: v, rows }: Body): number[] {
  const sums = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < x.length / 4; i++) {
    const m = world.state.views.x[4 * (rows.particleStart + i) + 3];
    const [px, py, pz] = x.subarray(4 * i, 4 * i + 3);
    const [vx, vy, vz] = v.subarray(4 * i, 4 * i + 3);
    const each = [vx, vy, vz, py * vz - pz * vy, pz * vx - px * vz, px * vy - py * vx];
    each.forEach((value, k) => {
      sums[k] += m * value;
    });
  }
  return sums;
}

/** Places of the sections of a cord. */
const middles = ({ positions: p }: Body) =>
  Array.from({ length: p.length / 12 }, (_, n) =>
    [0, 1, 2].map((a) => (p[12 * n + a] + p[12 * n + 4 + a] + p[12 * n + 8 + a]) / 3),
  );

/** Least distance between parts of a cord that are at least `along` sections away. */
function nearestParts(cord: Body, along: number): number {
  const line = middles(cord);
  const at = (n: number, t: number) => line[n].map((c, a) => c + t * (line[n + 1][a] - c));
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 1 < line.length; i++)
    for (let j = i + along; j + 1 < line.length; j++)
      for (let s = 0; s <= 4; s++)
        for (let t = 0; t <= 4; t++) {
          const [p, q] = [at(i, s / 4), at(j, t / 4)];
          least = Math.min(least, Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]));
        }
  return least;
}

describe('a sheet does not pass through itself', () => {
  it('when it falls over a ball and onto the floor around it', async () => {
    const world = await World.create();
    world.addCollider({ type: 'plane', normal: [0, 1, 0], friction: 0.5 });
    world.addCollider({ type: 'sphere', radius: 0.2, centre: [0, 0.2, 0], friction: 0.3 });
    const sheet = world.addBody({
      shape: { type: 'sheet', size: [1, 1], thickness: 0.005 },
      sampling: { spacing: 0.035 },
      material: CLOTH,
      position: [0.03, 0.5, 0.02],
    });
    watch(world, sheet, 200);
    expect(sheet.asleep).toBe(true);
    world.dispose();
  });

  it('when it falls on its hem, exactly upright: it buckles and lies folded, above the floor', async () => {
    const world = await World.create();
    world.addCollider({ type: 'plane', normal: [0, 1, 0], friction: 0.6 });
    const sheet = world.addBody({
      shape: { type: 'sheet', size: [1, 1], thickness: 0.005 },
      sampling: { spacing: 0.04 },
      material: CLOTH,
      rotation: UPRIGHT,
      position: [0, 0.7, 0],
    });
    watch(world, sheet, 240);
    const { bboxMin, bboxMax } = world.measure(sheet);
    expect(bboxMin[1]).toBeGreaterThan(0);
    expect(bboxMax[1]).toBeLessThan(0.4);
    expect(bboxMax[2] - bboxMin[2]).toBeGreaterThan(0.3);
    expect(sheet.asleep).toBe(true);
    world.dispose();
  });

  it('when it is let down by a corner', async () => {
    const world = await World.create();
    world.addCollider({ type: 'plane', normal: [0, 1, 0], friction: 0.5 });
    const sheet = world.addBody({
      shape: { type: 'sheet', size: [1, 1], thickness: 0.005 },
      sampling: { spacing: 0.04 },
      material: CLOTH,
      rotation: [0.653, 0.271, 0.271, 0.66],
      position: [0, 1, 0],
    });
    const p = sheet.restPositions;
    let top = 0;
    for (let o = 3; o < p.length; o += 3) if (p[o + 1] > p[top + 1]) top = o;
    const [x, y, z] = p.subarray(top, top + 3);
    const hand = world.addClamp({ region: { type: 'sphere', centre: [x, y, z], radius: 0.06 }, centre: [x, y, z] });
    // While the hand presses the crumpled corner onto the floor, its drawn surface, which bends between particles, touches itself: up to 13 of its triangles cross for a quarter of a second. The middle surface never does.
    for (let k = 0; k < 190; k++) {
      if (k < 180) hand.moveTo([x, y - Math.min(1.45, 0.008 * k), z], [0, 0, 0, 1]);
      else if (k === 180) world.removeClamp(hand);
      world.step();
      if (k % 5 === 4) expect(crossedMiddles(sheet), `middle surface, step ${k}`).toEqual([]);
    }
    watch(world, sheet, 60);
    expect(world.measure(sheet).bboxMax[1]).toBeLessThan(0.45);
    world.dispose();
  });

  it('when two layers of it fall onto the floor together', async () => {
    const world = await World.create();
    world.addCollider({ type: 'plane', normal: [0, 1, 0], friction: 0.5 });
    // A loop that is open at one side: two layers, 4 cm apart, and half of a tube between them.
    const [positions, indices]: [number[], number[]] = [[], []];
    const line: number[][] = [];
    for (let k = 0; k <= 10; k++) line.push([-0.5 + 0.05 * k, 0.04]);
    for (let k = 1; k < 8; k++)
      line.push([0.02 * Math.sin((Math.PI * k) / 8), 0.02 + 0.02 * Math.cos((Math.PI * k) / 8)]);
    for (let k = 0; k <= 10; k++) line.push([-0.05 * k, 0]);
    for (const [u, v] of line) for (let j = 0; j <= 10; j++) positions.push(u, v, 0.05 * j);
    for (let k = 0; k + 1 < line.length; k++)
      for (let j = 0; j < 10; j++) {
        const a = 11 * k + j;
        indices.push(a, a + 1, a + 11, a + 1, a + 12, a + 11);
      }
    const sheet = world.addBody({
      mesh: { positions, indices },
      thickness: 0.004,
      sampling: { spacing: 0.03 },
      material: CLOTH,
      velocity: [0, -4, 0],
      position: [0, 0.3, 0],
    });
    watch(world, sheet, 120);
    expect(world.measure(sheet).bboxMin[1]).toBeGreaterThan(0);
    world.dispose();
  });

  it('in free flight, and keeps both momenta and wins no energy', async () => {
    const world = await World.create({ gravity: [0, 0, 0], sleepSpeed: 0 });
    const sheet = world.addBody({
      shape: { type: 'sheet', size: [1, 0.6], thickness: 0.005 },
      sampling: { spacing: 0.04 },
      material: { young: 3000, density: 300, dampingRatio: 0, friction: 0.4 },
    });
    // Its halves swing up towards each other, and one is faster along the fold.
    for (let i = 0; i < sheet.particleCount; i++) {
      const x = sheet.positions[4 * i];
      sheet.velocities.set([1, 8 * Math.abs(x) - 2, 2 * x], 4 * i);
    }
    const before = momenta(world, sheet);
    const energy = () => world.measure(sheet).kineticEnergy;
    const first = energy();
    const rest = sheet.restPositions;
    let [closest, most] = [Number.POSITIVE_INFINITY, 0];
    const ends = Array.from({ length: sheet.particleCount }, (_, i) => i).filter((i) => Math.abs(rest[3 * i]) > 0.3);
    for (let k = 0; k < 120; k++) {
      world.step();
      most = Math.max(most, energy());
      const p = sheet.positions;
      for (const i of ends)
        for (const j of ends)
          if (rest[3 * i] * rest[3 * j] < 0)
            closest = Math.min(
              closest,
              Math.hypot(p[4 * i] - p[4 * j], p[4 * i + 1] - p[4 * j + 1], p[4 * i + 2] - p[4 * j + 2]),
            );
      if (k % 5 > 0) continue;
      // Its drawn surface follows clusters, and not each particle, of a sheet that flaps as wildly as this.
      const positions = p.filter((_, n) => n % 4 < 3);
      const { triangles: indices } = sheet.core.folds!.mesh!;
      expect(crossedTriangles({ positions, indices }, rest, 4 * sheet.spacing!), `step ${k}`).toEqual([]);
    }
    const after = momenta(world, sheet);
    report(
      'change of momenta of a sheet that touches itself',
      Math.max(...after.map((c, k) => Math.abs(c - before[k]))),
      '',
    );
    // The ends did touch.
    expect(closest).toBeLessThan(0.03);
    for (let k = 0; k < 6; k++) expect(Math.abs(after[k] - before[k])).toBeLessThan(2e-4);
    expect(most).toBeLessThan(1.001 * first);
    world.dispose();
  });

  it('and goes through a snapshot bit by bit while it is folded', async () => {
    const [one, other] = [await World.create(), await World.create()];
    one.addCollider({ type: 'plane', normal: [0, 1, 0], friction: 0.6 });
    one.addBody({
      shape: { type: 'sheet', size: [1, 0.6], thickness: 0.005 },
      sampling: { spacing: 0.04 },
      material: { ...CLOTH, young: 1e4 },
      rotation: [0.5, 0.5, 0.5, 0.5],
      position: [0, 0.7, 0],
    });
    for (let k = 0; k < 100; k++) one.step();
    other.restore(one.save());
    for (let k = 0; k < 20; k++) {
      one.step();
      other.step();
    }
    expect(one.bodies[0].core.folds!.candidates!.faces.count).toBeGreaterThan(0);
    expect(other.bodies[0].positions).toEqual(one.bodies[0].positions);
    expect(other.bodies[0].velocities).toEqual(one.bodies[0].velocities);
    one.dispose();
    other.dispose();
  });
});

describe('a cord does not pass through itself', () => {
  for (const [name, radius, spacing, speed] of [
    ['let down in a heap', 0.02, 0.04, 0],
    ['thrown onto the floor, thinner than its sections are apart', 0.015, 0.05, -3],
  ] as const)
    it(name, async () => {
      const world = await World.create({ maxSubsteps: 16 });
      world.addCollider({ type: 'plane', normal: [0, 1, 0], friction: 0.5 });
      const cord = world.addBody({
        shape: { type: 'cord', path: [[0, 0, 0], [0.02, 1, 0.01], [0, 2, 0]], radius }, // biome-ignore format: a line
        sampling: { spacing },
        material: { young: 5e4, density: 800, dampingRatio: 0.3, friction: 0.5 },
        velocity: [0, speed, 0],
        position: [0, 0.1, 0],
      });
      let least = Number.POSITIVE_INFINITY;
      for (let k = 0; k < 200; k++) {
        world.step();
        if (k % 5 === 0) least = Math.min(least, nearestParts(cord, Math.ceil((4 * radius) / spacing) + 2));
      }
      report(`nearest parts of a cord over its diameter: ${name}`, least / (2 * radius), '');
      expect(least).toBeGreaterThan(1.8 * radius);
      expect(world.measure(cord).bboxMax[1]).toBeLessThan(0.4);
      world.dispose();
    });
});
