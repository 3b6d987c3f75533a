import { PliantError } from 'pliant';
import { checkPath } from './path.js';
import { GRAMMAR, parseValues, type Values } from './values.js';

/** A path of the scene and the values that it takes. */
export interface Variation extends Values {
  /** Path in the scene, as it was given. */
  path: string;
}

/** Variations that change together: all have equally many values. */
export type Axis = Variation[];

/** Largest number of runs of a sweep. */
export const MOST_RUNS = 100_000;

/** `PATH=VALUES` */
export function parseVariation(text: string): Variation {
  const equals = text.indexOf('=');
  if (equals <= 0)
    throw new PliantError('--vary', `--vary is ${JSON.stringify(text)}; expected PATH=VALUES with ${GRAMMAR}.`);
  const path = text.slice(0, equals).trim();
  checkPath(path);
  return { path, ...parseValues(text.slice(equals + 1), `--vary ${path}`) };
}

/**
 * Checks the axes: variations of one axis have equally many values, no path is varied twice, and there are at most MOST_RUNS combinations.
 */
export function checkAxes(axes: readonly Axis[]): void {
  const paths = axes.flat().map(({ path }) => path);
  for (const [k, path] of paths.entries())
    if (paths.indexOf(path) < k) throw new PliantError(path, `--vary ${path} is given twice; expected it once.`);
  for (const [first, ...others] of axes)
    for (const { path, list } of others)
      if (list.length !== first.list.length)
        throw new PliantError(
          path,
          `--with ${path} has ${list.length} values; expected ${first.list.length}, as many as ${first.path}.`,
        );
  const count = axes.reduce((product, [first]) => product * first.list.length, 1);
  if (count > MOST_RUNS)
    throw new PliantError('--vary', `--vary gives ${count} combinations; expected at most ${MOST_RUNS}.`);
}

/** One combination of all axes: the value of every path. The first axis changes slowest. */
export function* combinations(axes: readonly Axis[]): Generator<[path: string, value: unknown][]> {
  const [axis, ...rest] = axes;
  if (axis === undefined) {
    yield [];
    return;
  }
  for (let k = 0; k < axis[0].list.length; k++)
    for (const others of combinations(rest))
      yield [...axis.map(({ path, list }): [string, unknown] => [path, list[k]]), ...others];
}
