import { checkCut, PliantError, WORLD_DEFAULTS } from 'pliant';
import { describeBody } from './describeBody.js';
import { describeColliders } from './describeColliders.js';
import {
  type ActorDescription,
  type BodyDescription,
  type Camera,
  type CutDescription,
  DEFAULT_FRAMES,
  type ForceFieldDescription,
  type PickDescription,
  type SceneDescription,
} from './description.js';
import { stemOf } from './paths.js';
import type { Read } from './readFile.js';
import { type SceneFile, sceneSchema } from './schema/scene.js';
import { show } from './show.js';
import { refuseName, validate } from './validate.js';

/** Default vertical angle of view of a camera (degrees). */
const DEFAULT_FOV = 40;

/**
 * Largest number of bodies with their copies, and of things of each other kind, in a scene: each is compared with all
 * others.
 */
const MOST_THINGS = 10_000;

/** Checks a scene file in Pliant's own format and reads all files that it names. `materials`: of mesh files, their materials too. */
export async function describeScene(
  data: object,
  scenePath: string,
  read: Read,
  materials = false,
): Promise<SceneDescription> {
  const file = validate(sceneSchema, data, scenePath);
  refuseCrowd(file, scenePath);
  const warnings: string[] = [];
  const bodies: BodyDescription[] = [];
  for (const k of file.bodies.keys())
    bodies.push(...(await describeBody(file, k, scenePath, read, warnings, materials)));
  const names = bodies.map((body) => body.options.name);
  names.forEach((name, k) => {
    if (names.indexOf(name) < k)
      throw new PliantError(
        `${bodies[k].path}.name`,
        `${scenePath}: ${bodies[k].path}.name is ${show(name)}, like ${bodies[names.indexOf(name)].path}; expected a name of its own.`,
      );
  });
  return {
    path: scenePath,
    format: 'pliant',
    title: file.title ?? stemOf(scenePath),
    description: file.description ?? '',
    gravity: file.gravity ?? WORLD_DEFAULTS.gravity,
    dt: file.dt ?? WORLD_DEFAULTS.dt,
    substeps: file.substeps ?? WORLD_DEFAULTS.substeps,
    maxSubsteps: file.maxSubsteps ?? WORLD_DEFAULTS.maxSubsteps,
    frames: file.frames ?? DEFAULT_FRAMES,
    bodies,
    actors: [...describeClamps(file, names, scenePath), ...(await describeColliders(file, scenePath, read, warnings))],
    forceFields: describeForceFields(file, names, scenePath),
    picks: describePicks(file, names, scenePath),
    cuts: describeCuts(file, names, scenePath),
    cameras: describeCameras(file),
    warnings,
  };
}

function refuseCrowd(file: SceneFile, scenePath: string): void {
  const { clamps, colliders, forceFields, picks, cuts, cameras } = file;
  const bodies = file.bodies.reduce((sum, { copies }) => sum + 1 + (copies?.length ?? 0), 0);
  const counts = Object.entries({ clamps, colliders, forceFields, picks, cuts, cameras }).map(
    ([path, list]) => [path, list?.length ?? 0] as const,
  );
  for (const [path, count] of [['bodies', bodies] as const, ...counts])
    if (count > MOST_THINGS)
      throw new PliantError(
        path,
        `${scenePath}: ${path} are ${count}${path === 'bodies' ? ' with their copies' : ''}; expected at most ${MOST_THINGS}.`,
      );
}

function describeClamps(file: SceneFile, names: readonly string[], scenePath: string): ActorDescription[] {
  return (file.clamps ?? []).map(({ name, bodies, ...options }, k) => {
    checkBodies(bodies, names, scenePath, `clamps[${k}]`);
    return { kind: 'clamp', path: `clamps[${k}]`, name, bodies, options };
  });
}

function describeForceFields(file: SceneFile, names: readonly string[], scenePath: string): ForceFieldDescription[] {
  return (file.forceFields ?? []).map(({ name, bodies, ...options }, k) => {
    checkBodies(bodies, names, scenePath, `forceFields[${k}]`);
    return { path: `forceFields[${k}]`, name, bodies, options };
  });
}

function describePicks(file: SceneFile, names: readonly string[], scenePath: string): PickDescription[] {
  return (file.picks ?? []).map(({ name, body = names[0], ...options }, k) => {
    if (!names.includes(body)) refuseName(scenePath, `picks[${k}].body`, body, 'body', names);
    return { path: `picks[${k}]`, name, body, options };
  });
}

function describeCuts(file: SceneFile, names: readonly string[], scenePath: string): CutDescription[] {
  const cuts = (file.cuts ?? []).map((cut, k) => {
    const path = `cuts[${k}]`;
    if (cut.body !== undefined && !names.includes(cut.body))
      refuseName(scenePath, `${path}.body`, cut.body, 'body', names);
    const options = 'plane' in cut ? cut.plane : { blade: cut.blade };
    try {
      checkCut(options, path);
    } catch (error) {
      if (!(error instanceof PliantError)) throw error;
      throw new PliantError(error.path, `${scenePath}: ${error.message}`);
    }
    return { path, at: cut.at, body: cut.body, options };
  });
  return cuts.sort((a, b) => a.at - b.at);
}

function checkBodies(
  bodies: readonly string[] | undefined,
  names: readonly string[],
  scenePath: string,
  path: string,
): void {
  const known = new Set(names);
  bodies?.forEach((body, b) => {
    if (!known.has(body)) refuseName(scenePath, `${path}.bodies[${b}]`, body, 'body', names);
  });
}

function describeCameras(file: SceneFile): Camera[] {
  return (file.cameras ?? []).map(({ name, position, target, fov }, k) => ({
    name: name ?? `camera ${k + 1}`,
    position,
    target,
    fov: fov ?? DEFAULT_FOV,
  }));
}
