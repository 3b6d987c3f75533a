import { PliantError } from 'pliant';
import type { z } from 'zod';
import { nearest } from './nearest.js';
import { BELONGS } from './schema/primitives.js';
import { shorten, show } from './show.js';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

interface Problem {
  path: string;
  problem: string;
  /** The key is unknown. It is reported before missing keys, since it is probably a misspelt one. */
  unknown: boolean;
}

/** Largest number of problems that a message lists; the rest is counted. */
const MOST_LISTED = 5;

/**
 * Largest number of entries of a list that are searched for more than the first problem, and of keys of an object:
 * there may be millions, each with several problems.
 */
const MOST_ENTRIES = 1000;

/**
 * Stops at the first problem. Zod's types do not declare this option. Without it all problems of a file would be
 * collected, each some hundred bytes.
 */
const FIRST = { abortEarly: true } as object;

/**
 * Checks data against a schema.
 * @throws PliantError "scenes/x.json: bodies[0].material.raw.stiffness is 2.5; expected a number in [0, 2)." Further
 * problems follow it.
 */
export function validate<T extends z.ZodType>(schema: T, data: unknown, file: string): z.infer<T> {
  refuseCrowds(data, [], file);
  const result = schema.safeParse(data, FIRST);
  if (result.success) return result.data;
  const issues = allIssues(schema, data) ?? result.error.issues;
  const problems = issues.flatMap((issue) => describeIssue(issue, [], data));
  const sorted = [...problems.filter((p) => p.unknown), ...problems.filter((p) => !p.unknown)];
  const sentences = sorted.map(({ path, problem }) => `${path || 'the scene'} ${problem}.`);
  const [first, ...others] = [...new Set(sentences)];
  const listed = others.slice(0, MOST_LISTED - 1);
  const more = others.length - listed.length;
  const also = listed.length > 0 ? ` Also: ${listed.join(' ')}${more > 0 ? ` And ${more} more.` : ''}` : '';
  throw new PliantError(sorted[0].path, `${file}: ${first}${also}`);
}

/** Refuses objects with too many keys: Zod collects the problems of every key of an object, even with abortEarly. */
function refuseCrowds(data: unknown, path: Path, file: string): void {
  if (typeof data !== 'object' || data === null) return;
  if (Array.isArray(data)) {
    data.forEach((entry, k) => {
      if (typeof entry === 'object') refuseCrowds(entry, [...path, k], file);
    });
    return;
  }
  const names = Object.keys(data);
  if (names.length > MOST_ENTRIES) {
    const place = pathText(path);
    throw new PliantError(
      place,
      `${file}: ${place || 'the scene'} has ${names.length} names; expected at most ${MOST_ENTRIES} in an object.`,
    );
  }
  for (const name of names) refuseCrowds((data as Record<string, unknown>)[name], [...path, name], file);
}

/**
 * All problems in the first entries of every list; undefined if there are none, or more than a call takes as arguments.
 */
function allIssues(schema: z.ZodType, data: unknown): readonly Issue[] | undefined {
  try {
    return schema.safeParse(pruned(data)).error?.issues;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function pruned(data: unknown): unknown {
  if (Array.isArray(data)) return data.slice(0, MOST_ENTRIES).map(pruned);
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, pruned(value)]));
}

function describeIssue(issue: Issue, at: Path, data: unknown): Problem[] {
  const path = [...at, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    const [choice, inner = ''] = issue.message.split(BELONGS);
    const [place, ...moved] = inner.split(/: |, /);
    const known = choice.replace(/^one of /, '').split(', ');
    return issue.keys.map((key) => ({
      path: pathText([...path, key]),
      problem: moved.includes(key)
        ? `is ${show(valueAt(data, [...path, key]))}; expected nothing here: it belongs in ${pathText([...path, place])}`
        : `is not a field of this object${meant(key, known)}; expected ${choice}`,
      unknown: true,
    }));
  }
  if (issue.code === 'invalid_union') {
    const inner = closestBranch(issue.errors);
    if (inner) return inner.flatMap((one) => describeIssue(one, path, data));
  }
  const value = valueAt(data, path);
  const problem = `is ${show(value)}${hint(value, issue, path, data)}; expected ${issue.message}`;
  return [{ path: pathText(path), problem, unknown: false }];
}

const meant = (name: string, known: readonly string[]): string => {
  const best = nearest(name, known);
  return best === undefined ? '' : ` (did you mean ${shorten(best, 60)}?)`;
};

/** A hint: for a text that is not allowed the nearest allowed one, for a missing type the field that looks like it. */
function hint(value: unknown, issue: Issue, path: Path, data: unknown): string {
  const allowed = [...issue.message.matchAll(/"([^"]+)"/g)].map(([, word]) => word);
  if (typeof value === 'string') return meant(value, allowed);
  if (value !== undefined || issue.code !== 'invalid_union' || path.length === 0) return '';
  const parent = valueAt(data, path.slice(0, -1));
  const names = typeof parent === 'object' && parent !== null ? Object.keys(parent) : [];
  const alike = nearest(String(path[path.length - 1]), names);
  return alike === undefined ? '' : ` (is ${shorten(alike, 60)} meant to be it?)`;
}

/**
 * The branch of a union that the value was probably meant for: the only one whose shape it has, so that the problem
 * lies further inside. Undefined if the value has the shape of no branch.
 */
function closestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const meant = branches.filter((issues) => issues.every((i) => i.path.length > 0 || i.code !== 'invalid_type'));
  if (meant.length === 0) return undefined;
  const missing = (issues: readonly Issue[]) =>
    issues.filter((i) => i.code === 'unrecognized_keys' || i.code === 'invalid_type').length;
  return [...meant].sort((a, b) => missing(a) - missing(b))[0];
}

/** bodies[0].material.raw.stiffness */
export function pathText(path: Path): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name}[${key}]`;
    const text = shorten(String(key), 60) || '""';
    return name ? `${name}.${text}` : text;
  }, '');
}

const valueAt = (data: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], data);

/** Largest number of names that a message lists. */
const MOST_NAMES = 20;

/** Refuses a name that nothing has. */
export function refuseName(
  scenePath: string,
  path: string,
  name: string,
  what: string,
  known: readonly string[],
): never {
  const more = known.length > MOST_NAMES ? ` and ${known.length - MOST_NAMES} more` : '';
  const choice =
    known.length > 0
      ? `one of ${known.slice(0, MOST_NAMES).map(show).join(', ')}${more}`
      : `a ${what} of that name in the scene`;
  throw new PliantError(path, `${scenePath}: ${path} is ${show(name)}${meant(name, known)}; expected ${choice}.`);
}
