import { PliantError } from 'pliant';
import type { OutputFile } from '../storage.js';

/** Content of files begins at multiples of this, as USDZ asks for. */
const ALIGN = 64;
const LARGEST = 2 ** 32 - 1;

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

/** Checksum of bytes that come in parts. */
export class Crc32 {
  private state = 0xffffffff;
  length = 0;

  add(bytes: Uint8Array): void {
    let c = this.state;
    for (let k = 0; k < bytes.length; k++) c = TABLE[(c ^ bytes[k]) & 255] ^ (c >>> 8);
    this.state = c >>> 0;
    this.length += bytes.length;
  }

  get value(): number {
    return (this.state ^ 0xffffffff) >>> 0;
  }
}

/** A file of the archive: its length and checksum are in the archive before its content. */
export interface ZipEntry {
  name: string;
  length: number;
  crc: number;
  copyTo(out: Pick<OutputFile, 'write'>): Promise<void>;
}

/** Writes an archive of files as they are, none compressed, the first one first: USDZ. */
export async function writeZip(out: OutputFile, entries: readonly ZipEntry[]): Promise<void> {
  let at = 0;
  const write = async (bytes: Uint8Array) => {
    at += bytes.length;
    await out.write(bytes);
  };
  const directory: Uint8Array[] = [];
  for (const { name, length, crc, copyTo } of entries) {
    const encoded = new TextEncoder().encode(name);
    const start = at;
    if (start + length + 1024 > LARGEST)
      throw new PliantError(
        'format',
        'the file exceeds 4 GiB, which .usdz cannot hold; expected fewer frames, or .usda.',
      );
    // An extra field of any kind fills up to the next multiple; it takes four bytes at least.
    const bare = start + 30 + encoded.length;
    const padding = (ALIGN - ((bare + 4) % ALIGN)) % ALIGN;
    const local = new DataView(new ArrayBuffer(30));
    local.setUint32(0, 0x04034b50, true);
    describe(local, 4, { crc, length, name: encoded.length, extra: 4 + padding });
    const extra = new DataView(new ArrayBuffer(4 + padding));
    extra.setUint16(0, 0x1986, true);
    extra.setUint16(2, padding, true);
    await write(bytesOf(local));
    await write(encoded);
    await write(bytesOf(extra));
    await copyTo({ write });
    const central = new DataView(new ArrayBuffer(46));
    central.setUint32(0, 0x02014b50, true);
    central.setUint16(4, 20, true);
    describe(central, 6, { crc, length, name: encoded.length, extra: 0 });
    central.setUint32(42, start, true);
    directory.push(bytesOf(central), encoded);
  }
  const begin = at;
  for (const part of directory) await write(part);
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, entries.length, true);
  end.setUint16(10, entries.length, true);
  end.setUint32(12, at - begin, true);
  end.setUint32(16, begin, true);
  await write(bytesOf(end));
}

/** The fields that local and central headers share: version 2.0, no compression, 1 January 1980. */
function describe(
  view: DataView,
  at: number,
  { crc, length, name, extra }: { crc: number; length: number; name: number; extra: number },
): void {
  view.setUint16(at, 20, true);
  view.setUint16(at + 2, 0x0800, true);
  view.setUint16(at + 8, 0x21, true);
  view.setUint32(at + 10, crc, true);
  view.setUint32(at + 14, length, true);
  view.setUint32(at + 18, length, true);
  view.setUint16(at + 22, name, true);
  view.setUint16(at + 24, extra, true);
}

const bytesOf = (view: DataView) => new Uint8Array(view.buffer);
