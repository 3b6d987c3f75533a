import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { OutputFile, ScratchFile, Storage } from '@pliant/bake';
import { ResultFile } from './resultFile.js';

/** Files of a bake in a folder: each is written aside and has its name once it is complete. */
export class DiskStorage implements Storage {
  constructor(private readonly folder: string) {}

  async create(name: string): Promise<OutputFile> {
    const file = new ResultFile(join(this.folder, name), '--out');
    await file.open();
    return {
      write: (bytes) => file.append(bytes),
      close: () => file.complete(false),
      discard: () => file.discard(),
    };
  }

  /** On the same disk as the results, which take as much room. */
  async scratch(): Promise<ScratchFile> {
    // Never completed: the name is used for messages only.
    const file = new ResultFile(join(this.folder, `scratch-${randomBytes(4).toString('hex')}`), '--out');
    await file.open();
    return {
      append: (bytes) => file.append(bytes),
      read: (offset, length) => file.read(offset, length),
      discard: () => file.discard(),
    };
  }
}
