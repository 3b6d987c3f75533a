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
  { height, normal }: ParticleSurface,
  field: DistanceField,
  volume: number,
  spacing: number,
): Float64Array {
  const count = height.length;
  const inside = cubed(spacing) / BLUE_NOISE_DENSITY;
  const ball = ballOf(CELL_RADIUS * cbrt(inside));
  const shares = new Float64Array(count).fill(1);
  const outermost = new Uint32Array(count);
  let found = 0;
  for (let i = 0; i < count; i++)
    if (height[i] > 0 || normal[3 * i] !== 0 || normal[3 * i + 1] !== 0 || normal[3 * i + 2] !== 0)
      outermost[found++] = i;
  const points = new Float64Array(3 * found);
  for (let k = 0; k < found; k++) {
    const o = 3 * outermost[k];
    points[3 * k] = positions[o];
    points[3 * k + 1] = positions[o + 1];
    points[3 * k + 2] = positions[o + 2];
  }
  const parts = withKernels((space) => partsFast(space, field, ball, points)) ?? partsPlain(field, ball, points);
  let outer = 0;
  for (let k = 0; k < found; k++) outer += Math.max(LEAST, parts[k]);
  const left = (volume / inside - (count - found)) / outer;
  const factor = Math.min(Math.max(left, RANGE.least), RANGE.most);
  for (let k = 0; k < found; k++) shares[outermost[k]] = Math.max(LEAST, parts[k]) * factor;
  let sum = 0;
  for (let i = 0; i < count; i++) sum += shares[i];
  for (let i = 0; i < count; i++) shares[i] = (shares[i] * count) / sum;
  return shares;
}

/** The parts of balls around some points that are inside the body. */
function partsPlain(field: DistanceField, ball: Ball, points: Float64Array): Float64Array {
  const parts = new Float64Array(points.length / 3);
  for (let k = 0; k < parts.length; k++)
    parts[k] = partInside(field, ball, points[3 * k], points[3 * k + 1], points[3 * k + 2]);
  return parts;
}

/** The same in WASM. */
function partsFast(
  space: Workspace,
  { origin, cell, size, values }: DistanceField,
  { places, step }: Ball,
  points: Float64Array,
): Float64Array {
  const count = points.length / 3;
  const [shape, nodes, distances] = [
    space.putReals([...origin, ...cell]),
    space.putWords(size),
    space.putFloats(values),
  ];
  const [inBall, from, out] = [space.putReals(places), space.putReals(points), space.takeReals(count)];
  space.kernels.partsInside(shape, nodes, distances, inBall, places.length / 3, step, from, count, out);
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
