import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PliantError } from 'pliant';

/**
 * Makes a folder and its parents. Returns those that were made, the outermost first. `option` is the option that names
 * it.
 */
export async function makeFolder(folder: string, option: string): Promise<string[]> {
  try {
    return await make(folder);
  } catch (error) {
    throw new PliantError(option, `${option}: cannot make the folder ${folder} (${(error as Error).message}).`);
  }
}

/** Node's own recursive mkdir never returns if a folder cannot be made inside one that exists (/proc/x). */
async function make(folder: string): Promise<string[]> {
  try {
    await mkdir(folder);
    return [folder];
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return [];
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    const above = await make(dirname(folder));
    await mkdir(folder);
    return [...above, folder];
  }
}
