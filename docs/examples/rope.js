import { World } from 'pliant';

const material = { young: 1e5, density: 600, dampingRatio: 0.3, friction: 0.6 };

export default async function start(stage) {
  const world = await World.create({ maxSubsteps: 16 });
  const line = [
    [-0.8, 0, 0],
    [0.8, 0, 0],
  ];
  const shape = { type: 'cord', path: line, radius: 0.03 };
  world.addBody({ shape, sampling: { spacing: 0.05 }, material, position: [0, 1.5, 0] });
  for (const side of [-1, 1])
    world.addClamp({
      region: { type: 'halfspace', normal: [side, 0, 0], offset: 0.79 },
      velocity: [-0.05 * side, 0, 0],
    });
  const across = { ...shape, rotation: [0, Math.SQRT1_2, 0, Math.SQRT1_2] };
  world.addBody({ shape: across, sampling: { spacing: 0.05 }, material, position: [0, 1.8, 0] });
  stage.show(world, { look: [0, 1, 0] });
}
