import { MATERIALS, World } from 'pliant';

export default async function start(stage) {
  const world = await World.create();
  world.addCollider({ type: 'plane', normal: [0, 1, 0] });
  world.addBody({
    shape: { type: 'box', size: [0.8, 0.8, 0.8] },
    sampling: { count: 600 },
    material: MATERIALS.jelly.material,
    position: [0, 1.5, 0],
  });
  stage.show(world);
}
