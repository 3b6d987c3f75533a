import { World } from 'pliant';

export default async function start(stage) {
  const world = await World.create();
  world.addCollider({ type: 'plane', normal: [0, 1, 0] });
  world.addCollider({ type: 'sphere', radius: 0.4, centre: [0, 0.6, 0], friction: 0.4 });
  world.addBody({
    shape: { type: 'box', size: [1.6, 0.04, 1.6] },
    sampling: { spacing: 0.07 },
    material: { young: 3e4, density: 200, dampingRatio: 0.3 },
    position: [0, 1.4, 0],
  });
  stage.show(world);
}
