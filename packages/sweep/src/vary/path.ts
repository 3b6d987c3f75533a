import { PliantError } from 'pliant';

/** A step of a path: a key of an object, a number or a name in a list, or all entries of a list. */
export type Step = { key: string } | { index: number } | { name: string } | { all: true };

const expected = 'a path such as bodies[0].material.young, bodies[beam].sampling.count or bodies[*].material.young';

/**
 * The steps of a path in a scene: `bodies[0].material.young`. An entry of a list is chosen by its number, by its name (`bodies[beam]`), or
 * `[*]` for all of them; a key with other characters is quoted: `materials["soft rubber"].young`.
 */
export function parsePath(text: string): Step[] {
  const steps: Step[] = [];
  let rest = text;
  while (rest !== '') {
    const key = (steps.length === 0 ? /^([A-Za-z_$][\w$-]*)/ : /^\.([A-Za-z_$][\w$-]*)/).exec(rest);
    const quoted = /^\[("(?:[^"\\]|\\.)*")\]/.exec(rest);
    const entry = /^\[([^\]"]+)\]/.exec(rest);
    const found = key ?? quoted ?? (steps.length > 0 ? entry : null);
    if (!found) throw new PliantError(text, `--vary ${text}: found ${JSON.stringify(rest)}; expected ${expected}.`);
    steps.push(key ? { key: key[1] } : quoted ? { key: JSON.parse(quoted[1]) } : entryStep(entry![1]));
    rest = rest.slice(found[0].length);
  }
  if (steps.length === 0) throw new PliantError('--vary', `--vary has no path; expected ${expected}.`);
  return steps;
}

const entryStep = (text: string): Step =>
  text === '*' ? { all: true } : /^\d+$/.test(text) ? { index: Number(text) } : { name: text };

type Plain = Record<string, unknown>;

/**
 * Sets the value at a path of a scene. Objects that are missing on the way are made; entries of lists must exist. Returns how many places were set: more than one
 * with `[*]`.
 */
export function setAt(scene: unknown, path: string, value: unknown): number {
  return set(scene, parsePath(path), '', value, path);
}

function set(at: unknown, steps: readonly Step[], place: string, value: unknown, path: string): number {
  const [step, ...rest] = steps;
  const refuse = (problem: string, wanted: string): never => {
    throw new PliantError(path, `--vary ${path}: ${place || 'the scene'} ${problem}; expected ${wanted}.`);
  };
  if ('key' in step) {
    if (typeof at !== 'object' || at === null || Array.isArray(at))
      refuse(`is ${show(at)}`, Array.isArray(at) ? 'the number of an entry, [0]' : `an object that has ${step.key}`);
    const object = at as Plain;
    const own = place ? `${place}.${step.key}` : step.key;
    if (rest.length === 0) {
      define(object, step.key, structuredClone(value));
      return 1;
    }
    if (!Object.hasOwn(object, step.key)) {
      if (!('key' in rest[0])) refuse(`has no ${step.key}`, `a scene with a list ${own}`);
      define(object, step.key, {});
    }
    return set(object[step.key], rest, own, value, path);
  }
  if (!Array.isArray(at)) return refuse(`is ${show(at)}`, 'a list');
  const indices = entriesOf(at, step, refuse);
  let count = 0;
  for (const index of indices)
    if (rest.length > 0) count += set(at[index], rest, `${place}[${index}]`, value, path);
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
  step: Exclude<Step, { key: string }>,
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
      `has no entry of the name ${JSON.stringify(step.name)}`,
      known.length > 0
        ? `one of ${known.map((name) => JSON.stringify(name)).join(', ')}, a number or *`
        : 'a number or *',
    );
  }
  return [index];
}

function show(value: unknown): string {
  if (value === undefined) return 'missing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
