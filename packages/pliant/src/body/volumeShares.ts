import { cbrt, cubed } from '../math/elementary.js';
import { type DistanceField, distanceAt } from '../proxy/field.js';
import type { ParticleSurface } from '../proxy/outward.js';
import { BLUE_NOISE_DENSITY } from '../sample/blueNoiseByCount.js';
import { type Workspace, withKernels } from '../spatial/wasm/workspace.js';

/** Radius of a ball with the volume of a cube of side 1: of the cell of a particle. */
const CELL_RADIUS = 0.62;
/** Places along the diameter of the ball at which it is asked whether they are inside, in each direction. */
const ACROSS = 5;

/** Least part of a ball that counts. In walls far thinner than the cells of the field no place of a ball is inside. */
const LEAST = 1e-3;

/** Least and largest factor on the volumes at the surface. A cube of 7 across has 0.93, of 8 across 0.96. */
const RANGE = { least: 0.75, most: 1.25 } as const;

/**
 * Volumes that particles of blue noise stand for, as multiples of their mean. Blue noise reaches up to the surface: of the ball around a particle that is as large as the cell of one inside, only a part is
 * in the body, a half at a face, a quarter at an edge. And particles lie closer along the surface than inside, where each has spacing³/0.704: those at the surface share what is left of the body in proportion to their parts.
 *
 * With equal volumes the outermost particles are too heavy: the stretching modes of cubes of 7, 11 and 17 particles across were then 0.81, 0.90 and 0.95 of theory. By the depth below the nearest face alone, edges are
 * too heavy: moments of inertia of cubes of 7 and 8 across were 6 and 5 % too large, with these shares 1 %.
 */
export function volumeShares(
  positions: Float64Array,
  surface: ParticleSurface,
  field: DistanceField,
  volume: number,
  spacing: number,
): Float64Array {
  const inside = cubed(spacing) / BLUE_NOISE_DENSITY;
  const ball = ballOf(CELL_RADIUS * cbrt(inside));
  const inBalls = volume / inside;
  return (
    withKernels((space) => sharesFast(space, positions, surface, field, ball, inBalls)) ??
    sharesPlain(positions, surface, field, ball, inBalls)
  );
}

/** `inBalls`: the volume of the body in volumes of a particle inside of it. */
function sharesPlain(
  positions: Float64Array,
  { height, normal }: ParticleSurface,
  field: DistanceField,
  ball: Ball,
  inBalls: number,
): Float64Array {
  const count = height.length;
  const shares = new Float64Array(count).fill(1);
  const outermost = new Uint32Array(count);
  let found = 0;
  let outer = 0;
  for (let i = 0; i < count; i++) {
    if (!(height[i] > 0) && normal[3 * i] === 0 && normal[3 * i + 1] === 0 && normal[3 * i + 2] === 0) continue;
    const part = partInside(field, ball, positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
    shares[i] = Math.max(LEAST, part);
    outermost[found++] = i;
    outer += shares[i];
  }
  const left = (inBalls - (count - found)) / outer;
  const factor = Math.min(Math.max(left, RANGE.least), RANGE.most);
  for (let k = 0; k < found; k++) shares[outermost[k]] *= factor;
  let sum = 0;
  for (let i = 0; i < count; i++) sum += shares[i];
  for (let i = 0; i < count; i++) shares[i] = (shares[i] * count) / sum;
  return shares;
}

/** The same in WASM. */
function sharesFast(
  space: Workspace,
  positions: Float64Array,
  surface: ParticleSurface,
  { origin, cell, size, values }: DistanceField,
  { places, step }: Ball,
  inBalls: number,
): Float64Array {
  const count = surface.height.length;
  const [shape, nodes, distances] = [
    space.putReals([...origin, ...cell]),
    space.putWords(size),
    space.putFloats(values),
  ];
  const [inBall, from] = [space.putReals(places), space.putReals(positions)];
  const [height, normal] = [space.putReals(surface.height), space.putReals(surface.normal)];
  const limits = space.putReals([LEAST, inBalls, RANGE.least, RANGE.most]);
  const [outermost, out] = [space.takeWords(count), space.takeReals(count)];
  space.kernels.shareVolumes(
    ...([shape, nodes, distances, inBall, places.length / 3, step] as const),
    ...([from, height, normal, count, outermost, limits, out] as const),
  );
  return space.reals(out, count).slice();
}

interface Ball {
  /** Three numbers each (m). */
  places: Float64Array;
  /** How far they are apart (m). */
  step: number;
}

/** Places in a ball of this radius. */
function ballOf(radius: number): Ball {
  const places: number[] = [];
  const middle = (ACROSS - 1) / 2;
  for (let i = 0; i < ACROSS; i++)
    for (let j = 0; j < ACROSS; j++)
      for (let k = 0; k < ACROSS; k++) {
        const place = [i, j, k].map((n) => (n - middle) / (ACROSS / 2));
        if (place[0] * place[0] + place[1] * place[1] + place[2] * place[2] <= 1)
          places.push(...place.map((c) => c * radius));
      }
  return { places: Float64Array.from(places), step: (2 * radius) / ACROSS };
}

/** The part of a ball around a place that is inside the body. A place that is nearer to the surface than half of the way to the next counts in part. */
function partInside(field: DistanceField, { places, step }: Ball, x: number, y: number, z: number): number {
  let sum = 0;
  for (let k = 0; k < places.length; k += 3) {
    const distance = distanceAt(field, x + places[k], y + places[k + 1], z + places[k + 2]);
    sum += Math.min(Math.max(0.5 - distance / step, 0), 1);
  }
  return sum / (places.length / 3);
}
