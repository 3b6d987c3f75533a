import { type BodyOptions, World } from 'pliant';
import { Matrix4, Quaternion, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { SoftBodyInstances } from './softBodyInstances.js';

const BRICK: BodyOptions = {
  shape: { type: 'box', size: [0.4, 0.2, 0.2] },
  sampling: { method: 'grid', count: 128 },
  material: { young: 1e5 },
};

it('equal bodies are instances where they are not deformed, and meshes where they are', async () => {
  const world = await World.create({ backend: 'ts', gravity: [0, 0, 0] });
  const half = Math.SQRT1_2;
  const bricks = [
    world.addBody({ ...BRICK, position: [1, 2, 3] }),
    world.addBody({ ...BRICK, position: [-1, 0, 0], rotation: [0, 0, half, half] }),
    world.addBody({ ...BRICK, position: [5, 0, 0] }),
  ];
  const wall = new SoftBodyInstances(bricks);
  expect(wall.instances.count).toBe(3);
  const matrix = new Matrix4();
  wall.instances.getMatrixAt(1, matrix);
  // From where the first was built to where the second is.
  const place = new Vector3(1, 2, 3).applyMatrix4(matrix);
  for (const [a, c] of [-1, 0, 0].entries()) expect(place.getComponent(a)).toBeCloseTo(c, 4);
  const turn = new Quaternion().setFromRotationMatrix(matrix);
  expect(Math.abs(turn.dot(new Quaternion(0, 0, half, half)))).toBeCloseTo(1, 5);

  for (let o = 0; o < bricks[2].positions.length; o += 4) bricks[2].positions[o + 1] *= 1.5;
  wall.update();
  expect([wall.instances.count, wall.children.length]).toEqual([2, 2]);
  for (let n = 0; n < 240; n++) world.step();
  wall.update();
  expect([wall.instances.count, wall.children.length]).toEqual([3, 1]);
  world.removeBody(bricks[0]);
  wall.update();
  expect(wall.instances.count).toBe(2);
});

it('bodies that are not alike are refused', async () => {
  const world = await World.create({ backend: 'ts' });
  const [a, b] = [world.addBody(BRICK), world.addBody({ ...BRICK, scale: 1.2 })];
  expect(() => new SoftBodyInstances([a, b])).toThrow('bodies[1]');
});
