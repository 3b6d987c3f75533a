export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Whether numbers rise, whatever their scatter: the test of Mann and Kendall, one-sided, with one chance in a hundred of being wrong. Counts pairs in which the later one is larger.
 */
export function grows(values) {
  const n = values.length;
  let score = 0;
  for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) score += Math.sign(values[j] - values[i]);
  const deviation = Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  return score - 1 > 2.33 * deviation;
}
