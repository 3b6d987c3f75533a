import type { BodyOptions, ShapeOptions } from 'pliant';
import { PliantError } from 'pliant';
import { parseClusterFile } from './clusterFile.js';
import { describeMaterial } from './describeMaterial.js';
import type { BodyDescription } from './description.js';
import type { MeshFile } from './files/meshFile.js';
import { parseParticles } from './files/particles.js';
import { folderOf, resolvePath } from './paths.js';
import { quaternion } from './quaternion.js';
import { type Read, readFirst } from './readFile.js';
import { readSurface } from './readSurface.js';
import type { ShapeFile } from './schema/geometry.js';
import type { BodyFile, CopyFile, MaterialFile, SceneFile } from './schema/scene.js';
import { refuseName } from './validate.js';

/** The geometry of a body as the engine takes it, and the mesh with its colours if there is one. */
export interface Geometry {
  options: Pick<BodyOptions, 'mesh' | 'shape' | 'points'>;
  mesh?: MeshFile;
  source?: string;
}

/** Reads the files of the scene's k-th body. Returns the body and its copies. */
export async function describeBody(
  scene: SceneFile,
  k: number,
  path: string,
  read: Read,
  warnings: string[],
): Promise<BodyDescription[]> {
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
    copies,
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
  );
  const clusters = await readClusters(body, path, field, read);
  const first: BodyDescription = {
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
  return [first, ...(copies ?? []).map((copy, c) => copyOf(first, copy, c))];
}

function copyOf(body: BodyDescription, { name, rotation, ...start }: CopyFile, c: number): BodyDescription {
  const { options } = body;
  return {
    ...body,
    field: `${body.field}.copies[${c}]`,
    options: {
      ...options,
      ...start,
      ...(rotation ? { rotation: quaternion(rotation) } : {}),
      name: name ?? `${options.name} ${c + 2}`,
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
  if (geometry.type !== 'mesh' && geometry.type !== 'particles') return { options: { shape: describeShape(geometry) } };
  if (geometry.type === 'mesh') {
    const { mesh, source } = await readSurface(geometry.file, path, field, read, warnings);
    const { positions, indices, uvs, colours } = mesh;
    return {
      options: { mesh: { positions, indices, ...(uvs && { uvs }), ...(colours && { colours }) } },
      mesh,
      source,
    };
  }
  const at = resolvePath(folderOf(path), geometry.file);
  const { bytes, path: file } = await readFirst(read, [at], `${path}: ${field}.file`, 'particles');
  const particles = parseParticles(bytes, file);
  warnings.push(...particles.warnings);
  return { options: { points: particles.positions }, source: file };
}

/** The engine takes rotations as quaternions. */
function describeShape({ rotation, ...shape }: ShapeFile): ShapeOptions {
  const parts = 'of' in shape ? { of: shape.of.map(describeShape) } : {};
  return { ...shape, ...parts, ...(rotation ? { rotation: quaternion(rotation) } : {}) } as ShapeOptions;
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
  const at = resolvePath(folderOf(path), clusters.file);
  const { bytes, path: file } = await readFirst(read, [at], `${path}: ${field}.clusters.file`, 'clusters');
  return parseClusterFile(bytes, file);
}
