import { posix } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { buildWorld, loadScene } from '@pliant/scene';
import type { Backend } from 'pliant';
import type { Run } from './measure/named.js';
import { type Recorded, Recorder } from './measure/recorder.js';
import { parseRequest } from './measure/request.js';
import { importMeasures } from './measure/userModule.js';
import type { TaskContext } from './queue/task.js';
import { encodePng } from './thumbnail/png.js';
import { type Picture, renderWorld } from './thumbnail/render.js';

/** The input of one run: plain data, the same on every machine. Its hash is the identity of the run. */
export interface SimulationInput {
  /** Name of the scene file, for messages. Paths of files are relative to its folder. */
  name: string;
  /** The content of the scene file with the variation applied. */
  scene: unknown;
  /** Hash of every file that the scene reads, by its path as the scene names it. */
  files: Record<string, string>;
  /** Seed of all sampling and clustering; undefined: those of the scene. */
  seed?: number;
  /** Number of steps. */
  steps: number;
  /** The kernels that compute. */
  backend: Backend;
  /** The measures, as they were asked for. */
  measures: string[];
  /** The module of measures: its name, for messages, and the hash of its text. */
  module?: { name: string; hash: string };
}

/** The result of one run. Everything but `timing` and the bytes of the thumbnail is the same on every machine. */
export interface SimulationResult extends Recorded {
  /** Steps that were made: fewer than asked for if the run did not stay finite. */
  steps: number;
  /** Why the run ended early; undefined if it did not. */
  notFinite?: string;
  /** Remarks of the scene and of building it. */
  warnings: string[];
  /** Milliseconds on the machine that ran it. */
  timing: { stepTime: number; buildTime: number; runTime: number };
  /** The last state as a PNG in base64, if a picture was asked for. */
  thumbnail?: string;
}

/** Milliseconds between two looks at messages: whether the parent is still there. */
const BREATH = 50;

/** Largest number of warnings that a result keeps. */
const MOST_WARNINGS = 20;

/** The task 'simulate': builds the scene, steps it, measures it. `picture` is no part of the input: results do not depend on it. */
export async function run(
  { input, picture }: { input: SimulationInput; picture?: Picture },
  { file }: TaskContext,
): Promise<SimulationResult> {
  const began = performance.now();
  const user = input.module && (await importMeasures(await file(input.module.hash), input.module.name));
  const requests = input.measures.map((text) => parseRequest(text, Object.keys(user?.measures ?? {})));
  const scene = await loadScene(
    input.name,
    async (path) => {
      if (path === input.name) return new TextEncoder().encode(JSON.stringify(input.scene));
      const hash = input.files[posix.normalize(path)];
      if (hash === undefined) throw Object.assign(new Error('not found'), { code: 'ENOENT' });
      return file(hash);
    },
    // Paths were checked where the sweep was planned, and are only names here.
    { allowOutside: true },
  );
  const built = await buildWorld(scene, { backend: input.backend, threads: 1, seed: input.seed });
  const { world, cuts } = built;
  try {
    const buildTime = performance.now() - began;
    const run: Run = { scene, built, world, memory: new Map() };
    const recorder = new Recorder(run, requests, input.steps, user);
    recorder.frame(0);
    let [stepping, steps, last] = [0, 0, performance.now()];
    let notFinite: string | undefined;
    while (steps < input.steps && notFinite === undefined) {
      const start = performance.now();
      cuts.due();
      world.step();
      const now = performance.now();
      stepping += now - start;
      steps++;
      for (const event of world.drainEvents())
        if (event.type === 'quarantine')
          notFinite ??= `body ${JSON.stringify(event.body.name)} was not finite at ${Number(event.time.toPrecision(6))} s`;
      if (notFinite === undefined) recorder.frame(steps);
      if (now - last > BREATH) {
        await turn();
        last = now;
      }
    }
    return {
      ...recorder.finish(),
      steps,
      ...(notFinite === undefined ? {} : { notFinite }),
      warnings: [...new Set([...scene.warnings, ...built.warnings])].slice(0, MOST_WARNINGS),
      ...(picture ? { thumbnail: Buffer.from(encodePng(renderWorld(run, picture))).toString('base64') } : {}),
      timing: { stepTime: stepping / Math.max(1, steps), buildTime, runTime: performance.now() - began },
    };
  } finally {
    world.dispose();
  }
}
