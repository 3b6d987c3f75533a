import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS } from '../kernels/kernels.js';
import { cellMesh } from '../mesh/testing/meshes.js';
import { worldWith } from '../testing/bodies.js';
import { report } from '../testing/report.js';
import type { World } from '../world.js';

const MATERIAL = { friction: 0, raw: { rotation: 'covariance', stiffness: 0.3, damping: 0.2 } } as const;

/** A U of two legs, 30 cm thick, 1.2 m high, with a gap between them. */
const fork = (gap: number, self: boolean): BodyOptions => ({
  mesh: cellMesh([-0.3 - gap / 2, -gap / 2, gap / 2, 0.3 + gap / 2], [0, 0.3, 1.2], 0.3, (i, j) => i !== 1 || j === 0),
  sampling: { method: 'grid', spacing: 0.06 },
  clustering: { count: 40 },
  material: MATERIAL,
  contact: { self },
});

/** A bar along x from −1 to 1. */
const bar = (self: boolean): BodyOptions => ({
  shape: { type: 'box', size: [2, 0.2, 0.2] },
  sampling: { method: 'grid', spacing: 0.05 },
  clustering: { count: 30 },
  material: MATERIAL,
  contact: { self },
});

/** How far the upper part of the left leg reaches beyond the right one's inner side (m): negative while they stand apart. */
function crossing(world: World): number {
  const { restPositions, positions } = world.bodies[0];
  let [left, right] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let i = 0; i < restPositions.length / 3; i++) {
    if (restPositions[3 * i + 1] < 0.8) continue;
    if (restPositions[3 * i] < 0) left = Math.max(left, positions[4 * i]);
    else right = Math.min(right, positions[4 * i]);
  }
  return left - right;
}

describe.each(BACKENDS)('a body that touches itself (%s)', (backend) => {
  it.each([0.4, 0.12])('legs %f m apart that are pressed together stop at each other', async (gap) => {
    const deepest: number[] = [];
    for (const self of [true, false]) {
      const { world } = await worldWith(fork(gap, self), { backend });
      world.addForceField({ type: 'linear', scale: [-60, 0, 0], lifetime: 0.5 });
      let most = Number.NEGATIVE_INFINITY;
      for (let n = 0; n < 60; n++) {
        world.step();
        most = Math.max(most, crossing(world));
      }
      deepest.push(most);
    }
    report('depth of one leg in the other with and without self-contact', deepest, 'm');
    // Less than a spacing of 6 cm into each other; without, a leg goes right through.
    expect(deepest[0]).toBeLessThan(0.06);
    expect(deepest[1]).toBeGreaterThan(0.15);
  });

  const bends: [string, (x: number[]) => number[]][] = [
    ['squeezed to half its length', ([x, y, z]) => [0.5 * x, y, z]],
    ['squeezed at one end', ([x, y, z]) => [x < 0 ? x : x / (1 + x), y, z]],
    ['stretched', ([x, y, z]) => [1.5 * x, 0.8 * y, 0.8 * z]],
    ['bent to a half circle', ([x, y, z]) => bent(x, y, z, Math.PI / 2)],
    ['twisted once', ([x, y, z]) => turned(x, y, z, Math.PI * (x + 1))],
  ];
  it.each(bends)('a bar %s does not', async (_, map) => {
    const shapes: Float32Array[] = [];
    for (const self of [true, false]) {
      const { world, body } = await worldWith(bar(self), { backend });
      const x = body.positions;
      for (let o = 0; o < x.length; o += 4) x.set(map([x[o], x[o + 1], x[o + 2]]), o);
      for (let n = 0; n < 10; n++) world.step();
      shapes.push(world.positions.slice());
    }
    expect(shapes[0]).toEqual(shapes[1]);
  });

  it('a bar folded like a hairpin is stopped by its other leg', async () => {
    const nearest: number[] = [];
    for (const self of [true, false]) {
      const { world, body } = await worldWith(bar(self), { backend });
      const [x, v] = [body.positions, body.velocities];
      const tips = Array.from({ length: body.particleCount }, (_, i) => i).filter(
        (i) => Math.abs(body.restPositions[3 * i]) > 0.6,
      );
      const side = (i: number) => Math.sign(body.restPositions[3 * i]);
      for (let o = 0; o < x.length; o += 4) x.set(hairpin(x[o], x[o + 1], x[o + 2], 0.12), o);
      for (const i of tips) v[4 * i + 1] = -3 * side(i);
      let least = Number.POSITIVE_INFINITY;
      for (let n = 0; n < 20; n++) {
        world.step();
        let sum = 0;
        for (const i of tips) sum += (2 * side(i) * x[4 * i + 1]) / tips.length;
        least = Math.min(least, sum);
      }
      nearest.push(least);
    }
    report('nearest parts with and without self-contact', nearest, 'm');
    // Legs 20 cm thick that meet at 6 m/s: they are flattened by a third, no more.
    expect(nearest[0]).toBeGreaterThan(0.12);
    expect(nearest[1]).toBeLessThan(0);
  });
});

/** A bar along x laid around a pin of this radius; its legs point along +x, one above the other. */
function hairpin(u: number, y: number, z: number, radius: number): number[] {
  const half = (Math.PI * radius) / 2;
  if (Math.abs(u) > half) return [Math.abs(u) - half, Math.sign(u) * (radius - y), z];
  return [-(radius - y) * Math.cos(u / radius), (radius - y) * Math.sin(u / radius), z];
}

function bent(x: number, y: number, z: number, angle: number): number[] {
  const radius = 1 / angle;
  return [(radius - y) * Math.sin(x / radius), radius - (radius - y) * Math.cos(x / radius), z];
}

const turned = (x: number, y: number, z: number, by: number) => [
  x,
  Math.cos(by) * y - Math.sin(by) * z,
  Math.sin(by) * y + Math.cos(by) * z,
];
