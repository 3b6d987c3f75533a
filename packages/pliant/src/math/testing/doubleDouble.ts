/**
 * Numbers of about 32 digits as unevaluated sums of two f64 (Dekker 1971), for the oracle of the decompositions: squares
 * of singular values 1e10 apart still have 12 digits.
 */
export type DD = readonly [number, number];

const twoSum = (a: number, b: number): DD => {
  const s = a + b;
  const t = s - a;
  return [s, a - (s - t) + (b - t)];
};

const split = (a: number): DD => {
  const t = 134217729 * a;
  const high = t - (t - a);
  return [high, a - high];
};

const twoProduct = (a: number, b: number): DD => {
  const p = a * b;
  const [ah, al] = split(a);
  const [bh, bl] = split(b);
  return [p, ah * bh - p + ah * bl + al * bh + al * bl];
};

export const dd = (a: number): DD => [a, 0];
export const add = (a: DD, b: DD): DD => {
  const [s, e] = twoSum(a[0], b[0]);
  return twoSum(s, e + a[1] + b[1]);
};
export const negate = (a: DD): DD => [-a[0], -a[1]];
export const subtract = (a: DD, b: DD): DD => add(a, negate(b));
export const multiply = (a: DD, b: DD): DD => {
  const [p, e] = twoProduct(a[0], b[0]);
  return twoSum(p, e + a[0] * b[1] + a[1] * b[0]);
};
export const divide = (a: DD, b: DD): DD => {
  const q = a[0] / b[0];
  const r = subtract(a, multiply(dd(q), b));
  const q2 = r[0] / b[0];
  const r2 = subtract(r, multiply(dd(q2), b));
  return add(twoSum(q, q2), dd(r2[0] / b[0]));
};
export const squareRoot = (a: DD): DD => {
  if (a[0] <= 0) return dd(0);
  const s = Math.sqrt(a[0]);
  return add(dd(s), divide(subtract(a, multiply(dd(s), dd(s))), dd(2 * s)));
};

/** Singular values of a 3×3 matrix, largest first, by Jacobi's method on MᵀM in double-double. */
export function singularValues(m: ArrayLike<number>): number[] {
  const a: DD[][] = [0, 1, 2].map((i) =>
    [0, 1, 2].map((j) => [0, 1, 2].reduce<DD>((sum, k) => add(sum, twoProduct(m[3 * i + k], m[3 * j + k])), dd(0))),
  );
  for (let sweep = 0; sweep < 30; sweep++) {
    let turned = false;
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ]) {
      const apq = a[p][q];
      const size = Math.sqrt(Math.abs(a[p][p][0] * a[q][q][0]));
      if (Math.abs(apq[0]) <= 1e-31 * size) continue;
      turned = true;
      const theta = divide(subtract(a[q][q], a[p][p]), multiply(dd(2), apq));
      const root = squareRoot(add(multiply(theta, theta), dd(1)));
      const t = divide(dd(theta[0] < 0 ? -1 : 1), add(theta[0] < 0 ? negate(theta) : theta, root));
      const c = divide(dd(1), squareRoot(add(multiply(t, t), dd(1))));
      const s = multiply(t, c);
      for (let k = 0; k < 3; k++) {
        const [x, y] = [a[k][p], a[k][q]];
        a[k][p] = subtract(multiply(c, x), multiply(s, y));
        a[k][q] = add(multiply(s, x), multiply(c, y));
      }
      for (let k = 0; k < 3; k++) {
        const [x, y] = [a[p][k], a[q][k]];
        a[p][k] = subtract(multiply(c, x), multiply(s, y));
        a[q][k] = add(multiply(s, x), multiply(c, y));
      }
    }
    if (!turned) break;
  }
  return [0, 1, 2].map((k) => squareRoot(a[k][k])[0]).sort((u, v) => v - u);
}
