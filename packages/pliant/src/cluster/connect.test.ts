import { describe, expect, it } from 'vitest';
import { connectedComponents, overlapParts, samplingParts } from './connect.js';
import { darts, gridBox, gridCube, joined, shifted } from './testing/bodies.js';

const parts = (points: Float64Array) => samplingParts(points).count;
const clusters = (...lists: number[][]) => ({
  start: Uint32Array.from([0, ...lists.map((_, c) => lists.slice(0, c + 1).flat().length)]),
  particle: Uint32Array.from(lists.flat()),
});

describe('samplingParts', () => {
  it('solids, sheets and lines are one part, at any scale', () => {
    for (const scale of [1e-3, 1, 1e3])
      for (const body of [gridCube(6), gridBox(20, 20, 1, 0.1), gridBox(50, 1, 1, 0.1), darts([1, 1, 1], 0.12, 1)])
        expect(parts(body.map((v) => v * scale))).toBe(1);
  });

  it('blue noise is one part, thin or thick, over many seeds', () => {
    for (let seed = 1; seed <= 10; seed++) {
      expect(parts(darts([1, 1, 0.3], 0.11, seed)), `seed ${seed}`).toBe(1);
      expect(parts(darts([1, 1, 1e-6], 0.05, seed)), `sheet, seed ${seed}`).toBe(1);
    }
  });

  it('a slanted sheet is one part', () => {
    const sheet = gridBox(30, 30, 1, 0.1);
    const slanted = sheet.map((v, k) => (k % 3 === 2 ? sheet[k - 2] + 0.5 * sheet[k - 1] : v));
    expect(parts(slanted)).toBe(1);
  });

  it('a diagonal step is a link, a missing layer is a gap', () => {
    expect(parts(joined(gridCube(4, 3), shifted(gridCube(4, 3), [4, 4, 4])))).toBe(1);
    expect(parts(joined(gridCube(4, 3), shifted(gridCube(4, 3), [5, 0, 0])))).toBe(2);
  });

  it('two lumps and a lone particle are three parts, numbered by their first particle', () => {
    const body = joined(Float64Array.of(50, 0, 0), gridCube(4), shifted(gridCube(5), [3, 0, 0]));
    const { count, ofParticle } = samplingParts(body);
    expect(count).toBe(3);
    expect([ofParticle[0], ofParticle[1], ofParticle[64], ofParticle[65]]).toEqual([0, 1, 1, 2]);
  });

  it('a coarse half of a graded sampling holds together', () => {
    const { ofParticle } = samplingParts(joined(gridBox(20, 20, 20, 0.1), shifted(gridBox(5, 5, 5, 1), [2, 0, 0])));
    const far = ofParticle.subarray(8000 + 25);
    expect(far.every((part) => part === far[0])).toBe(true);
  });

  it('takes one, two and coincident particles', () => {
    expect(parts(Float64Array.of(1, 2, 3))).toBe(1);
    expect(parts(Float64Array.of(0, 0, 0, 9, 0, 0))).toBe(1);
    expect(parts(new Float64Array(15))).toBe(1);
  });
});

describe('overlapParts', () => {
  it('clusters that share a particle are one part', () => {
    expect(overlapParts(6, clusters([0, 1, 2], [2, 3], [4, 5])).count).toBe(2);
    expect(overlapParts(6, clusters([0, 1, 2], [2, 3], [3, 4, 5])).count).toBe(1);
    expect(Array.from(overlapParts(4, clusters([0, 2], [1, 3])).ofParticle)).toEqual([0, 1, 0, 1]);
  });
});

describe('connectedComponents', () => {
  const line = gridBox(6, 1, 1, 1);
  it('names two particles that the clusters tear apart', () => {
    expect(connectedComponents(line, clusters([0, 1, 2], [3, 4, 5])).split).toEqual([0, 3]);
    expect(connectedComponents(line, clusters([0, 1, 2], [2, 3, 4, 5])).split).toBeNull();
  });

  it('lets clusters hold together what the sampling does not', () => {
    const lumps = joined(line, shifted(line, [20, 0, 0]));
    const { split, sampling, overlap } = connectedComponents(lumps, clusters([...Array(12).keys()]));
    expect(split).toBeNull();
    expect([sampling.count, overlap.count]).toEqual([2, 1]);
  });
});
