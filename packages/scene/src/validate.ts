import { PliantError } from 'pliant';
import type { z } from 'zod';
import { show } from './show.js';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/**
 * Checks data against a schema.
 * @throws PliantError "scenes/x.json: bodies[0].material.stiffness is 2.5; expected a number in [0, 2)."
 */
export function validate<T extends z.ZodType>(schema: T, data: unknown, file: string): z.infer<T> {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  const { field, problem } = describeIssue(result.error.issues[0], [], data);
  throw new PliantError(field, `${file}: ${field || 'the scene'} ${problem}.`);
}

function describeIssue(issue: Issue, at: Path, data: unknown): { field: string; problem: string } {
  const path = [...at, ...issue.path];
  if (issue.code === 'unrecognized_keys')
    return {
      field: fieldName([...path, issue.keys[0]]),
      problem: `is not a field of this object; expected ${issue.message}`,
    };
  if (issue.code === 'invalid_union') {
    const inner = closestBranch(issue.errors);
    if (inner) return describeIssue(inner, path, data);
  }
  const value = valueAt(data, path);
  return { field: fieldName(path), problem: `is ${show(value)}; expected ${issue.message}` };
}

/**
 * Of a union's branches, the one that the value was probably meant for: the only one whose shape it has, so that what is
 * wrong lies further inside. None if the value has the shape of no branch.
 */
function closestBranch(branches: readonly (readonly Issue[])[]): Issue | undefined {
  const meant = branches.filter((issues) => issues.every((i) => i.path.length > 0 || i.code !== 'invalid_type'));
  if (meant.length === 0) return undefined;
  const missing = (issues: readonly Issue[]) =>
    issues.filter((i) => i.code === 'unrecognized_keys' || i.code === 'invalid_type').length;
  return [...meant].sort((a, b) => missing(a) - missing(b))[0][0];
}

/** bodies[0].material.stiffness */
export function fieldName(path: Path): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name}[${key}]`;
    return name ? `${name}.${String(key)}` : String(key);
  }, '');
}

const valueAt = (data: unknown, path: Path): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], data);

/** A name that nothing has. */
export function refuseName(path: string, field: string, name: string, what: string, known: readonly string[]): never {
  const choice = known.length > 0 ? `one of ${known.map(show).join(', ')}` : `a ${what} of that name in the scene`;
  throw new PliantError(field, `${path}: ${field} is ${show(name)}; expected ${choice}.`);
}
