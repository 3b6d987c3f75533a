import { checkNumber, checkVec3, refuse, type Vec3 } from '../check.js';
import { checkPlace } from '../limits.js';
import { cbrt, hypot } from '../math/elementary.js';
import type { MeshData } from '../mesh/index.js';
import type { DistanceField } from '../proxy/field.js';
import type { ParticleSurface } from '../proxy/outward.js';
import type { BodyData } from '../topology/editRows.js';
import { checkScale } from './magnitudes.js';
import type { BodyOptions } from './options.js';
import type { Particles } from './particles.js';

/** The map that places the rest shape in the world. */
export interface Placement {
  scale: Vec3;
  /** Factor on volumes and, on average, on cubed distances. */
  volumeFactor: number;
  apply(positions: Float64Array): Float64Array;
  /** Maps normals as those of planes, and heights above these planes. */
  applyToSurface(particleSurface: ParticleSurface): ParticleSurface;
  /** Scales distances, and gives the map from placed coordinates to nodes: three columns, then the shift. */
  applyToField(grid: DistanceField): NonNullable<BodyData['field']>;
}

export function placeParticles(particles: Particles, { volumeFactor, apply, applyToSurface }: Placement): Particles {
  return {
    ...particles,
    positions: apply(particles.positions),
    particleSurface: applyToSurface(particles.particleSurface),
    volume: particles.volume && particles.volume * volumeFactor,
    spacing: particles.spacing && particles.spacing * cbrt(volumeFactor),
  };
}

/** The placed mesh of a body that meets others by its surface. */
export function placedMesh(path: string, { mesh, contact }: BodyOptions, place: Placement): MeshData {
  if (!mesh)
    refuse(`${path}.contact.mode`, contact?.mode, "'proxies' or 'none' for a body that is not made from a mesh");
  return { positions: place.apply(Float64Array.from(mesh.positions)), indices: mesh.indices };
}

/** Scale, rotation and position of the rest shape, as one affine map. */
export function placement(path: string, options: BodyOptions): Placement {
  const scale =
    typeof options.scale === 'object'
      ? checkVec3(`${path}.scale`, options.scale)
      : (new Array(3).fill(checkNumber(`${path}.scale`, options.scale ?? 1, { above: 0 })) as [number, number, number]);
  if (scale.some((s) => !(s > 0))) refuse(`${path}.scale`, scale, 'positive factors');
  checkScale(`${path}.scale`, scale);
  const position = checkPlace(`${path}.position`, checkVec3(`${path}.position`, options.position ?? [0, 0, 0]));
  const q = options.rotation ?? [0, 0, 0, 1];
  if (q.length !== 4 || !Array.from(q).every(Number.isFinite) || hypot(...q) < 1e-12)
    refuse(`${path}.rotation`, options.rotation, 'a quaternion x, y, z, w of non-zero length');
  const m = rotationMatrix(q);
  return {
    scale,
    volumeFactor: scale[0] * scale[1] * scale[2],
    apply(positions) {
      const out = new Float64Array(positions.length);
      const [sx, sy, sz] = scale;
      const [px, py, pz] = position;
      const [m0, m1, m2, m3, m4, m5, m6, m7, m8] = m;
      for (let i = 0; i < positions.length; i += 3) {
        const x = positions[i] * sx;
        const y = positions[i + 1] * sy;
        const z = positions[i + 2] * sz;
        out[i] = m0 * x + m3 * y + m6 * z + px;
        out[i + 1] = m1 * x + m4 * y + m7 * z + py;
        out[i + 2] = m2 * x + m5 * y + m8 * z + pz;
      }
      return out;
    },
    applyToField(grid) {
      // node = (S⁻¹ Rᵀ (x − position) − origin)/cell
      const toGrid = new Float64Array(12);
      for (let a = 0; a < 3; a++) {
        for (let j = 0; j < 3; j++) toGrid[3 * j + a] = m[3 * a + j] / (scale[a] * grid.cell[a]);
        toGrid[9 + a] = -grid.origin[a] / grid.cell[a];
        for (let j = 0; j < 3; j++) toGrid[9 + a] -= toGrid[3 * j + a] * position[j];
      }
      // If the scales differ the values are no distances. With the largest scale their slope is 1 or more: contact
      // ignores gradients that are shorter.
      const longer = Math.max(...scale);
      return { grid: longer === 1 ? grid : { ...grid, values: grid.values.map((d) => d * longer) }, toGrid };
    },
    applyToSurface({ normal, height }) {
      const placed: ParticleSurface = { normal: new Float64Array(normal.length), height: Float64Array.from(height) };
      const least = Math.min(...scale);
      for (let i = 0; i < height.length; i++) {
        const x = normal[3 * i] / scale[0];
        const y = normal[3 * i + 1] / scale[1];
        const z = normal[3 * i + 2] / scale[2];
        if (x === 0 && y === 0 && z === 0) {
          // Midway in a wall the direction is not known: the height is at least that times the smallest scale.
          placed.height[i] *= least;
          continue;
        }
        const length = hypot(x, y, z);
        for (let a = 0; a < 3; a++) placed.normal[3 * i + a] = (m[a] * x + m[3 + a] * y + m[6 + a] * z) / length;
        placed.height[i] = height[i] / length;
      }
      return placed;
    },
  };
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
