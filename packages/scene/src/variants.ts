import { PliantError } from 'pliant';
import type { SceneFile } from './schema/scene.js';
import { setAt } from './setAt.js';
import { show } from './show.js';
import { refuseName } from './validate.js';

/** A variant of a scene, for lists of them. */
export interface VariantDescription {
  /** Its name. */
  name: string;
  /** Its own description; the empty string if it has none. */
  description: string;
}

/** "scenes/bar.json#paper": the file and the name of the variant, if there is one. The # stands right after .json or .jsonc, since names of files may have one too. */
export function splitVariant(path: string): { file: string; variant?: string } {
  const found = /^(.*\.jsonc?)#([^#/\\]+)$/is.exec(path);
  return found ? { file: found[1], variant: found[2] } : { file: path };
}

/** The file and the variant of a scene, which may be named after a #, by an option, or by both alike. */
export function chooseVariant(path: string, asked: string | undefined): { file: string; variant?: string } {
  const { file, variant = asked } = splitVariant(path);
  if (asked !== undefined && asked !== variant)
    throw new PliantError('variant', `variant is ${show(asked)} and the scene ${path}; expected one variant.`);
  return { file, variant };
}

/** The path of a scene with the variant after it. */
export const variantPath = (file: string, variant: string | undefined): string =>
  variant === undefined ? file : `${file}#${variant}`;

/** The variants that a scene file names, in its order. */
export const variantsOf = (data: object): VariantDescription[] =>
  Object.entries((data as Partial<SceneFile>).variants ?? {}).map(([name, variant]) => ({
    name,
    description: typeof variant?.description === 'string' ? variant.description : '',
  }));

/**
 * The content of a scene file with the settings of one of its variants: a scene file of its own, without variants. `data` stays as it is. Its title has the variant's
 * name after it, unless the variant sets a title. The values are not checked here but with the scene.
 * @throws PliantError if there is no such variant, or one of its paths is not in the scene.
 */
export function applyVariant<T extends object>(data: T, name: string, scenePath = 'the scene'): T {
  const { variants = {}, ...scene } = data as T & Pick<SceneFile, 'variants' | 'title'>;
  if (!Object.hasOwn(variants, name)) refuseName(scenePath, 'variant', name, 'variant', Object.keys(variants));
  const { description, set } = variants[name];
  const changed = structuredClone(scene) as Record<string, unknown>;
  if (typeof changed['title'] === 'string') changed['title'] += ` (${name})`;
  if (description !== undefined) changed['description'] = description;
  for (const [path, value] of Object.entries(set)) {
    const where = `${scenePath}: variants.${name}.set[${show(path)}]`;
    if (/^variants\b/.test(path))
      throw new PliantError(`variants.${name}.set`, `${where} is a path of the variants; expected one of the scene.`);
    setAt(changed, path, value ?? undefined, where);
  }
  return changed as T;
}
