import { readMesh } from '@pliant/scene';
import { isSheet, meshSolid, PliantError } from 'pliant';
import type { MeshFacts } from './meshFacts.js';

/** Triangles beyond which building takes minutes. */
const MOST = 2e6;

const count = (n: number, what: string) => `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;

/**
 * Reads a mesh and checks whether a body can be made of it. @throws an error whose message is a sentence for the user.
 */
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
  if (isSheet(solid))
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
