export const sorted = (values) => [...values].sort((a, b) => a - b);
export const quantile = (values, q) => sorted(values)[Math.min(values.length - 1, Math.floor(q * values.length))];
export const median = (values) => quantile(values, 0.5);
export const mean = (values) => values.reduce((sum, v) => sum + v, 0) / values.length;

/** Rows of objects as an aligned table; numbers to the right. */
export function table(rows) {
  const keys = Object.keys(rows[0]);
  const cells = [keys, ...rows.map((row) => keys.map((key) => String(row[key] ?? '')))];
  const widths = keys.map((_, k) => Math.max(...cells.map((row) => row[k].length)));
  const isText = keys.map((key) => rows.every((row) => Number.isNaN(Number.parseFloat(row[key]))));
  return cells
    .map((row) => row.map((cell, k) => (isText[k] ? cell.padEnd(widths[k]) : cell.padStart(widths[k]))).join('  '))
    .join('\n');
}
