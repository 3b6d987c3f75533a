/** Largest number of characters of a value in a message. */
const MOST = 60;

/** A value as a short text for a message. */
export function show(value: unknown): string {
  if (value === undefined) return 'missing';
  // JSON has no infinity, but 1e999 is parsed as one.
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') {
    // Only the beginning is quoted: the value may be megabytes.
    const text = JSON.stringify(value.slice(0, MOST + 1));
    return value.length <= MOST && text.length <= MOST + 2 ? text : `${cut(text)}…" (${value.length} characters)`;
  }
  const text = JSON.stringify(value) ?? String(value);
  return text.length > MOST ? `${cut(text)}… (${text.length} characters)` : text;
}

/** A name or a path, shortened if it is long. */
export function shorten(text: string, most = 200): string {
  return text.length > most ? `${text.slice(0, most - 1)}… (${text.length} characters)` : text;
}

/** The beginning of a text, without half an escape sequence or half a surrogate pair at its end. */
const cut = (text: string): string => text.slice(0, MOST - 3).replace(/\\(u[0-9a-f]{0,3})?$|[\ud800-\udbff]$/i, '');
