import { describe, expect, it } from 'vitest';
import { type Random, random } from '../math/random.js';
import { boxMesh, cellMesh, icosphere, merged, randomPoint, reversed, torusMesh } from '../mesh/testing/meshes.js';
import { signedVolume } from '../mesh/volume.js';
import { testSeed } from '../testing/seed.js';
import { cutMesh } from './cutMesh.js';
import { type Knife, resolveKnife } from './knife.js';
import { cuttable, faultsOf, partsOf } from './testing/meshes.js';

const comb = cellMesh([0, 1, 2, 3, 4, 5], [0, 1, 2], 1, (i, j) => j === 0 || i % 2 === 0);
const SHAPES = {
  box: boxMesh([1, 0.8, 1.2]),
  ball: icosphere(3, 0.7),
  torus: torusMesh(0.6, 0.25, 30, 12),
  'hollow ball': merged(icosphere(3, 0.8), reversed(icosphere(2, 0.5))),
  'ball with holes': merged(
    icosphere(3, 0.9),
    reversed(icosphere(1, 0.25, [0.3, 0.1, 0])),
    reversed(icosphere(1, 0.25, [-0.3, 0.1, 0.1])),
    reversed(icosphere(1, 0.2, [0, -0.35, 0])),
  ),
  comb: { ...comb, positions: comb.positions.map((x) => 0.3 * x - 0.5) },
};

/** A random affine map, bent and twisted; with `noise` the surface passes through itself. */
function deformation(next: Random, noise = 0) {
  const m = Array.from({ length: 9 }, (_, k) => (k % 4 === 0 ? 1 : 0) + 0.4 * (2 * next() - 1));
  const [twist, bend] = [2 * (2 * next() - 1), next()];
  return (p: number[]) => {
    const [x, y, z] = [0, 1, 2].map((a) => m[a] * p[0] + m[3 + a] * p[1] + m[6 + a] * p[2]);
    const [c, s] = [Math.cos(twist * y), Math.sin(twist * y)];
    return [c * x - s * z + bend * y * y, y, s * x + c * z].map((v) => v + noise * (2 * next() - 1));
  };
}

const planeThrough = (next: Random): Knife =>
  resolveKnife('cut', { point: randomPoint(next, 0.4), normal: direction(next) });
function direction(next: Random): [number, number, number] {
  for (;;) {
    const p = randomPoint(next, 1);
    const length = Math.hypot(...p);
    if (length > 0.1 && length <= 1) return p.map((x) => x / length) as [number, number, number];
  }
}

/** A blade of some corners around a point of the body. */
function bladeThrough(next: Random): Knife {
  const { point, u, v } = planeThrough(next);
  const corners = 3 + Math.floor(4 * next());
  const size = 0.1 + 1.2 * next();
  const angles = Array.from({ length: corners }, (_, k) => (2 * Math.PI * (k + 0.8 * next())) / corners);
  return resolveKnife('cut', {
    blade: angles.map((w) =>
      [0, 1, 2].map((a) => point[a] + size * (Math.cos(w) * u[a] + Math.sin(w) * v[a])),
    ) as never,
  });
}

describe('a plane through a mesh', () => {
  it('leaves a box in two boxes with a face each', () => {
    const mesh = cuttable(boxMesh([1, 1, 1]));
    const cut = cutMesh(mesh, resolveKnife('cut', { point: [0, 0.2, 0], normal: [0, 2, 0] }))!;
    expect(faultsOf(cut)).toEqual([]);
    const parts = partsOf(cut);
    expect(parts).toHaveLength(2);
    const volumes = parts.map((part) => signedVolume(cut.now, part)).sort();
    expect(volumes[0]).toBeCloseTo(0.3, 12);
    expect(volumes[1]).toBeCloseTo(0.7, 12);
    // The new faces are flat, look away from their parts, and lie at the same places.
    for (let t = 0; t < cut.inner.length; t++) {
      if (!cut.inner[t]) continue;
      const [a, b, c] = [0, 1, 2].map((k) =>
        Array.from(cut.now.subarray(3 * cut.indices[3 * t + k], 3 * cut.indices[3 * t + k] + 3)),
      );
      for (const p of [a, b, c]) expect(p[1]).toBeCloseTo(0.2, 12);
      const up = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
      expect(up * cut.side[cut.indices[3 * t]]).toBeLessThan(0);
    }
    // Nodes within: a face of a box of twelve triangles is as fine as its edges are long, one of a fine mesh is fine.
    const fine = cutMesh(mesh, resolveKnife('cut', { point: [0, 0.2, 0], normal: [0, 1, 0] }), { length: 0.1 })!;
    expect(faultsOf(fine)).toEqual([]);
    expect(fine.inner.filter((i) => i === 1).length).toBeGreaterThan(200);
  });

  it.each(Object.keys(SHAPES) as (keyof typeof SHAPES)[])('leaves a %s closed, and its volume', (name) => {
    const next = random(testSeed(`cuts of a ${name}`));
    for (let n = 0; n < 60; n++) {
      const mesh = cuttable(SHAPES[name], deformation(next));
      const whole = signedVolume(mesh.now, mesh.indices);
      const cut = cutMesh(mesh, planeThrough(next));
      if (!cut) continue;
      expect(faultsOf(cut)).toEqual([]);
      const parts = partsOf(cut);
      // One side's triangles have no vertex of the other's.
      for (const part of parts) expect(new Set(part.map((v) => cut.side[v])).size).toBe(1);
      const sum = parts.reduce((total, part) => total + signedVolume(cut.now, part), 0);
      expect(Math.abs(sum - whole)).toBeLessThan(1e-5 * Math.abs(whole));
      // Twelve triangles that are twisted pass through one another.
      if (name === 'box') continue;
      const sides = [1, -1].map((side) => parts.filter((part) => cut.side[part[0]] === side));
      for (const side of sides)
        expect(side.reduce((total, part) => total + signedVolume(cut.now, part), 0)).toBeGreaterThan(0);
    }
  });

  it('closes meshes that pass through themselves', () => {
    const next = random(testSeed('tangled meshes'));
    for (const shape of Object.values(SHAPES))
      for (let n = 0; n < 25; n++) {
        const mesh = cuttable(shape, deformation(next, 0.15 * next()));
        const cut = cutMesh(mesh, planeThrough(next));
        if (!cut) continue;
        expect(faultsOf(cut)).toEqual([]);
        const whole = signedVolume(mesh.now, mesh.indices);
        const sum = partsOf(cut).reduce((total, part) => total + signedVolume(cut.now, part), 0);
        expect(Math.abs(sum - whole)).toBeLessThan(1e-3 * Math.abs(whole));
      }
  });

  it('may pass through vertices and along faces', () => {
    for (const shape of Object.values(SHAPES)) {
      const mesh = cuttable(shape);
      const step = Math.max(1, Math.floor(mesh.now.length / 30));
      for (let v = 0; v < mesh.now.length / 3; v += step)
        for (const normal of [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
          [1, 1, 0],
        ] as const) {
          // biome-ignore format: short
          const point = [mesh.now[3 * v], mesh.now[3 * v + 1], mesh.now[3 * v + 2]] as const;
          const cut = cutMesh(mesh, resolveKnife('cut', { point, normal }));
          if (cut) expect(faultsOf(cut)).toEqual([]);
        }
    }
  });

  it('interpolates rest positions and attributes alike, again and again', () => {
    const next = random(testSeed('cuts of cuts'));
    let mesh = cuttable(SHAPES.ball, deformation(next));
    for (let n = 0; n < 12; n++) {
      const cut = cutMesh(mesh, planeThrough(next), { length: 0.15 });
      if (!cut) continue;
      expect(faultsOf(cut)).toEqual([]);
      let off = 0;
      for (let h = 0; h < cut.indices.length; h++) {
        if (cut.inner[Math.floor(h / 3)]) continue;
        for (let a = 0; a < 3; a++)
          off = Math.max(off, Math.abs(cut.attributes[3 * cut.corners[h] + a] - cut.rest[3 * cut.indices[h] + a]));
      }
      expect(off).toBeLessThan(1e-5);
      mesh = cut;
    }
  });

  it('that meets nothing changes nothing', () => {
    const mesh = cuttable(SHAPES.ball);
    expect(cutMesh(mesh, resolveKnife('cut', { point: [0, 2, 0], normal: [0, 1, 0] }))).toBeUndefined();
  });

  it('places the nodes of its face by the motion of the body', () => {
    const m = [1.2, 0.1, 0, -0.3, 0.9, 0.2, 0.1, 0, 1.1];
    const move = (p: number[]) => [0, 1, 2].map((a) => m[a] * p[0] + m[3 + a] * p[1] + m[6 + a] * p[2] + a);
    const mesh = cuttable(SHAPES.ball, move);
    const cut = cutMesh(mesh, resolveKnife('cut', { point: [0, 1.1, 2], normal: [1, 2, 1] }), { length: 0.1 })!;
    for (let v = 0; v < cut.side.length; v++) {
      const here = move(Array.from(cut.rest.subarray(3 * v, 3 * v + 3)));
      // As exact as the least squares that found the motion.
      for (let a = 0; a < 3; a++) expect(Math.abs(here[a] - cut.now[3 * v + a])).toBeLessThan(2e-5);
    }
  });
});

describe('a blade in a mesh', () => {
  it('opens a slot whose faces meet at the blade border', () => {
    const mesh = cuttable(boxMesh([1, 1, 1]));
    const blade = [[-1, 0.1, -1], [-1, 0.1, 1], [0.2, 0.1, 1], [0.2, 0.1, -1]] as const; // biome-ignore format: short
    const cut = cutMesh(mesh, resolveKnife('cut', { blade }), { length: 0.2 })!;
    expect(faultsOf(cut)).toEqual([]);
    expect(partsOf(cut)).toHaveLength(1);
    expect(signedVolume(cut.now, cut.indices)).toBeCloseTo(1, 9);
    // Pulled open by its sides it takes up a wedge.
    const open = cut.now.map((y, k) => (k % 3 === 1 ? y + 0.05 * cut.side[(k - 1) / 3] : y));
    const gap = signedVolume(cut.now, cut.indices) - signedVolume(open, cut.indices);
    expect(gap).toBeGreaterThan(0.7 * 0.1 * 0.6);
    expect(gap).toBeLessThan(0.7 * 0.1);
  });

  it('that goes right through parts it', () => {
    const mesh = cuttable(SHAPES['hollow ball']);
    const blade = [[-2, 0.1, -2], [-2, 0.1, 2], [2, 0.1, 2], [2, 0.1, -2]] as const; // biome-ignore format: short
    const cut = cutMesh(mesh, resolveKnife('cut', { blade }))!;
    expect(faultsOf(cut)).toEqual([]);
    expect(partsOf(cut)).toHaveLength(2);
    const plane = cutMesh(mesh, resolveKnife('cut', { point: [0, 0.1, 0], normal: [0, 1, 0] }))!;
    expect(cut.indices.length).toBe(plane.indices.length);
  });

  it('of any shape leaves any mesh closed, and its volume', () => {
    const next = random(testSeed('blades'));
    let met = 0;
    for (const shape of Object.values(SHAPES))
      for (let n = 0; n < 40; n++) {
        const mesh = cuttable(shape, deformation(next, n % 4 === 0 ? 0.1 : 0));
        const cut = cutMesh(mesh, bladeThrough(next), { length: 0.2 });
        if (!cut) continue;
        met++;
        expect(faultsOf(cut)).toEqual([]);
        const whole = signedVolume(mesh.now, mesh.indices);
        expect(Math.abs(signedVolume(cut.now, cut.indices) - whole)).toBeLessThan(1e-4 * Math.abs(whole));
      }
    expect(met).toBeGreaterThan(120);
  });
});

describe('refused', () => {
  const blade =
    (...corners: number[][]) =>
    () =>
      resolveKnife('cut', { blade: corners } as never);
  it.each([
    [
      () => resolveKnife('cut', { point: [0, 0, 0], normal: [0, 0, 0] }),
      /cut\.normal is \[0, 0, 0\]; expected a direction/,
    ],
    [() => resolveKnife('cut', { point: [0, Number.NaN, 0], normal: [1, 0, 0] }), /cut\.point is .*; expected three/],
    [() => resolveKnife('cut', { plane: 1 } as never), /cut\.plane is not an option/],
    [
      () => resolveKnife('cut', { blade: [[0, 0, 0]], point: [0, 0, 0] } as never),
      /cut\.point is .*; expected nothing/,
    ],
    [blade([0, 0, 0], [1, 0, 0]), /cut\.blade is .*; expected at least three corners/],
    [blade([0, 0, 0], [1, 0, 0], [2, 0, 0]), /cut\.blade has no area/],
    [blade([0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.5]), /cut\.blade\[\d\] stands .* off the plane/],
    [blade([0, 0, 0], [2, 0, 0], [0.5, 0.5, 0], [0, 2, 0]), /cut\.blade\[2\] bends inward/],
  ])('%#', (make, message) => {
    expect(make).toThrow(message);
  });
});
