import type { FrameCounts } from './protocol.js';

/** The arrays of a frame, as views of its buffer. */
export interface FrameArrays {
  /** x y z and mass. */
  particles: Float32Array;
  /** r g b a. */
  particleColours: Uint8Array;
  positions: Float32Array;
  normals: Float32Array;
  vertexColours: Uint8Array;
  /** Per cluster a matrix, by columns, that maps the unit ball to its deformed sphere. */
  clusters: Float32Array;
  clusterColours: Uint8Array;
  /** Per plane of a proxy: a point, the normal, and the radius of the disc that shows it. */
  planes: Float32Array;
  /** x y z of the goal of a particle. */
  goals: Float32Array;
}

/** Four-byte numbers of each array per counted item. */
const WIDTHS = {
  particles: ['particles', 4],
  particleColours: ['particles', 1],
  positions: ['vertices', 3],
  normals: ['vertices', 3],
  vertexColours: ['vertices', 1],
  clusters: ['clusters', 16],
  clusterColours: ['clusters', 1],
  planes: ['planes', 7],
  goals: ['goals', 3],
} as const satisfies Record<keyof FrameArrays, readonly [keyof FrameCounts, number]>;

const NAMES = Object.keys(WIDTHS) as (keyof FrameArrays)[];

export const frameBytes = (counts: FrameCounts): number =>
  NAMES.reduce((sum, name) => sum + 4 * WIDTHS[name][1] * counts[WIDTHS[name][0]], 0);

/** The layout of a frame's buffer from a byte on, for both sides. */
export function frameArrays(buffer: ArrayBufferLike, counts: FrameCounts, from: number): FrameArrays {
  let at = from;
  const take = (name: keyof FrameArrays) => {
    const [of, width] = WIDTHS[name];
    const length = width * counts[of];
    const start = at;
    at += 4 * length;
    return name.endsWith('Colours')
      ? new Uint8Array(buffer, start, 4 * length)
      : new Float32Array(buffer, start, length);
  };
  return Object.fromEntries(NAMES.map((name) => [name, take(name)])) as unknown as FrameArrays;
}
