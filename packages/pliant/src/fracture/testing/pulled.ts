import type { BodyOptions } from '../../body/options.js';
import type { WorldEvent } from '../../events.js';
import { worldWith } from '../../testing/bodies.js';
import type { World } from '../../world.js';

export type Fracture = Extract<WorldEvent, { type: 'fracture' }>;

export const BAR: BodyOptions = {
  shape: { type: 'box', size: [2, 0.4, 0.4] },
  sampling: { method: 'grid', spacing: 0.1 },
  clustering: { count: 16 },
  material: { toughness: 0.2, raw: { rotation: 'covariance', stiffness: 0.8, damping: 0.1 } },
};

/** The bar with both ends pulled apart, half a metre a second each. */
export async function pulled(bar: BodyOptions, options = {}, axis: [number, number, number] = [1, 0, 0]) {
  const { world, body } = await worldWith(bar, options);
  for (const side of [1, -1]) {
    const normal = axis.map((a) => side * a) as [number, number, number];
    const velocity = axis.map((a) => 0.5 * side * a) as [number, number, number];
    world.addClamp({ region: { type: 'halfspace', normal, offset: 0.8 }, velocity, bodies: [body] });
  }
  return { world, body };
}

export function run(world: World, steps: number): Fracture[] {
  const fractures: Fracture[] = [];
  for (let n = 0; n < steps; n++) {
    world.step();
    for (const event of world.drainEvents()) if (event.type === 'fracture') fractures.push(event);
  }
  return fractures;
}
