import { describe, expect, it } from 'vitest';
import { BACKENDS } from '../kernels/kernels.js';
import type { MaterialOptions } from '../material/material.js';
import { random } from '../math/random.js';
import { refusal } from '../testing/refusal.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { hashData, hashSnapshot } from './hashSnapshot.js';

describe('hashData', () => {
  it('is what it has always been: golden hashes rest on it', () => {
    expect(hashData({ x: Float32Array.of(1, -0, 3), name: 'clay', list: [true, null, undefined, 0.1] })).toBe(
      'a20681b6306d5119',
    );
  });

  it('tells apart what differs in one bit, in kind, in length, in place or in name', () => {
    const different = [
      0,
      -0,
      1,
      5e-324,
      '',
      '0',
      'a',
      'ab',
      'abcd',
      'abcde',
      true,
      false,
      null,
      undefined,
      [],
      [0],
      [0, 0],
      [[0], 0],
      [[0, 0]],
      {},
      { a: 0 },
      { b: 0 },
      { a: 0, b: 0 },
      { a: { b: 0 } },
      { a: undefined },
      new Float32Array(0),
      new Float32Array(1),
      Float32Array.of(-0),
      new Float32Array(2),
      new Uint32Array(2),
      new Uint32Array(3),
      new Uint32Array(4),
      new Uint32Array(5),
      new Float64Array(1),
      new Uint8Array(1),
      Uint8Array.of(1, 2, 3, 4, 5),
      Uint8Array.of(1, 2, 3, 4, 5, 0),
    ];
    expect(new Set(different.map((data) => hashData(data))).size).toBe(different.length);
  });

  it('changes half of its bits, about, with any bit of a long array, and never none of a lane', () => {
    const next = random(testSeed('hash'));
    const words = Uint32Array.from({ length: 1000 }, () => 4294967296 * next());
    const lanes = (hash: string) => hash.match(/.{8}/g)!.map((lane) => Number.parseInt(lane, 16));
    const before = lanes(hashData(words));
    let changed = 0;
    for (let n = 0; n < 500; n++) {
      const k = Math.floor(words.length * next());
      const bit = 1 << Math.floor(32 * next());
      words[k] ^= bit;
      const after = lanes(hashData(words));
      words[k] ^= bit;
      for (const [l, lane] of after.entries()) {
        expect(lane, `word ${k}, lane ${l}`).not.toBe(before[l]);
        for (let x = lane ^ before[l]; x !== 0; x &= x - 1) changed++;
      }
    }
    expect(changed / (500 * 64)).toBeGreaterThan(0.48);
    expect(changed / (500 * 64)).toBeLessThan(0.52);
  });

  it('does not ask in which order keys were written, or where in memory an array lies', () => {
    expect(hashData({ a: 1, b: 2 })).toBe(hashData({ b: 2, a: 1 }));
    const bytes = Uint8Array.from({ length: 40 }, (_, k) => k);
    for (let at = 0; at < 8; at++) {
      const moved = new Uint8Array(48).subarray(at, at + 40);
      moved.set(bytes);
      expect(hashData(moved)).toBe(hashData(bytes));
    }
  });

  it('refuses NaN, whose bits differ between engines, and what is no data, by name', () => {
    expect(refusal(() => hashData({ a: [0, Number.NaN] }))).toMatch(/^data\.a\[1\] is NaN; expected a number/);
    expect(refusal(() => hashData({ x: Float32Array.of(0, 1, Number.NaN) }))).toMatch(/^data\.x\[2\] is NaN/);
    expect(refusal(() => hashData({ f: () => 0 }))).toMatch(/^data\.f is .*; expected plain data/);
    expect(refusal(() => hashData(new Map()))).toMatch(/^data is .*; expected plain data/);
    expect(refusal(() => hashSnapshot(undefined as never))).toMatch(
      /^snapshot is undefined; expected what world\.snapshot/,
    );
  });
});

describe.each(BACKENDS)('hashSnapshot (%s)', (backend) => {
  const make = async (material: MaterialOptions = {}) => {
    const world = await World.create({ backend });
    world.addCollider({ type: 'plane', normal: [0, 1, 0] });
    const body = world.addBody({
      shape: { type: 'box', size: [0.4, 0.3, 0.4] },
      sampling: { spacing: 0.1, method: 'grid' },
      clustering: { count: 4 },
      position: [0, 0.3, 0],
      material,
    });
    return { world, body };
  };
  const hashOf = ({ world }: { world: World }) => hashSnapshot(world.snapshot());

  it.each<[string, MaterialOptions]>([
    ['per-step parameters', { raw: {} }],
    ['an elastic law, whose substeps change while it falls asleep', { young: 2e5 }],
  ])(
    'is the same for the same run with %s, however often it was looked at, and another after every step',
    async (_, material) => {
      const [one, other] = [await make(material), await make(material)];
      const seen = new Set<string>();
      for (let n = 0; n < 20; n++) {
        seen.add(hashOf(one));
        one.world.step();
        other.world.step();
      }
      expect(seen.size).toBe(20);
      expect(hashOf(other)).toBe(hashOf(one));
    },
  );

  it('covers what is not in the state: gravity, obstacles, bodies, hands', async () => {
    const changes: (({ world, body }: Awaited<ReturnType<typeof make>>) => void)[] = [
      () => {},
      ({ world }) => {
        world.gravity = [0, -9, 0];
      },
      ({ world }) => world.colliders[0].moveTo([0, 0.001, 0]),
      ({ world }) => {
        world.colliders[0].enabled = false;
      },
      ({ body }) => body.sleep(),
      ({ body }) => body.pin(3),
      ({ world, body }) => world.addPick({ body, particle: 0 }),
      ({ body }) => body.setMaterial({ young: 3e4 }),
    ];
    const hashes: string[] = [];
    for (const change of changes) {
      const made = await make();
      change(made);
      hashes.push(hashOf(made));
    }
    expect(new Set(hashes).size).toBe(changes.length);
  });
});
