import { basename, dirname, posix, relative, resolve, sep } from 'node:path';
import { applyVariant, chooseVariant, loadScene, parseJson, type Read, type SceneDescription } from '@pliant/scene';
import { readDisk } from '@pliant/scene/node';
import { type Backend, PliantError, WORLD_DEFAULTS } from 'pliant';
import { canonicalJson, codeVersion, sha256 } from './hash.js';
import { columnsOf, parseRequest, type Request } from './measure/request.js';
import { importMeasures } from './measure/userModule.js';
import type { Job } from './queue/task.js';
import type { SimulationInput } from './simulate.js';
import type { Picture } from './thumbnail/render.js';
import { type Axis, checkAxes, combinations, MOST_RUNS } from './vary/combinations.js';
import { setAt } from './vary/path.js';

/** A sweep, as it is asked for. */
export interface SweepRequest {
  /** Path of the scene file. */
  scene: string;
  /** A variant of the scene, on which the axes act. Default: that after the # of `scene`, else the scene itself. */
  variant?: string;
  /** Paths of the scene and their values; paths of one axis change together. */
  axes: readonly Axis[];
  /** Measures, as `--measure` takes them. Default: DEFAULT_MEASURES. */
  measures?: readonly string[];
  /** Path of a module whose exported functions are measures. */
  module?: string;
  /** Seeds of sampling and clustering: every combination is run once with each. Default: that of the scene. */
  seeds?: readonly number[];
  /** Length of a run (s). Default: that of the scene as it stands. */
  seconds?: number;
  /** Length of a run in steps, instead of `seconds`. */
  frames?: number;
  /** The kernels that compute. Default 'wasm'. */
  backend?: Backend;
  /** Size of the pictures of the last states; undefined: none. */
  picture?: Picture;
  /** Whether the scene may name files outside of its folder. */
  allowOutside?: boolean;
}

/** One run of a plan. */
export interface PlannedRun {
  /** Number of the run, from 0: rows of tables have this order. */
  number: number;
  /** Number of its combination; runs that differ in the seed alone have the same. */
  combination: number;
  /** The values of the varied paths, in the order of `Plan.paths`. */
  values: unknown[];
  /** Seed; undefined: that of the scene. */
  seed?: number;
  /** The work. `job.id` is the identity of the run. */
  job: Job;
}

/** A sweep with all its runs, checked. */
export interface Plan {
  /** Title of the scene. */
  title: string;
  /** The varied paths, in order. */
  paths: { path: string; scale: 'linear' | 'log' }[];
  /** The measures. */
  requests: Request[];
  /** Whether combinations are repeated with several seeds. */
  seeded: boolean;
  /** The runs. */
  runs: PlannedRun[];
  /** Warnings of the scenes, each once. */
  warnings: string[];
}

/** Measures of a sweep that asks for none. */
export const DEFAULT_MEASURES = ['height', 'centreOfMass.y', 'energy', 'stretch@max', 'pieces', 'restTime'];

/** Fields of a scene that change nothing of a run. */
const WORDS = ['$schema', 'title', 'description', 'variants'];

/** Makes the runs of a sweep. Every combination is checked by the scene's schema, with the files that it names, before this returns. */
export async function planSweep(request: SweepRequest, onProgress?: (done: number, of: number) => void): Promise<Plan> {
  const { axes, seeds } = request;
  checkAxes(axes);
  const { file, variant } = chooseVariant(request.scene, request.variant);
  const source = new SceneSource(file, request.allowOutside === true);
  const base = await source.read(variant);
  const scene = await source.load(base);
  const code = request.module === undefined ? undefined : await readModule(request.module);
  const requests = (request.measures ?? DEFAULT_MEASURES).map((text) => parseRequest(text, code?.names ?? []));
  refuseSameColumns(requests);
  const count = axes.reduce((product, [first]) => product * first.list.length, 1);
  if (count * (seeds?.length ?? 1) > MOST_RUNS)
    throw new PliantError(
      '--seeds',
      `--seeds and --vary give ${count * seeds!.length} runs; expected at most ${MOST_RUNS}.`,
    );
  const seconds = request.seconds ?? scene.frames * scene.dt;
  const runs: PlannedRun[] = [];
  const warnings = new Set(scene.warnings);
  let combination = 0;
  for (const changes of combinations(axes)) {
    const { varied, description, files } = await varyScene(source, base, changes);
    for (const warning of description.warnings) warnings.add(warning);
    const framesVaried = changes.some(([path]) => path === 'frames');
    const steps = request.frames ?? (framesVaried ? description.frames : Math.round(seconds / description.dt));
    checkTimes(requests, steps, description.dt, changes);
    const input: SimulationInput = {
      name: source.name,
      scene: varied,
      files: Object.fromEntries(Object.entries(files).map(([path, { hash }]) => [path, hash])),
      steps,
      backend: request.backend ?? WORLD_DEFAULTS.backend,
      // Times of the machine are always taken, and are no part of the identity.
      measures: requests.filter(({ kind }) => kind !== 'timing').map(({ text }) => text),
      ...(code ? { module: { name: code.name, hash: code.hash } } : {}),
    };
    const paths = Object.fromEntries(Object.values(files).map(({ hash, path }) => [hash, path]));
    if (code) paths[code.hash] = code.path;
    for (const seed of seeds ?? [undefined]) {
      const job = simulationJob(seed === undefined ? input : { ...input, seed }, paths, request.picture);
      const values = changes.map(([, value]) => value);
      runs.push({ number: runs.length, combination, values, ...(seed === undefined ? {} : { seed }), job });
    }
    combination++;
    onProgress?.(combination, count);
  }
  return {
    title: scene.title,
    paths: axes.flat().map(({ path, scale }) => ({ path, scale })),
    requests,
    seeded: seeds !== undefined,
    runs,
    warnings: [...warnings],
  };
}

/** The job of one run. Its id is the hash of its input and of the code that computes it. */
export function simulationJob(input: SimulationInput, files: Record<string, string>, picture?: Picture): Job {
  const id = sha256(canonicalJson({ format: 1, code: codeVersion(), task: 'simulate', input })).slice(0, 32);
  return { id, task: 'simulate', input: { input, picture }, files, runsCode: input.module !== undefined };
}

/** A scene with changes, checked. */
async function varyScene(source: SceneSource, base: object, changes: readonly [string, unknown][]) {
  const varied = structuredClone(base) as Record<string, unknown>;
  for (const [path, value] of changes) setAt(varied, path, value);
  try {
    const files: FileMap = {};
    const description = await source.load(varied, files);
    for (const key of WORDS) delete varied[key];
    return { varied, description, files };
  } catch (error) {
    if (!(error instanceof PliantError)) throw error;
    const said = changes.map(([path, value]) => `${path}=${JSON.stringify(value)}`).join(' ');
    throw new PliantError(error.path, `--vary ${said}: ${error.message}`);
  }
}

/** Files that a scene reads: hash and place on this disk, by the path that the scene's loader asks for. */
type FileMap = Record<string, { hash: string; path: string }>;

/** A scene file and the files that it names. Paths are relative to one folder, so that runs have the same identity wherever the sweep is started. */
class SceneSource {
  /** The scene file as runs know it. */
  readonly name: string;
  private readonly root: string;
  private readonly known = new Map<string, { bytes: Uint8Array; hash: string; path: string }>();

  constructor(
    private readonly path: string,
    private readonly allowOutside: boolean,
  ) {
    const full = resolve(path);
    const parts = dirname(full).split(sep);
    // A research scene names its files from the folder above `inputFiles`.
    const inputs = parts.lastIndexOf('inputFiles');
    this.root = inputs > 0 ? parts.slice(0, inputs).join(sep) || sep : dirname(full);
    this.name = relative(this.root, full).split(sep).join('/') || basename(full);
  }

  /** The content of the scene file, or of a variant of it. */
  async read(variant?: string): Promise<object> {
    let bytes: Uint8Array;
    try {
      bytes = await readDisk(this.path, { kind: 'scene' });
    } catch (error) {
      const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'not found' : (error as Error).message;
      throw new PliantError('scene', `scene: cannot read ${this.path} (${reason}).`);
    }
    const data = parseJson(bytes, this.path);
    if (typeof data !== 'object' || data === null || Array.isArray(data))
      throw new PliantError(
        this.path,
        `${this.path}: the file holds no object; expected a scene, { "bodies": [ … ] }.`,
      );
    if (variant === undefined) return data;
    await this.load(data);
    return applyVariant(data, variant, this.path);
  }

  /** Checks a content in place of the scene file's; `files` takes the files that it names. */
  async load(content: object, files: FileMap = {}): Promise<SceneDescription> {
    const read: Read = async (path, { kind, within }) => {
      if (path === this.name) return new TextEncoder().encode(JSON.stringify(content));
      const full = resolve(this.root, path);
      let file = this.known.get(full);
      if (!file) {
        const bytes = await readDisk(full, {
          kind,
          within: within === undefined ? undefined : resolve(this.root, within),
        });
        file = { bytes, hash: sha256(bytes), path: full };
        this.known.set(full, file);
      }
      files[posix.normalize(path)] = { hash: file.hash, path: file.path };
      return file.bytes;
    };
    return loadScene(this.name, read, { cwd: this.root.split(sep).join('/'), allowOutside: this.allowOutside });
  }
}

async function readModule(path: string): Promise<{ name: string; hash: string; path: string; names: string[] }> {
  let bytes: Uint8Array;
  try {
    bytes = await readDisk(path, { kind: 'scene' });
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'not found' : (error as Error).message;
    throw new PliantError('--module', `--module: cannot read ${path} (${reason}).`);
  }
  const name = basename(path);
  const { measures } = await importMeasures(bytes, name);
  return { name, hash: sha256(bytes), path: resolve(path), names: Object.keys(measures) };
}

function refuseSameColumns(requests: readonly Request[]): void {
  const seen = new Map<string, string>();
  for (const request of requests)
    for (const column of columnsOf(request)) {
      const key = `${request.when.type === 'series' ? 'series ' : ''}${column}`;
      if (seen.has(key))
        throw new PliantError(
          '--measure',
          `--measure ${request.text} gives ${column}, as ${seen.get(key)} does; expected it once.`,
        );
      seen.set(key, request.text);
    }
}

function checkTimes(
  requests: readonly Request[],
  steps: number,
  dt: number,
  changes: readonly [string, unknown][],
): void {
  if (steps < 1)
    throw new PliantError(
      '--seconds',
      `a run would have ${steps} steps of ${dt} s; expected at least one: longer --seconds.`,
    );
  for (const { when, text } of requests)
    if (when.type === 'times')
      for (const time of when.times)
        if (Math.round(time / dt) > steps) {
          const end = Number((steps * dt).toPrecision(6));
          const where =
            changes.length > 0
              ? ` with ${changes.map(([path, value]) => `${path}=${JSON.stringify(value)}`).join(' ')}`
              : '';
          throw new PliantError(
            '--measure',
            `--measure ${text}: ${time} s is after the end of a run${where}; expected at most ${end} s.`,
          );
        }
}
