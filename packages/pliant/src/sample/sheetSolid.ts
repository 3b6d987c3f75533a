import { refuse, type Vec3 } from '../check.js';
import { boundsOf, diagonalOf, type MeshData } from '../mesh/checkMesh.js';
import { closestPoint, newClosestPoint } from '../mesh/closestPoint.js';
import { buildSurface } from '../mesh/surface.js';
import { areaOf, evenShares, expectLayer, hemLength, sampleLayer, type Triangles } from './layer.js';
import type { MeshSolid } from './meshSolid.js';
import type { Middle } from './middle.js';
import type { SignedSolid } from './primitives.js';

/** A flat sheet in the xz plane about the origin. Its hem is round and goes half a thickness beyond `size`; the volume is that of the sheet itself. */
export function sheet(width: number, depth: number, thickness: number): SignedSolid & { middle: Middle } {
  const [hx, hz, half] = [width / 2, depth / 2, thickness / 2];
  const signed = (x: number, y: number, z: number) => {
    const [dx, dz] = [Math.max(0, Math.abs(x) - hx), Math.max(0, Math.abs(z) - hz)];
    return Math.sqrt(dx * dx + y * y + dz * dz) - half;
  };
  const flat: Triangles = {
    positions: Float64Array.of(-hx, 0, -hz, hx, 0, -hz, hx, 0, hz, -hx, 0, hz),
    indices: Uint32Array.of(0, 2, 1, 0, 3, 2),
  };
  return {
    min: [-hx - half, -half, -hz - half],
    max: [hx + half, half, hz + half],
    inside: (x, y, z) => signed(x, y, z) <= 0,
    signed,
    volume: width * depth * thickness,
    middle: {
      ...middleOf(flat, thickness),
      hasGrid: true,
      sample: (spacing, seed, method) =>
        method === 'grid' ? lattice(width, depth, spacing) : sampleLayer(flat, spacing, seed),
    },
  };
}

/** The sheet of a given thickness whose middle is an open mesh: all within half a thickness of it. */
export function meshSheet(mesh: MeshData, thickness: number, path: string, thicknessPath: string): MeshSolid {
  const surface = buildSurface(mesh, path);
  if (!surface.orientation.open)
    refuse(
      thicknessPath,
      thickness,
      `nothing for a closed mesh, whose inside is filled: sampling.shell makes it hollow`,
    );
  const bounds = boundsOf(surface.positions);
  const half = thickness / 2;
  const hit = newClosestPoint();
  const to = (x: number, y: number, z: number, limit?: number) =>
    closestPoint(surface.bvh, x, y, z, hit, limit === undefined ? undefined : limit + half).distance - half;
  const middle = middleOf(surface, thickness);
  return {
    min: [bounds[0] - half, bounds[1] - half, bounds[2] - half] as Vec3,
    max: [bounds[3] + half, bounds[4] + half, bounds[5] + half] as Vec3,
    inside: (x, y, z) => to(x, y, z, half) <= 0,
    distance: (x, y, z, limit) => Math.abs(to(x, y, z, limit)),
    volume: thickness * areaOfAll(surface),
    surface,
    warnings: [],
    middle,
  };
}

function middleOf(surface: Triangles, thickness: number): Middle {
  const [area, hem] = [areaOfAll(surface), hemLength(surface)];
  return {
    kind: 'sheet',
    from: thickness,
    to: Math.max(thickness, diagonalOf(boundsOf(surface.positions))),
    half: thickness / 2,
    hasGrid: false,
    expect: (spacing) => expectLayer(area, hem, spacing),
    sample: (spacing, seed) => sampleLayer(surface, spacing, seed),
  };
}

function areaOfAll({ positions, indices }: Triangles): number {
  let sum = 0;
  for (let t = 0; 3 * t < indices.length; t++) sum += areaOf(positions, indices, t);
  return sum;
}

/** A square lattice whose outermost rows lie on the hem. */
function lattice(width: number, depth: number, spacing: number) {
  const [nx, nz] = [width, depth].map((side) => Math.max(1, Math.round(side / spacing)));
  const positions = new Float64Array(3 * (nx + 1) * (nz + 1));
  for (let k = 0, o = 0; k <= nz; k++)
    for (let i = 0; i <= nx; i++, o += 3) {
      positions[o] = (i / nx - 0.5) * width;
      positions[o + 2] = (k / nz - 0.5) * depth;
    }
  const isHem = (n: number) => {
    const [i, k] = [n % (nx + 1), Math.floor(n / (nx + 1))];
    return i === 0 || k === 0 || i === nx || k === nz;
  };
  return { positions, shares: evenShares(positions.length / 3, isHem) };
}
