import { readMesh } from '@pliant/scene';
import { meshSolid, PliantError, type Solid } from 'pliant';
import type { MeshFacts } from './meshFacts.js';

/** Flatness of a sheet: of a flat one it is 1, of half a pipe 0.64, of half a ball 0.5, of a box without a lid 0.2, of what is closed 0. */
const SHEET = 0.6;

/** Length of the sum of all triangles' areas as vectors, by the sum of their lengths. */
function flatness({ positions: x, indices }: { positions: Float64Array; indices: Uint32Array }): number {
  const sum = [0, 0, 0];
  let total = 0;
  for (let k = 0; k < indices.length; k += 3) {
    const [a, b, c] = [3 * indices[k], 3 * indices[k + 1], 3 * indices[k + 2]];
    const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
    const [vx, vy, vz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
    const [nx, ny, nz] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    sum[0] += nx;
    sum[1] += ny;
    sum[2] += nz;
    total += Math.hypot(nx, ny, nz);
  }
  return Math.hypot(...sum) / total;
}

/** Share of its box that an open mesh must enclose, and points per axis where it is asked. */
const LEAST = 0.002;
const POINTS = 24;

function shareInside({ min, max, inside }: Solid): number {
  let found = 0;
  const at = (axis: 0 | 1 | 2, k: number) => min[axis] + ((k + 0.5) / POINTS) * (max[axis] - min[axis]);
  for (let i = 0; i < POINTS; i++)
    for (let j = 0; j < POINTS; j++) for (let k = 0; k < POINTS; k++) if (inside(at(0, i), at(1, j), at(2, k))) found++;
  return found / POINTS ** 3;
}

/** Triangles beyond which building takes minutes. */
const MOST = 2e6;

const count = (n: number, what: string) => `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;

/** Reads a mesh and looks whether a body can be made of it. @throws an error whose message is a sentence for the person. */
export async function inspect(name: string, bytes: Uint8Array): Promise<MeshFacts> {
  const mesh = await readMesh(bytes, name);
  if (mesh.kind === 'points')
    throw new PliantError(name, `${name} has points and no triangles: a body needs a closed surface.`);
  const triangles = mesh.indices.length / 3;
  if (triangles > MOST)
    throw new PliantError(
      name,
      `${name} has ${count(triangles, 'triangle')}, too many to run here: up to ${MOST.toLocaleString('en')} work. Reduce it first (in Blender: Decimate).`,
    );
  const solid = meshSolid(mesh, name);
  const { min, max, surface } = solid;
  const { open, boundaryEdges, nonManifoldEdges, twistedEdges } = surface.orientation;
  // A sheet has no inside, and filling it with particles would take for ever.
  if (open && (flatness(surface) > SHEET || shareInside(solid) < LEAST))
    throw new PliantError(
      name,
      `${name} is an open sheet that encloses nothing: a body needs a closed surface (in Blender: Solidify gives a sheet a thickness).`,
    );
  const why = [
    ...(boundaryEdges > 0 ? [`${count(boundaryEdges, 'edge')} with a triangle on one side only`] : []),
    ...(nonManifoldEdges > 0 ? [`${count(nonManifoldEdges, 'edge')} with more than two triangles`] : []),
    ...(twistedEdges > 0 ? [`${count(twistedEdges, 'edge')} where front meets back`] : []),
  ];
  const note = `${name} is not closed (${why.join(', ')}). What is inside was guessed; where the body looks wrong, close the mesh (in Blender: Fill Holes, or Remesh).`;
  return { min: [...min], max: [...max], triangles, warnings: [...mesh.warnings, ...(open ? [note] : [])] };
}
