import fc from 'fast-check';
import { beforeAll, describe, it } from 'vitest';
import { testSeed } from '../testing/seed.js';
import { determinant, multiplyInto } from './mat3.js';
import { random } from './random.js';
import { type Decompose, decompositions, startWasm } from './testing/decompositions.js';
import { type RandomMatrix, randomMatrix } from './testing/matrices.js';

beforeAll(startWasm);

/** Largest entry of QᵀQ − I. */
function skew(q: Float64Array): number {
  let worst = 0;
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      const dot = q[3 * i] * q[3 * j] + q[3 * i + 1] * q[3 * j + 1] + q[3 * i + 2] * q[3 * j + 2];
      worst = Math.max(worst, Math.abs(dot - (i === j ? 1 : 0)));
    }
  return worst;
}

const trace = (r: Float64Array, m: Float64Array) => r.reduce((sum, value, k) => sum + value * m[k], 0);

/** Everything SPEC M4 asks of one matrix; the first thing that fails as a text, or ''. */
function faults({ m, sigma: truth, kind }: RandomMatrix, { u, sigma, v, r }: ReturnType<Decompose>): string {
  const size = Math.max(...Array.from(m, Math.abs), 1e-300);
  for (const [name, q] of [
    ['U', u],
    ['V', v],
    ['R', r],
  ] as const) {
    if (!(skew(q) < 1e-5)) return `${kind}: ${name} is not orthogonal (${skew(q)})`;
    if (!(Math.abs(determinant(q) - 1) < 1e-5)) return `${kind}: det ${name} is ${determinant(q)}`;
  }
  if (!(sigma[0] >= sigma[1] && sigma[1] >= Math.abs(sigma[2]))) return `${kind}: σ out of order ${sigma}`;
  const back = new Float64Array(9);
  const vt = Float64Array.from({ length: 9 }, (_, k) => v[3 * (k % 3) + Math.floor(k / 3)]);
  multiplyInto(
    back,
    u.map((value, k) => value * sigma[Math.floor(k / 3)]),
    vt,
  );
  // A line's tail (σ₂/σ₁ < 1e-5) is turned by choice, not by m.
  for (let k = 0; k < 9; k++)
    if (!(Math.abs(back[k] - m[k]) < 3e-5 * size)) return `${kind}: U Σ Vᵀ misses m by ${back[k] - m[k]}`;
  // R is the best proper rotation: tr(RᵀM) is σ₁ + σ₂ ± σ₃.
  // Of directions squeezed alike within 5 %, which one is flipped is agreed on, not searched: that may cost the difference.
  const best = sigma[0] + sigma[1] + sigma[2];
  const tie = sigma[2] < 0 && -sigma[2] > 0.95 * sigma[1] ? 2 * (sigma[0] + sigma[2]) : 0;
  if (tie > 0 && -sigma[2] < 0.95 * sigma[0] && !(trace(r, m) > best - 2 * (sigma[1] + sigma[2]) - 1e-4 * size))
    return `${kind}: flipped outside the tie`;
  if (!(trace(r, m) > best - tie - 1e-4 * size)) return `${kind}: tr RᵀM is ${trace(r, m)}, could be ${best}`;
  if (truth)
    for (let k = 0; k < 3; k++)
      if (!(Math.abs(sigma[k] - truth[k]) <= 1e-5 * Math.abs(truth[k]) + 1e-14 * size))
        return `${kind}: σ${k} is ${sigma[k]}, should be ${truth[k]}`;
  return '';
}

/** Thousands of matrices. More by hand: PLIANT_CASES=1000 PLIANT_SEED=random. */
const CASES = Number(process.env['PLIANT_CASES'] ?? 200);

describe.each(['ts', 'wasm'] as const)('SVD and polar decomposition (%s)', (backend) => {
  const decompose = decompositions[backend];

  it('holds for 200 000 random matrices of every kind, degenerate ones included', () => {
    const seed = testSeed(`svd ${backend}`);
    fc.assert(
      fc.property(fc.integer(), (start) => {
        const next = random(start);
        for (let k = 0; k < 1000; k++) {
          const sample = randomMatrix(next);
          const fault = faults(sample, decompose(sample.m));
          if (fault) throw new Error(`${fault}; m = [${sample.m.join(', ')}]`);
        }
      }),
      { seed, numRuns: CASES },
    );
  });
});
