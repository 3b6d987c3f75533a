import { PliantError } from 'pliant';
import { decodeDataUri, isDataUri, nameOfDataUri } from './dataUri.js';
import { isInside } from './paths.js';
import { shorten } from './show.js';

const MIB = 1 << 20;

/**
 * Largest size of a file by its purpose (bytes). The texts of scenes, clusters and values are held in memory as one
 * string or as numbers of 8 bytes. Meshes and particles are held several times while a body is built.
 */
export const FILE_LIMITS = {
  scene: 64 * MIB,
  mesh: 1024 * MIB,
  /** A separate file of a .gltf file. */
  buffer: 1024 * MIB,
  particles: 512 * MIB,
  clusters: 128 * MIB,
  /** A built body. */
  asset: 1024 * MIB,
  /** One number for each vertex or particle. */
  values: 128 * MIB,
} as const;

/** Largest sum of all files that one scene reads (bytes); a file that is named twice counts twice. */
export const TOTAL_LIMIT = 2048 * MIB;

/** Purpose of a file of a scene. */
export type FileKind = keyof typeof FILE_LIMITS;

/** Purpose of a file, and where it must lie. */
export interface Wanted {
  /** Purpose of the file; FILE_LIMITS has its largest size. */
  kind: FileKind;
  /** Folder that the file must be in, also after links are resolved; undefined: it may be anywhere. */
  within?: string;
}

/** Reads a file for a loader. It is passed in, so that loaders work with disks, networks and memory. */
export type Read = (path: string, wanted: Wanted) => Promise<Uint8Array>;

/** Thrown for a file outside the folder of the scene. */
export class OutsideError extends Error {
  constructor(folder: string) {
    super(
      `it is outside of ${shorten(folder) || "the scene's folder"}; expected a file inside it, unless allowOutside is set, on the command line --allow-outside`,
    );
  }
}

export interface GuardOptions {
  /** The folder that files must lie in; undefined: anywhere. */
  within: string | undefined;
  /**
   * Folder that relative paths are resolved against, if known: absolute paths can then be compared with relative ones.
   */
  cwd?: string;
}

/**
 * The same reader with limits: no path outside the folder by its text, no file above FILE_LIMITS, no sum above
 * TOTAL_LIMIT.
 */
export function guarded(read: Read, { within, cwd }: GuardOptions): Read {
  let total = 0;
  return async (path, { kind }) => {
    if (path.includes('\0')) throw new Error('its name has a NUL character');
    if (within !== undefined && !isInside(within, path, cwd)) throw new OutsideError(within);
    const bytes = await read(path, { kind, within });
    checkSize(bytes.length, kind);
    total += bytes.length;
    if (total > TOTAL_LIMIT)
      throw new Error(`with it the scene reads ${megabytes(total)}; expected at most ${megabytes(TOTAL_LIMIT)} in all`);
    return bytes;
  };
}

export function checkSize(size: number, kind: FileKind): void {
  if (size > FILE_LIMITS[kind])
    throw new Error(
      `it has ${megabytes(size)}; expected at most ${megabytes(FILE_LIMITS[kind])} for ${KIND_NAMES[kind]}`,
    );
}

const KIND_NAMES: Record<FileKind, string> = {
  scene: 'a scene',
  mesh: 'a mesh',
  buffer: 'a buffer of a mesh',
  particles: 'particles',
  clusters: 'clusters',
  asset: 'an asset',
  values: 'a list of numbers',
};

export const megabytes = (bytes: number): string => `${Number((bytes / MIB).toFixed(1))} MiB`;

/**
 * The content of the first of several places that can be read, and that place (of a data URI: its name). `optionPath` is the
 * option that names the file.
 */
export async function readFirst(
  read: Read,
  places: readonly string[],
  optionPath: string,
  kind: FileKind,
): Promise<{ bytes: Uint8Array; path: string }> {
  const reasons: { text: string; outside: boolean }[] = [];
  for (const path of new Set(places)) {
    const name = isDataUri(path) ? nameOfDataUri(path) : path;
    try {
      return { bytes: isDataUri(path) ? decodeDataUri(path) : await read(path, { kind }), path: name };
    } catch (error) {
      reasons.push({ text: `${shorten(name)} (${reasonOf(error)})`, outside: error instanceof OutsideError });
    }
  }
  // Places outside the folder are mentioned only if there was no other.
  const told = reasons.some(({ outside }) => !outside) ? reasons.filter(({ outside }) => !outside) : reasons;
  throw new PliantError(optionPath, `${optionPath}: cannot read ${told.map(({ text }) => text).join(', nor ')}.`);
}

function reasonOf(error: unknown): string {
  const code = (error as { code?: unknown })?.code;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'not found';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EACCES' || code === 'EPERM') return 'no permission';
  if (code === 'ENAMETOOLONG') return 'its name is too long';
  if (code === 'ELOOP') return 'its links lead in a circle';
  return error instanceof Error ? error.message : String(error);
}
