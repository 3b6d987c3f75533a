import type { Pose } from '../spatial/pose.js';

/**
 * The world box around a shape with the given own box, over all poses between two. A shape that turns stays within the ball around its
 * position that contains it in any rotation.
 */
export function fitBounds(out: Float64Array, own: Float64Array, from: Pose, to: Pose): void {
  let turns = false;
  for (let k = 0; k < 4; k++) turns ||= from.rotation[k] !== to.rotation[k];
  let square = 0;
  for (let a = 0; a < 3; a++) square += Math.max(own[a] * own[a], own[a + 3] * own[a + 3]);
  const reach = Math.sqrt(square);
  for (let a = 0; a < 3; a++) {
    let low = -reach;
    let high = reach;
    if (!turns) {
      low = 0;
      high = 0;
      for (let k = 0; k < 3; k++) {
        const share = to.matrix[3 * k + a];
        // Avoids 0 · ∞ = NaN: an infinite cylinder along x has only its radius as extent along y.
        if (share === 0) continue;
        low += Math.min(share * own[k], share * own[k + 3]);
        high += Math.max(share * own[k], share * own[k + 3]);
      }
    }
    out[a] = low + Math.min(from.position[a], to.position[a]);
    out[a + 3] = high + Math.max(from.position[a], to.position[a]);
  }
}
