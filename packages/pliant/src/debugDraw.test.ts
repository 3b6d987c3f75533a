import { expect, it } from 'vitest';
import type { DebugDrawOptions, DebugLines } from './debugDraw.js';
import { proxyPlanesInto } from './inspect.js';
import { icosphere } from './mesh/testing/meshes.js';
import { hashSnapshot } from './snapshot/hashSnapshot.js';
import { PROXY_PLANES } from './state/layout.js';
import { BLOCK, distance, disturb } from './testing/bodies.js';
import { refusal } from './testing/refusal.js';
import { World } from './world.js';

const NONE: Required<DebugDrawOptions> = {
  bounds: false,
  links: false,
  clusters: false,
  proxies: false,
  colliders: false,
  clamps: false,
  picks: false,
  contacts: false,
};

async function scene() {
  const world = await World.create({ gravity: [0, 0, 0] });
  const body = world.addBody({ ...BLOCK, position: [0, 1, 0] });
  return { world, body };
}

const vertices = ({ positions, count }: DebugLines) =>
  Array.from({ length: count }, (_, k) => Array.from(positions.subarray(3 * k, 3 * k + 3)));

it('draws what it is asked for, and nothing else', async () => {
  const { world, body } = await scene();
  expect(world.debugDraw(undefined, NONE).count).toBe(0);
  const bounds = world.debugDraw(undefined, { ...NONE, bounds: true });
  expect(bounds.count).toBe(24);
  const { min, max } = body.bounds;
  const corners = vertices(bounds);
  for (let a = 0; a < 3; a++) {
    expect(Math.min(...corners.map((p) => p[a]))).toBeCloseTo(min[a], 6);
    expect(Math.max(...corners.map((p) => p[a]))).toBeCloseTo(max[a], 6);
  }
  expect(world.debugDraw(undefined, { ...NONE, clusters: true }).count).toBe(6 * body.clusterCount);
  const links = world.debugDraw(undefined, { ...NONE, links: true });
  expect(links.count).toBe(2 * world.membershipCount);
  // Each begins at a particle.
  expect(distance(vertices(links)[0], body.positions.subarray(0, 3))).toBeLessThan(2);
});

it('draws edges of proxies that lie on two of their planes and outside of none', async () => {
  const { world, body } = await scene();
  const { count, positions } = world.debugDraw(undefined, { ...NONE, proxies: true });
  expect(count).toBeGreaterThan(20);
  const planes = new Float32Array(4 * PROXY_PLANES);
  let sound = 0;
  for (let k = 0; k < count; k++) {
    const p = positions.subarray(3 * k, 3 * k + 3);
    for (let c = 0; c < body.clusterCount; c++) {
      const n = proxyPlanesInto(planes, world, body, c);
      const heights = Array.from({ length: n }, (_, j) => {
        const [x, y, z, d] = planes.subarray(4 * j, 4 * j + 4);
        return (x * p[0] + y * p[1] + z * p[2] - d) / Math.hypot(x, y, z);
      });
      if (heights.every((h) => h < 1e-4) && heights.filter((h) => h > -1e-4).length >= 3) {
        sound++;
        break;
      }
    }
  }
  expect(sound).toBe(count);
});

it('draws every type of collider on its surface', async () => {
  const world = await World.create();
  const options = { ...NONE, colliders: true };
  const away = {
    plane: ([, y]: number[]) => y + 1,
    sphere: ([x, y, z]: number[]) => Math.hypot(x - 3, y, z) - 0.5,
    capsule: ([x, y, z]: number[]) => Math.hypot(x, Math.max(0, Math.abs(y) - 1), z) - 0.3,
    cylinder: ([x, , z]: number[]) => Math.hypot(x, z) - 0.4,
    box: ([x, y, z]: number[]) => Math.max(Math.abs(x) - 0.5, Math.abs(y) - 1, Math.abs(z) - 1.5),
    mesh: ([x, y, z]: number[]) => Math.hypot(x - 1, y, z) - 1,
  };
  for (const made of [
    { type: 'plane', normal: [0, 1, 0], offset: -1 },
    { type: 'sphere', centre: [3, 0, 0], radius: 0.5 },
    { type: 'capsule', from: [0, -1, 0], to: [0, 1, 0], radius: 0.3 },
    { type: 'cylinder', axis: [0, 1, 0], point: [0, 0, 0], radius: 0.4 },
    { type: 'box', size: [1, 2, 3] },
    { type: 'mesh', mesh: icosphere(2), position: [1, 0, 0] },
  ] as const) {
    const collider = world.addCollider(made);
    const lines = world.debugDraw(undefined, options);
    expect(lines.count).toBeGreaterThan(10);
    const all = vertices(lines);
    // The plane has a line along its normal beside.
    const on = made.type === 'plane' ? all.slice(0, -1) : all;
    for (const p of on) expect(Math.abs(away[made.type](p))).toBeLessThan(1e-5);
    collider.enabled = false;
    expect(world.debugDraw(undefined, options).count).toBe(0);
    world.removeCollider(collider);
  }
});

it('draws clamps, picks and contacts', async () => {
  const { world, body } = await scene();
  const clamp = world.addClamp({ region: { type: 'halfspace', normal: [1, 0, 0], offset: 0.35 } });
  expect(world.debugDraw(undefined, { ...NONE, clamps: true }).count).toBe(6 * clamp.particleCount);
  const pick = world.addPick({ body, particle: 0, target: [5, 5, 5] });
  const picks = vertices(world.debugDraw(undefined, { ...NONE, picks: true }));
  expect(picks).toHaveLength(2);
  expect(distance(picks[0], pick.position)).toBeLessThan(1e-6);
  expect(picks[1]).toEqual([5, 5, 5]);
  world.removePick(pick);
  world.addBody({ ...BLOCK, position: [0, 2.1, 0], velocity: [0, -6, 0] });
  for (let k = 0; k < 60 && world.contactPairs().length === 0; k++) world.step();
  expect(world.contactPairs()).toHaveLength(1);
  expect(world.debugDraw(undefined, { ...NONE, contacts: true }).count).toBe(8);
});

it('grows its buffers when they are too short, keeps them else, and leaves the world alone', async () => {
  const { world } = await scene();
  disturb(world, 4, 0.02, 0.5);
  const everything = Object.fromEntries(Object.keys(NONE).map((key) => [key, true]));
  const before = hashSnapshot(world.snapshot());
  const lines = world.debugDraw(undefined, everything);
  const { positions, colours, count } = lines;
  expect(positions.length).toBeGreaterThanOrEqual(3 * count);
  expect(positions.subarray(0, 3 * count).every(Number.isFinite)).toBe(true);
  expect(colours.subarray(0, 3 * count).every((c) => c >= 0 && c <= 1)).toBe(true);
  expect(world.debugDraw(lines)).toBe(lines);
  expect(lines.count).toBeLessThan(count);
  world.debugDraw(lines, everything);
  expect([lines.positions, lines.colours, lines.count]).toEqual([positions, colours, count]);
  expect(lines.positions).toBe(positions);
  expect(hashSnapshot(world.snapshot())).toBe(before);
});

it('refuses what it cannot fill, and what it does not know', async () => {
  const { world } = await scene();
  expect(refusal(() => world.debugDraw({} as never))).toContain('out is');
  expect(refusal(() => world.debugDraw(undefined, { axes: true } as never))).toContain('options.axes is not an option');
  expect(refusal(() => world.debugDraw(undefined, { bounds: 1 } as never))).toContain('options.bounds is 1');
});
