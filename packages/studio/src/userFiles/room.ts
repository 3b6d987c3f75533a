import type { App } from '../app.js';
import type { Box } from './ownScene.js';

/** Initial bounding box of the bodies of the open scene. */
let first: Box | undefined;

/** Records the initial bounding box of each scene, to know where there is room. */
export function watchRoom(app: App): void {
  let fresh = true;
  app.on('document', () => {
    fresh = true;
  });
  app.simulation.on('loaded', () => {
    fresh = true;
  });
  app.simulation.on('moment', ({ arrays, counts }) => {
    if (!fresh) return;
    fresh = false;
    first = boxOf(arrays.particles, counts.particles);
  });
}

export const roomAtStart = (): Box => first ?? { min: [-0.5, 0, -0.5], max: [0.5, 1, 0.5] };

function boxOf(particles: Float32Array, count: number): Box {
  const box: Box = { min: [Infinity, Infinity, Infinity], max: [-Infinity, -Infinity, -Infinity] };
  for (let i = 0; i < count; i++)
    for (let axis = 0; axis < 3; axis++) {
      const value = particles[4 * i + axis];
      box.min[axis] = Math.min(box.min[axis], value);
      box.max[axis] = Math.max(box.max[axis], value);
    }
  return box;
}
