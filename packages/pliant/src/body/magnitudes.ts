import { firstOutside, PliantError, refuse, type Vec3 } from '../check.js';
import { MAX_LENGTH, MAX_MASS, MIN_LENGTH, MIN_MASS, MOST_AT_ONE_PLACE } from '../limits.js';

interface Box {
  min: Vec3;
  max: Vec3;
}

/** Range of scale factors: 18 decades lie between the shortest and the longest length. */
const SCALES = { min: MIN_LENGTH / MAX_LENGTH, max: MAX_LENGTH / MIN_LENGTH };

/** Refuses factors that leave no length in range. */
export function checkScale(path: string, scale: Vec3): void {
  for (const s of scale) if (!(s >= SCALES.min && s <= SCALES.max)) refuse(path, scale, 'factors from 1e-18 to 1e18');
}

/** Refuses a solid whose scaled sides are too long or too short. It is called before sampling, which takes time. */
export function checkScaledBox(path: string, { min, max }: Box, scale: Vec3): void {
  for (let a = 0; a < 3; a++) {
    const side = (max[a] - min[a]) * scale[a];
    if (!(side >= MIN_LENGTH && side <= MAX_LENGTH))
      throw new PliantError(
        path,
        `${path} has a side of ${side} m along ${'xyz'[a]}; expected sides from 1e-9 to 1e9 m.`,
      );
  }
}

/** Refuses points that are neither all in one place nor far enough apart for f32. */
export function checkExtent(path: string, points: Float64Array): void {
  const widest = Math.max(...[0, 1, 2].map((axis) => extentOf(points, axis)));
  if (widest > 0 && widest < MIN_LENGTH)
    throw new PliantError(
      path,
      `${path} has an extent of ${widest} m; expected 0, all points in one place, or at least 1e-9 m.`,
    );
}

/** Points nearer than about this share of the extent are at one place, as for clustering. */
const SAME_PLACE = 1e-9;

/** Refuses more points at one place than can be searched. */
export function checkCrowd(path: string, points: Float64Array): void {
  const count = points.length / 3;
  if (count <= MOST_AT_ONE_PLACE) return;
  const cell = SAME_PLACE * Math.max(...[0, 1, 2].map((axis) => extentOf(points, axis)));
  const place = (k: number) => (cell > 0 ? Math.round(points[k] / cell) : 0);
  // Points at one place have the same hash. Only where too many have one, places are compared.
  const counts = new Uint32Array(1 << 16);
  const hashes = new Uint16Array(count);
  for (let i = 0; i < count; i++) {
    let hash = 0;
    for (let k = 3 * i; k < 3 * i + 3; k++) hash = Math.imul(hash ^ place(k) ^ (place(k) / 0x100000000), 0x9e3779b1);
    hashes[i] = hash >>> 16;
    counts[hashes[i]]++;
  }
  const crowded = new Map<string, number>();
  for (let i = 0; i < count; i++) {
    if (counts[hashes[i]] <= MOST_AT_ONE_PLACE) continue;
    const key = `${place(3 * i)} ${place(3 * i + 1)} ${place(3 * i + 2)}`;
    const here = (crowded.get(key) ?? 0) + 1;
    crowded.set(key, here);
    if (here > MOST_AT_ONE_PLACE)
      throw new PliantError(
        path,
        `${path} has more than ${MOST_AT_ONE_PLACE} points at the place of point ${i}; expected at most ${MOST_AT_ONE_PLACE}.`,
      );
  }
}

function extentOf(points: Float64Array, axis: number): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let k = axis; k < points.length; k += 3) {
    low = Math.min(low, points[k]);
    high = Math.max(high, points[k]);
  }
  return high - low;
}

/** Refuses particles whose coordinates or masses f32 cannot hold, at rest and with the initial stretch. */
export function checkMagnitudes(
  path: string,
  positions: Float64Array,
  masses: Float64Array,
  stretch: Vec3,
  stretchCentre: Vec3,
): void {
  const name = (k: number) => `${path} coordinate ${'xyz'[k % 3]} of particle ${Math.floor(k / 3)}`;
  const far = firstOutside(positions, -MAX_LENGTH, MAX_LENGTH);
  if (far >= 0) refuse(name(far), positions[far], 'at most ±1e9 m');
  for (let a = 0; a < 3; a++) {
    const [factor, centre] = [stretch[a], stretchCentre[a]];
    if (factor === 1) continue;
    for (let k = a; k < positions.length; k += 3) {
      const stretched = centre + factor * (positions[k] - centre);
      if (!(Math.abs(stretched) <= MAX_LENGTH)) refuse(`${name(k)}, stretched,`, stretched, 'at most ±1e9 m');
    }
  }
  const i = firstOutside(masses, MIN_MASS, MAX_MASS);
  if (i >= 0) refuse(`${path}.material: mass of particle ${i}`, masses[i], `${MIN_MASS} to ${MAX_MASS} kg`);
}
