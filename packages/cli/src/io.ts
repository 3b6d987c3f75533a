import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PliantError } from 'pliant';

/** Where a command speaks to: the process's own streams, or a test's. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** Standard error is a terminal: a progress bar can redraw itself. */
  tty: boolean;
}

export const processIo: Io = {
  out: (text) => process.stdout.write(text),
  err: (text) => process.stderr.write(text),
  tty: process.stderr.isTTY === true,
};

/** A file's bytes, as the scene loader wants them. */
export const read = async (path: string): Promise<Uint8Array> => readFile(path);

/** Makes the folder that a result will lie in; before a long run rather than after it. `option` names who asked for it. */
export async function prepareFolder(folder: string, option: string): Promise<void> {
  try {
    await makeFolder(folder);
  } catch (error) {
    throw new PliantError(option, `${option}: cannot make the folder ${folder} (${(error as Error).message}).`);
  }
}

/** Node's own recursive mkdir never returns where a folder cannot be made inside one that exists (/proc/x). */
async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await mkdir(folder);
  }
}

export const prepareFolderOf = (file: string, option: string): Promise<void> => prepareFolder(dirname(file), option);

export async function write(file: string, content: Uint8Array | string, option: string): Promise<void> {
  try {
    await writeFile(file, content);
  } catch (error) {
    throw new PliantError(option, `${option}: cannot write ${file} (${(error as Error).message}).`);
  }
}
