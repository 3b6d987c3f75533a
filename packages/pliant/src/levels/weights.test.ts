import { describe, expect, it } from 'vitest';
import { refusal } from '../testing/refusal.js';
import { type LevelWeights, levelWeights } from './weights.js';

const of = (given: LevelWeights, levels = 4) => Array.from(levelWeights('levels.weights', given, levels));
const scaled = (values: number[]) => values.map((v) => v / values.reduce((a, b) => a + b));
const close = (values: number[]) => values.map((v) => expect.closeTo(v, 12));

describe('weights of levels', () => {
  it('are those of [K20] 14 to 21, the finest first', () => {
    expect(of('uniform')).toEqual([0.25, 0.25, 0.25, 0.25]);
    expect(of({ type: 'uniform' })).toEqual(of('uniform'));
    expect(of({ type: 'linear', to: 'coarse', epsilon: 0.5 })).toEqual(close(scaled([0.5, 1.5, 2.5, 3.5])));
    expect(of({ type: 'linear', to: 'fine', epsilon: 0.01 })).toEqual(close(scaled([3.01, 2.01, 1.01, 0.01])));
    const bell = [1, Math.exp(-0.5), Math.exp(-2), Math.exp(-4.5)];
    expect(of({ type: 'gaussian', to: 'fine' })).toEqual(close(scaled(bell)));
    expect(of({ type: 'gaussian', to: 'coarse' })).toEqual(close(scaled([...bell].reverse())));
    const steps = [1, 3.5, 6, 8.5];
    expect(of({ type: 'polynomial', to: 'coarse', b: 10, c: 2 })).toEqual(close(scaled(steps.map((s) => s * s))));
    expect(of({ type: 'polynomial', to: 'fine', b: 10, c: 1 })).toEqual(close(scaled([...steps].reverse())));
    expect(of({ type: 'polynomial', to: 'fine', c: 0 })).toEqual(of('uniform'));
    expect(of([3, 0, 0, 1])).toEqual([0.75, 0, 0, 0.25]);
    expect(of({ type: 'gaussian', to: 'coarse' }, 1)).toEqual([1]);
  });

  it('refuse what is wrong, by name', () => {
    for (const [given, message] of [
      ['steep', 'levels.weights is "steep"; expected one of'],
      [{ type: 'linear' }, 'levels.weights.to is undefined; expected one of'],
      [{ type: 'linear', to: 'fine', epsilon: 0 }, 'levels.weights.epsilon is 0; expected a finite number above 0'],
      [{ type: 'gaussian', to: 'fine', b: 1 }, 'levels.weights.b'],
      [{ type: 'polynomial', to: 'up' }, 'levels.weights.to is "up"'],
      [{ type: 'polynomial', to: 'fine', c: -1 }, 'levels.weights.c is -1'],
      [[1, 2], 'levels.weights has 2 numbers; expected 4, one for each level of the body, the finest first.'],
      [[1, 2, -1, 0], 'levels.weights[2] is -1'],
      [[0, 0, 0, 0], 'levels.weights is [0, 0, 0, 0]; expected weights whose sum is above 0'],
      [7, 'levels.weights is 7'],
    ] as const)
      expect(refusal(() => levelWeights('levels.weights', given as unknown as LevelWeights, 4))).toContain(message);
  });
});
