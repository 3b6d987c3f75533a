import { World } from 'pliant';

export default async function start(stage) {
  const world = await World.create();
  world.addCollider({ type: 'plane', normal: [0, 1, 0], friction: 0.8 });
  world.addBody({
    shape: { type: 'box', size: [1.6, 0.5, 0.5] },
    sampling: { spacing: 0.09 },
    material: { young: 2e4 },
    position: [0, 0.26, 0],
  });
  let cuts = 0;
  const slice = () => {
    if (world.time < cuts + 1 || cuts === 3) return;
    const x = -0.4 + 0.4 * cuts++;
    for (const body of [...world.bodies]) world.cut(body, { point: [x, 0, 0], normal: [1, 0.1, 0] });
  };
  stage.show(world, { each: slice });
}
