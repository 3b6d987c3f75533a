import { World } from 'pliant';

const world = await World.create();
world.addCollider({ type: 'plane', normal: [0, 1, 0] });
const ball = world.addBody({
  shape: { type: 'sphere', radius: 0.5 },
  sampling: { count: 500 },
  material: { young: 2e4 },
  position: [0, 2, 0],
});
for (let frame = 0; frame <= 120; frame++) {
  if (frame % 20 === 0) console.log(`${world.time.toFixed(2)} s: ${ball.centreOfMass[1].toFixed(3)} m high`);
  world.step();
}
