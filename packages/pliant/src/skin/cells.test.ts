import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { signedVolume } from '../mesh/volume.js';
import { testSeed } from '../testing/seed.js';
import { findNear } from './blend.js';
import { divideInside } from './cells.js';
import { after, before, Lattice } from './lattice.js';
import type { SkinMesh } from './skinMesh.js';
import { skinOfShape } from './source.js';
import { edgeFaults } from './testing/closed.js';

describe('a lattice', () => {
  const lattice = new Lattice([0, 0, 0], [1, 1, 1], 0.25);

  it('names each tetrahedron by both of its long edges', () => {
    const next = random(testSeed('sectors'));
    for (let n = 0; n < 200; n++) {
      const name = 12 * lattice.nodeAt(next(), next(), next()) + Math.floor(12 * next());
      const other = lattice.otherName(name);
      expect(lattice.otherName(other)).toBe(name);
      // The same four nodes: two along each edge, which are the apexes of the other.
      const corners = (sector: number) => {
        const [a, b] = [new Int32Array(3), new Int32Array(3)];
        lattice.cornersInto(a, sector);
        lattice.cornersInto(b, after(sector));
        return [...new Set([...a, ...b])].sort();
      };
      expect(corners(name).length).toBe(4);
      expect(corners(other)).toEqual(corners(name));
      expect(before(after(name))).toBe(name);
    }
  });

  it('names a triangle by its nodes, whichever comes first, and tells which way around they run', () => {
    const corners = new Int32Array(3);
    const first = 12 * lattice.nodeAt(0.5, 0.5, 0.5);
    for (let name = first; name < first + 12; name++) {
      lattice.cornersInto(corners, name);
      const [a, b, c] = corners;
      for (const turned of [
        [a, b, c],
        [b, c, a],
        [c, a, b],
      ]) {
        expect(lattice.triangleOf(turned[0], turned[1], turned[2])).toBe(name);
        expect(lattice.triangleOf(turned[2], turned[1], turned[0])).toBe(~name);
      }
    }
  });
});

/** Particles at random places, which is all that cells ask of them. */
function scattered(count: number, size: number, name: string): Float64Array {
  const next = random(testSeed(name));
  return Float64Array.from({ length: 3 * count }, () => size * (next() - 0.5));
}

function cellsOf(mesh: SkinMesh, spacing: number, name: string) {
  const particles = scattered(400, 1, name);
  return divideInside(mesh, findNear(mesh.positions, particles), particles, spacing);
}

const MESHES: Record<string, () => SkinMesh> = {
  // Twelve triangles, each some twenty nodes long.
  box: () => ({
    positions: Float64Array.from(
      [0, 1, 2, 3, 4, 5, 6, 7].flatMap((n) => [n & 1, (n >> 1) & 1, n >> 2].map((x) => x - 0.5)),
    ),
    indices: Uint32Array.from([
      0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
    ]),
  }),
  ball: () => skinOfShape({ type: 'sphere', radius: 0.45 }, 0.1, 0.38),
  ring: () => skinOfShape({ type: 'torus', radius: 0.35, tube: 0.1 }, 0.1, 0.069),
  sheet: () => skinOfShape({ type: 'box', size: [0.9, 0.02, 0.9] }, 0.1, 0.0162),
};

describe('the inside of a skin', () => {
  it.each(Object.keys(MESHES))('%s: every cell is closed, and whichever are taken together; volumes add up', (name) => {
    const mesh = MESHES[name]();
    const cells = cellsOf(mesh, 0.1, name);
    const positions = Float64Array.from([...mesh.positions, ...cells.nodes]);
    expect(cells.isClosed).toBe(true);
    const skin = mesh.indices.length / 3;
    const borders: number[][] = Array.from({ length: cells.count }, (_, c) =>
      c < skin ? Array.from(mesh.indices.subarray(3 * c, 3 * c + 3)) : [],
    );
    for (let f = 0; f < cells.from.length; f++)
      for (let k = 3 * cells.start[f]; k < 3 * cells.start[f + 1]; k += 3) {
        const [a, b, c] = cells.triangles.subarray(k, k + 3);
        borders[cells.from[f]].push(a, b, c);
        borders[cells.to[f]].push(a, c, b);
      }
    let sum = 0;
    for (const border of borders) {
      expect(edgeFaults(border).open).toBe(0);
      sum += signedVolume(positions, Uint32Array.from(border));
    }
    const whole = signedVolume(mesh.positions, mesh.indices);
    expect(whole).toBeGreaterThan(0);
    expect(Math.abs(sum / whole - 1)).toBeLessThan(1e-9);
  });

  it('of one that is open is not divided', () => {
    const { positions, indices } = MESHES.box();
    const cells = cellsOf({ positions, indices: indices.slice(3) }, 0.1, 'open box');
    expect(cells.isClosed).toBe(false);
    expect(cells.count).toBe(11);
  });
});
