import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { checkSize, FILE_LIMITS, OutsideError, type Wanted } from '../readFile.js';

/** Without O_NONBLOCK opening a FIFO would block. Windows has neither flag. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);

/**
 * Reads a regular file (no folder, device, FIFO or socket) of a size that `kind` allows. If `within` is given, the file
 * must be inside that folder, also after links are resolved. The opened file is the one that was checked: both have the
 * same inode.
 */
export async function readDisk(path: string, { kind, within }: Wanted): Promise<Uint8Array> {
  if (path.includes('\0')) throw new Error('its name has a NUL character');
  if (/^[A-Za-z][A-Za-z0-9+.-]+:\/\//.test(path)) throw new Error('it is an address; expected a path');
  // Before it is opened: opening a device may already have an effect.
  checkRegular(await stat(path, { bigint: true }));
  const handle = await open(path, FLAGS);
  try {
    const opened = await handle.stat({ bigint: true });
    checkRegular(opened);
    if (within !== undefined) await checkInside(path, within, opened);
    checkSize(Number(opened.size), kind);
    return await readAtMost(handle, Number(opened.size), kind);
  } finally {
    await handle.close();
  }
}

function checkRegular(file: BigIntStats): void {
  if (file.isFile()) return;
  const what = file.isDirectory()
    ? 'a folder'
    : file.isFIFO()
      ? 'a FIFO'
      : file.isSocket()
        ? 'a socket'
        : file.isCharacterDevice() || file.isBlockDevice()
          ? 'a device'
          : 'no regular file';
  throw new Error(file.isDirectory() ? 'it is a folder' : `it is ${what}; expected a regular file`);
}

async function checkInside(path: string, within: string, opened: BigIntStats): Promise<void> {
  const [folder, real] = await Promise.all([realpath(within || '.'), realpath(path)]);
  const rest = relative(folder, real);
  if (rest === '' || rest === '..' || rest.startsWith(`..${sep}`) || /^([/\\]|[A-Za-z]:)/.test(rest))
    throw new OutsideError(within);
  const inside = await stat(real, { bigint: true });
  if (inside.dev !== opened.dev || inside.ino !== opened.ino) throw new Error('it changed while it was opened');
}

/** Reads to the end or to the limit: a system file may report a size of 0 and deliver any number of bytes. */
async function readAtMost(handle: FileHandle, size: number, kind: Wanted['kind']): Promise<Uint8Array> {
  // One byte more than expected, to detect the end.
  let bytes = new Uint8Array(Math.max(size, 4095) + 1);
  let length = 0;
  for (;;) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, null);
    length += bytesRead;
    checkSize(length, kind);
    if (bytesRead === 0) return bytes.subarray(0, length);
    if (length < bytes.length) continue;
    const larger = new Uint8Array(Math.min(2 * length, FILE_LIMITS[kind] + 1));
    larger.set(bytes);
    bytes = larger;
  }
}
