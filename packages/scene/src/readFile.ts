import { PliantError } from 'pliant';
import { decodeDataUri, isDataUri, nameOfDataUri } from './dataUri.js';

/** How a loader gets at files: handed in, so that it works on disks, over the network and in memory. */
export type Read = (path: string) => Promise<Uint8Array>;

/** The first of several places that can be read, and which one it was (of a data URI: its name). `field` names who asks. */
export async function readFirst(
  read: Read,
  places: readonly string[],
  field: string,
): Promise<{ bytes: Uint8Array; path: string }> {
  const tried = [...new Set(places)];
  const reasons: string[] = [];
  for (const path of tried) {
    const name = isDataUri(path) ? nameOfDataUri(path) : path;
    try {
      return { bytes: isDataUri(path) ? decodeDataUri(path) : await read(path), path: name };
    } catch (error) {
      reasons.push(`${name} (${reasonOf(error)})`);
    }
  }
  throw new PliantError(field, `${field}: cannot read ${reasons.join(', nor ')}.`);
}

function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown })?.code;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'not found';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EACCES' || code === 'EPERM') return 'no permission';
  return error instanceof Error ? error.message : String(error);
}
