import { type Body, type BodyOptions, meshSolid, type Solid, shapeSolid, type World } from 'pliant';
import type { SceneDescription } from '../description.js';

/** Penetration of bodies, as shares of the diagonal of the body that is entered. */
export interface Penetration {
  /** Depth of the particle that is deepest in another body. */
  particles: number;
  /** Depth of the deepest point of a surface, extrapolated from the outermost particles of the entering body. */
  surface: number;
  /** "ball in sheet": the pair with the deepest surface point. */
  pair: string;
}

/**
 * Penetration of all bodies. It is measured against the solids of the scene, not against their representation in
 * contact: a point is mapped to the rest space of the other body by the F⁻¹ of the cluster whose centre is nearest to
 * the nearest particle, and its depth below the solid's surface is evaluated there.
 */
export function penetration(world: World, scene: SceneDescription): Penetration {
  const rests = world.bodies.map((body, k) => new RestShape(world, body, scene.bodies[k].options));
  const deepest: Penetration = { particles: 0, surface: 0, pair: '' };
  for (const a of rests)
    for (const b of rests) {
      if (a === b || !meet(a, b)) continue;
      const particles = b.deepest(a.particles) / b.diagonal;
      const surface = b.deepest(a.surface) / b.diagonal;
      deepest.particles = Math.max(deepest.particles, particles);
      if (surface <= deepest.surface) continue;
      deepest.surface = surface;
      deepest.pair = `${a.name} in ${b.name}`;
    }
  return deepest;
}

type Point = [number, number, number];

const meet = (a: RestShape, b: RestShape) => a.low.every((low, k) => low <= b.high[k] && b.low[k] <= a.high[k]);

class RestShape {
  readonly name: string;
  readonly diagonal: number;
  readonly low: Point = [Infinity, Infinity, Infinity];
  readonly high: Point = [-Infinity, -Infinity, -Infinity];
  /** Positions of the particles, and points of the surface above the outermost of them. */
  readonly particles: Point[] = [];
  readonly surface: Point[] = [];
  private readonly solid: Solid;
  private readonly spacing: number;
  private readonly cells = new Map<string, number[]>();
  private readonly placed = new Set<number>();

  constructor(
    private readonly world: World,
    private readonly body: Body,
    private readonly options: BodyOptions,
  ) {
    this.name = body.name;
    this.solid = options.shape ? shapeSolid(options.shape) : meshSolid(options.mesh!);
    const { min, max } = this.solid;
    this.diagonal = Math.hypot(...min.map((low, a) => (max[a] - low) * this.scale(a)));
    this.spacing = body.spacing!;
    const x = body.positions;
    for (let i = 0; i < body.particleCount; i++) {
      const p: Point = [x[4 * i], x[4 * i + 1], x[4 * i + 2]];
      this.particles.push(p);
      this.surface.push(this.aboveSurface(i, p));
      const key = this.cellOf(p).join();
      if (!this.cells.has(key)) this.cells.set(key, []);
      this.cells.get(key)!.push(i);
      for (let a = 0; a < 3; a++) {
        // Largest distance of a surface from its particles.
        this.low[a] = Math.min(this.low[a], p[a] - 2 * this.spacing);
        this.high[a] = Math.max(this.high[a], p[a] + 2 * this.spacing);
      }
    }
  }

  /** Largest distance below this body's surface among points of another; 0 if none is inside. */
  deepest(points: readonly Point[]): number {
    let depth = 0;
    for (const p of points) {
      if (p.some((value, a) => value < this.low[a] || value > this.high[a])) continue;
      const nearest = this.nearestParticle(p);
      if (nearest !== undefined) depth = Math.max(depth, this.depth(this.toRest(p, this.mostCentral(nearest))));
    }
    return depth;
  }

  private scale(axis: number): number {
    const { scale = 1 } = this.options;
    return typeof scale === 'number' ? scale : scale[axis];
  }

  private cellOf = (p: Point) => p.map((value) => Math.floor(value / (2 * this.spacing)));

  /**
   * The nearest particle within a cell. A point farther from all particles is not inside, unless the body is stretched
   * threefold.
   */
  private nearestParticle(p: Point): number | undefined {
    const [i, j, k] = this.cellOf(p);
    let nearest: number | undefined;
    let least = Infinity;
    for (let n = 0; n < 27; n++) {
      const cell = [i + (n % 3) - 1, j + (Math.floor(n / 3) % 3) - 1, k + Math.floor(n / 9) - 1];
      for (const q of this.cells.get(cell.join()) ?? []) {
        const there = this.particles[q];
        const distance = Math.hypot(p[0] - there[0], p[1] - there[1], p[2] - there[2]);
        if (distance >= least) continue;
        least = distance;
        nearest = q;
      }
    }
    return nearest;
  }

  /** The link of particle i to the cluster whose centre it is nearest to. */
  private mostCentral(i: number): number {
    const { gatherRank, linkStart, link } = this.world.state.views;
    const n = gatherRank[this.body.rows.particleStart + i];
    let best = linkStart[n];
    const offset = (l: number) => Math.hypot(link[4 * l], link[4 * l + 1], link[4 * l + 2]);
    for (let l = best + 1; l < linkStart[n + 1]; l++) if (offset(l) < offset(best)) best = l;
    return best;
  }

  /** F⁻¹ of a link's cluster, by columns of four, and its centre at 12. */
  private frameOf(link: number): Float32Array {
    const { state, kernels, dt } = this.world;
    const c = state.views.linkCluster[link];
    if (!this.placed.has(c)) kernels.placeProxy(c, dt);
    this.placed.add(c);
    return state.views.proxyFrame.subarray(20 * c, 20 * c + 20);
  }

  /** A point relative to the centre of the link's cluster at rest. */
  private toRest(p: Point, link: number): Point {
    const { memberStart, memberParticle, member, linkCluster } = this.world.state.views;
    const g = this.frameOf(link);
    const d = [0, 1, 2].map((a) => p[a] - g[12 + a]);
    const k = memberStart[linkCluster[link]];
    const first = 3 * (memberParticle[k] - this.body.rows.particleStart);
    return [0, 1, 2].map((a) => {
      const centre = this.body.restPositions[first + a] - member[4 * k + a];
      return centre + g[a] * d[0] + g[4 + a] * d[1] + g[8 + a] * d[2];
    }) as Point;
  }

  /** Distance below the surface of the rest shape; negative above it. */
  private depth(rest: Point): number {
    const q = this.unplace(rest);
    const distance = this.solid.distance(...q);
    return (this.solid.inside(...q) ? distance : -distance) * Math.min(this.scale(0), this.scale(1), this.scale(2));
  }

  /** Maps from the rest shape in the world to the shape of the description. */
  private unplace(rest: Point): Point {
    const { position = [0, 0, 0], rotation = [0, 0, 0, 1] } = this.options;
    const length = Math.hypot(...rotation);
    const [x, y, z, w] = rotation.map((c) => c / length);
    const d = rest.map((value, a) => value - position[a]);
    // Inverse rotation: d + 2 u × (u × d − w d).
    const u = [x, y, z];
    const t = cross(u, d).map((value, a) => value - w * d[a]);
    return cross(u, t).map((value, a) => (d[a] + 2 * value) / this.scale(a)) as Point;
  }

  /** The point of the surface above particle i, mapped by its cluster; the particle itself if it is deep inside. */
  private aboveSurface(i: number, p: Point): Point {
    const rest = Array.from(this.body.restPositions.subarray(3 * i, 3 * i + 3)) as Point;
    const height = this.depth(rest);
    if (height > this.spacing) return p;
    const step = 1e-3 * this.spacing;
    const gradient = [0, 1, 2].map((a) => {
      const [ahead, back] = [1, -1].map((sign) => rest.map((v, k) => (k === a ? v + sign * step : v)) as Point);
      return (this.depth(back) - this.depth(ahead)) / (2 * step);
    });
    return this.fromRest(
      gradient.map((g) => g * height),
      p,
      this.frameOf(this.mostCentral(i)),
    );
  }

  /** p + F d, solved from F⁻¹ (Cramer). */
  private fromRest(d: number[], p: Point, g: Float32Array): Point {
    const columns = [0, 4, 8].map((o) => Array.from(g.subarray(o, o + 3)));
    const det = dot(columns[0], cross(columns[1], columns[2]));
    return p.map((value, a) => value + dot(d, cross(columns[(a + 1) % 3], columns[(a + 2) % 3])) / det) as Point;
  }
}

const dot = (a: readonly number[], b: readonly number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: readonly number[], b: readonly number[]) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
