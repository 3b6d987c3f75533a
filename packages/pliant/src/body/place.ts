import { checkNumber, checkVec3, refuse, type Vec3 } from '../check.js';
import { checkPlace } from '../limits.js';
import { cbrt, hypot } from '../math/elementary.js';
import type { MeshData } from '../mesh/index.js';
import type { DistanceField } from '../proxy/field.js';
import type { ParticleSurface } from '../proxy/outward.js';
import { skinOfMesh } from '../skin/source.js';
import type { BodyData } from '../topology/editRows.js';
import { checkScale } from './magnitudes.js';
import type { BodyOptions } from './options.js';
import type { Particles } from './particles.js';

/** Where the rest shape is put in the world: turned about the origin, then moved. */
export interface Place {
  /** Where the rest shape is moved after the turn (m). */
  readonly position: Vec3;
  /** Turn about the origin: quaternion x, y, z, w of any length but 0. */
  readonly rotation: readonly [number, number, number, number];
}

export function resolveScale(path: string, { scale: given }: BodyOptions): Vec3 {
  const scale =
    typeof given === 'object'
      ? checkVec3(`${path}.scale`, given)
      : (new Array(3).fill(checkNumber(`${path}.scale`, given ?? 1, { above: 0 })) as [number, number, number]);
  if (scale.some((s) => !(s > 0))) refuse(`${path}.scale`, scale, 'positive factors');
  checkScale(`${path}.scale`, scale);
  return scale;
}

export function resolvePlace(path: string, options: Pick<BodyOptions, 'position' | 'rotation'>): Place {
  const position = checkPlace(`${path}.position`, checkVec3(`${path}.position`, options.position ?? [0, 0, 0]));
  const q = options.rotation ?? [0, 0, 0, 1];
  if (q.length !== 4 || !Array.from(q).every(Number.isFinite) || hypot(...q) < 1e-12)
    refuse(`${path}.rotation`, options.rotation, 'a quaternion x, y, z, w of non-zero length');
  return { position, rotation: [q[0], q[1], q[2], q[3]] };
}

/** The particles and all that is known of their surface, scaled. Volumes grow by the product of the factors. */
export function scaleParticles(particles: Particles, scale: Vec3): Particles {
  const factor = scale[0] * scale[1] * scale[2];
  const isScaled = scale.some((s) => s !== 1);
  return {
    ...particles,
    positions: scalePoints(particles.positions, scale),
    particleSurface: scaleSurface(particles.particleSurface, scale),
    grid: particles.grid && scaleField(particles.grid, scale),
    volume: particles.volume && particles.volume * factor,
    spacing: particles.spacing && particles.spacing * cbrt(factor),
    apart: isScaled ? undefined : particles.apart,
  };
}

export function scalePoints(points: ArrayLike<number>, [sx, sy, sz]: Vec3): Float64Array {
  if (sx === 1 && sy === 1 && sz === 1) return new Float64Array(points);
  const out = new Float64Array(points.length);
  for (let i = 0; i < points.length; i += 3) {
    out[i] = points[i] * sx;
    out[i + 1] = points[i + 1] * sy;
    out[i + 2] = points[i + 2] * sz;
  }
  return out;
}

/** Scales normals as those of planes, and heights above these planes. */
function scaleSurface({ normal, height }: ParticleSurface, scale: Vec3): ParticleSurface {
  const scaled: ParticleSurface = { normal: new Float64Array(normal.length), height: Float64Array.from(height) };
  const least = Math.min(...scale);
  for (let i = 0; i < height.length; i++) {
    const x = normal[3 * i] / scale[0];
    const y = normal[3 * i + 1] / scale[1];
    const z = normal[3 * i + 2] / scale[2];
    if (x === 0 && y === 0 && z === 0) {
      // Midway in a wall the direction is not known: the height is at least that times the smallest scale.
      scaled.height[i] *= least;
      continue;
    }
    const length = hypot(x, y, z);
    scaled.normal[3 * i] = x / length;
    scaled.normal[3 * i + 1] = y / length;
    scaled.normal[3 * i + 2] = z / length;
    scaled.height[i] = height[i] / length;
  }
  return scaled;
}

/**
 * Scales distances; the nodes stay where they are before the scale. If the scales differ the values are no distances. With
 * the largest scale their slope is 1 or more: contact ignores gradients that are shorter.
 */
function scaleField(grid: DistanceField, scale: Vec3): DistanceField {
  const longer = Math.max(...scale);
  return longer === 1 ? grid : { ...grid, values: grid.values.map((d) => d * longer) };
}

/** The mesh of a body that meets others by its surface, scaled. */
export function scaledMesh(path: string, { mesh, thickness, contact }: BodyOptions, scale: Vec3): MeshData {
  if (!mesh)
    refuse(`${path}.contact.mode`, contact?.mode, "'proxies' or 'none' for a body that is not made from a mesh");
  if (thickness !== undefined) {
    const { positions, indices } = skinOfMesh(mesh, Number.POSITIVE_INFINITY, thickness);
    return { positions: scalePoints(positions, scale), indices };
  }
  return { positions: scalePoints(mesh.positions, scale), indices: mesh.indices };
}

/** Rotation and position of a rest shape that is scaled already, as one affine map. */
export class Placement {
  private readonly m: readonly number[];
  /** Whether directions change, and whether places do. */
  readonly turns: boolean;
  readonly moves: boolean;

  constructor(private readonly place: Place) {
    this.m = rotationMatrix(place.rotation);
    this.turns = this.m.some((entry, k) => entry !== (k % 4 === 0 ? 1 : 0));
    this.moves = this.turns || place.position.some((shift) => shift !== 0);
  }

  /** Columns of the rotation, if directions change. */
  get turn(): Float64Array | undefined {
    return this.turns ? Float64Array.from(this.m) : undefined;
  }

  /** The points in the world: a new array. */
  points(points: Float64Array): Float64Array {
    return this.moves ? this.map(points, this.place.position) : points.slice();
  }

  /** Directions and offsets in the world, three numbers each: the same array if nothing turns. */
  directions(directions: Float64Array): Float64Array {
    return this.turns ? this.map(directions, [0, 0, 0]) : directions;
  }

  private map(points: Float64Array, [px, py, pz]: Vec3): Float64Array {
    const [m0, m1, m2, m3, m4, m5, m6, m7, m8] = this.m;
    const out = new Float64Array(points.length);
    for (let i = 0; i < points.length; i += 3) {
      const x = points[i];
      const y = points[i + 1];
      const z = points[i + 2];
      out[i] = m0 * x + m3 * y + m6 * z + px;
      out[i + 1] = m1 * x + m4 * y + m7 * z + py;
      out[i + 2] = m2 * x + m5 * y + m8 * z + pz;
    }
    return out;
  }

  /** R A Rᵀ of symmetric matrices, nine numbers each: the same array if nothing turns. */
  moments(matrices: Float64Array): Float64Array {
    if (!this.turns) return matrices;
    const { m } = this;
    const out = new Float64Array(matrices.length);
    const half = new Float64Array(9);
    for (let o = 0; o < matrices.length; o += 9) {
      for (let r = 0; r < 3; r++)
        for (let c = 0; c < 3; c++) {
          half[3 * c + r] = 0;
          for (let k = 0; k < 3; k++) half[3 * c + r] += m[3 * k + r] * matrices[o + 3 * c + k];
        }
      for (let r = 0; r < 3; r++)
        for (let c = 0; c < 3; c++) for (let k = 0; k < 3; k++) out[o + 3 * c + r] += half[3 * k + r] * m[3 * k + c];
    }
    return out;
  }

  /** The field with its map from the world to nodes: three columns, then the shift. */
  field(grid: DistanceField, scale: Vec3): NonNullable<BodyData['field']> {
    const { m } = this;
    const { position } = this.place;
    // node = (S⁻¹ Rᵀ (x − position) − origin)/cell
    const toGrid = new Float64Array(12);
    for (let a = 0; a < 3; a++) {
      for (let j = 0; j < 3; j++) toGrid[3 * j + a] = m[3 * a + j] / (scale[a] * grid.cell[a]);
      toGrid[9 + a] = -grid.origin[a] / grid.cell[a];
      for (let j = 0; j < 3; j++) toGrid[9 + a] -= toGrid[3 * j + a] * position[j];
    }
    return { grid, toGrid };
  }
}

/** Columns of the rotation of a quaternion of any length. */
function rotationMatrix(q: readonly [number, number, number, number]): number[] {
  const n = hypot(...q);
  const [x, y, z, w] = q.map((c) => c / n);
  return [
    1 - 2 * (y * y + z * z),
    2 * (x * y + z * w),
    2 * (x * z - y * w),
    2 * (x * y - z * w),
    1 - 2 * (x * x + z * z),
    2 * (y * z + x * w),
    2 * (x * z + y * w),
    2 * (y * z - x * w),
    1 - 2 * (x * x + y * y),
  ];
}
