import { World } from 'pliant';

const [SOLID, GHOST] = [1, 2];

export default async function start(stage) {
  const world = await World.create();
  world.addCollider({ type: 'plane', normal: [0, 1, 0] });
  world.addCollider({
    type: 'box',
    size: [2, 0.1, 1],
    position: [0, 0.8, 0],
    groups: { membership: SOLID, filter: SOLID },
  });
  for (const [k, group] of [SOLID, GHOST].entries())
    world.addBody({
      shape: { type: 'sphere', radius: 0.25 },
      sampling: { count: 300 },
      position: [k - 0.5, 1.6, 0],
      groups: { membership: group, filter: 0xffffffff },
    });
  stage.show(world);
}
