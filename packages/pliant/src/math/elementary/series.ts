/** factors[0] + factors[1] x + factors[2] x² + …, by Horner's rule. */
export function polynomial(factors: readonly number[], x: number): number {
  let sum = 0;
  for (let n = factors.length - 1; n >= 0; n--) sum = sum * x + factors[n];
  return sum;
}

/** 1/first!, 1/(first + step)!, … to 1/last!. Factorials up to 22! are exact, so that each of these is rounded once. */
export function inverseFactorials(first: number, step: number, last: number): number[] {
  const list: number[] = [];
  let factorial = 1;
  for (let n = 2; n <= last; n++) {
    factorial *= n;
    if (n >= first && (n - first) % step === 0) list.push(1 / factorial);
  }
  return list;
}
