import { readFileSync } from 'node:fs';
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from 'mediabunny';
import { describe, expect, test } from 'vitest';
// @ts-expect-error: a plain script, shared with `npm test`'s set-up.
import { findBrowser } from '../../../../scripts/browser.mjs';
import { BOX, pliant, scratch } from '../testing/cli.js';

const disk = scratch();
const box = disk.scene('box.json', BOX);

describe.skipIf(!findBrowser())('films', () => {
  test.each([
    ['mp4', 'avc'],
    ['webm', 'vp9'],
  ])('%s has a picture for every step, at the speed of the world', async (kind, codec) => {
    const file = disk.path(`box.${kind}`);
    const { code, err } = await pliant('run', box, '--out', file, '--size', '96x64', '--frames', '5', '--quiet');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    const input = new Input({ source: new BufferSource(readFileSync(file)), formats: ALL_FORMATS });
    const track = (await input.getPrimaryVideoTrack())!;
    expect(await track.getCodec()).toBe(codec);
    expect([await track.getDisplayWidth(), await track.getDisplayHeight()]).toEqual([96, 64]);
    const times: number[] = [];
    for await (const packet of new EncodedPacketSink(track).packets()) times.push(packet.timestamp);
    expect(times).toHaveLength(6);
    for (const [n, time] of times.entries()) expect(time).toBeCloseTo(n / 60, 2);
    expect(await input.computeDuration()).toBeCloseTo(0.1, 2);
  });
});

test('without a Chromium a film is refused before the scene is read', async () => {
  const before = process.env.PLIANT_BROWSER;
  process.env.PLIANT_BROWSER = disk.path('none');
  const { code, err } = await pliant('run', 'none.json', '--out', disk.path('x.mp4'));
  if (before === undefined) delete process.env.PLIANT_BROWSER;
  else process.env.PLIANT_BROWSER = before;
  expect(code).toBe(2);
  expect(err).toMatch(/^pliant: --out: \.mp4 is drawn in a Chromium, and none is found; expected one on the PATH/);
});
