import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildBody } from '../body/build.js';
import type { BodyOptions } from '../body/options.js';
import { PliantError } from '../check.js';
import { hashSnapshot } from '../snapshot/hashSnapshot.js';
import { refusal } from '../testing/refusal.js';
import { World } from '../world.js';
import { loadBody, saveBody, sealAsset } from './bytes.js';

const MESH = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], indices: [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2] };
const RAW: BodyOptions = {
  shape: { type: 'box', size: [1, 1, 1] },
  sampling: { method: 'grid', spacing: 0.125 },
  material: { raw: { stiffness: 0.5 } },
  clustering: { count: 40 },
  levels: { weights: { type: 'linear', to: 'fine' } },
};
const BODIES: Record<string, BodyOptions> = {
  'a shape with walls, fracture and reclustering': {
    name: 'ball ☃',
    shape: { type: 'sphere', radius: 0.5 },
    sampling: { count: 300, shell: 0.2 },
    material: { young: (x) => (x > 2 ? 2e5 : 1e5), toughness: 0.3, yield: 0.1 },
    reclustering: { threshold: 3 },
    groups: { membership: 2, filter: 6 },
    position: [2, 3, 4],
    rotation: [1, 2, 3, 4],
    velocity: [0, 1, 0],
    stretch: [1, 1.1, 1],
  },
  'a mesh with colours that meets others by its surface': {
    mesh: { ...MESH, colours: [1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1] },
    sampling: { count: 100 },
    contact: { mode: 'surface' },
    scale: [1, 2, 3],
  },
  points: { points: Array.from({ length: 90 }, (_, k) => ((k * 7919) % 101) / 101) },
  'nested levels': RAW,
  'levels that sum over particles': { ...RAW, levels: { sums: 'particles' } },
};

describe('saveBody and loadBody', () => {
  it.each(Object.keys(BODIES))('bring back the same body, to the bit: %s', async (name) => {
    const built = buildBody(BODIES[name]);
    const bytes = saveBody(built);
    const loaded = loadBody(bytes);
    expect(saveBody(loaded)).toEqual(bytes);
    const worlds = [await World.create(), await World.create()];
    const bodies = [worlds[0].addBody(built), worlds[1].addBody(loaded)];
    for (const world of worlds) for (let k = 0; k < 3; k++) world.step();
    expect(hashSnapshot(worlds[1].snapshot())).toBe(hashSnapshot(worlds[0].snapshot()));
    const [a, b] = bodies.map((body) => body.getSkin());
    expect(b.positions).toEqual(a.positions);
    expect(b.colours).toEqual(a.colours);
    if (!BODIES[name].mesh) return;
    for (const body of bodies) body.setMaterial({ young: { vertices: [1e5, 2e5, 3e5, 4e5] } });
    expect(hashSnapshot(worlds[1].snapshot())).toBe(hashSnapshot(worlds[0].snapshot()));
  });

  it('store equal numbers once', () => {
    const bytes = saveBody(buildBody(RAW));
    // 512 particles: stiffness, modulus, volumes, yield and toughness would take 20 kB more.
    const { data, clustering } = buildBody(RAW);
    const varied = 8 * (7 * data.masses.length + clustering.weight.length) + 4 * clustering.particle.length;
    const skin = buildBody(RAW).makeSkin();
    const rest = 4 * data.field!.grid.values.length + 8 * skin.positions.length + 4 * skin.indices.length;
    expect(bytes.length).toBeLessThan(varied + rest + 25_000);
  });

  it('refuse bytes that are damaged anywhere', () => {
    const bytes = saveBody(buildBody(BODIES.points));
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = bytes.slice();
        damaged[at] ^= change;
        expect(refusal(() => loadBody(damaged))).toMatch(/^asset /);
      }),
      { numRuns: 120 },
    );
    for (let length = 0; length < bytes.length; length += 211)
      expect(refusal(() => loadBody(bytes.subarray(0, length)))).toMatch(/^asset /);
    const longer = new Uint8Array(bytes.length + 1);
    longer.set(bytes);
    expect(refusal(() => loadBody(longer))).toContain('followed by something else');
    for (const other of [undefined, null, 'bytes', [1, 2], new Uint8Array(0), new Float64Array(99)])
      expect(refusal(() => loadBody(other as never))).toMatch(/^asset is .*expected the bytes that saveBody returned/);
    const later = bytes.slice();
    later[8]++;
    expect(refusal(() => loadBody(sealAsset(later)))).toContain('has format version 2; expected 1');
  });

  it.each(['points', 'nested levels', 'levels that sum over particles'])(
    'refuse or read bytes that are wrong with a right checksum, and what was read can be stepped: %s',
    async (name) => {
      const bytes = saveBody(buildBody(BODIES[name]));
      const world = await World.create();
      fc.assert(
        fc.property(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
          const wrong = bytes.slice();
          wrong[at] ^= change;
          let built: ReturnType<typeof loadBody>;
          try {
            built = loadBody(sealAsset(wrong));
          } catch (error) {
            expect(error).toBeInstanceOf(PliantError);
            return;
          }
          const body = world.addBody(built);
          world.step();
          world.removeBody(body);
        }),
        { numRuns: 60 },
      );
      expect(world.particleCount).toBe(0);
    },
  );

  it('saves only what was built', () => {
    expect(refusal(() => saveBody({} as never))).toBe(
      'built is an object with no keys; expected what buildBody or loadBody returned.',
    );
  });
});
