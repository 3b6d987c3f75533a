/** Largest number of characters of a line. */
const WIDTH = 110;

/** JSON in a readable layout: values that fit are written on one line. */
export function formatJson(value: unknown, indent = ''): string {
  const short = oneLine(value);
  if (short.length + indent.length <= WIDTH || typeof value !== 'object' || value === null) return short;
  const deeper = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map((entry) => deeper + formatJson(entry, deeper))
    : entriesOf(value).map(([key, entry]) => `${deeper}${JSON.stringify(key)}: ${formatJson(entry, deeper)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const entries = entriesOf(value).map(([key, entry]) => `${JSON.stringify(key)}: ${oneLine(entry)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}

const entriesOf = (value: object) => Object.entries(value).filter(([, entry]) => entry !== undefined);
