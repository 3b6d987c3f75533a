import { expect, test } from 'vitest';
import { BlobStorage } from './storage.js';
import { Streams } from './streams.js';

test('streams in one file come back as they were written, whatever the sizes of their parts', async () => {
  const streams = new Streams(await new BlobStorage().scratch());
  const [a, b] = [streams.open(), streams.open()];
  const wanted: Uint8Array[][] = [[], []];
  for (let n = 0; n < 60; n++)
    for (const [k, stream] of [a, b].entries()) {
      const bytes = Uint8Array.from({ length: (n * n * 37 * (k + 1)) % 40_000 }, (_, i) => (i * 7 + n + k) & 255);
      wanted[k].push(bytes.slice());
      await stream.write(bytes);
    }
  for (const [k, stream] of [a, b].entries()) {
    const parts: Uint8Array[] = [];
    await stream.copyTo({ write: async (bytes) => void parts.push(bytes.slice()) });
    const all = Buffer.concat(wanted[k]);
    expect(stream.length).toBe(all.length);
    expect(Buffer.concat(parts).equals(all)).toBe(true);
  }
});

test('a stream keeps no more than a page in memory: all else is in the scratch file', async () => {
  let stored = 0;
  const streams = new Streams({
    append: async (bytes) => void (stored += bytes.length),
    read: async () => new Uint8Array(0),
    discard: async () => {},
  });
  const stream = streams.open();
  for (let n = 0; n < 10_000; n++) await stream.write(new Uint8Array(100));
  expect(stream.length - stored).toBeLessThanOrEqual(1 << 14);
  // One run: pages that follow each other need no further entries.
  expect((stream as unknown as { runs: number[] }).runs).toHaveLength(2);
});
