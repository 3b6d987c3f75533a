import { inflateRawSync } from 'node:zlib';
import { World } from 'pliant';
import { expect, test } from 'vitest';
import { ObstacleRecord } from './obstacles.js';

test('what stands has one pose, what moves one a frame; the backs of clamps are not drawn', async () => {
  const world = await World.create({ backend: 'ts', dt: 0.25 });
  world.addBody({ points: [0, 9, 0, 1, 9, 0, 0, 9, 1], clusters: [{ members: [0, 1, 2] }] });
  const clamp = world.addClamp({ region: { type: 'sphere', centre: [0, 9, 0], radius: 0.1 } });
  world.addCollider({ type: 'plane', normal: [0, 1, 0], except: clamp });
  world.addCollider({ type: 'box', size: [1, 2, 3], position: [0, 0, 5] });
  world.addCollider({ type: 'capsule', from: [0, 0, 0], to: [0, 4, 0], radius: 1, velocity: [1, 0, 0], lifetime: 9 });
  const led = world.addCollider({ type: 'sphere', centre: [7, 0, 0], radius: 1 });
  const triangle = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], indices: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3] };
  world.addCollider({ type: 'mesh', mesh: triangle, angularVelocity: [0, Math.PI, 0] });

  const record = new ObstacleRecord(world);
  record.frame();
  for (let n = 0; n < 2; n++) {
    led.moveTo([7, n + 1, 0]);
    world.step();
    record.frame();
  }
  const [box, capsule, sphere, mesh] = record.obstacles;
  expect(box).toMatchObject({ type: 'box', size: [1, 2, 3], until: null, poses: [0, 0, 5, 0, 0, 0, 1] });
  expect(capsule).toMatchObject({ half: 2, radius: 1, direction: [0, 1, 0], until: 9 });
  expect(capsule.poses.filter((_, k) => k % 7 === 0)).toEqual([0, 0.25, 0.5]);
  expect(sphere.poses.filter((_, k) => k % 7 === 1)).toEqual([0, 1, 2]);
  expect(mesh.poses.slice(14, 21)).toEqual([
    0,
    0,
    0,
    0,
    expect.closeTo(Math.SQRT1_2, 5),
    0,
    expect.closeTo(Math.SQRT1_2, 5),
  ]);
  expect(inflateRawSync(Buffer.from(mesh.triangles!, 'base64'))).toHaveLength(4 * 36);
});
