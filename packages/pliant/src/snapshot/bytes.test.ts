import { describe, expect, it } from 'vitest';
import { PliantError } from '../check.js';
import { random } from '../math/random.js';
import { refusal } from '../testing/refusal.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { decodeSnapshot, encodeSnapshot, readSnapshot, sealBytes, VERSION } from './bytes.js';
import type { Snapshot } from './snapshot.js';
import { hashOf } from './testing/bits.js';

async function smallWorld(): Promise<World> {
  const world = await World.create();
  world.addCollider({ type: 'plane', normal: [0, 1, 0] });
  world.addBody({
    shape: { type: 'box', size: [0.2, 0.2, 0.2] },
    sampling: { spacing: 0.1, method: 'grid' },
    clustering: { count: 1 },
    position: [0, 0.3, 0],
  });
  for (let n = 0; n < 5; n++) world.step();
  return world;
}

/** The bytes with some of them changed, checksum and all. */
function changed(bytes: Uint8Array, change: (view: DataView, copy: Uint8Array) => void): Uint8Array {
  const copy = bytes.slice();
  change(new DataView(copy.buffer), copy);
  return sealBytes(copy);
}

describe('bytes of a snapshot', () => {
  it('give the same snapshot again', async () => {
    const world = await smallWorld();
    const { byteLength: _, addedByteLength: __, ...content } = world.snapshot();
    const { made, byteLength: ___, addedByteLength: ____, ...again } = decodeSnapshot(world.save());
    expect(again).toEqual(content);
    expect(made?.actors[0]).toEqual({
      type: 'collider',
      options: { type: 'plane', normal: [0, 1, 0] },
      since: 0,
      except: undefined,
    });
  });

  it('may lie anywhere in a buffer, also in one whose slices copy nothing, as those of Node', async () => {
    const world = await smallWorld();
    const saved = world.save();
    class Sliced extends Uint8Array {
      override slice(start?: number, end?: number) {
        return this.subarray(start, end) as never;
      }
    }
    const bytes = new Sliced(saved.length + 3).subarray(3);
    bytes.set(saved);
    const other = await World.create();
    other.restore(bytes);
    expect(hashOf(other)).toBe(hashOf(world));
  });

  it('are refused with any bit changed, at any length but their own, and the world stays as it is', async () => {
    const world = await smallWorld();
    const bytes = world.save();
    world.step();
    const before = hashOf(world);
    const next = random(testSeed('flipped bits'));
    // All of the header and the rows of arrays, and a share of the rest.
    for (let at = 0; at < bytes.length; at += at < 1500 ? 1 : 1 + Math.floor(60 * next())) {
      const bad = bytes.slice();
      bad[at] ^= 1 << Math.floor(8 * next());
      expect(refusal(() => world.restore(bad))).toMatch(/^snapshot /);
    }
    for (let length = 0; length < bytes.length; length += length < 100 ? 1 : 1 + Math.floor(200 * next()))
      expect(refusal(() => world.restore(bytes.subarray(0, length)))).toMatch(/^snapshot is /);
    expect(refusal(() => world.restore(Uint8Array.of(...bytes, 0)))).toContain('is followed by something else');
    expect(hashOf(world)).toBe(before);
    world.restore(bytes);
    expect(world.frame).toBe(5);
  });

  it('say why they are refused', async () => {
    const world = await smallWorld();
    const bytes = world.save();
    const told = (bad: Uint8Array) => refusal(() => decodeSnapshot(bad));
    expect(told(new Uint8Array(3))).toBe('snapshot is [0, 0, 0]; expected the bytes that world.save() returned.');
    expect(told(bytes.subarray(0, 1200))).toBe(`snapshot is truncated: 1200 bytes; expected ${bytes.length}.`);
    const with32 = (at: number, value: number) => changed(bytes, (view) => view.setUint32(at, value, true));
    expect(told(with32(8, VERSION + 1))).toBe(`snapshot has format version ${VERSION + 1}; expected ${VERSION}.`);
    expect(told(with32(16, 3))).toContain('is of an engine with other arrays');
    expect(told(with32(12, 2))).toBe('snapshot has flags 2; expected 0 or 1.');
    expect(told(with32(28, 2 ** 32 - 1))).toContain('too few for its 4294967295 arrays');
    expect(told(with32(32, 5))).toContain('is not what was saved');
    const bad = bytes.slice();
    bad[bytes.length - 1] ^= 4;
    expect(told(bad)).toBe('snapshot is damaged: its checksum is not that of its bytes.');
  });

  it('promise nothing that there is no room for', async () => {
    const bytes = (await smallWorld()).save();
    const arrays = new DataView(bytes.buffer).getUint32(28, true);
    for (let k = 0; k < arrays; k++)
      for (const [at, value] of [
        [4, 2 ** 32 - 1],
        [8, 2 ** 32 - 1],
        [0, 0xff],
        [0, 0x02ff0000],
      ]) {
        const crafted = changed(bytes, (view) => view.setUint32(48 + 24 * k + at, value, true));
        // Refused without the 16 to 32 GB that it asks for: where these were made the test would end here.
        expect(refusal(() => readSnapshot(crafted))).toMatch(/^snapshot /);
      }
  });

  it('are refused whatever is behind the header, with the checksum that belongs to it; or are the same all the same', async () => {
    const world = await smallWorld();
    const bytes = world.save();
    const before = hashOf(world);
    const next = random(testSeed('crafted bytes') + 2);
    let refused = 0;
    for (let n = 0; n < 1500; n++) {
      const crafted = changed(bytes, (_, copy) => {
        for (let k = Math.floor(4 * next()); k >= 0; k--)
          copy[12 + Math.floor((copy.length - 12) * next())] = Math.floor(256 * next());
      });
      try {
        world.restore(crafted);
      } catch (error) {
        expect(error).toBeInstanceOf(PliantError);
        refused++;
      }
    }
    // Some bytes say nothing: how wide the rows of an array are that is not packed.
    expect(refused).toBeGreaterThan(1400);
    expect(hashOf(world)).toBe(before);
  });

  it('keep every bit of what numbers there are', () => {
    const odd = { numbers: [-0, Number.NaN, 1e-320, 2 ** 32, -1, 0.1], texts: ['', 'ä\ud83d', '\0'], none: null };
    const arrays = [new Float64Array([Number.NaN, -0]), new Uint8Array([1, 2, 3]), new Float32Array(0)];
    const given = { format: 'x', arrays: {}, odd: [odd, { arrays }] } as unknown as Snapshot;
    const { byteLength: _, addedByteLength: __, ...again } = readSnapshot(encodeSnapshot(given)) as Snapshot;
    expect(again).toEqual(given);
  });
});
