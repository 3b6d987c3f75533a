import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bakeTo, boxOf, follow, SCENE } from './testing/scene.js';

/**
 * Files against Blender itself, which is large: CI does not install it, and these tests are skipped where it is not.
 * `apt-get install blender python3-numpy` or an unpacked release on the PATH; PLIANT_BLENDER may name another. Debian's has no USD.
 */
const BLENDER = process.env.PLIANT_BLENDER ?? 'blender';
const missing = spawnSync(BLENDER, ['--version']).status !== 0;
const script = fileURLToPath(new URL('testing/blender.py', import.meta.url));
const FRAMES = [0, 5, 12];

interface Seen {
  vertices: number;
  faces: number;
  box: number[];
  materials: string[];
  uvs: number;
  shown: boolean;
}
interface Scene {
  fps: number;
  frames: Record<string, Record<string, Seen>>;
  images: string[];
}

describe.skipIf(missing)(`Blender${missing ? ', which is not installed here,' : ''}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'pliant-blender-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  let seen: Record<'glb' | 'heart' | 'pc2' | 'mdd' | 'ply', Scene> & { usda?: Scene; usdz?: Scene };
  const boxes = new Map<string, number[]>();

  beforeAll(async () => {
    const ball = { ...SCENE, bodies: [SCENE.bodies[0]], cuts: [] };
    for (const [name, scene] of [
      ['all.glb', SCENE],
      ['all.usda', SCENE],
      ['all.usdz', SCENE],
      ['all.ply', SCENE],
      ['ball.pc2', ball],
      ['ball.mdd', ball],
    ] as const) {
      const { storage, bytes } = await bakeTo(name, { fps: 60, frames: 15 }, scene);
      for (const file of storage.files.keys()) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), await bytes(file));
      }
    }
    // The gallery's heart with fewer particles, for three seconds.
    const heart = JSON.parse(readFileSync(new URL('../../../scenes/broken-heart.json', import.meta.url), 'utf8'));
    heart.bodies[0].sampling.count = 2000;
    const { bytes } = await bakeTo('heart.glb', { fps: 30, frames: 90, pieces: true }, heart);
    writeFileSync(join(folder, 'heart.glb'), await bytes('heart.glb'));
    const args = ['-b', '--factory-startup', '--python', script, '--', folder, ...FRAMES.map(String)];
    const said = execFileSync(BLENDER, args, { encoding: 'utf8', maxBuffer: 1 << 26 });
    const line = said.split('\n').find((one) => one.startsWith('RESULT '));
    expect(line, said.slice(-2000)).toBeDefined();
    seen = JSON.parse(line!.slice('RESULT '.length));
    await follow(12, ({ world }, step) => {
      for (const body of world.bodies) boxes.set(`${body.name} ${step}`, boxOf(body.getSkin().positions));
    });
    await follow(
      12,
      ({ bodies }, step) => void boxes.set(`ball alone ${step}`, boxOf(bodies[0].getSkin().positions)),
      ball,
    );
  });

  const expectBox = (found: number[], name: string) => {
    for (const [k, value] of found.entries()) expect(value, name).toBeCloseTo(boxes.get(name)![k], 4);
  };

  test('shows the objects of a GLB file where the bodies are, in turns, with materials and textures', () => {
    const { frames, images } = seen.glb;
    for (const frame of FRAMES) expectBox(frames[frame].ball.box, `ball ${frame}`);
    expect(frames[0].ball).toMatchObject({ materials: ['ball'], shown: true });
    expect(frames[5]['crate 1']).toMatchObject({ shown: true, materials: ['lid', 'wood'], uvs: 1 });
    expect(frames[5]['crate 1 (2)'].shown).toBe(false);
    expect(frames[12]['crate 1'].shown).toBe(false);
    expect(frames[12]['crate 1 (2)']).toMatchObject({ shown: true, materials: ['crate 1 inner', 'lid', 'wood'] });
    expectBox(frames[5]['crate 1'].box, 'crate 1 5');
    expectBox(frames[12]['crate 1 (2)'].box, 'crate 1 12');
    expectBox(frames[12]['crate 1 2'].box, 'crate 1 2 12');
    expect(images).toEqual(['planks']);
  });

  test('opens the broken heart with its pieces moving', () => {
    const { frames } = seen.heart;
    const shown = (frame: number) =>
      Object.entries(frames[frame]).filter(([, piece]) => piece.shown && piece.faces > 0);
    const middle = ({ box }: Seen) => (box[0] + box[3]) / 2;
    expect(shown(0)).toHaveLength(1);
    const [left, right] = shown(170)
      .sort(([, a], [, b]) => b.faces - a.faces)
      .slice(0, 2)
      .map(([name, piece]) => ({ name, x: middle(piece) }))
      .sort((a, b) => a.x - b.x);
    // The halves are drawn apart, and go on moving.
    expect(right.x - left.x).toBeGreaterThan(0.5);
    const before = Object.fromEntries(shown(90).map(([name, piece]) => [name, middle(piece)]));
    for (const { name, x } of [left, right])
      if (name in before) expect(Math.abs(x - before[name])).toBeGreaterThan(0.02);
    expect(
      shown(170)
        .flatMap(([, { materials }]) => materials)
        .some((name) => name.endsWith('inner')),
    ).toBe(true);
  });

  test.each(['pc2', 'mdd'] as const)('moves the OBJ mesh by the %s file', (format) => {
    const { frames } = seen[format];
    for (const frame of FRAMES) expectBox(Object.values(frames[frame])[0].box, `ball alone ${frame}`);
  });

  test('reads a PLY file of the sequence', () => {
    const [mesh] = Object.values(seen.ply.frames[0]);
    // Blender's PLY importer changes no axes.
    const [x0, y0, z0, x1, y1, z1] = mesh.box;
    const all = ['ball 12', 'crate 1 12', 'crate 1 2 12'].map((name) => boxes.get(name)!);
    const wanted = [0, 1, 2, 3, 4, 5].map((a) => Math[a < 3 ? 'min' : 'max'](...all.map((box) => box[a])));
    for (const [k, value] of [x0, -z1, y0, x1, -z0, y1].entries()) expect(value).toBeCloseTo(wanted[k], 4);
  });

  test.for(['usda', 'usdz'] as const)('opens %s with topology that changes', (format, { skip }) => {
    const scene = seen[format];
    if (!scene) return skip('this Blender was built without USD');
    expect(scene.fps).toBe(60);
    for (const frame of FRAMES) {
      expectBox(scene.frames[frame].ball.box, `ball ${frame}`);
      expectBox(scene.frames[frame].crate_1.box, `crate 1 ${frame}`);
    }
    expectBox(scene.frames[12].crate_1_2.box, 'crate 1 2 12');
    expect(scene.frames[12].crate_1.faces).toBeGreaterThan(0);
    expect(scene.frames[0].crate_1.materials).toEqual(['lid', 'wood']);
  });
});
