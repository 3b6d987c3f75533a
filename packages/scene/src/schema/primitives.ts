import { z } from 'zod';

// Zod compiles functions from text if allowed, and tests whether it is. Content security policies forbid it and report
// the attempt.
z.config({ jitless: true });

/**
 * Building blocks of the schema. The error of each is what was expected, "a number in [0, 2)"; validate.ts puts the
 * path and the value before it.
 */

export interface Range {
  min?: number;
  max?: number;
  /** The bound itself is not allowed. */
  above?: number;
  below?: number;
}

function phrase(kind: string, { min, max, above, below }: Range): string {
  const low = min !== undefined ? `[${min}` : above !== undefined ? `(${above}` : undefined;
  const high = max !== undefined ? `${max}]` : below !== undefined ? `${below})` : undefined;
  if (low && high) return `${kind} in ${low}, ${high}`;
  if (min !== undefined) return `${kind} of at least ${min}`;
  if (above !== undefined) return `${kind} above ${above}`;
  return kind;
}

export function number(range: Range = {}): z.ZodNumber {
  const error = phrase('a number', range);
  return bounded(z.number({ error }), range, error);
}

export function integer(range: Range = {}): z.ZodNumber {
  const error = phrase('an integer', range);
  return bounded(z.int({ error }), range, error);
}

function bounded(schema: z.ZodNumber, { min, max, above, below }: Range, error: string): z.ZodNumber {
  let checked = schema;
  if (min !== undefined) checked = checked.gte(min, { error });
  if (above !== undefined) checked = checked.gt(above, { error });
  if (max !== undefined) checked = checked.lte(max, { error });
  if (below !== undefined) checked = checked.lt(below, { error });
  return checked;
}

export const boolean = () => z.boolean({ error: 'true or false' });

export const text = (expected = 'a text') => z.string({ error: expected }).min(1, { error: expected });

/** A colour as in CSS, six hexadecimal digits. */
export const colour = () => z.string({ error: COLOUR }).regex(/^#[0-9a-fA-F]{6}$/, { error: COLOUR });
const COLOUR = 'a colour, "#rrggbb"';

export const fileName = () => text('the name of a file');

export const oneOf = <T extends string>(...values: T[]) =>
  z.literal(values, { error: `one of ${values.map((v) => JSON.stringify(v)).join(', ')}` });

export function vec3(range: Range = {}, error = 'three numbers') {
  return z.tuple([number(range), number(range), number(range)], { error });
}

/** A vector of any length but 0. */
export const direction = (what: string) =>
  vec3()
    .refine((v) => v.some((c) => c !== 0), { error: 'a direction of non-zero length' })
    .describe(what);

export const list = <T extends z.ZodType>(of: T, error: string) => z.array(of, { error });

/** Stands in an error between the keys that are known and the key of the object that some unknown ones belong in. */
export const BELONGS = '; belongs in ';

/**
 * An object that refuses keys it does not know. `within` has keys that belong in an object inside it, and the key of
 * that object.
 */
export function fields<T extends z.core.$ZodLooseShape>(shape: T, within?: { keys: readonly string[]; of: keyof T }) {
  const known = Object.keys(shape).filter((key) => key !== '$schema');
  const error = (issue: { code?: string; keys?: readonly string[] }) => {
    if (issue.code !== 'unrecognized_keys') return `an object with ${known.join(', ')}`;
    const inner = within ? (issue.keys ?? []).filter((key) => within.keys.includes(key)) : [];
    const place = inner.length > 0 ? `${BELONGS}${String(within?.of)}: ${inner.join(', ')}` : '';
    return `one of ${known.join(', ')}${place}`;
  };
  return z.strictObject(shape, { error });
}

/** A rotation. */
export const rotation = () =>
  z.union(
    [
      z.tuple([number(), number(), number(), number()], { error: 'four numbers, or { axis, degrees }' }),
      fields({ axis: direction('Direction of the axis.'), degrees: number().describe('Angle of the turn.') }),
    ],
    { error: 'a quaternion [x, y, z, w], or { axis, degrees }' },
  );

export type RotationFile = z.infer<ReturnType<typeof rotation>>;

/** A factor, or one for each axis. */
export const scale = () => z.union([number({ above: 0 }), vec3({ above: 0 })], { error: 'a number above 0, or three' });
