import { multiplyInto } from '../mat3.js';
import type { Random } from '../random.js';

/** A rotation drawn uniformly from all rotations (Shoemake 1992), by columns. */
export function randomRotation(next: Random): Float64Array {
  const [u, v, w] = [next(), 2 * Math.PI * next(), 2 * Math.PI * next()];
  const [a, b] = [Math.sqrt(1 - u), Math.sqrt(u)];
  const [x, y, z, s] = [a * Math.sin(v), a * Math.cos(v), b * Math.sin(w), b * Math.cos(w)];
  return Float64Array.of(
    1 - 2 * (y * y + z * z),
    2 * (x * y + z * s),
    2 * (x * z - y * s),
    2 * (x * y - z * s),
    1 - 2 * (x * x + z * z),
    2 * (y * z + x * s),
    2 * (x * z + y * s),
    2 * (y * z - x * s),
    1 - 2 * (x * x + y * y),
  );
}

/** U diag(σ) Vᵀ with random rotations. */
export function compose(next: Random, sigma: readonly number[]): Float64Array {
  const u = randomRotation(next);
  const v = randomRotation(next);
  const vt = Float64Array.from({ length: 9 }, (_, k) => v[3 * (k % 3) + Math.floor(k / 3)]);
  const m = new Float64Array(9);
  multiplyInto(
    m,
    u.map((value, k) => value * sigma[Math.floor(k / 3)]),
    vt,
  );
  return m;
}

export interface RandomMatrix {
  kind: string;
  m: Float64Array;
  /** Singular values, largest first, the last one signed; undefined where m was not made from them. */
  sigma?: number[];
}

/**
 * Every kind of deformation of a cluster: mild, wild, tiny, huge, inverted, flat, a line, a point, repeated stretches.
 */
export function randomMatrix(next: Random): RandomMatrix {
  const kinds = [
    'mild',
    'wild',
    'graded',
    'inverted',
    'mirror',
    'flat',
    'line',
    'point',
    'rotation',
    'noise',
    'exact',
  ] as const;
  const kind = kinds[Math.floor(next() * kinds.length)];
  const scale = 10 ** (8 * next() - 4);
  const sorted = (a: number, b: number, c: number) => [a, b, c].sort((p, q) => q - p).map((s) => s * scale);
  const made = (sigma: number[]) => ({ kind, m: compose(next, sigma), sigma });
  switch (kind) {
    case 'mild':
      return made(sorted(0.8 + 0.4 * next(), 0.8 + 0.4 * next(), 0.8 + 0.4 * next()));
    case 'wild':
      return made(sorted(10 * next() + 1e-3, 10 * next() + 1e-3, 10 * next() + 1e-3));
    case 'graded':
      return made(sorted(1, 10 ** (-8 * next()), 10 ** (-8 * next())));
    case 'inverted': {
      const sigma = sorted(0.1 + next(), 0.1 + next(), 0.1 + next());
      sigma[2] *= -1;
      return made(sigma);
    }
    case 'mirror':
      return made([scale, scale, -scale]);
    case 'flat':
      return made([...sorted(1, 0.01 + next(), 0).slice(0, 2), 0]);
    case 'line':
      return made([scale, 0, 0]);
    case 'point':
      return { kind, m: new Float64Array(9), sigma: [0, 0, 0] };
    case 'rotation':
      return made([scale, scale, scale]);
    case 'noise':
      return { kind, m: Float64Array.from({ length: 9 }, () => scale * (2 * next() - 1)) };
    case 'exact':
      // Entries of −1, 0 and 1: exact ties, exact zeros, rank 0 to 3.
      return { kind, m: Float64Array.from({ length: 9 }, () => Math.floor(3 * next()) - 1) };
  }
}
