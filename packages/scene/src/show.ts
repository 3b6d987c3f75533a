/** A value as a short text for a message. */
export function show(value: unknown): string {
  if (value === undefined) return 'missing';
  // JSON has no infinity, but 1e999 is read as one.
  if (typeof value === 'number') return String(value);
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
