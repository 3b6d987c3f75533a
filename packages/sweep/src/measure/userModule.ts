import type { BuiltScene, SceneDescription } from '@pliant/scene';
import { type Body, PliantError, type World } from 'pliant';

/** The argument of a measure in a module of the user. */
export interface MeasureContext {
  /** The world, between two steps. Measures must not change it. */
  world: World;
  /** The bodies that were asked for: those of `[BODY]` and everything that came off them, or all. */
  bodies: readonly Body[];
  /** The scene. */
  scene: SceneDescription;
  /** Bodies, clamps and colliders by their place in the scene. */
  built: BuiltScene;
  /** An object that lasts as long as the run: for measures that look back. */
  memory: Record<string, unknown>;
}

/** The measures of a user's module. */
export interface UserModule {
  /** Exported functions by name; each returns a number, a text, true or false, or nothing. */
  measures: Record<string, (context: MeasureContext) => unknown>;
  /** The export `step`: called before the first step and after every one. */
  step?: (context: MeasureContext) => unknown;
}

/**
 * Imports a module of measures from its text. A module is one file: it may import what Node has (`node:fs`), and nothing else, since it also runs on machines that have
 * only this text.
 */
export async function importMeasures(source: Uint8Array, name: string): Promise<UserModule> {
  // A data address can import nothing but Node's own modules, and leaves no file behind.
  const address = `data:text/javascript;base64,${Buffer.from(source).toString('base64')}`;
  let found: Record<string, unknown>;
  try {
    found = await import(address);
  } catch (error) {
    const reason = (error as Error).message.replaceAll(address, name).split('\n')[0];
    throw new PliantError(
      '--module',
      `--module ${name}: cannot be imported (${reason}); expected one file of JavaScript without imports of other files.`,
    );
  }
  const functions = Object.entries(found).filter(([, value]) => typeof value === 'function');
  const { step, ...measures } = Object.fromEntries(functions) as UserModule['measures'];
  if (Object.keys(measures).length === 0)
    throw new PliantError(
      '--module',
      `--module ${name}: it exports no function; expected measures as exported functions.`,
    );
  return { measures, step };
}
