import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS } from '../kernels/kernels.js';
import { boxMesh } from '../mesh/testing/meshes.js';
import { signedVolume } from '../mesh/volume.js';
import { disturb, worldWith } from '../testing/bodies.js';
import { testSeed } from '../testing/seed.js';
import type { RenderSkin } from './renderSkin.js';
import { SMOOTH } from './skinMesh.js';
import { expectSound, turnAndShift } from './testing/sound.js';

const BOX: BodyOptions = {
  shape: { type: 'box', size: [1, 0.8, 0.6] },
  sampling: { spacing: 0.12 },
  clustering: { count: 6 },
};
const BALL: BodyOptions = {
  shape: { type: 'sphere', radius: 0.5 },
  sampling: { spacing: 0.12 },
  clustering: { count: 7 },
};
const sheet: number[] = [];
for (let i = 0; i < 9; i++) for (let j = 0; j < 9; j++) sheet.push(0.1 * i, 0, 0.1 * j);
/** Of one layer: its clusters have no extent across it. */
const SHEET: BodyOptions = { points: sheet, clustering: { count: 4 } };

function deform(body: Body, map: (p: ArrayLike<number>) => number[]): void {
  for (let i = 0; i < body.particleCount; i++)
    body.positions.set(map(body.restPositions.subarray(3 * i, 3 * i + 3)), 4 * i);
}

/** Largest distance of a vertex to where a map of the rest shape puts it. */
function worstMiss(skin: RenderSkin, rest: Float32Array, map: (p: ArrayLike<number>) => number[]): number {
  let worst = 0;
  for (let v = 0; v < rest.length; v += 3)
    map(rest.subarray(v, v + 3)).forEach((x, a) => {
      worst = Math.max(worst, Math.abs(x - skin.positions[v + a]));
    });
  return worst;
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const normalOf = ({ normals }: RenderSkin, v: number) => normals.subarray(3 * v, 3 * v + 3);
const placeOf = ({ positions }: RenderSkin, v: number) => positions.subarray(3 * v, 3 * v + 3);

/** By how much the length of the worst normal, squared, is off 1; not a number where one is not. */
const offUnit = (skin: RenderSkin) =>
  Math.max(
    ...Array.from({ length: skin.vertexCount }, (_, v) => Math.abs(dot(normalOf(skin, v), normalOf(skin, v)) - 1)),
  );

describe('the skin of a body', () => {
  it.each([
    ['box', BOX],
    ['ball', BALL],
    ['sheet', SHEET],
  ])('%s: follows rigid motion, near and far, with its normals', async (_, options) => {
    const { body } = await worldWith(options);
    const skin = body.getSkin();
    const [rest, normals] = [skin.positions.slice(), skin.normals.slice()];
    for (const shift of [
      [0.5, -3, 2],
      [40, 0, 0],
    ]) {
      const map = turnAndShift(shift);
      deform(body, map);
      skin.update();
      // f32 has a spacing of 4e-6 at 40 m.
      expect(worstMiss(skin, rest, map)).toBeLessThan(1e-5);
      const turn = turnAndShift([0, 0, 0]);
      let least = 1;
      for (let v = 0; v < skin.vertexCount; v++)
        least = Math.min(least, dot(turn(normals.subarray(3 * v, 3 * v + 3)), normalOf(skin, v)));
      // Positions rounded to 4e-6 m over edges of some centimetres.
      expect(least).toBeGreaterThan(1 - 1e-6);
    }
  });

  it.each([
    ['box', BOX],
    ['ball', BALL],
  ])('%s: follows any affine motion', async (_, options) => {
    const affine = (p: ArrayLike<number>) => [
      1.5 * p[0] + 0.4 * p[1] - 2,
      0.8 * p[1] - 0.3 * p[2] + 1,
      0.2 * p[0] + 1.1 * p[2],
    ];
    const { body } = await worldWith(options);
    const skin = body.getSkin();
    const rest = skin.positions.slice();
    deform(body, affine);
    skin.update();
    expect(worstMiss(skin, rest, affine)).toBeLessThan(1e-5);
  });

  it('starts where the body is: stretched, scaled, turned', async () => {
    const { body } = await worldWith({ ...BOX, scale: [2, 1, 1], position: [0, 3, 0], stretch: [1, 2, 1] });
    const skin = body.getSkin();
    let [low, high] = [9, -9];
    for (let v = 1; v < skin.positions.length; v += 3) {
      low = Math.min(low, skin.positions[v]);
      high = Math.max(high, skin.positions[v]);
    }
    expect(low).toBeCloseTo(2 * 2.6, 5);
    expect(high).toBeCloseTo(2 * 3.4, 5);
    expect(expectSound(skin.restMesh)).toBeCloseTo(0.96, 9);
  });

  it('has the normals of a ball and of a box, which is creased', async () => {
    const { body: ball } = await worldWith(BALL);
    for (let v = 0; v < ball.getSkin().vertexCount; v++)
      // Within 3°: triangles around a vertex are not all alike.
      expect(dot(normalOf(ball.getSkin(), v), placeOf(ball.getSkin(), v)) / 0.5).toBeGreaterThan(
        Math.cos((3 * Math.PI) / 180),
      );
    const { body: box } = await worldWith(BOX);
    const corners: number[] = [];
    for (let v = 0; v < box.getSkin().vertexCount; v++) {
      expect(Math.max(...normalOf(box.getSkin(), v).map(Math.abs))).toBeCloseTo(1, 6);
      if (placeOf(box.getSkin(), v).every((x, a) => Math.abs(Math.abs(x) - [0.5, 0.4, 0.3][a]) < 1e-6)) corners.push(v);
    }
    // Three faces meet in each of eight corners, in one place.
    expect(corners).toHaveLength(24);
    expect(new Set(corners.map((v) => box.getSkin().welded[v])).size).toBe(8);
  });

  it('is smooth across seams of the file, keeps its uvs and colours, and is divided to bend', async () => {
    // A roof's worth of a box: 24 vertices, each face with a texture of its own; and told to be smooth all over.
    const mesh = boxMesh([1, 1, 1], [0, 0, 0], true);
    const uvs = mesh.positions.flatMap((_, k) => (k % 3 === 0 ? [(k / 3) % 2, Math.floor(k / 6) % 2] : []));
    const colours = mesh.positions.map((x) => x + 0.5);
    const { body } = await worldWith({ mesh: { ...mesh, uvs, colours }, sampling: { spacing: 0.2 } });
    const skin = body.getSkin();
    expectSound(skin.restMesh);
    expect(skin.indices.length / 3).toBeGreaterThan(100);
    skin.replace({ ...skin.restMesh, crease: SMOOTH }, false);
    expect(skin.uvs).toHaveLength(2 * skin.vertexCount);
    for (let v = 0; v < skin.vertexCount; v++) {
      // Colours were painted by place: halving an edge keeps that.
      for (let a = 0; a < 3; a++) expect(skin.colours![3 * v + a]).toBeCloseTo(skin.positions[3 * v + a] + 0.5, 5);
      for (let w = 0; w < v; w++) {
        if (skin.welded[v] !== skin.welded[w]) continue;
        expect(placeOf(skin, v)).toEqual(placeOf(skin, w));
        expect(normalOf(skin, v)).toEqual(normalOf(skin, w));
      }
    }
    const seams = skin.vertexCount - new Set(skin.welded).size;
    expect(seams).toBeGreaterThan(16);
  });

  it('keeps to its arrays and allocates none, while its topology is the same', async () => {
    const { world, body } = await worldWith(BOX);
    const skin = body.getSkin();
    const arrays = () => [skin.positions, skin.normals, skin.indices, skin.particle, skin.groups, skin.version];
    const before = arrays();
    const made: string[] = [];
    const globals = globalThis as unknown as Record<string, new (...args: unknown[]) => unknown>;
    const names = [
      'Float32Array',
      'Float64Array',
      'Uint32Array',
      'Uint16Array',
      'Uint8Array',
      'Int32Array',
      'Map',
      'Set',
    ];
    const real = names.map((name) => globals[name]);
    world.step();
    names.forEach((name, k) => {
      globals[name] = new Proxy(real[k], {
        construct(target, args) {
          made.push(name);
          return Reflect.construct(target, args) as object;
        },
      });
    });
    try {
      skin.update();
      expect(made).toEqual([]);
      // A change of topology allocates: the counter works.
      body.topologyVersion++;
      skin.update();
      expect(made.length).toBeGreaterThan(3);
    } finally {
      names.forEach((name, k) => {
        globals[name] = real[k];
      });
    }
    // The same triangles over: nothing to upload.
    arrays().forEach((array, k) => {
      expect(array).toBe(before[k]);
    });
  });

  it('stays finite, its normals of length 1, through violent motion', async () => {
    const seed = testSeed('violent motion');
    for (const options of [BOX, BALL, SHEET]) {
      const { world, body } = await worldWith(options);
      for (let n = 0; n < 20; n++) {
        if (n % 5 === 0) disturb(world, seed + n, 0.5 * n, 100 * n);
        world.step();
        body.getSkin().update();
        expect(body.getSkin().positions.every(Number.isFinite)).toBe(true);
        expect(offUnit(body.getSkin())).toBeLessThan(1e-5);
      }
      // Crushed into a point: no face has a normal.
      deform(body, () => [1, 2, 3]);
      body.getSkin().update();
      expect(offUnit(body.getSkin())).toBeLessThan(1e-5);
    }
  });

  it('names the particle nearest to each vertex', async () => {
    const { body } = await worldWith(BALL);
    const skin = body.getSkin();
    for (let v = 0; v < skin.vertexCount; v += 7) {
      const off = (i: number) =>
        Math.hypot(...[0, 1, 2].map((a) => body.restPositions[3 * i + a] - placeOf(skin, v)[a]));
      const least = Math.min(...Array.from({ length: body.particleCount }, (_, i) => off(i)));
      expect(off(skin.particle[v])).toBeCloseTo(least, 5);
    }
  });

  it('shows faces that a cut made as a group of their own, creased against the outside', async () => {
    const { body } = await worldWith(BALL);
    const skin = body.getSkin();
    const { restMesh, version } = skin;
    // The lower half is said to be a cut's.
    const inner = Uint8Array.from({ length: restMesh.indices.length / 3 }, (_, t) =>
      [0, 1, 2].every((k) => restMesh.positions[3 * restMesh.indices[3 * t + k] + 1] <= 1e-9) ? 1 : 0,
    );
    const count = 3 * inner.reduce((sum, k) => sum + k, 0);
    const before = skin.vertexCount;
    skin.replace({ ...restMesh, inner }, false);
    expect(skin.version).toBeGreaterThan(version);
    const outer = skin.indices.length - count;
    expect(skin.groups).toEqual([
      { start: 0, count: outer, kind: 'outer' },
      { start: outer, count, kind: 'inner' },
    ]);
    expect(skin.vertexCount).toBeGreaterThan(before);
    for (let k = outer; k < skin.indices.length; k++)
      expect(skin.positions[3 * skin.indices[k] + 1]).toBeLessThan(1e-6);
    expect(signedVolume(skin.positions, skin.indices)).toBeCloseTo(0.5236, 1);
  });

  it('of a body that was removed is refused', async () => {
    const { world, body } = await worldWith(BALL);
    world.removeBody(body);
    expect(() => body.getSkin()).toThrow('was removed');
  });
});

describe('the skin of a body that flows', () => {
  it('goes on where it was when clusters are replaced', async () => {
    const { world, body } = await worldWith({
      shape: { type: 'box', size: [1.6, 0.4, 0.4] },
      sampling: { method: 'grid', spacing: 0.08 },
      clustering: { count: 40 },
      material: { yield: 0.05, raw: { rotation: 'covariance', damping: 0.1, limit: { gamma: 0.5 } } },
      reclustering: { threshold: 2 },
    });
    for (const side of [1, -1])
      world.addClamp({
        region: { type: 'halfspace', normal: [side, 0, 0], offset: 0.7 },
        velocity: [0.5 * side, 0, 0],
      });
    const skin = body.getSkin();
    let [jump, replaced] = [0, 0];
    for (let n = 0; n < 150; n++) {
      const [before, x, version] = [skin.positions.slice(), body.positions.slice(), body.topologyVersion];
      world.step();
      skin.update();
      if (body.topologyVersion !== version) replaced++;
      // Debris takes its share of the skin with it: then vertices have other numbers.
      if (replaced === 0 || before.length !== skin.positions.length) continue;
      for (let v = 0; v < skin.vertexCount; v++) {
        // Against the particle below it.
        const o = 4 * skin.particle[v];
        const by = [0, 1, 2].map(
          (a) => skin.positions[3 * v + a] - before[3 * v + a] - body.positions[o + a] + x[o + a],
        );
        jump = Math.max(jump, Math.hypot(...by));
      }
    }
    expect(replaced).toBeGreaterThan(2);
    // A fifth of a spacing is what clusters that fade in and out differ by in one step.
    expect(jump).toBeLessThan(0.25 * 0.08);
    // Some clusters were founded from particles that lay in one plane at rest; what these made of places beside it had 1e34 times the volume.
    // The bar is two and a half times as long as it was and in one piece, its particles more spacious where it is thin.
    expect(body.pieces.count).toBe(1);
    expect(signedVolume(skin.positions, skin.indices) / 0.256).toBeGreaterThan(0.8);
    expect(signedVolume(skin.positions, skin.indices) / 0.256).toBeLessThan(1.5);
  });
});

describe('the skin in both backends', () => {
  // One sums clusters in f64, the other in f32 by blocks of 32: a few roundings of the body's size. Normals divide that by the size of a
  // triangle, a tenth of the body.
  it.each([
    ['a ball', BALL],
    ['a box', BOX],
    ['a sheet', SHEET],
  ])('is the same to 1e-6, where its particles were shaken: %s', async (_, options) => {
    const seed = testSeed('skins of both backends');
    const skins: RenderSkin[] = [];
    for (const backend of BACKENDS) {
      const { world, body } = await worldWith(options, { backend });
      disturb(world, seed, 0.05, 0);
      const skin = body.getSkin();
      skin.update();
      skins.push(skin);
    }
    const [a, b] = skins;
    expect(a.positions.length).toBe(b.positions.length);
    for (let k = 0; k < a.positions.length; k++) {
      expect(Math.abs(a.positions[k] - b.positions[k])).toBeLessThan(1e-6);
      expect(Math.abs(a.normals[k] - b.normals[k])).toBeLessThan(2e-5);
    }
  });
});
