import type { OutputFile, ScratchFile } from './storage.js';

/** Bytes that a stream collects before they go to the scratch file. */
const PAGE = 1 << 14;

const encoder = new TextEncoder();

/**
 * Several streams of bytes in one scratch file. Formats group their content by attribute, a simulation gives all
 * attributes of one frame after the other: each attribute is a stream, and the streams are joined at the end. A stream
 * keeps one page in memory, and two numbers for each run of pages that it wrote.
 */
export class Streams {
  private size = 0;

  constructor(private readonly file: ScratchFile) {}

  open(): Stream {
    return new Stream(this);
  }

  /** @internal Appends bytes; returns where they are. */
  async append(bytes: Uint8Array): Promise<number> {
    const at = this.size;
    this.size += bytes.length;
    await this.file.append(bytes);
    return at;
  }

  /** @internal */
  read = (offset: number, length: number): Promise<Uint8Array> => this.file.read(offset, length);

  discard = (): Promise<void> => this.file.discard();
}

/** Longest piece that is read back at once. */
const LONGEST_READ = 1 << 20;

export class Stream {
  /** Number of bytes. */
  length = 0;
  /** Offset and length of each run in the scratch file. */
  private readonly runs: number[] = [];
  private page: Uint8Array | undefined;
  private used = 0;

  constructor(private readonly streams: Streams) {}

  async write(content: Uint8Array | string): Promise<void> {
    const bytes = typeof content === 'string' ? encoder.encode(content) : content;
    this.length += bytes.length;
    if (this.used + bytes.length > PAGE) await this.flush();
    if (bytes.length > PAGE) return this.put(bytes);
    this.page ??= new Uint8Array(PAGE);
    this.page.set(bytes, this.used);
    this.used += bytes.length;
  }

  private async flush(): Promise<void> {
    if (this.used === 0) return;
    const bytes = this.page!.slice(0, this.used);
    this.used = 0;
    await this.put(bytes);
  }

  private async put(bytes: Uint8Array): Promise<void> {
    const at = await this.streams.append(bytes);
    const { runs } = this;
    // Runs that follow each other become one.
    if (runs.length > 0 && runs[runs.length - 2] + runs[runs.length - 1] === at) runs[runs.length - 1] += bytes.length;
    else runs.push(at, bytes.length);
  }

  /** Copies the content to a file. The stream can be written to and copied again. */
  async copyTo(out: Pick<OutputFile, 'write'>): Promise<void> {
    const { runs } = this;
    for (let k = 0; k < runs.length; k += 2)
      for (let done = 0; done < runs[k + 1]; done += LONGEST_READ)
        await out.write(await this.streams.read(runs[k] + done, Math.min(LONGEST_READ, runs[k + 1] - done)));
    if (this.used > 0) await out.write(this.page!.slice(0, this.used));
  }
}
