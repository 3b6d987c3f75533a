/** Ways in which a number, a list or anything else in a snapshot can be wrong. */
export const WAYS = [
  'nan',
  'infinity',
  'negative',
  'huge',
  'one more',
  'zero',
  'drop',
  'shorten',
  'lengthen',
  'text',
  'null',
  'swap',
];

/** Damages a copy of a plain snapshot, in place: `where` in [0, 1) says which of all its values, and which entry of a typed array. */
export function damageTree(snapshot, { where, entry, way }) {
  const places = [];
  collect(snapshot, places);
  const { holder, key } = places[Math.floor(where * places.length)];
  const value = holder[key];
  if (ArrayBuffer.isView(value)) {
    if (way === 'shorten') holder[key] = value.slice(0, Math.floor(entry * value.length));
    else if (way === 'lengthen') holder[key] = new value.constructor(value.length + 5);
    else if (way === 'drop') delete holder[key];
    else if (way === 'text') holder[key] = Array.from(value);
    else if (value.length > 0) damageNumber(value, Math.floor(entry * value.length), way);
    return;
  }
  if (way === 'drop') delete holder[key];
  else if (way === 'null') holder[key] = null;
  else if (way === 'text') holder[key] = 'x';
  else if (Array.isArray(value) && way === 'shorten') holder[key] = value.slice(1);
  else if (Array.isArray(value) && way === 'lengthen') holder[key] = [...value, ...value.slice(0, 1)];
  else if (typeof value === 'number') damageNumber(holder, key, way);
  else holder[key] = way === 'zero' ? 0 : [];
}

function damageNumber(holder, key, way) {
  const values = {
    nan: NaN,
    infinity: Infinity,
    negative: -1,
    huge: 4294967294,
    'one more': holder[key] + 1,
    zero: 0,
    swap: holder[0],
  };
  holder[key] = values[way] ?? NaN;
}

function collect(value, places) {
  for (const key of Object.keys(value)) {
    places.push({ holder: value, key });
    const part = value[key];
    if (typeof part === 'object' && part !== null && !ArrayBuffer.isView(part)) collect(part, places);
  }
}

/** Damages bytes: returns a copy with one of them changed, some lost, or some too many. */
export function damageBytes(bytes, { where, entry, way }) {
  const at = Math.floor(where * bytes.length);
  if (way === 'shorten' || way === 'drop') return bytes.slice(0, at);
  if (way === 'lengthen') return Uint8Array.from([...bytes, ...bytes.slice(0, 1 + Math.floor(100 * entry))]);
  const copy = bytes.slice();
  if (way === 'swap') copy.copyWithin(at, Math.floor(entry * bytes.length), Math.floor(entry * bytes.length) + 16);
  else if (way === 'huge') copy.fill(255, at, at + 4);
  else if (way === 'zero') copy.fill(0, at, at + 4);
  else copy[at] ^= 1 << Math.floor(8 * entry);
  return copy;
}
