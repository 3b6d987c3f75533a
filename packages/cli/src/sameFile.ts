import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PliantError } from 'pliant';

/** Refuses two options that name the same file: one result would overwrite the other. */
export async function refuseSameFile(files: readonly { name: string; file: string | undefined }[]): Promise<void> {
  const seen = new Map<string, string>();
  for (const { name, file } of files) {
    if (file === undefined) continue;
    const identity = await identityOf(file);
    if (identity === undefined) continue;
    const other = seen.get(identity);
    if (other !== undefined)
      throw new PliantError(name, `${name} is ${file}, the same file as ${other}; expected one of its own.`);
    seen.set(identity, name);
  }
}

/** Undefined for devices and pipes, which two outputs may share. */
async function identityOf(file: string): Promise<string | undefined> {
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  if (!found) return resolve(file);
  return found.isFile() ? `${found.dev}:${found.ino}` : undefined;
}
