import { checkBoolean, checkInteger, checkNumber, checkOneOf, PliantError, type Range, refuse } from '../../check.js';

/** Refuses a value that is not what it should be. `field` is the value's path, for the message. */
export type Check = (field: string, value: unknown) => void;

type Kind = 'Float32Array' | 'Float64Array' | 'Uint32Array' | 'Uint8Array';

export const finite: Check = (field, value) => void checkNumber(field, value);
export const boolean: Check = (field, value) => void checkBoolean(field, value);

export const number =
  (range: Range): Check =>
  (field, value) =>
    void checkNumber(field, value, range);

/** As `number`, and +Infinity. */
export const numberOrInfinity =
  (range: Range): Check =>
  (field, value) => {
    if (value !== Number.POSITIVE_INFINITY) checkNumber(field, value, range);
  };

/** An integer that a double holds exactly. */
export const integer =
  (range: Range = {}): Check =>
  (field, value) =>
    void checkInteger(field, value, { max: Number.MAX_SAFE_INTEGER, ...range });

export const oneOf =
  (...allowed: readonly string[]): Check =>
  (field, value) =>
    void checkOneOf(field, value, allowed);

export const text: Check = (field, value) => {
  if (typeof value !== 'string') refuse(field, value, 'a text');
};

export const optional =
  (check: Check): Check =>
  (field, value) => {
    if (value !== undefined) check(field, value);
  };

/** An array, each of whose entries passes; of `length` entries where that is said. */
export const list =
  (check: Check, length?: number): Check =>
  (field, value) => {
    if (!Array.isArray(value)) refuse(field, value, 'a list');
    if (length !== undefined && value.length !== length) refuse(field, value, `${length} values`);
    for (let k = 0; k < value.length; k++) check(`${field}[${k}]`, value[k]);
  };

/** An object with these keys and no others: what is written into a body or a world has nothing in it that was not looked at. */
export const record =
  (checks: Readonly<Record<string, Check>>): Check =>
  (field, value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value))
      refuse(field, value, 'an object');
    for (const key of Object.keys(value))
      if (!Object.hasOwn(checks, key))
        throw new PliantError(`${field}.${key}`, `${field}.${key} is not part of a snapshot; expected no such field.`);
    for (const key of Object.keys(checks)) checks[key](`${field}.${key}`, (value as Record<string, unknown>)[key]);
  };

/** Whether a value is a typed array of a kind, in whichever realm it was made. */
export const isTyped = (value: unknown, kind: Kind): value is ArrayLike<number> & ArrayBufferView =>
  ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === `[object ${kind}]`;

/** A typed array of a kind; of `length` numbers where that is said. */
export const typed =
  (kind: Kind, length?: number): Check =>
  (field, value) => {
    if (!isTyped(value, kind)) refuse(field, value, `a ${kind}`);
    if (length !== undefined && value.length !== length)
      throw new PliantError(field, `${field} has ${value.length} numbers; expected ${length}.`);
  };

/** As `typed`, and every number is finite. */
export const finites =
  (kind: 'Float32Array' | 'Float64Array', length?: number): Check =>
  (field, value) => {
    typed(kind, length)(field, value);
    checkFinite(field, value as Float64Array);
  };

export function checkFinite(field: string, values: ArrayLike<number>): void {
  for (let k = 0; k < values.length; k++)
    if (!Number.isFinite(values[k])) refuse(`${field}[${k}]`, values[k], 'a finite number');
}

/** A Uint32Array of indices below a limit. */
export function checkBelow(field: string, values: ArrayLike<number>, below: number): void {
  for (let k = 0; k < values.length; k++)
    if (!(values[k] < below)) refuse(`${field}[${k}]`, values[k], `an integer in [0, ${below})`);
}

/** Offsets into a list of `length`: they begin at 0, never fall, and end at the list's end. */
export function checkOffsets(field: string, values: ArrayLike<number>, length: number): void {
  if (values.length === 0) refuse(field, values, 'at least one offset');
  if (values[0] !== 0) refuse(`${field}[0]`, values[0], '0');
  for (let k = 1; k < values.length; k++)
    if (!(values[k] >= values[k - 1])) refuse(`${field}[${k}]`, values[k], `at least ${values[k - 1]}, the one before`);
  if (values[values.length - 1] !== length)
    refuse(`${field}[${values.length - 1}]`, values[values.length - 1], `${length}, the length of what it divides`);
}
