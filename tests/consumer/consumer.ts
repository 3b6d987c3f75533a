// A project that uses the published types of `pliant`: compiled by tests/types.long.test.ts with `lib: es2022`, without the types of the DOM and of Node, by
// this repository's TypeScript, by 5.4 and by 5.0. It is never run.
import {
  type Body,
  type BodyOptions,
  type ColliderOptions,
  type Measures,
  PliantError,
  type RayHit,
  type RenderSkin,
  type Snapshot,
  World,
  type WorldEvent,
} from 'pliant';

// The test means what it says: neither platform is there.
// @ts-expect-error
export type Dom = HTMLElement;
// @ts-expect-error
export type Node = NodeJS.Timeout;

const ground: ColliderOptions = { type: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.4 };
const options: BodyOptions = {
  shape: { type: 'sphere', radius: 0.5 },
  sampling: { count: 1000 },
  material: { density: 300, young: 5e4 },
  position: [0, 1.5, 0],
};

export async function simulate(frames: number): Promise<Measures> {
  const world = await World.create({ gravity: [0, -9.81, 0] });
  world.addCollider(ground);
  const body: Body = world.addBody(options);
  for (let frame = 0; frame < frames; frame++) {
    world.step();
    for (const event of world.drainEvents()) report(event);
  }
  const start: Snapshot = world.snapshot();
  const bytes: Uint8Array = world.save();
  world.restore(bytes);
  world.restore(start);
  const hit: RayHit | undefined = world.castRay([0, 5, 0], [0, -1, 0]);
  if (hit) world.cut(hit.body, { point: hit.point, normal: [1, 0, 0] });
  upload(body.getSkin(), body.positions);
  return world.measure();
}

function upload(skin: RenderSkin, particles: Float32Array): number {
  skin.update();
  const arrays: [Float32Array, Float32Array, Uint32Array] = [skin.positions, skin.normals, skin.indices];
  return arrays.length + particles.length;
}

function report(event: WorldEvent): string {
  switch (event.type) {
    case 'fracture':
      return `${event.splits.length} splits`;
    case 'touch':
      return `an impulse of ${event.impulse[1]} N s`;
    case 'quarantine':
      throw new PliantError('body', 'not finite');
    default:
      return event.type;
  }
}
