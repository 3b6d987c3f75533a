import { describe, expect, it } from 'vitest';
import { PliantError } from '../check.js';
import { type ExplicitCluster, explicitClusters } from './explicit.js';

const refusal = (count: number, clusters: ExplicitCluster[]): string => {
  try {
    explicitClusters(count, clusters);
  } catch (error) {
    expect(error).toBeInstanceOf(PliantError);
    return (error as PliantError).message;
  }
  return 'accepted';
};

describe('explicitClusters', () => {
  it('shares equally where no weights are given', () => {
    const { start, particle, weight, count } = explicitClusters(4, [{ members: [2, 0, 1] }, { members: [1, 2, 3] }]);
    expect(count).toBe(2);
    expect(Array.from(start)).toEqual([0, 3, 6]);
    expect(Array.from(particle)).toEqual([0, 1, 2, 1, 2, 3]);
    expect(Array.from(weight)).toEqual([1, 0.5, 0.5, 0.5, 0.5, 1]);
  });

  it('sorts weights with their members and makes sums near 1 exact', () => {
    const { particle, weight } = explicitClusters(2, [
      { members: [1, 0], weights: [0.2502, 1] },
      { members: [1], weights: [0.75] },
    ]);
    expect(Array.from(particle)).toEqual([0, 1, 1]);
    expect(weight[0]).toBe(1);
    expect(weight[1] + weight[2]).toBeCloseTo(1, 15);
    expect(weight[1] / weight[2]).toBeCloseTo(0.2502 / 0.75, 12);
  });

  it('warns of clusters too small to have a shape', () => {
    const lines: string[] = [];
    explicitClusters(5, [{ members: [0, 1, 2, 3] }, { members: [4] }], 'body.clusters', (line) => lines.push(line));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('body.clusters[1] has 1 members');
  });

  it.each<[string, number, ExplicitCluster[], string]>([
    ['no cluster', 1, [], 'clusters is empty'],
    ['an empty cluster', 1, [{ members: [0] }, { members: [] }], 'clusters[1].members is empty'],
    ['an index too large', 2, [{ members: [0, 1, 2] }], 'clusters[0].members[2] is 2; expected an integer in [0, 1]'],
    ['a fractional index', 2, [{ members: [0, 0.5] }], 'clusters[0].members[1] is 0.5'],
    ['a member twice', 2, [{ members: [0, 1, 0] }], 'clusters[0].members[2] is 0, which is a member twice'],
    ['a hole', 4, [{ members: [0, 1] }, { members: [3] }], 'hold no particle 2'],
    [
      'a weight of 0',
      1,
      [{ members: [0], weights: [0] }],
      'clusters[0].weights[0] is 0; expected a finite number above 0',
    ],
    ['a weight of NaN', 1, [{ members: [0], weights: [Number.NaN] }], 'clusters[0].weights[0] is NaN'],
    ['a sum off 1', 2, [{ members: [0, 1], weights: [1, 0.9] }], 'give particle 1 weights that sum to 0.9'],
    ['too few weights', 2, [{ members: [0, 1], weights: [1] }], 'weights has 1 numbers; expected 2'],
    ['some weights', 2, [{ members: [0] }, { members: [1], weights: [1] }], 'clusters[1].weights is given'],
  ])('refuses %s', (_, count, clusters, message) => expect(refusal(count, clusters)).toContain(message));
});
