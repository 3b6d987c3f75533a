import { World } from 'pliant';

export default async function start(stage) {
  const world = await World.create();
  world.addBody({
    shape: { type: 'capsule', radius: 0.04, height: 1.6 },
    sampling: { spacing: 0.04 },
    material: { young: 2e5, density: 800, dampingRatio: 0.2 },
    position: [0.8, 1.5, 0],
    rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
  });
  world.addClamp({ region: { type: 'halfspace', normal: [-1, 0, 0], offset: 0 } });
  stage.show(world, { look: [0, 0.9, 0] });
}
