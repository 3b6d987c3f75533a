import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { testSeed } from '../testing/seed.js';
import { orient } from './orient.js';
import { boxMesh, icosphere, merged, reversed, type TestMesh, torusMesh, without } from './testing/meshes.js';
import { signedVolume } from './volume.js';
import { weld } from './weld.js';

const oriented = (mesh: TestMesh) => {
  const { positions, indices } = weld(mesh);
  const result = orient(positions, indices);
  return { ...result, before: indices, signed: signedVolume(positions, result.indices) };
};
const volumeOf = ({ positions, indices }: TestMesh) => signedVolume(positions, indices);

const closedMeshes: [string, TestMesh][] = [
  ['box', boxMesh([1, 2, 3])],
  ['icosphere', icosphere(2)],
  ['torus', torusMesh(1, 0.3, 20, 10)],
];

describe.each(closedMeshes)('orient %s', (_, mesh) => {
  const triangles = mesh.indices.length / 3;
  const volume = volumeOf(mesh);

  it('leaves a sound mesh as it is', () => {
    const result = oriented(mesh);
    expect(result).toMatchObject({ components: 1, open: false, boundaryEdges: 0, nonManifoldEdges: 0, flipped: 0 });
    expect([...result.indices]).toEqual([...result.before]);
    expect(result.volume).toBeCloseTo(volume, 10);
  });

  it('turns an inside-out mesh', () => {
    const result = oriented(reversed(mesh));
    expect(result).toMatchObject({ components: 1, open: false, flipped: triangles });
    expect(result.signed).toBeCloseTo(volume, 10);
  });

  it('turns single triangles back', () => {
    expect(oriented(reversed(mesh, (t) => t === 3))).toMatchObject({ flipped: 1, open: false });
    expect(oriented(reversed(mesh, (t) => t !== 3))).toMatchObject({ flipped: triangles - 1, open: false });
  });

  it('mends any mixture of windings', () => {
    const next = random(testSeed('orient'));
    for (let n = 0; n < 20; n++) {
      const result = oriented(reversed(mesh, () => next() < 0.5));
      expect(result.open).toBe(false);
      expect(result.signed).toBeCloseTo(volume, 10);
    }
  });
});

describe('orient several shells', () => {
  const outer = icosphere(3, 1);
  const inner = icosphere(2, 0.5);

  it('turns each of two disjoint shells outward', () => {
    const two = merged(reversed(icosphere(2, 1, [-3, 0, 0])), icosphere(2, 1, [3, 0, 0]));
    const result = oriented(two);
    expect(result).toMatchObject({ components: 2, open: false, flipped: 320 });
    expect(result.volume).toBeCloseTo(2 * volumeOf(icosphere(2, 1)), 10);
  });

  it('keeps a cavity a cavity, whichever way the file is wound', () => {
    for (const file of [merged(outer, reversed(inner)), merged(reversed(outer), inner)]) {
      const result = oriented(file);
      expect(result).toMatchObject({ components: 2, open: false });
      expect(result.volume).toBeCloseTo(volumeOf(outer) - volumeOf(inner), 10);
    }
  });

  it('keeps a solid in a solid, and does not count it twice', () => {
    for (const file of [merged(outer, inner), merged(reversed(outer), reversed(inner))]) {
      const result = oriented(file);
      expect(result.signed).toBeCloseTo(volumeOf(outer) + volumeOf(inner), 10);
      expect(result.volume).toBeUndefined();
    }
  });

  it('carries the relation through several depths', () => {
    const core = icosphere(1, 0.2);
    const file = reversed(merged(outer, reversed(inner), core));
    expect(oriented(file).volume).toBeCloseTo(volumeOf(outer) - volumeOf(inner) + volumeOf(core), 10);
  });

  it('does not take overlapping shells for nested ones', () => {
    // The smaller box is half inside: turned outward by itself, though the file winds it the other way.
    const result = oriented(merged(boxMesh([2, 2, 2]), reversed(boxMesh([1, 1, 1], [1, 0, 0]))));
    expect(result.signed).toBeCloseTo(9, 10);
    expect(result.volume).toBeUndefined();
  });

  it('takes two cubes that share an edge as two closed shells', () => {
    const result = oriented(merged(boxMesh([1, 1, 1]), reversed(boxMesh([1, 1, 1], [1, 1, 0]))));
    expect(result).toMatchObject({ components: 2, open: false, nonManifoldEdges: 1, flipped: 12 });
    expect(result.signed).toBeCloseTo(2, 10);
  });
});

describe('orient open and impossible surfaces', () => {
  it('counts the border of an open mesh and still turns it outward', () => {
    const open = without(icosphere(2), (t) => t === 7);
    expect(oriented(open)).toMatchObject({
      components: 1,
      open: true,
      boundaryEdges: 3,
      flipped: 0,
      volume: undefined,
    });
    expect(oriented(reversed(open))).toMatchObject({ open: true, flipped: 319 });
  });

  it('leaves a flat sheet as the file winds it', () => {
    const sheet = { positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], indices: [0, 1, 2, 0, 2, 3] };
    expect(oriented(sheet)).toMatchObject({ open: true, boundaryEdges: 4, flipped: 0 });
    expect(oriented(reversed(sheet))).toMatchObject({ flipped: 0 });
  });

  it('says where three sheets meet', () => {
    const wall = { positions: [-0.5, -0.5, -0.5, 0.5, 0.5, -0.5, 0.5, 0.5, 0.5], indices: [0, 1, 2] };
    const result = oriented(merged(boxMesh([1, 1, 1]), wall));
    expect(result.open).toBe(true);
    expect(result.nonManifoldEdges).toBeGreaterThan(0);
  });

  it('says that a Möbius strip has no winding', () => {
    const n = 12;
    const positions: number[] = [];
    const indices: number[] = [];
    for (let i = 0; i < n; i++) {
      const u = (2 * Math.PI * i) / n;
      for (const w of [-0.3, 0.3]) {
        const r = 1 + w * Math.cos(u / 2);
        positions.push(r * Math.cos(u), r * Math.sin(u), w * Math.sin(u / 2));
      }
      const [a, b] = [2 * i, 2 * i + 1];
      const [c, d] = i === n - 1 ? [1, 0] : [2 * i + 2, 2 * i + 3];
      indices.push(a, b, c, b, d, c);
    }
    const result = oriented({ positions, indices });
    expect(result).toMatchObject({ components: 1, open: true, twistedEdges: 1, boundaryEdges: 2 * n });
  });
});
