import {
  checkBoolean,
  checkInteger,
  checkNumber,
  checkOneOf,
  firstOutside,
  PliantError,
  type Range,
  refuse,
} from '../../check.js';

/** Throws if a value is not as expected. `path` is the value's path, for the message. */
export type Check = (path: string, value: unknown) => void;

type Kind = 'Float32Array' | 'Float64Array' | 'Uint32Array' | 'Uint8Array';

export const finite: Check = (path, value) => void checkNumber(path, value);
export const boolean: Check = (path, value) => void checkBoolean(path, value);

export const number =
  (range: Range): Check =>
  (path, value) =>
    void checkNumber(path, value, range);

/** As `number`, and +Infinity. */
export const numberOrInfinity =
  (range: Range): Check =>
  (path, value) => {
    if (value !== Number.POSITIVE_INFINITY) checkNumber(path, value, range);
  };

/** An integer that a double holds exactly. */
export const integer =
  (range: Range = {}): Check =>
  (path, value) =>
    void checkInteger(path, value, { max: Number.MAX_SAFE_INTEGER, ...range });

export const oneOf =
  (...allowed: readonly string[]): Check =>
  (path, value) =>
    void checkOneOf(path, value, allowed);

export const text: Check = (path, value) => {
  if (typeof value !== 'string') refuse(path, value, 'a text');
};

export const optional =
  (check: Check): Check =>
  (path, value) => {
    if (value !== undefined) check(path, value);
  };

/** An array whose entries all pass; of `length` entries if that is given. */
export const list =
  (check: Check, length?: number): Check =>
  (path, value) => {
    if (!Array.isArray(value)) refuse(path, value, 'a list');
    if (length !== undefined && value.length !== length) refuse(path, value, `${length} values`);
    for (let k = 0; k < value.length; k++) check(`${path}[${k}]`, value[k]);
  };

/** An object with these keys and no others: everything that is written into a body or a world was checked. */
export const record =
  (checks: Readonly<Record<string, Check>>): Check =>
  (path, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value))
      refuse(path, value, 'an object');
    for (const key of Object.keys(value))
      if (!Object.hasOwn(checks, key))
        throw new PliantError(`${path}.${key}`, `${path}.${key} is not part of a snapshot; expected no such path.`);
    for (const key of Object.keys(checks)) checks[key](`${path}.${key}`, (value as Record<string, unknown>)[key]);
  };

/** Whether a value is a typed array of a kind, in whichever realm it was made. */
export const isTyped = (value: unknown, kind: Kind): value is ArrayLike<number> & ArrayBufferView =>
  ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === `[object ${kind}]`;

/** A typed array of a kind; of `length` numbers if that is given. */
export const typed =
  (kind: Kind, length?: number): Check =>
  (path, value) => {
    if (!isTyped(value, kind)) refuse(path, value, `a ${kind}`);
    if (length !== undefined && value.length !== length)
      throw new PliantError(path, `${path} has ${value.length} numbers; expected ${length}.`);
  };

/** As `typed`, and every number is finite. */
export const finites =
  (kind: 'Float32Array' | 'Float64Array', length?: number): Check =>
  (path, value) => {
    typed(kind, length)(path, value);
    checkFinite(path, value as Float64Array);
  };

export function checkFinite(path: string, values: ArrayLike<number>): void {
  const k = firstOutside(values, -Number.MAX_VALUE, Number.MAX_VALUE);
  if (k >= 0) refuse(`${path}[${k}]`, values[k], 'a finite number');
}

/** A Uint32Array of indices below a limit. */
export function checkBelow(path: string, values: ArrayLike<number>, below: number): void {
  const k = firstOutside(values, 0, below - 1);
  if (k >= 0) refuse(`${path}[${k}]`, values[k], `an integer in [0, ${below})`);
}

/** Offsets into a list of `length`: they begin at 0, never fall, and end at the list's end. */
export function checkOffsets(path: string, values: ArrayLike<number>, length: number): void {
  if (values.length === 0) refuse(path, values, 'at least one offset');
  if (values[0] !== 0) refuse(`${path}[0]`, values[0], '0');
  for (let k = 1; k < values.length; k++)
    if (!(values[k] >= values[k - 1])) refuse(`${path}[${k}]`, values[k], `at least ${values[k - 1]}, the one before`);
  if (values[values.length - 1] !== length)
    refuse(`${path}[${values.length - 1}]`, values[values.length - 1], `${length}, the length of what it divides`);
}
