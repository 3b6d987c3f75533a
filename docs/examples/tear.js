import { World } from 'pliant';

export default async function start(stage) {
  const world = await World.create({ gravity: [0, 0, 0] });
  world.addBody({
    shape: { type: 'box', size: [1.6, 0.3, 0.3] },
    sampling: { spacing: 0.07 },
    material: { young: 3e4, toughness: 0.15 },
    position: [0, 0.7, 0],
  });
  for (const side of [-1, 1])
    world.addClamp({
      region: { type: 'halfspace', normal: [side, 0, 0], offset: 0.65 },
      velocity: [0.2 * side, 0, 0],
      lifetime: 4,
    });
  stage.show(world, { from: [1.2, 1.4, 3.2] });
}
