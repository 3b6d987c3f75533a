import { expect, test } from 'vitest';
import { BlobStorage } from '../storage.js';
import { Streams } from '../streams.js';
import { Samples } from './samples.js';

test('a value that stays is written when it begins and once more before it changes', async () => {
  const samples = new Samples(new Streams(await new BlobStorage().scratch()));
  await samples.settle(() => 'none');
  await samples.set(0, '[a]');
  for (let frame = 1; frame <= 5; frame++) samples.hold(frame);
  await samples.settle(() => '[a]');
  await samples.set(6, '[b]');
  await samples.settle(() => 'not held');
  await samples.set(7, '[c]');
  samples.hold(8);
  let text = '';
  await samples.copyTo({ write: async (bytes) => void (text += new TextDecoder().decode(bytes)) }, 'int[] x');
  expect(text.replace(/\s+/g, ' ').trim()).toBe(
    'int[] x = [a] int[] x.timeSamples = { 0: [a], 5: [a], 6: [b], 7: [c], }',
  );
});

test('a value that never changes is no sample', async () => {
  const samples = new Samples(new Streams(await new BlobStorage().scratch()));
  await samples.set(3, '[a]');
  samples.hold(4);
  let text = '';
  const out = { write: async (bytes: Uint8Array) => void (text += new TextDecoder().decode(bytes)) };
  await samples.copyTo(out, 'int[] x', 'interpolation = "uniform"');
  expect(text.replace(/\s+/g, ' ').trim()).toBe('int[] x = [a] ( interpolation = "uniform" )');
});
