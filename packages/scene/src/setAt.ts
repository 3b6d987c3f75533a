import { PliantError } from 'pliant';
import { show } from './show.js';

/** A step of a path: a key of an object, a number or a name in a list, or all entries of a list. */
export type PathStep = { key: string } | { index: number } | { name: string } | { all: true };

const expected = 'a path such as bodies[0].material.young, bodies[beam].sampling.count or bodies[*].material.young';

/**
 * The steps of a path in a scene: `bodies[0].material.young`. An entry of a list is chosen by its number, by its name (`bodies[beam]`), or
 * `[*]` for all of them; a key with other characters is quoted: `materials["soft rubber"].young`. `where` begins the message about a path that is none.
 */
export function parsePath(text: string, where: string): PathStep[] {
  const steps: PathStep[] = [];
  let rest = text;
  while (rest !== '') {
    const key = (steps.length === 0 ? /^([A-Za-z_$][\w$-]*)/ : /^\.([A-Za-z_$][\w$-]*)/).exec(rest);
    const quoted = /^\[("(?:[^"\\]|\\.)*")\]/.exec(rest);
    const entry = /^\[([^\]"]+)\]/.exec(rest);
    const found = key ?? quoted ?? (steps.length > 0 ? entry : null);
    if (!found) throw new PliantError(text, `${where}: found ${show(rest)}; expected ${expected}.`);
    steps.push(key ? { key: key[1] } : quoted ? { key: unquoted(quoted[1]) } : entryStep(entry![1]));
    rest = rest.slice(found[0].length);
  }
  if (steps.length === 0) throw new PliantError(where, `${where} has no path; expected ${expected}.`);
  return steps;
}

/** The text between quotes; an escape that JSON does not know stands for itself. */
function unquoted(text: string): string {
  try {
    return JSON.parse(text);
  } catch {
    return text.slice(1, -1);
  }
}

const entryStep = (text: string): PathStep =>
  text === '*' ? { all: true } : /^\d+$/.test(text) ? { index: Number(text) } : { name: text };

type Plain = Record<string, unknown>;

/**
 * Sets the value at a path of a scene, in place. Objects that are missing on the way are made; entries of lists must exist. `undefined` removes the field. Returns how many
 * places were set: more than one with `[*]`. `where` begins the message about a path that the scene does not have.
 */
export function setAt(scene: unknown, path: string, value: unknown, where: string): number {
  return set(scene, parsePath(path, where), '', value, { path, where });
}

interface Source {
  path: string;
  where: string;
}

function set(at: unknown, steps: readonly PathStep[], place: string, value: unknown, source: Source): number {
  const [step, ...rest] = steps;
  const refuse = (problem: string, wanted: string): never => {
    throw new PliantError(source.path, `${source.where}: ${place || 'the scene'} ${problem}; expected ${wanted}.`);
  };
  if ('key' in step) {
    if (typeof at !== 'object' || at === null || Array.isArray(at))
      refuse(`is ${show(at)}`, Array.isArray(at) ? 'the number of an entry, [0]' : `an object that has ${step.key}`);
    const object = at as Plain;
    const own = place ? `${place}.${step.key}` : step.key;
    const has = Object.hasOwn(object, step.key);
    if (rest.length === 0) {
      if (value === undefined && !has) refuse(`has no ${step.key}`, 'a field that can be removed');
      if (value === undefined) delete object[step.key];
      else define(object, step.key, structuredClone(value));
      return 1;
    }
    if (!has) {
      if (!('key' in rest[0])) refuse(`has no ${step.key}`, `a scene with a list ${own}`);
      define(object, step.key, {});
    }
    return set(object[step.key], rest, own, value, source);
  }
  if (!Array.isArray(at)) return refuse(`is ${show(at)}`, 'a list');
  if (rest.length === 0 && value === undefined) refuse('is a list', 'a new list in its place, if an entry is to go');
  const indices = entriesOf(at, step, refuse);
  let count = 0;
  for (const index of indices)
    if (rest.length > 0) count += set(at[index], rest, `${place}[${index}]`, value, source);
    else {
      at[index] = structuredClone(value);
      count++;
    }
  return count;
}

/** Assignment to __proto__ would set the prototype. */
const define = (object: Plain, key: string, value: unknown): void =>
  void Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });

function entriesOf(
  list: readonly unknown[],
  step: Exclude<PathStep, { key: string }>,
  refuse: (problem: string, wanted: string) => never,
): number[] {
  if ('all' in step) return [...list.keys()];
  if ('index' in step) {
    if (step.index >= list.length)
      refuse(`has ${list.length} entries`, list.length > 0 ? `a number from 0 to ${list.length - 1}` : 'an entry');
    return [step.index];
  }
  const names = list.map((entry) => (entry as Plain | null)?.name);
  const index = names.indexOf(step.name);
  if (index < 0) {
    const known = names.filter((name) => typeof name === 'string');
    refuse(
      `has no entry of the name ${show(step.name)}`,
      known.length > 0 ? `one of ${known.slice(0, 20).map(show).join(', ')}, a number or *` : 'a number or *',
    );
  }
  return [index];
}
