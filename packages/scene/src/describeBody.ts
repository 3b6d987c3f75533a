import type { BodyOptions, ShapeOptions } from 'pliant';
import { PliantError } from 'pliant';
import { parseClusterFile } from './clusterFile.js';
import { describeMaterial } from './describeMaterial.js';
import type { BodyDescription } from './description.js';
import type { MeshFile } from './files/meshFile.js';
import { parseParticles } from './files/particles.js';
import { readMesh } from './files/readMesh.js';
import { folderOf, resolvePath } from './paths.js';
import { type Read, readFirst } from './readFile.js';
import type { BodyFile, MaterialFile, SceneFile } from './schema/scene.js';
import { refuseName } from './validate.js';

/** What a body is made from, as the engine takes it, and the mesh with its colours where there is one. */
export interface Geometry {
  options: Pick<BodyOptions, 'mesh' | 'shape' | 'points'>;
  mesh?: MeshFile;
  source?: string;
}

/** Reads the files of the scene's k-th body. */
export async function describeBody(
  scene: SceneFile,
  k: number,
  path: string,
  read: Read,
  warnings: string[],
): Promise<BodyDescription> {
  const body = scene.bodies[k];
  const field = `bodies[${k}]`;
  const {
    name = `body ${k + 1}`,
    sampling,
    clustering,
    rotation,
    geometry: _,
    material: __,
    clusters: ___,
    ...placement
  } = body;
  const geometry = await readGeometry(body, path, `${field}.geometry`, read, warnings);
  if (!geometry.options.points && !sampling)
    throw new PliantError(
      `${field}.sampling`,
      `${path}: ${field}.sampling is missing; expected { spacing } or { count } for a ${body.geometry.type}.`,
    );
  const material = await describeMaterial(
    materialOf(scene, body, path, field),
    geometry,
    path,
    `${field}.material`,
    read,
    warnings,
  );
  const clusters = await readClusters(body, path, field, read);
  return {
    field,
    source: geometry.source,
    options: {
      name,
      ...geometry.options,
      ...(sampling ? { sampling } : {}),
      material,
      ...(clustering ? { clustering } : {}),
      ...(clusters ? { clusters } : {}),
      ...(rotation ? { rotation: quaternion(rotation) } : {}),
      ...placement,
    },
  };
}

async function readGeometry(
  body: BodyFile,
  path: string,
  field: string,
  read: Read,
  warnings: string[],
): Promise<Geometry> {
  const { geometry } = body;
  if (geometry.type === 'points') return { options: { points: geometry.points.flat() } };
  if (geometry.type !== 'mesh' && geometry.type !== 'particles')
    return { options: { shape: geometry as ShapeOptions } };
  const file = resolvePath(folderOf(path), geometry.file);
  const { bytes } = await readFirst(read, [file], `${path}: ${field}.file`);
  if (geometry.type === 'particles') {
    const particles = parseParticles(bytes, file);
    warnings.push(...particles.warnings);
    return { options: { points: particles.positions }, source: file };
  }
  const mesh = await readMesh(bytes, file, (uri) => read(resolvePath(folderOf(file), uri)));
  warnings.push(...mesh.warnings);
  if (mesh.kind === 'points')
    throw new PliantError(
      field,
      `${path}: ${field}.file is ${JSON.stringify(geometry.file)}, which has points and no triangles; expected a closed mesh.`,
    );
  return { options: { mesh: { positions: mesh.positions, indices: mesh.indices } }, mesh, source: file };
}

function materialOf(scene: SceneFile, { material }: BodyFile, path: string, field: string): MaterialFile {
  if (typeof material !== 'string') return material ?? {};
  const materials = scene.materials ?? {};
  if (!Object.hasOwn(materials, material))
    refuseName(path, `${field}.material`, material, 'material', Object.keys(materials));
  return materials[material];
}

async function readClusters(
  { clusters }: BodyFile,
  path: string,
  field: string,
  read: Read,
): Promise<BodyOptions['clusters']> {
  if (clusters === undefined || Array.isArray(clusters)) return clusters;
  const file = resolvePath(folderOf(path), clusters.file);
  const { bytes } = await readFirst(read, [file], `${path}: ${field}.clusters.file`);
  return parseClusterFile(bytes, file);
}

function quaternion(rotation: NonNullable<BodyFile['rotation']>): [number, number, number, number] {
  if (Array.isArray(rotation)) return rotation;
  const { axis, degrees } = rotation;
  const half = (degrees * Math.PI) / 360;
  const scale = Math.sin(half) / Math.hypot(...axis);
  return [axis[0] * scale, axis[1] * scale, axis[2] * scale, Math.cos(half)];
}
