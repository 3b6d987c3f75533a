import { basename, dirname, extname, join } from 'node:path';
import { MESH_EXTENSIONS, readFirst, readMesh } from '@pliant/scene';
import { loadSceneFile, readDisk } from '@pliant/scene/node';
import { type BodyOptions, type BuildWatch, type BuiltBody, buildBody, PliantError, saveBody } from 'pliant';
import type { Io } from './io.js';
import { warningLines } from './printable.js';
import { watchBuild } from './progress.js';
import { ResultFile } from './resultFile.js';

export interface BuildCommandOptions {
  out: string;
  variant?: string;
  body?: string;
  name?: string;
  count?: number;
  spacing?: number;
  method?: 'grid' | 'blue-noise';
  seed?: number;
  shell?: number;
  scale?: number;
  density?: number;
  young?: number;
  poisson?: number;
  yield?: number;
  toughness?: number;
  allowOutside?: boolean;
  quiet?: boolean;
}

/** Options that say what a mesh is made of; a scene says it itself. */
const OF_MESHES = [
  'name',
  'count',
  'spacing',
  'method',
  'seed',
  'shell',
  'scale',
  'density',
  'young',
  'poisson',
  'yield',
  'toughness',
] as const;

/** `pliant build`: fills a mesh, or takes a body of a scene, builds it and writes it as an asset that loads in milliseconds. */
export async function build(path: string, options: BuildCommandOptions, io: Io): Promise<void> {
  const isMesh = MESH_EXTENSIONS.includes(extname(path).toLowerCase());
  const warnings: string[] = [];
  const body = isMesh ? await meshBody(path, options, warnings) : await sceneBody(path, options, warnings);
  const file = new ResultFile(options.out, '--out');
  await file.open();
  let built: BuiltBody;
  try {
    built = isBuilt(body) ? body : buildBody(body, 'body', watchBody(io, options, body.name ?? ''));
    await file.write(saveBody(built));
  } catch (error) {
    await file.discard();
    if (error instanceof PliantError && !error.message.includes(path) && error.path.startsWith('body'))
      throw new PliantError(error.path, `${path}: ${error.message}`, error.code);
    throw error;
  }
  io.err(warningLines([...warnings, ...built.warnings]));
  if (options.quiet) return;
  const { clustering, data } = built;
  io.out(`${options.out}: ${data.masses.length} particles in ${clustering.count} clusters\n`);
}

const isBuilt = (body: BodyOptions | BuiltBody): body is BuiltBody => 'data' in body;

function watchBody(io: Io, { quiet = false }: BuildCommandOptions, name: string): BuildWatch {
  const { onProgress } = watchBuild(io, quiet) ?? {};
  return { onProgress: onProgress && ((progress) => onProgress({ ...progress, body: 0, bodies: 1, name })) };
}

async function meshBody(path: string, options: BuildCommandOptions, warnings: string[]): Promise<BodyOptions> {
  if (options.body !== undefined)
    throw new PliantError('--body', `--body is ${options.body}; expected nothing beside a mesh, which is one body.`);
  if (options.variant !== undefined)
    throw new PliantError(
      '--variant',
      `--variant is ${options.variant}; expected nothing beside a mesh, which has none.`,
    );
  if ((options.count === undefined) === (options.spacing === undefined))
    throw new PliantError('--count', `${path} is a mesh; expected one of --count and --spacing for its particles.`);
  const { bytes } = await readFirst(readDisk, [path], path, 'mesh');
  // As in a scene: files of a .gltf lie in its folder.
  const folder = dirname(path);
  const mesh = await readMesh(bytes, path, (uri) => readDisk(join(folder, uri), { kind: 'buffer', within: folder }));
  warnings.push(...mesh.warnings);
  if (mesh.kind === 'points')
    throw new PliantError('mesh', `${path} has points and no triangles; expected a closed mesh.`);
  const { positions, indices, uvs, colours } = mesh;
  const { name, count, spacing, method, seed, shell, scale, ...material } = options;
  const given = (values: object) =>
    Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  const { density, young, poisson, yield: limit, toughness } = material;
  return {
    name: name ?? basename(path, extname(path)),
    mesh: { positions, indices, ...given({ uvs, colours }) },
    sampling: given({ count, spacing, method, seed, shell }),
    material: given({ density, young, poisson, yield: limit, toughness }),
    ...given({ scale }),
  };
}

async function sceneBody(
  path: string,
  options: BuildCommandOptions,
  warnings: string[],
): Promise<BodyOptions | BuiltBody> {
  const extra = OF_MESHES.find((key) => options[key] !== undefined);
  if (extra)
    throw new PliantError(
      `--${extra}`,
      `--${extra} is ${options[extra]}; expected nothing beside a scene, which says it.`,
    );
  const scene = await loadSceneFile(path, { allowOutside: options.allowOutside, variant: options.variant });
  warnings.push(...scene.warnings);
  const names = scene.bodies.map(({ options }) => options.name);
  const wanted = options.body ?? (names.length === 1 ? names[0] : undefined);
  const found = scene.bodies.find(({ options }) => options.name === wanted);
  if (!found)
    throw new PliantError(
      '--body',
      `${wanted === undefined ? '--body is missing' : `--body is ${JSON.stringify(wanted)}`}; expected one of ${names.map((name) => JSON.stringify(name)).join(', ')}.`,
    );
  return found.built ?? found.options;
}
