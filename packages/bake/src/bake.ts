import type { BuiltScene } from '@pliant/scene';
import { PliantError, refuse } from 'pliant';
import { GlbEncoder } from './glb/glb.js';
import type { PreparedScene } from './looks.js';
import { PlyEncoder } from './ply.js';
import { PointCacheEncoder } from './pointCache.js';
import type { OutputFile, Storage } from './storage.js';
import { type Track, Tracks } from './tracks.js';
import { UsdEncoder } from './usd/usd.js';

/** Formats of baked files, by their endings. */
export const BAKE_FORMATS = ['usda', 'usdz', 'glb', 'pc2', 'mdd', 'ply'] as const;
/** A format of baked files. */
export type BakeFormat = (typeof BAKE_FORMATS)[number];

/** Options of `bake`. */
export interface BakeOptions {
  /** Name of the file; its ending says the format: "heart.usda". Other files have names that begin with it. */
  name: string;
  /** Where files are written to. */
  storage: Storage;
  /** Frames per second of the animation. Default: one frame a step, or 60 where steps are shorter. */
  fps?: number;
  /** Length (s). Default: the scene's `frames` steps. */
  seconds?: number;
  /** Number of frames after the first, which is at 0 s; instead of `seconds`. */
  frames?: number;
  /** Whether each piece of a body that breaks is an object of its own. Default false: a body is one object. */
  pieces?: boolean;
  /** Called after every frame; a promise is waited for. */
  onProgress?: (done: number, frames: number) => void | Promise<void>;
  /** Asked after every frame: true ends the bake there, with a file of the frames so far. */
  stop?: () => boolean;
}

/** The result of `bake`. */
export interface BakeResult {
  /** Names of the files that were written, the main one first. */
  files: string[];
  /** Frames after the first. */
  frames: number;
  /** Frames per second. */
  fps: number;
  /** Number of objects. */
  objects: number;
  /** Parts of materials that the format has no room for; a sentence each. */
  warnings: string[];
}

/** The description of a bake that an encoder gets before the first frame. */
export interface Plan {
  /** Name without folder and ending. */
  stem: string;
  format: BakeFormat;
  fps: number;
  title: string;
  storage: Storage;
  warnings: string[];
}

/** Writes one format. Methods are called one after the other. */
export interface Encoder {
  frame(frame: number, tracks: readonly Track[]): Promise<void>;
  /** Writes the files; returns their names. */
  finish(frames: number, tracks: readonly Track[]): Promise<string[]>;
  /** Removes what is left of it: after an error, and after `finish`. */
  discard(): Promise<void>;
}

/** Largest number of frames per second and of frames: sums of steps that a run could reach. */
const MOST = 1e6;

/**
 * Runs a scene from its start and writes it as an animation. Frames are written as they are computed, so that memory does
 * not grow with their number. The world is stepped, not disposed. Units are metres, y is up. Between two steps the vertices
 * are interpolated.
 *
 * @example
 * const prepared = prepareScene(await loadScene('drop.json', read, { materials: true }));
 * const built = await buildWorld(prepared.scene);
 * const storage = new BlobStorage();
 * await bake(prepared, built, { name: 'drop.glb', storage, fps: 30 });
 * console.log(storage.files.get('drop.glb'));
 */
export async function bake(prepared: PreparedScene, built: BuiltScene, options: BakeOptions): Promise<BakeResult> {
  const { scene, looks } = prepared;
  const { world, cuts } = built;
  const { stem, format } = nameOf(options.name);
  const { fps, frames } = timesOf(options, scene.dt, scene.frames);
  const plan: Plan = { stem, format, fps, title: scene.title, storage: options.storage, warnings: [] };
  const tracks = new Tracks(world, looks, options.pieces === true);
  const encoder = await encoderFor(plan);
  try {
    let steps = 0;
    let done = 0;
    tracks.read();
    for (let frame = 0; frame <= frames; frame++) {
      const wanted = frame / (fps * scene.dt);
      const whole = Math.ceil(wanted - 1e-6);
      for (; steps < whole; steps++) {
        cuts.due();
        world.step();
        world.drainEvents();
        tracks.read();
      }
      tracks.show(frame === 0 ? 1 : 1 - (whole - wanted) > 1 - 1e-6 ? 1 : 1 - (whole - wanted));
      await encoder.frame(frame, tracks.all);
      done = frame;
      await options.onProgress?.(frame, frames);
      if (options.stop?.()) break;
    }
    const files = await encoder.finish(done, tracks.all);
    return { files, frames: done, fps, objects: tracks.all.length, warnings: plan.warnings };
  } finally {
    await encoder.discard();
  }
}

/** The format of a file by its ending. @throws PliantError that names `path`. */
export function bakeFormat(name: string, path = 'name'): BakeFormat {
  const ending = /\.([A-Za-z0-9]+)$/.exec(name)?.[1].toLowerCase();
  const format = BAKE_FORMATS.find((one) => one === ending);
  if (!format)
    throw new PliantError(
      path,
      `${path} is ${JSON.stringify(name)}; expected a name that ends in .${BAKE_FORMATS.slice(0, -1).join(', .')} or .${BAKE_FORMATS.at(-1)}.`,
    );
  return format;
}

function nameOf(name: string): { stem: string; format: BakeFormat } {
  const format = bakeFormat(name);
  const stem = name.slice(0, -format.length - 1);
  if (stem === '' || /[/\\]/.test(stem)) refuse('name', name, 'a file name without folders');
  return { stem, format };
}

function timesOf({ fps, seconds, frames }: BakeOptions, dt: number, steps: number): { fps: number; frames: number } {
  const rate = fps ?? Math.min(60, tidy(1 / dt));
  if (!(Number.isFinite(rate) && rate > 0 && rate <= MOST)) refuse('fps', rate, `a number above 0, at most ${MOST}`);
  if (seconds !== undefined && frames !== undefined)
    throw new PliantError('frames', 'frames and seconds are both given; expected one of them.');
  if (seconds !== undefined && !(Number.isFinite(seconds) && seconds >= 0))
    refuse('seconds', seconds, 'a finite number of at least 0');
  const count = frames ?? Math.floor((seconds ?? steps * dt) * rate + 1e-6);
  if (!(Number.isSafeInteger(count) && count >= 0 && count <= MOST))
    refuse(frames === undefined ? 'seconds' : 'frames', frames ?? seconds, `at most ${MOST} frames, at least 0`);
  return { fps: rate, frames: count };
}

/** 60.00000000000001 is 60: steps are written as 0.016666666666666666. */
const tidy = (rate: number) => (Math.abs(rate - Math.round(rate)) < 1e-9 * rate ? Math.round(rate) : rate);

async function encoderFor(plan: Plan): Promise<Encoder> {
  switch (plan.format) {
    case 'usda':
    case 'usdz':
      return UsdEncoder.open(plan);
    case 'glb':
      return GlbEncoder.open(plan);
    case 'pc2':
    case 'mdd':
      return new PointCacheEncoder(plan);
    case 'ply':
      return new PlyEncoder(plan);
  }
}

/** Writes a file in one go. */
export async function writeFile(storage: Storage, name: string, content: Uint8Array | string): Promise<void> {
  const file: OutputFile = await storage.create(name);
  try {
    await file.write(typeof content === 'string' ? new TextEncoder().encode(content) : content);
    await file.close();
  } catch (error) {
    await file.discard();
    throw error;
  }
}
