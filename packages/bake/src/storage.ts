/** A file that is being written, from its beginning to its end. */
export interface OutputFile {
  /** Appends bytes. They may be changed by the caller once the promise resolves. */
  write(bytes: Uint8Array): Promise<void>;
  /** Completes the file: only then it has its name. */
  close(): Promise<void>;
  /** Removes what was written. Has no effect after `close`. */
  discard(): Promise<void>;
}

/** Room for bytes that are read again before the bake ends: a file on a disk, or blobs of a browser. */
export interface ScratchFile {
  /** Appends bytes. */
  append(bytes: Uint8Array): Promise<void>;
  /** Reads `length` bytes from byte `offset` on, all of them appended before. */
  read(offset: number, length: number): Promise<Uint8Array>;
  /** Gives the room back. */
  discard(): Promise<void>;
}

/** Where a bake writes to. It is passed in, so that bakes work with disks and in browsers. */
export interface Storage {
  /** A new file. `name` may have one folder before it: "heart_textures/skin.png". */
  create(name: string): Promise<OutputFile>;
  /** Room aside. */
  scratch(): Promise<ScratchFile>;
}

/** `Blob` where the project has its type, by DOM or Node types; unknown elsewhere, so that these types compile without either. */
export type HostBlob = typeof globalThis extends { Blob: { prototype: infer B } } ? B : unknown;

/**
 * Keeps files as blobs, for browsers, which move large blobs to the disk. `files` has those that are complete, by name.
 *
 * @example
 * const storage = new BlobStorage();
 * const [first] = storage.files.values();
 */
export class BlobStorage implements Storage {
  /** The complete files, by name. */
  readonly files: Map<string, HostBlob> = new Map<string, Blob>();

  /** A new file: its bytes become blobs of about a megabyte. */
  async create(name: string): Promise<OutputFile> {
    let parts: BlobPart[] = [];
    let recent: BlobPart[] = [];
    let size = 0;
    const settle = () => {
      if (recent.length > 0) parts.push(new Blob(recent));
      recent = [];
      size = 0;
    };
    return {
      write: async (bytes) => {
        recent.push(bytes.slice());
        if ((size += bytes.length) >= 1 << 20) settle();
      },
      close: async () => {
        settle();
        this.files.set(name, new Blob(parts));
        parts = [];
      },
      discard: async () => {
        parts = [];
        recent = [];
      },
    };
  }

  /** Room aside, as a list of blobs. */
  async scratch(): Promise<ScratchFile> {
    const blobs: { start: number; blob: Blob }[] = [];
    let size = 0;
    return {
      append: async (bytes) => {
        blobs.push({ start: size, blob: new Blob([bytes.slice()]) });
        size += bytes.length;
      },
      read: async (offset, length) => {
        const parts: Blob[] = [];
        let k = findLast(blobs, offset);
        for (let at = offset; at < offset + length; k++) {
          const { start, blob } = blobs[k];
          const end = Math.min(offset + length, start + blob.size);
          parts.push(blob.slice(at - start, end - start));
          at = end;
        }
        return new Uint8Array(await new Blob(parts).arrayBuffer());
      },
      discard: async () => {
        blobs.length = 0;
      },
    };
  }
}

/** The last entry that starts at `offset` or before. */
function findLast(blobs: readonly { start: number }[], offset: number): number {
  let [low, high] = [0, blobs.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (blobs[middle].start <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
