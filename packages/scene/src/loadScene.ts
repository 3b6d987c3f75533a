import { PliantError, type Vec3 } from 'pliant';
import { describeScene } from './describeScene.js';
import type { SceneDescription } from './description.js';
import { folderOf } from './paths.js';
import { guarded, type Read, readFirst } from './readFile.js';
import { readJson } from './readJson.js';
import { isResearchScene, researchFolder } from './research/recognise.js';
import { sceneSchema } from './schema/scene.js';
import { show } from './show.js';
import { validate } from './validate.js';
import { applyVariant, chooseVariant, variantPath, variantsOf } from './variants.js';

/** Settings of a scene that a caller may replace. */
export interface SceneOverrides {
  /** Gravity (m/s²). */
  gravity?: Vec3;
  /** Length of a step (s). */
  dt?: number;
  /** Number of steps to run. */
  frames?: number;
}

/** Options of `loadScene`. */
export interface LoadOptions extends SceneOverrides {
  /** Whether the scene may name files outside of its folder. Default false. */
  allowOutside?: boolean;
  /** Whether to read the materials and textures of glTF files (`BodyDescription.materials`). Default false. */
  materials?: boolean;
  /** Name of the variant to load; "scenes/bar.json#paper" as the path says the same. Default: the scene itself. */
  variant?: string;
  /**
   * Folder that relative paths are resolved against, if it is known: then an absolute path can be recognised as being
   * inside.
   */
  cwd?: string;
}

/**
 * Reads a scene file and all files that it names. `read` fetches a file's bytes by its path or address. Relative paths
 * are resolved against the scene file's folder, and must lead to files inside it unless `allowOutside` is set. Research
 * scenes are recognised by their content; their folder is `inputFiles`. FILE_LIMITS and TOTAL_LIMIT bound the sizes of
 * files. A variant of the scene is named after a #: "scenes/bar.json#paper".
 */
export async function loadScene(path: string, read: Read, options: LoadOptions = {}): Promise<SceneDescription> {
  const { allowOutside, cwd, materials, variant: asked, ...overrides } = options;
  const { file, variant } = chooseVariant(path, asked);
  const { bytes } = await readFirst(guarded(read, { within: undefined }), [file], 'scene', 'scene');
  const data = await readJson(bytes, file);
  if (typeof data !== 'object' || data === null || Array.isArray(data))
    throw new PliantError(file, `${file}: the file holds no object; expected a scene, { "bodies": [ … ] }.`);
  const research = isResearchScene(data);
  const folder = research ? researchFolder(file) : folderOf(file);
  const files = guarded(read, { within: allowOutside ? undefined : folder, cwd });
  if (variant !== undefined) {
    if (research)
      throw new PliantError(
        'variant',
        `${file}: variant is ${show(variant)}; expected none, a research scene has none.`,
      );
    validate(sceneSchema, data, file);
  }
  const scene = research
    ? await (await import('./research/convert.js')).convertResearchScene(data, file, files)
    : await describeScene(
        variant === undefined ? data : applyVariant(data, variant, file),
        variantPath(file, variant),
        files,
        materials,
      );
  return {
    ...scene,
    ...(variant !== undefined && { variant }),
    ...(!research && { variants: variantsOf(data) }),
    ...overrides,
  };
}
