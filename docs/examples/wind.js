import { World } from 'pliant';

export default async function start(stage) {
  const world = await World.create();
  world.addCollider({ type: 'plane', normal: [0, 1, 0], friction: 0.2 });
  for (const [k, density] of [30, 300].entries())
    world.addBody({
      shape: { type: 'sphere', radius: 0.25 },
      sampling: { count: 300 },
      material: { density, young: 2e4 },
      position: [-1, 1, k - 0.5],
    });
  world.addForceField({ type: 'drag', velocity: [2, 0, 0], rate: 0.02, as: 'force' });
  stage.show(world);
}
