import type { Random } from '../../math/random.js';
import type { Snapshot } from '../snapshot.js';

type Path = readonly (string | number)[];
type Holder = Record<string | number, unknown>;

const NUMBERS = [
  Number.NaN,
  -1,
  0,
  1,
  0.5,
  2,
  2 ** 31,
  2 ** 32 - 1,
  2 ** 32,
  -0,
  1e-300,
  1e30,
  1e38,
  -1e308,
  1e308,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  Number.MAX_SAFE_INTEGER,
];
const OTHERS = () => [
  undefined,
  null,
  '',
  'none',
  'fitted',
  true,
  false,
  [],
  {},
  [[]],
  '__proto__',
  new Float32Array(0),
  new Float64Array(3),
  new Uint32Array(4).fill(2 ** 32 - 1),
  () => {},
];

/** Every path in plain data. Typed arrays are included, their entries are not. */
export function placesIn(value: unknown, at: Path = [], into: Path[] = []): Path[] {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return into;
  for (const key of Object.keys(value)) {
    into.push([...at, key]);
    placesIn((value as Holder)[key], [...at, key], into);
  }
  return into;
}

/** Corrupts `data` at a path in a random way and returns a description. */
export function corrupt(data: Snapshot, path: Path, next: Random): string {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)];
  const holder = path.slice(0, -1).reduce((part, key) => part[key] as Holder, data as unknown as Holder);
  const key = path.at(-1)!;
  const value = holder[key];
  const name = path.join('.');
  if (ArrayBuffer.isView(value) && next() < 0.8)
    return `${name}: ${corruptArray(holder, key, value as Uint32Array, next)}`;
  if (next() < 0.1) {
    if (Array.isArray(holder)) (holder as unknown[]).splice(Number(key), 1);
    else delete holder[key];
    return `${name} deleted`;
  }
  if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value) && next() < 0.2) {
    if (Array.isArray(value)) value.push(value.length > 0 ? structuredClone(value[0]) : 0);
    else (value as Holder)[pick(['more', 'load', 'constructor'])] = 1;
    return `${name} extended`;
  }
  holder[key] = next() < (typeof value === 'number' ? 0.8 : 0.3) ? pick(NUMBERS) : pick(OTHERS());
  return `${name} = ${typeof holder[key] === 'object' ? JSON.stringify(holder[key]) : String(holder[key])}`;
}

function corruptArray(holder: Holder, key: string | number, array: Uint32Array, next: Random): string {
  const kind = next();
  if (array.length === 0 || kind < 0.1) {
    holder[key] = array.slice(0, Math.floor(next() * array.length));
    return 'cut off';
  }
  if (kind < 0.15) {
    holder[key] = Float64Array.from([...array, 0]);
    return 'of another type';
  }
  const at = Math.floor(next() * array.length);
  if (kind < 0.25) {
    const from = Math.floor(next() * array.length);
    [array[at], array[from]] = [array[from], array[at]];
    return `[${at}] and [${from}] changed places`;
  }
  if (kind < 0.3) {
    array.fill(array[at]);
    return `filled with ${array[at]}`;
  }
  if (kind < 0.5) array[at] += next() < 0.5 ? 1 : -1;
  else array[at] = NUMBERS[Math.floor(next() * NUMBERS.length)];
  return `[${at}] = ${array[at]}`;
}
