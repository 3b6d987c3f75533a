import { sceneSchema as checked, sceneJsonSchema as describe } from './scene.js';
import type { SceneFile } from './sceneTypes.js';

/** Something that a scene file has and should not have, or the other way round. */
export interface SceneIssue {
  /** Where it is: names of fields and numbers in lists. */
  readonly path: readonly PropertyKey[];
  /** The expected value. */
  readonly message: string;
}

/** The check of scene files: that of zod, in types of its own. */
export interface SceneSchema {
  /** Returns the value if it is a scene file, and throws an error with `issues` otherwise. */
  parse(value: unknown): SceneFile;
  /** The same without throwing. */
  safeParse(
    value: unknown,
  ): { success: true; data: SceneFile } | { success: false; error: { readonly issues: readonly SceneIssue[] } };
}

/** Checks scene files. `loadScene` does, and says where in the file it is wrong. */
export const sceneSchema: SceneSchema = checked;

/** The JSON schema of scene files, for editors. */
export const sceneJsonSchema: () => Record<string, unknown> = describe;
