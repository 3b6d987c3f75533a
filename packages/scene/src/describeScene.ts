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

/** Checks a scene file in Pliant's own format and reads all files that it names. */
export async function describeScene(data: object, path: string, read: Read): Promise<SceneDescription> {
  const file = validate(sceneSchema, data, path);
  refuseCrowd(file, path);
  const warnings: string[] = [];
  const bodies: BodyDescription[] = [];
  for (const k of file.bodies.keys()) bodies.push(...(await describeBody(file, k, path, read, warnings)));
  const names = bodies.map((body) => body.options.name);
  names.forEach((name, k) => {
    if (names.indexOf(name) < k)
      throw new PliantError(
        `${bodies[k].field}.name`,
        `${path}: ${bodies[k].field}.name is ${show(name)}, like ${bodies[names.indexOf(name)].field}; expected a name of its own.`,
      );
  });
  return {
    path,
    format: 'pliant',
    title: file.title ?? stemOf(path),
    description: file.description ?? '',
    gravity: file.gravity ?? WORLD_DEFAULTS.gravity,
    dt: file.dt ?? WORLD_DEFAULTS.dt,
    substeps: file.substeps ?? WORLD_DEFAULTS.substeps,
    maxSubsteps: file.maxSubsteps ?? WORLD_DEFAULTS.maxSubsteps,
    frames: file.frames ?? DEFAULT_FRAMES,
    bodies,
    actors: [...describeClamps(file, names, path), ...(await describeColliders(file, path, read, warnings))],
    forceFields: describeForceFields(file, names, path),
    cuts: describeCuts(file, names, path),
    cameras: describeCameras(file),
    warnings,
  };
}

function refuseCrowd(file: SceneFile, path: string): void {
  const { clamps, colliders, forceFields, cuts, cameras } = file;
  const bodies = file.bodies.reduce((sum, { copies }) => sum + 1 + (copies?.length ?? 0), 0);
  const counts = Object.entries({ clamps, colliders, forceFields, cuts, cameras }).map(
    ([field, list]) => [field, list?.length ?? 0] as const,
  );
  for (const [field, count] of [['bodies', bodies] as const, ...counts])
    if (count > MOST_THINGS)
      throw new PliantError(
        field,
        `${path}: ${field} are ${count}${field === 'bodies' ? ' with their copies' : ''}; expected at most ${MOST_THINGS}.`,
      );
}

function describeClamps(file: SceneFile, names: readonly string[], path: string): ActorDescription[] {
  return (file.clamps ?? []).map(({ name, bodies, ...options }, k) => {
    checkBodies(bodies, names, path, `clamps[${k}]`);
    return { kind: 'clamp', field: `clamps[${k}]`, name, bodies, options };
  });
}

function describeForceFields(file: SceneFile, names: readonly string[], path: string): ForceFieldDescription[] {
  return (file.forceFields ?? []).map(({ name, bodies, ...options }, k) => {
    checkBodies(bodies, names, path, `forceFields[${k}]`);
    return { field: `forceFields[${k}]`, name, bodies, options };
  });
}

function describeCuts(file: SceneFile, names: readonly string[], path: string): CutDescription[] {
  const cuts = (file.cuts ?? []).map((cut, k) => {
    const field = `cuts[${k}]`;
    if (cut.body !== undefined && !names.includes(cut.body)) refuseName(path, `${field}.body`, cut.body, 'body', names);
    const options = 'plane' in cut ? cut.plane : { blade: cut.blade };
    try {
      checkCut(options, field);
    } catch (error) {
      if (!(error instanceof PliantError)) throw error;
      throw new PliantError(error.field, `${path}: ${error.message}`);
    }
    return { field, at: cut.at, body: cut.body, options };
  });
  return cuts.sort((a, b) => a.at - b.at);
}

function checkBodies(
  bodies: readonly string[] | undefined,
  names: readonly string[],
  path: string,
  field: string,
): void {
  const known = new Set(names);
  bodies?.forEach((body, b) => {
    if (!known.has(body)) refuseName(path, `${field}.bodies[${b}]`, body, 'body', names);
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
