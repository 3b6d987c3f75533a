import { type Body, type ClusterOptions, type RawOptions, World } from 'pliant';
import { spreadOf } from './measure.js';

/** Particles along a side of the cube. */
export const ACROSS = 11;

export interface StretchedCube {
  clustering: ClusterOptions;
  raw?: RawOptions;
  /** Particles along a side. Default 11. */
  across?: number;
  /** Length of a step (s). Default 1/60. */
  dt?: number;
}

/** The cube of [J15] 4: 11 × 11 × 11 particles in free space, stretched to twice its length along x and let go. Undamped and without strain limit unless `raw` says more. */
export async function stretchedCube({ clustering, raw = {}, across = ACROSS, dt = 1 / 60 }: StretchedCube) {
  const world = await World.create({ gravity: [0, 0, 0], dt, sleepSpeed: 0 });
  const body = world.addBody({
    shape: { type: 'box', size: [1, 1, 1] },
    sampling: { method: 'grid', count: across ** 3 },
    // With α = 0.01 the quarter of a period is many steps, so that it is known to a few per cent.
    material: { raw: { stiffness: 0.01, damping: 0, rotation: 'deformation', limit: { iterations: 0 }, ...raw } },
    clustering,
    contact: { mode: 'none', self: false },
    stretch: [2, 1, 1],
  });
  return { world, body };
}

/** Seconds until the cube has gone back to its length for the first time; Infinity where it does not within `most` steps. */
export function returnTime(world: World, body: Body, most = 400): number {
  let before = spreadOf(body)[0];
  const rest = before / 2;
  for (let n = 1; n <= most; n++) {
    world.step();
    const now = spreadOf(body)[0];
    if (now <= rest) return world.dt * (n - (rest - now) / (before - now));
    before = now;
  }
  return Infinity;
}

/**
 * How sharply the displacement changes from particle to particle: the second difference of the displacement along each axis of the grid, as a share
 * of the spacing, of which the 95th percentile is returned. It is 0 for an affine deformation, and large where clusters end abruptly.
 */
export function roughness({ positions: x, restPositions: r, particleCount: n }: Body): number {
  const key = (a: number, b: number, c: number) => (a * 64 + b) * 64 + c;
  const low = [0, 1, 2].map((a) => {
    let least = Infinity;
    for (let i = 0; i < n; i++) least = Math.min(least, r[3 * i + a]);
    return least;
  });
  const across = Math.round(Math.cbrt(n));
  let high = -Infinity;
  for (let i = 0; i < n; i++) high = Math.max(high, r[3 * i]);
  const spacing = (high - low[0]) / (across - 1);
  const at = new Map<number, number>();
  const place = (i: number) => [0, 1, 2].map((a) => Math.round((r[3 * i + a] - low[a]) / spacing));
  for (let i = 0; i < n; i++) at.set(key(...(place(i) as [number, number, number])), i);
  const bends: number[] = [];
  for (let i = 0; i < n; i++)
    for (let axis = 0; axis < 3; axis++) {
      const p = place(i);
      p[axis]--;
      const left = at.get(key(p[0], p[1], p[2]));
      p[axis] += 2;
      const right = at.get(key(p[0], p[1], p[2]));
      if (left === undefined || right === undefined) continue;
      let square = 0;
      for (let a = 0; a < 3; a++) square += (x[4 * left + a] - 2 * x[4 * i + a] + x[4 * right + a]) ** 2;
      bends.push(Math.sqrt(square) / spacing);
    }
  return bends.sort((a, b) => a - b)[Math.floor(0.95 * bends.length)];
}

/** A cube that was let go: when it was back, and how rough it was then. */
export async function letGo(options: StretchedCube): Promise<{ time: number; roughness: number; body: Body }> {
  const { world, body } = await stretchedCube(options);
  const time = returnTime(world, body);
  return { time, roughness: roughness(body), body };
}
