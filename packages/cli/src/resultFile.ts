import { randomBytes } from 'node:crypto';
import { constants, rmSync } from 'node:fs';
import { access, appendFile, chmod, type FileHandle, open, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { PliantError } from 'pliant';
import { makeFolder } from './makeFolder.js';

/** A result that could not be written although its file could be opened, for example because the disk is full. */
export class WriteError extends PliantError {}

/** Temporary files that are open: removed when the process exits by itself. */
const aside = new Set<string>();
let watching = false;

/**
 * A file that a command will write: opened under a temporary name before the work, renamed when it is complete on the
 * disk. The file name has the former content or the whole result, never a part. Devices and pipes are written directly.
 */
export class ResultFile {
  /** Undefined: closed, or written directly. */
  private temporary: { path: string; handle: FileHandle } | undefined;
  private target: string;
  private direct = false;
  private madeFolders: string[] = [];

  constructor(
    readonly file: string,
    /** The option that names the file, for messages. */
    private readonly option: string,
  ) {
    this.target = file;
  }

  /** @throws PliantError if the file cannot be written. */
  async open(): Promise<void> {
    if (this.file === '') throw new PliantError(this.option, `${this.option} is empty; expected the name of a file.`);
    const before = await stat(this.file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
      throw this.refusal(reasonOf(error));
    });
    if (before?.isDirectory() || this.file.endsWith('/'))
      throw this.refusal('it is a folder; expected the name of a file');
    try {
      if (before) {
        await access(this.file, constants.W_OK);
        this.direct = !before.isFile();
        // A link stays, and its target is replaced.
        this.target = await realpath(this.file);
      }
      if (this.direct) return;
    } catch (error) {
      throw this.refusal(reasonOf(error));
    }
    this.madeFolders = await makeFolder(dirname(this.target), this.option);
    const path = join(dirname(this.target), `.pliant-${process.pid}-${randomBytes(6).toString('hex')}.part`);
    try {
      const handle = await open(path, 'wx+');
      this.temporary = { path, handle };
      remember(path);
      if (before) await chmod(path, before.mode & 0o777);
    } catch (error) {
      await this.discard();
      throw this.refusal(reasonOf(error));
    }
  }

  /**
   * Writes the content and renames the file. `sync` waits until it is on the disk. @throws WriteError, with nothing
   * changed.
   */
  async write(content: Uint8Array | string, sync = true): Promise<void> {
    await this.append(content);
    await this.complete(sync);
  }

  /** Appends to the content, which has its name only after `complete`. @throws WriteError, with nothing changed. */
  async append(content: Uint8Array | string): Promise<void> {
    await this.guard(() =>
      this.direct ? appendFile(this.target, content) : this.temporary!.handle.writeFile(content),
    );
  }

  /** Renames the file. `sync` waits until it is on the disk. @throws WriteError, with nothing changed. */
  async complete(sync = true): Promise<void> {
    await this.guard(async () => {
      if (this.direct) return;
      const { path, handle } = this.temporary!;
      if (sync) await handle.sync();
      await handle.close();
      await rename(path, this.target);
      aside.delete(path);
      this.temporary = undefined;
      this.madeFolders = [];
    });
  }

  /** Reads bytes that were appended: a file that is never completed is room aside. */
  async read(offset: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(length);
    await this.guard(async () => {
      for (let done = 0; done < length; ) {
        const { bytesRead } = await this.temporary!.handle.read(bytes, done, length - done, offset + done);
        if (bytesRead === 0) throw new Error('it ended early');
        done += bytesRead;
      }
    });
    return bytes;
  }

  private async guard(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (error) {
      await this.discard();
      throw new WriteError(
        this.option,
        `${this.option}: cannot write ${this.file}: ${reasonOf(error)}. ${this.direct ? '' : 'Nothing of it is left there.'}`.trim(),
      );
    }
  }

  /** Restores the state before `open`. Has no effect after `write`. */
  async discard(): Promise<void> {
    const { temporary } = this;
    this.temporary = undefined;
    if (temporary) {
      await temporary.handle.close().catch(() => {});
      await rm(temporary.path, { force: true }).catch(() => {});
      aside.delete(temporary.path);
    }
    // The innermost folder was made last. A folder that has other content stays.
    for (const folder of this.madeFolders.reverse()) await rmdir(folder).catch(() => {});
    this.madeFolders = [];
  }

  private refusal(reason: string): PliantError {
    return new PliantError(this.option, `${this.option}: cannot write ${this.file}: ${reason}.`);
  }
}

function remember(path: string): void {
  aside.add(path);
  if (watching) return;
  watching = true;
  process.on('exit', () => {
    for (const path of aside) rmSync(path, { force: true });
  });
}

function reasonOf(error: unknown): string {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOSPC':
      return 'the disk is full';
    case 'EDQUOT':
      return 'the quota on this disk is used up';
    case 'EFBIG':
      return 'it is larger than this disk allows';
    case 'EROFS':
      return 'the disk is read-only';
    case 'EACCES':
    case 'EPERM':
      return 'no permission';
    case 'ENAMETOOLONG':
      return 'the name is too long';
    case 'EIO':
      return 'the disk reports an error';
    default:
      return (error as Error).message;
  }
}
