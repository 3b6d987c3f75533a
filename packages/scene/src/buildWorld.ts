import {
  type AddOptions,
  type Backend,
  type Body,
  type BodyOptions,
  type BuildProgress,
  type BuildWatch,
  type BuiltBody,
  buildBody,
  type Clamp,
  type Collider,
  type ExplicitCluster,
  type ForceField,
  heldInto,
  meshSolid,
  type Pick as PickHandle,
  PliantError,
  sample,
  shapeSolid,
  WORLD_DEFAULTS,
  World,
} from 'pliant';
import { splitClusters } from './clusterFile.js';
import { Cuts } from './cuts.js';
import type { ActorDescription, ForceFieldDescription, SceneDescription } from './description.js';
import { addOptions, sameBuild } from './sameBuild.js';

/** Options of `buildWorld`. */
export interface BuildOptions {
  /** Which implementation of the kernels to run. Default 'wasm'. */
  backend?: Backend;
  /** Threads that run steps, as in `World.create`. Default 'auto'. */
  threads?: number | 'auto';
  /** Seed of all sampling and clustering, instead of those of the scene. */
  seed?: number;
  /** Clusters for all bodies instead of computed ones, with particle numbers counted over the whole scene, and the file they came from, for messages. */
  clusters?: { list: readonly ExplicitCluster[]; file: string };
  /** 'none': bodies pass through each other and through themselves, whatever the scene says. Obstacles stay. */
  contact?: 'none';
  /** Reports the progress, and can cancel the build. */
  watch?: SceneWatch;
}

/** How far the build of a scene is. */
export interface SceneProgress extends BuildProgress {
  /** The body that is being built, counted from 0. */
  body: number;
  /** Number of bodies of the scene. */
  bodies: number;
  /** Name of the body that is being built. */
  name: string;
}

/** Watches and cancels the build of a scene, as BuildWatch does for one body. */
export interface SceneWatch extends Pick<BuildWatch, 'signal'> {
  /** Called several times a second. `done` is the share of the whole scene, and reaches 1 with its last body. */
  onProgress?: (progress: SceneProgress) => void;
}

/** The world that a scene describes, and its parts. */
export interface BuiltScene {
  /** The world. */
  world: World;
  /** The bodies, in the order of the file. */
  bodies: Body[];
  /** The clamps, by their path in the scene file: "clamps[0]". */
  clamps: Map<string, Clamp>;
  /** The colliders, by their path in the scene file: "colliders[0]". */
  colliders: Map<string, Collider>;
  /** The force fields, by their path in the scene file: "forceFields[0]". */
  forceFields: Map<string, ForceField>;
  /** The picks, by their path in the scene file: "picks[0]". */
  picks: Map<string, PickHandle>;
  /** The cuts of the scene; call `due()` before every step. */
  cuts: Cuts;
  /** Warnings of building, beyond those of the description. */
  warnings: string[];
  /** Remarks on how the clustering proceeded, if it was not straightforward. */
  notes: string[];
}

/** The scene while it is being built. */
type Building = Omit<BuiltScene, 'cuts'>;

/** Makes the world that a scene describes. If something is refused, nothing of it remains. */
export async function buildWorld(scene: SceneDescription, options: BuildOptions = {}): Promise<BuiltScene> {
  const { gravity, dt, substeps, maxSubsteps } = scene;
  const world = await within(scene.path, 'world', '', () =>
    World.create({
      gravity,
      dt,
      substeps,
      maxSubsteps,
      backend: options.backend ?? WORLD_DEFAULTS.backend,
      threads: options.threads ?? WORLD_DEFAULTS.threads,
      // The papers' program damps nothing and has no sleep.
      sleepSpeed: scene.format === 'research' ? 0 : WORLD_DEFAULTS.sleepSpeed,
    }),
  );
  const built: Building = {
    world,
    bodies: [],
    clamps: new Map(),
    colliders: new Map(),
    forceFields: new Map(),
    picks: new Map(),
    warnings: [],
    notes: [],
  };
  try {
    await addBodies(built, scene, options);
    for (const actor of scene.actors) await within(scene.path, actor.kind, actor.path, () => addActor(built, actor));
    if (scene.format === 'research') toughenAtClamps(world);
    for (const forceField of scene.forceFields)
      await within(scene.path, 'forceField', forceField.path, () => addForceField(built, forceField));
    for (const { path, body: name, options: pick } of scene.picks ?? [])
      await within(scene.path, 'pick', path, () => {
        const body = built.bodies.find((one) => one.name === name)!;
        built.picks.set(path, world.addPick({ ...pick, body }));
      });
  } catch (error) {
    world.dispose();
    throw error;
  }
  return { ...built, cuts: new Cuts(world, scene.cuts) };
}

/**
 * As the papers' program does, makes clusters that a clamp holds in part ten times as tough; otherwise they would break
 * at once.
 */
function toughenAtClamps(world: World): void {
  for (const body of world.bodies) {
    const held = new Uint8Array(body.particleCount);
    heldInto(held, world, body);
    if (!held.includes(1)) continue;
    const { start, particle } = body.clustering;
    const factors = new Float64Array(body.clusterCount).fill(1);
    for (let c = 0; c < factors.length; c++) {
      let count = 0;
      for (let k = start[c]; k < start[c + 1]; k++) count += held[particle[k]];
      if (count > 0 && count < start[c + 1] - start[c]) factors[c] = 10;
    }
    if (factors.includes(10)) body.scaleToughness(factors);
  }
}

async function addBodies(built: Building, scene: SceneDescription, options: BuildOptions): Promise<void> {
  const { clusters } = options;
  for (const { path, built: asset } of scene.bodies)
    if (asset && (clusters || options.contact))
      throw new PliantError(
        `${path}.geometry`,
        `${scene.path}: ${path}.geometry is an asset, which has its own clusters and contact; expected no others for it.`,
      );
  const all: BodyOptions[] = scene.bodies.map((body) =>
    body.built ? body.options : overridden(body.options, options),
  );
  if (clusters) {
    const bodies: { name: string; particles: number }[] = [];
    for (const [k, { path, options }] of scene.bodies.entries())
      bodies.push({
        name: options.name,
        particles: await within(scene.path, 'body', path, () => countParticles(all[k])),
      });
    const split = splitClusters(clusters.list, bodies, clusters.file);
    all.forEach((body, k) => {
      all[k] = { ...body, clusters: split[k], clustering: undefined };
    });
  }
  const builds: Build[] = [];
  for (const [k, { path, built: asset }] of scene.bodies.entries()) {
    const watch = watchBody(options.watch, k, scene.bodies.length, scene.bodies[k].options.name);
    const body = await within(scene.path, 'body', path, () =>
      asset ? addBuilt(built.world, asset, all[k] as AddOptions, watch) : addOnce(built.world, builds, all, k, watch),
    );
    built.bodies.push(body);
    // The engine lists the notes of the clustering among the body's warnings.
    const { notes } = body.clustering.report;
    for (const line of body.warnings) {
      const list = notes.some((note) => line.endsWith(note)) ? built.notes : built.warnings;
      list.push(line.replace(/^body\b/, path));
    }
  }
}

/** A body that was built for several of the scene. */
interface Build {
  options: BodyOptions;
  built: BuiltBody;
}

/** Adds the k-th body. One that is like another is built once: the result is the same to the bit. */
function addOnce(
  world: World,
  builds: Build[],
  all: readonly BodyOptions[],
  k: number,
  watch: BuildWatch | undefined,
): Body {
  const options = all[k];
  let build = builds.find((build) => sameBuild(build.options, options));
  if (build) watch?.onProgress?.({ stage: 'append', done: 0 });
  else {
    if (!all.some((other, n) => n > k && sameBuild(options, other))) return world.addBody(options, watch);
    build = { options, built: buildBody(options, 'body', watch) };
    builds.push(build);
  }
  return addBuilt(world, build.built, addOptions(options), watch);
}

function addBuilt(world: World, built: BuiltBody, options: AddOptions, watch: BuildWatch | undefined): Body {
  if (watch?.signal?.aborted) throw new PliantError('body', 'body was cancelled while it was built.', 'cancelled');
  const body = world.addBody(built, options);
  watch?.onProgress?.({ stage: 'append', done: 1 });
  return body;
}

function watchBody(watch: SceneWatch | undefined, body: number, bodies: number, name: string): BuildWatch | undefined {
  if (!watch) return undefined;
  const { signal, onProgress } = watch;
  return {
    signal,
    onProgress:
      onProgress && (({ stage, done }) => onProgress({ stage, done: (body + done) / bodies, body, bodies, name })),
  };
}

/** The options of a body with the caller's overrides. */
function overridden(body: BodyOptions, { seed, contact }: BuildOptions): BodyOptions {
  const seeded = seed !== undefined;
  return {
    ...body,
    ...(seeded && body.sampling ? { sampling: { ...body.sampling, seed } } : {}),
    ...(seeded && !body.clusters ? { clustering: { ...body.clustering, seed } } : {}),
    ...(contact ? { contact: { ...body.contact, mode: contact } } : {}),
  };
}

/**
 * Number of particles that a body will have. Sampling always gives the same result, so that repeating it only costs
 * time.
 */
function countParticles({ points, shape, mesh, sampling }: BodyOptions): number {
  if (points) return points.length / 3;
  const solid = shape ? shapeSolid(shape, 'body.shape') : meshSolid(mesh!, 'body.mesh');
  return sample(solid, sampling!, 'body.sampling').positions.length / 3;
}

function addActor({ world, bodies, clamps, colliders, warnings }: Building, actor: ActorDescription): void {
  if (actor.kind === 'collider') {
    // A moving plane whose clamp holds nothing is an obstacle for everything.
    const except = actor.except === undefined ? undefined : clamps.get(actor.except);
    const collider = world.addCollider(except ? { ...actor.options, except } : actor.options);
    warnings.push(...collider.warnings.map((line) => line.replace(/^collider\b/, actor.path)));
    colliders.set(actor.path, collider);
    return;
  }
  const held = actor.bodies && bodies.filter((body) => actor.bodies!.includes(body.name));
  try {
    clamps.set(actor.path, world.addClamp({ ...actor.options, ...(held ? { bodies: held } : {}) }));
  } catch (error) {
    if (!(actor.mayBeEmpty && error instanceof PliantError && error.path === 'clamp.region')) throw error;
    warnings.push(`${actor.path} holds no particle: left out.`);
  }
}

function addForceField(
  { world, bodies, forceFields }: Building,
  { path, options, bodies: names }: ForceFieldDescription,
) {
  const on = names && bodies.filter((body) => names.includes(body.name));
  forceFields.set(path, world.addForceField({ ...options, ...(on ? { bodies: on } : {}) }));
}

/** Replaces the engine's path of an option in messages by the path in the scene. */
async function within<T>(scenePath: string, own: string, path: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof PliantError) || error.message.startsWith(scenePath)) throw error;
    const rename = (text: string) => (text.startsWith(own) ? path + text.slice(own.length) : text).replace(/^\./, '');
    throw new PliantError(rename(error.path), `${scenePath}: ${rename(error.message)}`, error.code);
  }
}
