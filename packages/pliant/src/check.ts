import { hypot } from './math/elementary.js';

/** Thrown for every input that Pliant refuses, and for a build that was cancelled. The message names the option, the value and what was expected. */
export class PliantError extends Error {
  /** The name of the class, as of every error. */
  override readonly name = 'PliantError';
  constructor(
    /** Path of the option that is wrong, such as "body.material.young". */
    readonly path: string,
    message: string,
    /** 'refused' for input that is wrong, 'cancelled' for a build that was cancelled, 'failed' for a step whose threads were lost. */
    readonly code: 'refused' | 'cancelled' | 'failed' = 'refused',
  ) {
    super(message);
  }
}

/** Throws a PliantError in the wording of all refusals: "material.poisson is 2.5; expected a finite number in [0, 0.49]." */
export function refuse(path: string, value: unknown, expected: string): never {
  throw new PliantError(path, `${path} is ${show(value)}; expected ${expected}.`);
}

/** A value as a short text for a message. */
export function show(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
  if (typeof value === 'function') return 'a function';
  if (ArrayBuffer.isView(value) || Array.isArray(value)) {
    const { length } = value as ArrayLike<unknown>;
    const first = Array.from({ length: Math.min(length, length > 6 ? 5 : 6) }, (_, k) => {
      const entry = (value as ArrayLike<unknown>)[k];
      return typeof entry === 'object' ? '…' : String(entry).slice(0, 60);
    });
    return length > 6 ? `[${first.join(', ')}, … ${length} values]` : `[${first.join(', ')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value);
    const first = keys.slice(0, 8).map((key) => key.slice(0, 60));
    const more = keys.length > first.length ? `, … ${keys.length} keys` : '';
    return `an object with ${first.join(', ') || 'no keys'}${more}`;
  }
  return String(value);
}

/**
 * Index of the first number that is not within a range, NaN for one; −1 if all are. One function for all long lists: each loop of its own would be interpreted until it is compiled, which takes some milliseconds.
 */
export function firstOutside(values: ArrayLike<number>, low: number, high: number): number {
  for (let k = 0; k < values.length; k++) {
    const value = values[k];
    if (!(value >= low && value <= high)) return k;
  }
  return -1;
}

export interface Range {
  min?: number;
  max?: number;
  /** The bound itself is not allowed. */
  above?: number;
  below?: number;
}

function describe({ min, max, above, below }: Range, kind: string): string {
  const low = min !== undefined ? `[${min}` : above !== undefined ? `(${above}` : undefined;
  const high = max !== undefined ? `${max}]` : below !== undefined ? `${below})` : undefined;
  if (low && high) return `${kind} in ${low}, ${high}`;
  if (min !== undefined) return `${kind} of at least ${min}`;
  if (above !== undefined) return `${kind} above ${above}`;
  if (max !== undefined) return `${kind} of at most ${max}`;
  if (below !== undefined) return `${kind} below ${below}`;
  return kind;
}

const within = (v: number, { min, max, above, below }: Range) =>
  (min === undefined || v >= min) &&
  (max === undefined || v <= max) &&
  (above === undefined || v > above) &&
  (below === undefined || v < below);

export function checkNumber(path: string, value: unknown, range: Range = {}): number {
  if (typeof value !== 'number' || !Number.isFinite(value) || !within(value, range))
    refuse(path, value, describe(range, 'a finite number'));
  return value;
}

/** Like checkNumber, but +Infinity is allowed (a toughness that never breaks). */
export function checkNumberOrInfinity(path: string, value: unknown, range: Range = {}): number {
  if (value === Number.POSITIVE_INFINITY) return value;
  return checkNumber(path, value, range);
}

export function checkInteger(path: string, value: unknown, range: Range = {}): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || !within(value, range))
    refuse(path, value, describe(range, 'an integer'));
  return value;
}

export function checkText(path: string, value: unknown): string {
  if (typeof value !== 'string') refuse(path, value, 'a text');
  return value;
}

export function checkBoolean(path: string, value: unknown): boolean {
  if (typeof value !== 'boolean') refuse(path, value, 'true or false');
  return value;
}

export function checkOneOf<T extends string>(path: string, value: unknown, allowed: readonly T[]): T {
  if (typeof value !== 'string' || !allowed.includes(value as T))
    refuse(path, value, `one of ${allowed.map((a) => JSON.stringify(a)).join(', ')}`);
  return value as T;
}

/** Three numbers x, y, z. */
export type Vec3 = readonly [number, number, number];

export function checkVec3(path: string, value: unknown): Vec3 {
  const v = value as ArrayLike<unknown>;
  if (typeof value !== 'object' || value === null || v.length !== 3 || ![0, 1, 2].every((k) => Number.isFinite(v[k])))
    refuse(path, value, 'three finite numbers');
  return [v[0] as number, v[1] as number, v[2] as number];
}

/** A vec3 as a direction: refused if it has no length, returned with length 1. */
export function checkDirection(path: string, value: unknown): Vec3 {
  const [x, y, z] = checkVec3(path, value);
  const length = hypot(x, y, z);
  if (length === 0) refuse(path, value, 'a direction of non-zero length');
  return [x / length, y / length, z / length];
}

/** Flat coordinate triples, all finite, at least one. */
export function checkPoints(path: string, value: unknown): ArrayLike<number> {
  const points = value as ArrayLike<number>;
  if (typeof value !== 'object' || value === null || typeof points.length !== 'number')
    refuse(path, value, 'an array of coordinates x, y, z, …');
  if (points.length === 0) refuse(path, value, 'at least one point');
  if (points.length % 3 !== 0)
    throw new PliantError(path, `${path} has ${points.length} numbers; expected a multiple of 3.`);
  for (let k = 0; k < points.length; k++)
    if (!Number.isFinite(points[k])) refuse(`${path}[${k}]`, points[k], 'a finite coordinate');
  return points;
}

/** Refuses unknown keys: a misspelt option must not be ignored. */
export function checkKeys(path: string, value: unknown, allowed: readonly string[]): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) refuse(path, value, 'an object');
  for (const key of Object.keys(value))
    if (!allowed.includes(key))
      throw new PliantError(
        `${path}.${key}`,
        `${path}.${key} is not an option; expected one of ${allowed.join(', ')}.`,
      );
}

/** The options with every default filled in. An option given as `undefined` counts as left out. */
export function withDefaults<D extends object, O extends object>(defaults: D, options: O): D & O {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) } as D & O;
}
