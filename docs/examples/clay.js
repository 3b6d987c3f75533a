import { MATERIALS, World } from 'pliant';

export default async function start(stage) {
  const world = await World.create();
  world.addCollider({ type: 'plane', normal: [0, 1, 0] });
  for (const [k, name] of ['foam', 'clay', 'dough'].entries())
    world.addBody({
      name,
      shape: { type: 'sphere', radius: 0.3 },
      sampling: { count: 500 },
      material: MATERIALS[name].material,
      position: [0.8 * (k - 1), 2, 0],
    });
  stage.show(world);
}
