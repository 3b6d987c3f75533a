import { World } from 'pliant';

export default async function start(stage) {
  const world = await World.create();
  world.addCollider({ type: 'plane', normal: [0, 1, 0] });
  world.addCollider({ type: 'sphere', radius: 0.4, centre: [0, 0.7, 0], friction: 0.3 });
  world.addBody({
    shape: { type: 'sheet', size: [1.5, 1.5], thickness: 0.008 },
    sampling: { spacing: 0.045 },
    material: { young: 2e4, density: 300, dampingRatio: 0.3 },
    position: [0.05, 1.3, 0],
  });
  stage.show(world);
}
