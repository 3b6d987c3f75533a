import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { boxMesh, icosphere, reversed, without } from '../mesh/testing/meshes.js';
import { signedVolume } from '../mesh/volume.js';
import { blendClusters } from '../skin/blend.js';
import { refusal } from '../testing/refusal.js';
import { testSeed } from '../testing/seed.js';
import { bindContactMesh } from './contactMesh.js';
import { addBall, addBox, deform, emptyWorld, gridBox } from './testing/bodies.js';
import { updateContactMesh } from './update.js';

/** Turn by 1.1 rad about (1, 2, 3) and shift, in f64. */
function turnAndShift(shift: number[]) {
  const [x, y, z] = [1, 2, 3].map((k) => k / Math.sqrt(14));
  const [c, s] = [Math.cos(1.1), Math.sin(1.1)];
  return (p: number[]) => {
    const dot = (1 - c) * (x * p[0] + y * p[1] + z * p[2]);
    return [
      c * p[0] + s * (y * p[2] - z * p[1]) + dot * x + shift[0],
      c * p[1] + s * (z * p[0] - x * p[2]) + dot * y + shift[1],
      c * p[2] + s * (x * p[1] - y * p[0]) + dot * z + shift[2],
    ];
  };
}
const affine = (p: number[]) => [1.5 * p[0] + 0.4 * p[1] - 2, 0.8 * p[1] - 0.3 * p[2] + 1, 0.2 * p[0] + 1.1 * p[2]];

function worstMiss(positions: Float32Array, rest: ArrayLike<number>, map: (p: number[]) => number[]): number {
  let worst = 0;
  for (let v = 0; v < rest.length; v += 3)
    map([rest[v], rest[v + 1], rest[v + 2]]).forEach((x, a) => {
      worst = Math.max(worst, Math.abs(x - positions[v + a]));
    });
  return worst;
}

describe('a contact mesh', () => {
  it.each([
    ['rigid motion', turnAndShift([0.5, -3, 2])],
    ['rigid motion far from the origin of the body', turnAndShift([20, 0, 0])],
    ['affine deformation', affine],
    ['inversion', (p: number[]) => [-p[0], p[1], p[2]]],
  ])('follows %s to 1e-5', async (_, map) => {
    const world = await emptyWorld();
    const [box, ball] = [addBox(world, [1, 0.8, 0.6], 5), addBall(world, 0.5, 2, { clustering: { count: 7 } })];
    for (const [bound, mesh] of [
      [box, gridBox([1, 0.8, 0.6], 5)],
      [ball, icosphere(2, 0.5)],
    ] as const) {
      deform(bound, map);
      updateContactMesh(bound.mesh, world.state);
      expect(worstMiss(bound.mesh.positions, mesh.positions, map)).toBeLessThan(1e-5);
    }
  });

  it('keeps the volume of a body moved rigidly', async () => {
    const world = await emptyWorld();
    const ball = addBall(world, 0.5, 3);
    const before = signedVolume(ball.mesh.positions, ball.mesh.indices);
    deform(ball, turnAndShift([0.3, 0.2, 0.1]));
    updateContactMesh(ball.mesh, world.state);
    expect(signedVolume(ball.mesh.positions, ball.mesh.indices) / before).toBeCloseTo(1, 6);
  });

  it('keeps the thickness of a sheet of one layer, whose clusters have none', async () => {
    const world = await emptyWorld();
    const points: number[] = [];
    for (let i = 0; i < 9; i++) for (let j = 0; j < 9; j++) points.push(i / 8, 0, j / 8);
    const body = world.addBody({ points, clustering: { count: 4 } });
    const mesh = gridBox([1, 0.1, 1], 4, [0.5, 0, 0.5]);
    const contactMesh = bindContactMesh(world.state, body, mesh);
    expect([...contactMesh.isThin]).toContain(1);
    const map = turnAndShift([1, 2, 3]);
    deform({ body, mesh: contactMesh }, map);
    updateContactMesh(contactMesh, world.state);
    expect(worstMiss(contactMesh.positions, mesh.positions, map)).toBeLessThan(1e-5);
  });

  it('moves with every vertex of the file, seams closed and turned outward', async () => {
    const world = await emptyWorld();
    const body = world.addBody({ shape: { type: 'box', size: [1, 1, 1] }, sampling: { spacing: 0.25 } });
    const mesh = bindContactMesh(world.state, body, reversed(boxMesh([1, 1, 1], [0, 0, 0], true)));
    expect(mesh.vertexMap).toHaveLength(24);
    expect(mesh.vertexCount).toBe(8);
    expect(signedVolume(mesh.positions, mesh.indices)).toBeCloseTo(1, 5);
  });

  it('is refused with holes unless it is only shown', async () => {
    const world = await emptyWorld();
    const body = world.addBody({ shape: { type: 'box', size: [1, 1, 1] }, sampling: { spacing: 0.25 } });
    const open = without(boxMesh([1, 1, 1]), (t) => t === 0);
    expect(refusal(() => bindContactMesh(world.state, body, open, { path: 'mesh' }))).toBe(
      'mesh is open at 3 edges; expected a closed surface for contact.',
    );
    expect(bindContactMesh(world.state, body, open, { open: true }).vertexCount).toBe(8);
  });

  it('follows its body when another is removed', async () => {
    const world = await emptyWorld();
    const first = world.addBody({ points: [5, 5, 5, 6, 5, 5] });
    const box = addBox(world, [1, 1, 1], 3);
    world.removeBody(first);
    updateContactMesh(box.mesh, world.state);
    expect(worstMiss(box.mesh.positions, gridBox([1, 1, 1], 3).positions, (p) => p)).toBeLessThan(1e-6);
  });
});

describe('blendClusters', () => {
  it('is a partition of unity and continuous', () => {
    const next = random(testSeed('blendClusters'));
    const particles = Float64Array.from({ length: 600 }, next);
    // Two clusters whose weights change linearly over x, and a third with single particles.
    const every = Uint32Array.from({ length: 200 }, (_, i) => i);
    const weight = (c: number, i: number) => (c === 0 ? particles[3 * i] : 1 - particles[3 * i]);
    const members = {
      start: Uint32Array.of(0, 200, 400),
      particle: Uint32Array.of(...every, ...every),
      weight: Float64Array.from({ length: 400 }, (_, k) => weight(Math.floor(k / 200), k % 200)),
    };
    const steps = 2000;
    const line = Float64Array.from({ length: 3 * (steps + 1) }, (_, k) =>
      k % 3 === 0 ? -0.2 + (1.4 * Math.floor(k / 3)) / steps : 0.4,
    );
    const { start, share } = blendClusters(line, particles, members);
    let largest = 0;
    for (let v = 0; v <= steps; v++) {
      expect(start[v + 1] - start[v]).toBe(2);
      expect(share[start[v]] + share[start[v] + 1]).toBeCloseTo(1, 12);
      if (v > 0) largest = Math.max(largest, Math.abs(share[start[v]] - share[start[v - 1]]));
    }
    // A jump would not shrink with the step of 0.7 mm; the steepest of this blend is about ten per metre.
    expect(largest).toBeLessThan(0.01);
  });

  it('takes coincident particles and vertices', () => {
    const members = {
      start: Uint32Array.of(0, 3),
      particle: Uint32Array.of(0, 1, 2),
      weight: Float64Array.of(1, 1, 1),
    };
    const blend = blendClusters(Float64Array.of(0, 0, 0, 5, 0, 0), new Float64Array(9), members);
    expect([...blend.share]).toEqual([1, 1]);
  });
});
