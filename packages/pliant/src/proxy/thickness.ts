import { cbrt, squared } from '../math/elementary.js';
import { LAW } from '../state/elasticity.js';
import type { ParticleSurface } from './outward.js';

/**
 * How wide clusters of a body with an elastic law are, by the thickness L of the body in particles, and how firmly they hold what no affine map explains: by h times REST (state/elasticity.ts).
 *
 * A cluster of P particles is w ∝ P^(1/3) spacings wide. It holds a single particle by REST h/w². So clusters that are wider by w² ∝ h are dented as much by a press on a few particles. With h = 1 they would be dented
 * twice as much by a finger: a cube of 27 a side under a disc of 8 cm by 1.99 of theory with 75 particles each, 1.24 with 25; with h it is 1.2.
 *
 * A cluster that is as wide as its body twists right with REST of a half, so a body is too stiff in torsion by (REST h − ½) w²/L². Bars of 9 particles across with 25 a cluster and h = 1 twist 5 to 7 % too fast.
 * Thicker bodies may have it as large: (REST h − ½) h = (REST − ½) (L/9)², and 25 h^(3/2) particles a cluster. A cube of 27 a side has 307 clusters in the place of 787.
 */
export const WIDE = {
  /** Particles for each cluster of a body that is no thicker than ACROSS. */
  PER_CLUSTER: 25,
  ACROSS: 9,
  /** Largest h: 71 particles a cluster, from 29 across on. Steps get little cheaper beyond, as most of their cost is that of the memberships, which stay as many. */
  MOST: 2,
} as const;

/**
 * Slender bodies: those of L < ACROSS particles across that are long enough for more than MORE_THAN clusters. A section of a bar of 7 across has four clusters. Strain that varies within them is held by REST alone: bars bend too far, by how clusters happen to lie. Three
 * things are therefore different.
 *
 * - There is one cluster for PER L² particles, FEWEST at least, until there are ENOUGH. Larger bodies have 25 particles a cluster as all others.
 * - These clusters reach further than others: EVEN is their radius 'even'.
 * - They hold more firmly. w/L is the cube root of the particles of a cluster over the particles across the body, 0.33 and 0.30 for bars of 7 and 9 across. From FROM on h rises with it by BY, up to where bars twist 8 % too fast: (REST h − ½) (w/L)² = TWIST.
 *
 * Bars of 7 across, grid and mean of six samplings by blue noise; sag as cantilevers and frequency of torsion over theory:
 *
 *     127 clusters, 2.1, h = 1     1.05, 1.09 (1.04 to 1.13)   1.07, 1.05   the former rule
 *     172           2.3  h = 1     1.03, 1.05 (1.03 to 1.08)   1.06, 1.05   in 5 % fewer substeps
 *     172           2.3  h = 1.08  1.01, 1.03 (1.01 to 1.06)   1.08, 1.07
 *     127           2.3  h = 1     1.08, 1.08                  1.07, 1.09   three seeds
 *     180           2.1  h = 1     1.04, 1.06                  1.07, 1.04   three seeds; 15 to 25 % more substeps
 *     127           2.1  h = 1.2   1.00, 1.02                  1.12, 1.10   two seeds
 *
 * Bars of 10 across have 300 clusters on a grid and 261 to 280 with blue noise, and sag by 1.00 and 1.00 to 1.03 of theory (four seeds); with 240 it was 1.03 and 1.01 to 1.06.
 * Cubes of 7 and 8 with clusters that reach as far swing at 0.89 to 0.96 of theory, and hang by less the more firmly they are held.
 */
export const SLENDER = {
  ACROSS: 10,
  MORE_THAN: 90,
  PER: 0.24,
  FEWEST: 10.5,
  ENOUGH: 300,
  EVEN: 2.3,
  FROM: 0.255,
  BY: 1.7,
  TWIST: 0.0226,
} as const;

/** REST of a cluster that is as wide as its body and twists right. */
const ALONE = 0.5;

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

/** (REST h − ½) w², with w² in those of 25 particles, that a body of this thickness may have. */
const allowed = (thickness: number): number => (LAW.REST - ALONE) * Math.max(1, squared(thickness / WIDE.ACROSS));

/** Particles for each cluster of a body of this thickness. */
export function particlesPerCluster(thickness: number): number {
  const root = Math.sqrt(ALONE * ALONE + 4 * LAW.REST * allowed(thickness));
  const hold = clamp((ALONE + root) / (2 * LAW.REST), 1, WIDE.MOST);
  return WIDE.PER_CLUSTER * hold * Math.sqrt(hold);
}

/** How many clusters a body of this thickness has if it is slender; 0 if it is not. */
export function slenderCount(particles: number, thickness: number): number {
  if (!(thickness < SLENDER.ACROSS)) return 0;
  const count = Math.floor(particles / Math.max(SLENDER.PER * thickness * thickness, SLENDER.FEWEST));
  return count > SLENDER.MORE_THAN ? Math.min(count, SLENDER.ENOUGH) : 0;
}

/**
 * Clusters of plates and shells that break: of a plate of T spacings that clusters of 25 particles go through, a cluster sees the stretch of the middle alone, and how it is bent only by what its members leave of an affine map
 * (fracture/bending.ts). Up to ACROSS spacings clusters have 25 (T/ACROSS)³ particles, FEWEST at least, so that two of them share the thickness.
 */
export const BREAKING = { ACROSS: 5.6, FEWEST: 9 } as const;

/** Particles for each cluster of a body that can break and is this many spacings thick. */
export function particlesPerBreaking(layers: number): number {
  const share = layers / BREAKING.ACROSS;
  return clamp(WIDE.PER_CLUSTER * share * share * share, BREAKING.FEWEST, WIDE.PER_CLUSTER);
}

/** Whether h depends on the thickness of a body with this many particles and clusters. Otherwise it is 1. */
export const needsThickness = (particles: number, clusters: number): boolean =>
  particles > WIDE.PER_CLUSTER * clusters || clusters > SLENDER.MORE_THAN;

/** h for the clusters of a body: of wide ones as w², and no more than the thickness allows; of smaller ones in slender bodies by w/L. Clusters of 25 particles have 1: bodies that yield and break were calibrated with it. */
export function holdOf(thickness: number, particles: number, clusters: number): number {
  if (!needsThickness(particles, clusters)) return 1;
  const perCluster = particles / clusters;
  if (perCluster >= WIDE.PER_CLUSTER) {
    const wider = squared(cbrt(perCluster / WIDE.PER_CLUSTER));
    return clamp(Math.min(wider, (allowed(thickness) / wider + ALONE) / LAW.REST), 1, WIDE.MOST);
  }
  const ratio = cbrt(perCluster) / thickness;
  const bends = 1 + SLENDER.BY * (ratio - SLENDER.FROM);
  const twists = (SLENDER.TWIST / squared(ratio) + ALONE) / LAW.REST;
  return Math.max(1, Math.min(bends, twists));
}

/** Of this many particles the depth is measured, and of those within CLIMB spacings of the deepest. All of 20 000 would take 0.15 s. */
const SAMPLES = 128;
const CLIMB = 1.8;

/** Cube root of the mean of some volumes (m). */
export const meanSpacing = (volumes: Float64Array): number =>
  cbrt(volumes.reduce((sum, volume) => sum + volume, 0) / volumes.length);

/**
 * Particles across a body: the lesser of 6 N/N_s − 2, of which N_s are at the surface, and of twice the largest depth below it. The former is n for a cube of n a side; parts that are thin count most in it, as
 * most of their particles are at the surface. The latter is n for bars, slabs and walls too. `spacing`: cube root of the mean volume of the particles (m).
 */
export function thicknessOf(positions: Float64Array, { normal, height }: ParticleSurface, spacing: number): number {
  const count = height.length;
  const outermost = new Uint32Array(count);
  let outer = 0;
  for (let i = 0; i < count; i++)
    if (height[i] > 0 || normal[3 * i] !== 0 || normal[3 * i + 1] !== 0 || normal[3 * i + 2] !== 0)
      outermost[outer++] = i;
  const bySurface = outer > 0 ? (6 * count) / outer - 2 : 0;
  if (!(bySurface > WIDE.ACROSS) || !(spacing > 0)) return bySurface;
  return Math.min(bySurface, (2 * deepestBelow(positions, outermost.subarray(0, outer), spacing)) / spacing + 1);
}

/**
 * Thickness of a body in spacings where it is thickest: twice the largest depth of a particle below its surface. Of a plate, a shell or a bar that is the thickness of all of it. `spacing` as for `thicknessOf`; 0 for a body without a surface.
 */
export function layersOf(positions: Float64Array, { normal, height }: ParticleSurface, spacing: number): number {
  const count = height.length;
  const outermost = new Uint32Array(count);
  let [outer, heights] = [0, 0];
  for (let i = 0; i < count; i++) {
    if (!(height[i] > 0) && normal[3 * i] === 0 && normal[3 * i + 1] === 0 && normal[3 * i + 2] === 0) continue;
    outermost[outer++] = i;
    heights += Math.max(0, height[i]);
  }
  if (outer === 0 || !(spacing > 0)) return 0;
  return (2 * (deepestBelow(positions, outermost.subarray(0, outer), spacing) + heights / outer)) / spacing;
}

/** How far the deepest particle is from the nearest of the outermost ones (m). */
function deepestBelow(positions: Float64Array, outermost: Uint32Array, spacing: number): number {
  const count = positions.length / 3;
  const points = new Float64Array(3 * outermost.length);
  for (let k = 0; k < outermost.length; k++) {
    const o = 3 * outermost[k];
    points[3 * k] = positions[o];
    points[3 * k + 1] = positions[o + 1];
    points[3 * k + 2] = positions[o + 2];
  }
  const depth = new Depth(points);
  let [deepest, at] = [0, 0];
  const look = (i: number) => {
    const d = depth.beyond(deepest, positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]);
    if (d > deepest) [deepest, at] = [d, i];
  };
  for (let i = 0; i < count; i += Math.ceil(count / SAMPLES)) look(i);
  // Upwards from the deepest of the samples, whose neighbours were not among them.
  for (let from = -1; from !== at; ) {
    from = at;
    const [fx, fy, fz] = [positions[3 * from], positions[3 * from + 1], positions[3 * from + 2]];
    const near2 = squared(CLIMB * spacing);
    for (let i = 0; i < count; i++) {
      const x = positions[3 * i] - fx;
      if (x * x >= near2) continue;
      const y = positions[3 * i + 1] - fy;
      const z = positions[3 * i + 2] - fz;
      if (x * x + y * y + z * z < near2) look(i);
    }
  }
  return deepest;
}

/** Distances from some points. All of them are tried, up to the first that is near enough: a grid took ten times as long, as it bounds no search for the deepest. */
class Depth {
  /** The point by which the last question was answered: neighbours are often near the same. */
  private last = 0;

  constructor(private readonly points: Float64Array) {}

  /** Distance to the nearest point if that is above `least`; otherwise anything up to that. */
  beyond(least: number, x: number, y: number, z: number): number {
    const { points } = this;
    const enough = least * least;
    if (squaredTo(points, this.last, x, y, z) <= enough) return 0;
    let nearest = Number.POSITIVE_INFINITY;
    for (let o = 0; o < points.length; o += 3) {
      const d2 = squaredTo(points, o, x, y, z);
      if (d2 >= nearest) continue;
      nearest = d2;
      this.last = o;
      if (d2 <= enough) return 0;
    }
    return Math.sqrt(nearest);
  }
}

const squaredTo = (points: Float64Array, o: number, x: number, y: number, z: number): number => {
  const dx = points[o] - x;
  const dy = points[o + 1] - y;
  const dz = points[o + 2] - z;
  return dx * dx + dy * dy + dz * dz;
};
