import type { BodyOptions } from '../../body/options.js';
import { worldWith } from '../../testing/bodies.js';
import type { World } from '../../world.js';
import type { ReclusterOptions } from '../options.js';

export const BAR: BodyOptions = {
  shape: { type: 'box', size: [1.6, 0.4, 0.4] },
  sampling: { method: 'grid', spacing: 0.08 },
  clustering: { count: 40 },
  material: { yield: 0.02, raw: { rotation: 'covariance', damping: 0.1, limit: { gamma: 0.5 } } },
};

/** The bar, its ends drawn apart at so many metres a second each and turned against each other. */
export async function drawn(reclustering: ReclusterOptions, speed: number, turning: number) {
  const { world, body } = await worldWith({ ...BAR, reclustering });
  for (const side of [1, -1])
    world.addClamp({
      region: { type: 'halfspace', normal: [side, 0, 0], offset: 0.7 },
      velocity: [speed * side, 0, 0],
      angularVelocity: [turning * side, 0, 0],
      lifetime: 1.2,
    });
  return { world, body };
}

/** The bar at rest, which does not flow: clusters are replaced because a test says so. */
export async function still(reclustering: ReclusterOptions) {
  const material = { ...BAR.material, yield: Number.POSITIVE_INFINITY };
  const { world, body } = await worldWith({
    ...BAR,
    material,
    reclustering: { threshold: 2, every: 1 / 60, ...reclustering },
  });
  body.core.history.noteFlow();
  body.core.history.setFading(true);
  return { world, body };
}

/** One step; clusters that came and went in it. */
export function step(world: World): { added: number; removed: number } {
  world.step();
  const count = { added: 0, removed: 0 };
  for (const event of world.drainEvents())
    if (event.type === 'recluster') {
      count.added += event.added;
      count.removed += event.removed;
    }
  return count;
}
