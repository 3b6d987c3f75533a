import { beforeAll, describe, expect, it } from 'vitest';
import { report } from '../testing/report.js';
import { testSeed } from '../testing/seed.js';
import { determinant, multiplyInto } from './mat3.js';
import { polarInto } from './polar.js';
import { random } from './random.js';
import { svdInto } from './svd.js';
import { AT, decompositions, memory, startWasm, wasm } from './testing/decompositions.js';
import { singularValues } from './testing/doubleDouble.js';
import { compose, randomMatrix } from './testing/matrices.js';

beforeAll(startWasm);

describe.each(['ts', 'wasm'] as const)('SVD and polar decomposition (%s)', (backend) => {
  const decompose = decompositions[backend];

  it('gives the singular values of a 32-digit oracle to 1e-5 relative, graded matrices included', () => {
    const seed = testSeed(`svd oracle ${backend}`);
    const next = random(seed);
    let worst = 0;
    for (let k = 0; k < 10_000; k++) {
      const { m } = k % 2 ? randomMatrix(next) : { m: compose(next, [1, 10 ** (-9 * next()), 10 ** (-9 * next())]) };
      const { sigma } = decompose(m);
      const exact = singularValues(m);
      // Below 1e-10 of the largest one, MᵀM has no digits left even in the oracle.
      for (let j = 0; j < 3; j++)
        if (exact[j] > 1e-10 * exact[0]) worst = Math.max(worst, Math.abs(Math.abs(sigma[j]) - exact[j]) / exact[j]);
    }
    report('worst relative error of a singular value', worst, '');
    expect(worst).toBeLessThan(1e-5);
  });

  it('turns a line onto its image by the smallest rotation, and leaves a point alone', () => {
    const next = random(5);
    for (let k = 0; k < 1000; k++) {
      const { u, v, r } = decompose(compose(next, [1, 0, 0]));
      // Angle of R against the angle between v₁ and u₁.
      const cosTurn = (r[0] + r[4] + r[8] - 1) / 2;
      const cosLine = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
      expect(cosTurn).toBeCloseTo(cosLine, 5);
    }
    expect(Array.from(decompose(new Float64Array(9)).r)).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
  });
});

describe.each(['ts', 'wasm'] as const)('mirrored clusters (%s)', (backend) => {
  // The matrices of the clusters of a mirrored body: the same matrix up to rounding of f32 positions.
  it.each([
    ['in one direction', [1, 1, -1]],
    ['and stretched', [2, 1, -1]],
    ['and squeezed', [1, 1, -0.97]],
  ])('agree on the axis they flip: mirrored %s', (_, sigma) => {
    const next = random(23);
    for (let k = 0; k < 200; k++) {
      const m = compose(next, sigma);
      const first = decompositions[backend](m).r;
      for (let twin = 0; twin < 10; twin++) {
        const { r } = decompositions[backend](m.map((value) => value + 1e-6 * (2 * next() - 1)));
        expect(Math.max(...r.map((value, j) => Math.abs(value - first[j])))).toBeLessThan(1e-4);
      }
    }
  });
});

describe('polar decomposition with reflections kept (research scenes)', () => {
  it('gives the nearest orthogonal matrix, det −1 for an inverted cluster', () => {
    const next = random(11);
    for (let k = 0; k < 1000; k++) {
      const m = compose(next, [1 + next(), 0.5 + 0.5 * next(), -(0.001 + 0.4 * next())]);
      const r = new Float64Array(9);
      polarInto(r, m, true);
      memory.set(m, 0);
      wasm.polar3(AT + 512, AT, true);
      expect(determinant(r)).toBeCloseTo(-1, 9);
      for (let j = 0; j < 9; j++) expect(memory[64 + j]).toBeCloseTo(r[j], 9);
    }
  });
});

describe('the stretch of a matrix that is nearly symmetric', () => {
  /** Two at a time, side by side: of which the stretch was found. */
  const straightenTwo = (m: Float64Array, n: Float64Array) => {
    m.forEach((value, k) => {
      memory[2 * k] = value;
      memory[2 * k + 1] = n[k];
    });
    memory.fill(Number.NaN, 64, 76);
    const found = wasm.straighten(AT + 512, AT);
    return [(found & 1) !== 0, (found & 2) !== 0];
  };
  const stretchAt = (which: number) => Array.from({ length: 6 }, (_, n) => memory[64 + 2 * n + which]);
  /** One of two, beside one that is none. */
  const straighten = (m: Float64Array) => straightenTwo(m, new Float64Array(9))[0];
  /** A rotation about any axis. */
  const turn = (next: () => number, angle: number) => {
    const [axis, r] = [[next() - 0.5, next() - 0.5, next() - 0.5], new Float64Array(9)];
    const scale = Math.tan(angle / 2) / Math.hypot(...axis);
    const [x, y, z] = axis.map((value) => scale * value);
    const f = 2 / (1 + x * x + y * y + z * z);
    r.set([1 - f * (y * y + z * z), f * (x * y + z), f * (x * z - y)]);
    r.set([f * (x * y - z), 1 - f * (x * x + z * z), f * (y * z + x)], 3);
    r.set([f * (x * z + y), f * (y * z - x), 1 - f * (x * x + y * y)], 6);
    return r;
  };

  it.each([
    [0.3, 3, 1e-6],
    [0.8, 1.25, 1e-8],
  ])(
    'is that of the polar decomposition, of stretches from %f to %f turned by up to 0.3: off by less than %f',
    (least, most, off) => {
      const next = random(testSeed('straighten'));
      const [u, v, sigma, m] = [9, 9, 3, 9].map((n) => new Float64Array(n));
      const stretch = () => least + (most - least) * next();
      let worst = 0;
      for (let k = 0; k < 20_000; k++) {
        svdInto(u, sigma, v, compose(next, [stretch(), stretch(), stretch()]));
        // S = V Σ Vᵀ: entries xx, yy, zz, xy, xz, yz.
        const entry = (i: number, j: number) =>
          [0, 1, 2].reduce((sum, n) => sum + v[3 * n + i] * sigma[n] * v[3 * n + j], 0);
        const [xx, yy, zz, xy, xz, yz] = [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)];
        // As often small as not.
        multiplyInto(m, turn(next, 0.3 * next() ** 4), Float64Array.of(xx, xy, xz, xy, yy, yz, xz, yz, zz));
        expect(straighten(m)).toBe(true);
        const found = stretchAt(0);
        [xx, yy, zz, xy, xz, yz].forEach((value, n) => {
          worst = Math.max(worst, Math.abs(found[n] - value));
        });
      }
      expect(worst).toBeLessThan(off);
    },
  );

  it('is to the last bit the same whatever lies beside it', () => {
    const next = random(testSeed('straighten two'));
    const draw = () => {
      const m = turn(next, next() < 0.2 ? 1.5 : 0.3 * next() ** 4);
      for (let k = 0; k < 9; k++) m[k] *= 1 + 0.2 * (next() < 0.5 ? 0 : next());
      return m;
    };
    let [both, one] = [0, 0];
    for (let k = 0; k < 5000; k++) {
      const [m, n] = [draw(), draw()];
      const found = straightenTwo(m, n);
      const stretches = [stretchAt(0), stretchAt(1)];
      if (found[0] && found[1]) both++;
      else if (found[0] || found[1]) one++;
      for (const [which, own] of [m, n].entries()) {
        expect(straightenTwo(own, own)).toEqual([found[which], found[which]]);
        if (found[which]) for (const other of [0, 1]) expect(stretchAt(other)).toEqual(stretches[which]);
      }
    }
    expect(both).toBeGreaterThan(1000);
    expect(one).toBeGreaterThan(1000);
  });

  it('is left to the polar decomposition where it turns far, is flat or inside out', () => {
    const next = random(testSeed('straighten not'));
    for (let k = 0; k < 2000; k++) {
      expect(straighten(turn(next, 0.8 + 2 * next()))).toBe(false);
      const flat = [1, 1, 1e-4 * (next() - 0.9)].map((s) => s * (1 + next()));
      expect(straighten(Float64Array.of(flat[0], 0, 0, 0, flat[1], 0, 0, 0, flat[2]))).toBe(false);
      expect(straighten(Float64Array.of(-1 - next(), 0, 0, 0, 1 + next(), 0, 0, 0, 1))).toBe(false);
    }
    for (const value of [0, Number.NaN, Number.POSITIVE_INFINITY])
      expect(straighten(new Float64Array(9).fill(value))).toBe(false);
  });
});
