import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The authors' scenes lie beside the project, not in it. Tests that need them are skipped if they are missing. */
export const REFERENCE =
  process.env.PLIANT_REFERENCE ?? fileURLToPath(new URL('../../../../../shared/reference', import.meta.url));
export const SCENES = join(REFERENCE, 'scenes/inputFiles');
export const hasReference = existsSync(SCENES);

/** All research scenes: .json files, and those .txt files that are scenes instead of particles. */
export const researchScenes = (): string[] =>
  hasReference
    ? ['', 'CubeComparisons', 'nClusters'].flatMap((folder) =>
        readdirSync(join(SCENES, folder))
          .filter((name) => /\.json$|^convergenceTest.*\.txt$/.test(name))
          .map((name) => join(folder, name)),
      )
    : [];

export const readDisk = async (path: string): Promise<Uint8Array> => readFile(path);
