import type { BodyOptions, BuiltBody, ShapeOptions } from 'pliant';
import { loadBody, PliantError } from 'pliant';
import { parseClusterFile } from './clusterFile.js';
import { describeMaterial } from './describeMaterial.js';
import type { BodyDescription } from './description.js';
import type { SourceMaterials } from './files/gltfMaterials.js';
import type { MeshFile } from './files/meshFile.js';
import { parseParticles } from './files/particles.js';
import { lookOf } from './looks.js';
import { folderOf, resolvePath } from './paths.js';
import { quaternion } from './quaternion.js';
import { type Read, readFirst } from './readFile.js';
import { readSurface } from './readSurface.js';
import type { ShapeFile } from './schema/geometry.js';
import type { BodyFile, CopyFile, MaterialFile, SceneFile } from './schema/scene.js';
import { show } from './show.js';
import { refuseName } from './validate.js';

/** The geometry of a body as the engine takes it, and the mesh with its colours if there is one. */
export interface Geometry {
  options: Pick<BodyOptions, 'mesh' | 'thickness' | 'shape' | 'points'>;
  mesh?: MeshFile;
  source?: string;
  materials?: SourceMaterials;
}

/**
 * Reads the files of the scene's k-th body. Returns the body and its copies. `materials`: whether to read those of mesh
 * files.
 */
export async function describeBody(
  scene: SceneFile,
  k: number,
  scenePath: string,
  read: Read,
  warnings: string[],
  materials = false,
): Promise<BodyDescription[]> {
  const body = scene.bodies[k];
  const path = `bodies[${k}]`;
  const {
    name = `body ${k + 1}`,
    sampling,
    clustering,
    rotation,
    geometry: _,
    material: __,
    clusters: ___,
    look,
    colour,
    copies,
    ...placement
  } = body;
  if (body.geometry.type === 'asset') return describeAsset(body, body.geometry.file, name, scenePath, path, read);
  const geometry = await readGeometry(body, scenePath, `${path}.geometry`, read, warnings, materials);
  if (!geometry.options.points && !sampling)
    throw new PliantError(
      `${path}.sampling`,
      `${scenePath}: ${path}.sampling is missing; expected { spacing } or { count } for a ${body.geometry.type}.`,
    );
  const materialFile = materialOf(scene, body, scenePath, path);
  const material = await describeMaterial(materialFile, geometry, scenePath, `${path}.material`, read);
  const clusters = await readClusters(body, scenePath, path, read);
  const first: BodyDescription = {
    path,
    source: geometry.source,
    ...(geometry.materials && { materials: geometry.materials, groups: geometry.mesh!.groups }),
    look: lookOf(look, materialFile.preset, colour),
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

/** Fields that an asset has in itself. */
const BUILT_IN = [
  'sampling',
  'material',
  'clustering',
  'clusters',
  'levels',
  'contact',
  'fracture',
  'reclustering',
  'scale',
] as const;

/** A body that is built already: the scene says where it is, not what. */
async function describeAsset(
  body: BodyFile,
  file: string,
  name: string,
  scenePath: string,
  path: string,
  read: Read,
): Promise<BodyDescription[]> {
  for (const key of BUILT_IN)
    if (body[key] !== undefined)
      throw new PliantError(
        `${path}.${key}`,
        `${scenePath}: ${path}.${key} is ${show(body[key])}; expected nothing beside an asset, which has its own.`,
      );
  const at = resolvePath(folderOf(scenePath), file);
  const { bytes, path: source } = await readFirst(read, [at], `${scenePath}: ${path}.geometry.file`, 'asset');
  const { rotation, geometry: _, copies, name: __, look, colour, ...start } = body;
  const first: BodyDescription = {
    path,
    source,
    look: lookOf(look, undefined, colour),
    built: parseAsset(bytes, source),
    options: { ...(start as BodyOptions), ...(rotation ? { rotation: quaternion(rotation) } : {}), name },
  };
  return [first, ...(copies ?? []).map((copy, c) => copyOf(first, copy, c))];
}

function parseAsset(bytes: Uint8Array, file: string): BuiltBody {
  try {
    return loadBody(bytes);
  } catch (error) {
    if (!(error instanceof PliantError)) throw error;
    throw new PliantError(error.path, `${file}: ${error.message}`, error.code);
  }
}

function copyOf(
  body: BodyDescription,
  { name, rotation, look, colour, ...start }: CopyFile,
  c: number,
): BodyDescription {
  const { options } = body;
  return {
    ...body,
    path: `${body.path}.copies[${c}]`,
    look: { ...body.look!, ...(look && { look }), ...(colour && { colour }) },
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
  scenePath: string,
  path: string,
  read: Read,
  warnings: string[],
  materials: boolean,
): Promise<Geometry> {
  const { geometry } = body;
  if (geometry.type === 'points') return { options: { points: geometry.points.flat() } };
  if (geometry.type !== 'mesh' && geometry.type !== 'particles')
    return { options: { shape: describeShape(geometry as ShapeFile) } };
  if (geometry.type === 'mesh') {
    const surface = await readSurface(geometry.file, scenePath, path, read, warnings, materials);
    const { positions, indices, uvs, colours } = surface.mesh;
    return {
      options: {
        mesh: { positions, indices, ...(uvs && { uvs }), ...(colours && { colours }) },
        ...(geometry.thickness !== undefined && { thickness: geometry.thickness }),
      },
      ...surface,
    };
  }
  const at = resolvePath(folderOf(scenePath), geometry.file);
  const { bytes, path: file } = await readFirst(read, [at], `${scenePath}: ${path}.file`, 'particles');
  const particles = parseParticles(bytes, file);
  warnings.push(...particles.warnings);
  return { options: { points: particles.positions }, source: file };
}

/** The engine takes rotations as quaternions. */
function describeShape({ rotation, ...shape }: ShapeFile): ShapeOptions {
  const parts = 'of' in shape ? { of: shape.of.map(describeShape) } : {};
  return { ...shape, ...parts, ...(rotation ? { rotation: quaternion(rotation) } : {}) } as ShapeOptions;
}

function materialOf(scene: SceneFile, { material }: BodyFile, scenePath: string, path: string): MaterialFile {
  if (typeof material !== 'string') return material ?? {};
  const materials = scene.materials ?? {};
  if (!Object.hasOwn(materials, material))
    refuseName(scenePath, `${path}.material`, material, 'material', Object.keys(materials));
  return materials[material];
}

async function readClusters(
  { clusters }: BodyFile,
  scenePath: string,
  path: string,
  read: Read,
): Promise<BodyOptions['clusters']> {
  if (clusters === undefined || Array.isArray(clusters)) return clusters;
  const at = resolvePath(folderOf(scenePath), clusters.file);
  const { bytes, path: file } = await readFirst(read, [at], `${scenePath}: ${path}.clusters.file`, 'clusters');
  return parseClusterFile(bytes, file);
}
