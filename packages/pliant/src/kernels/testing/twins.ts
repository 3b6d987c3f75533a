import type { BodyOptions } from '../../body/options.js';
import { BLOCK } from '../../testing/bodies.js';
import { World } from '../../world.js';

/** The same body in the same state in a world of each backend. */
export async function twins(options: BodyOptions, prepare: (world: World) => void = () => {}) {
  const [ts, wasm] = await Promise.all([World.create({ backend: 'ts' }), World.create({ backend: 'wasm' })]);
  for (const world of [ts, wasm]) {
    world.addBody(options);
    prepare(world);
  }
  return { ts, wasm };
}

/** The results of `run` on the worlds of both backends. */
export const both = ({ ts, wasm }: { ts: World; wasm: World }, run: (world: World) => unknown) => [run(ts), run(wasm)];

export const body = (clusters: number): BodyOptions => ({
  ...BLOCK,
  clustering: { count: clusters, radius: clusters === 1 ? 0.8 : 0.45 },
  velocity: [1, 2, 3],
  angularVelocity: [0.5, -2, 1],
});
