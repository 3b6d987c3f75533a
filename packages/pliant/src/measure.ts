import { Match } from './kernels/kernels.js';
import { squared } from './math/elementary.js';
import type { World } from './world.js';

/** Sums over the particles of a body or of a world, computed in 64 bits. */
export interface Measures {
  /** Total mass (kg). */
  mass: number;
  /** Centre of mass (m). */
  com: [number, number, number];
  /** Smallest x, y and z (m). */
  bboxMin: [number, number, number];
  /** Largest x, y and z (m). */
  bboxMax: [number, number, number];
  /** Root of the mean squared distance of the particles from the centre of mass (m). */
  rms: number;
  /** Kinetic energy (J). */
  kineticEnergy: number;
  /** Linear momentum (kg m/s). */
  momentum: [number, number, number];
  /** Angular momentum about the origin of the world (kg m²/s). */
  angularMomentum: [number, number, number];
}

/** Measures the particles first ≤ i < last of a world; all of them by default. */
export function measure(world: World, first = 0, last = world.particleCount): Measures {
  const { x, v } = world.state.views;
  const m: Measures = {
    mass: 0,
    com: [0, 0, 0],
    bboxMin: [Infinity, Infinity, Infinity],
    bboxMax: [-Infinity, -Infinity, -Infinity],
    rms: 0,
    kineticEnergy: 0,
    momentum: [0, 0, 0],
    angularMomentum: [0, 0, 0],
  };
  for (let i = first; i < last; i++) {
    const [o, mass] = [4 * i, x[4 * i + 3]];
    m.mass += mass;
    for (let a = 0; a < 3; a++) {
      const [b, c] = [(a + 1) % 3, (a + 2) % 3];
      m.com[a] += mass * x[o + a];
      m.momentum[a] += mass * v[o + a];
      m.angularMomentum[a] += mass * (x[o + b] * v[o + c] - x[o + c] * v[o + b]);
      m.kineticEnergy += 0.5 * mass * v[o + a] * v[o + a];
      m.bboxMin[a] = Math.min(m.bboxMin[a], x[o + a]);
      m.bboxMax[a] = Math.max(m.bboxMax[a], x[o + a]);
    }
  }
  if (first === last) return { ...m, bboxMin: [0, 0, 0], bboxMax: [0, 0, 0] };
  for (let a = 0; a < 3; a++) m.com[a] /= m.mass;
  for (let i = first; i < last; i++)
    for (let a = 0; a < 3; a++) m.rms += squared(x[4 * i + a] - m.com[a]) / (last - first);
  m.rms = Math.sqrt(m.rms);
  return m;
}

/** Largest singular value of F over all clusters: the stretch of the most stretched cluster. */
export function maxStretch(world: World): number {
  const clusters = world.clusterCount;
  world.kernels.matchClusters(0, clusters, Match.STRETCH);
  const { sigma } = world.state.views;
  let largest = 0;
  for (let c = 0; c < clusters; c++) largest = Math.max(largest, sigma[4 * c]);
  return largest;
}
