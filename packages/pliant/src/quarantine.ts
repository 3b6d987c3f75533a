import type { World } from './world.js';

/**
 * Keeps NaN from leaving a step. A body with a position or velocity that is not finite (written by the user, or caused
 * by absurd input) is put back to the start of the step, stopped and disabled. An event reports it.
 */
export function quarantine(world: World): void {
  const s = world.state.views;
  for (const body of world.bodies) {
    if (!body.active) continue;
    const { particleStart, particleEnd } = body.rows;
    const ways = world.kernels.sumSquaredWays(particleStart, particleEnd);
    body.core.restState.squaredWays = ways;
    if (Number.isFinite(ways)) continue;
    const particles = world.kernels.countNonFinite(particleStart, particleEnd);
    if (particles === 0) continue;
    for (let o = 4 * particleStart; o < 4 * particleEnd; o += 4) {
      for (let a = 0; a < 3; a++) {
        if (!Number.isFinite(s.xOld[o + a])) s.xOld[o + a] = body.restPositions[3 * (o / 4 - particleStart) + a];
        s.x[o + a] = s.xOld[o + a];
        s.v[o + a] = 0;
      }
      s.x[o + 3] = s.xOld[o + 3];
      s.v[o + 3] = 0;
    }
    body.enabled = false;
    world.core.emit({ type: 'quarantine', body, particles, time: world.time });
  }
}
