import { PliantError } from 'pliant';
import { parseValues } from '../vary/values.js';
import { MEASURES, RUN_MEASURES, TIMINGS } from './named.js';

/** When a measure is taken: at times (s), at every n-th step as a series, over all steps, or at the end. */
export type When =
  | { type: 'times'; times: number[] }
  | { type: 'series'; every: number }
  | { type: 'over'; how: 'min' | 'max' | 'mean' }
  | { type: 'end' };

/** A measure that was asked for. */
export interface Request {
  /** The text that asks for it: `height[beam]@0.5,1`. */
  text: string;
  /** Name of the measure. */
  name: string;
  /** The part of a vector: 'x'. Undefined: all parts. */
  part?: string;
  /** Name of the body; undefined: all bodies. */
  body?: string;
  /** When it is taken. */
  when: When;
  /** 'timing' has a table of its own, 'user' is a function of a module. */
  kind: 'named' | 'run' | 'timing' | 'user';
}

const FORM = /^([A-Za-z_$][\w$]*)(?:\.([A-Za-z]\w*))?(?:\[([^\]]+)\])?(?:@(.+))?$/;

/**
 * Reads `NAME`, `NAME.PART`, `NAME[BODY]`, each with or without `@WHEN`: times `@0.5,1` or `@0..2/5`, a series `@all` or `@all/10` (every tenth step),
 * `@max`, `@min`, `@mean` over all steps, or `@end`, the default. `userNames` are the functions of the module of measures.
 */
export function parseRequest(text: string, userNames: readonly string[]): Request {
  const refuse = (problem: string, expected: string): never => {
    throw new PliantError('--measure', `--measure ${text}: ${problem}; expected ${expected}.`);
  };
  const found = FORM.exec(text.trim());
  if (!found) return refuse('cannot be read', 'NAME, NAME.PART, NAME[BODY] or one of them with @TIME, @all, @max');
  const [, name, part, body, when] = found;
  const kind = userNames.includes(name)
    ? 'user'
    : Object.hasOwn(MEASURES, name)
      ? 'named'
      : Object.hasOwn(RUN_MEASURES, name)
        ? 'run'
        : Object.hasOwn(TIMINGS, name)
          ? 'timing'
          : refuse(
              `there is no measure ${name}`,
              `one of ${[...Object.keys({ ...MEASURES, ...RUN_MEASURES, ...TIMINGS }), ...userNames].join(', ')}`,
            );
  const { parts = [], whole = false } = kind === 'named' ? MEASURES[name] : {};
  if (part !== undefined && !parts.includes(part))
    refuse(`${name} has no part ${part}`, parts.length > 0 ? `one of ${parts.join(', ')}` : `${name} alone`);
  if (body !== undefined && (whole || kind === 'run' || kind === 'timing'))
    refuse(`${name} is of the whole scene`, `${name} without a body`);
  if (when !== undefined && (kind === 'run' || kind === 'timing'))
    refuse(`${name} is of the whole run`, `${name} without a time`);
  return { text: text.trim(), name, part, body, kind, when: parseWhen(when, name, refuse) };
}

function parseWhen(text: string | undefined, name: string, refuse: (problem: string, expected: string) => never): When {
  if (text === undefined || text === 'end') return { type: 'end' };
  if (text === 'max' || text === 'min' || text === 'mean') {
    if (name === 'hash') refuse('a hash has no order', 'a time or @all');
    return { type: 'over', how: text };
  }
  const series = /^all(?:\/([1-9]\d*))?$/.exec(text);
  if (series) return { type: 'series', every: Number(series[1] ?? 1) };
  const { list } = parseValues(text, `--measure ${name}@`);
  const times = list.map((time) =>
    typeof time === 'number' && time >= 0
      ? time
      : refuse(`its time is ${JSON.stringify(time)}`, 'seconds, all, all/N, max, min, mean or end'),
  );
  return { type: 'times', times };
}

/** The parts of a request's value: those of a vector, or one without a name. */
export function partsOf({ name, part, kind }: Request): (string | undefined)[] {
  if (part !== undefined) return [part];
  return kind === 'named' ? [...(MEASURES[name].parts ?? [undefined])] : [undefined];
}

/** Names of the columns of a request, in order: of a series one for each part, else one for each part and time. */
export function columnsOf(request: Request): string[] {
  const { name, body, when } = request;
  const names = partsOf(request).map((part) => `${name}${part ? `.${part}` : ''}${body ? `[${body}]` : ''}`);
  if (when.type === 'times') return when.times.flatMap((time) => names.map((column) => `${column}@${time}`));
  return when.type === 'over' ? names.map((column) => `${column}@${when.how}`) : names;
}

/** The unit of a request's columns. */
export function unitOf({ name, kind }: Request): string {
  return kind === 'user' ? '' : { ...MEASURES, ...RUN_MEASURES, ...TIMINGS }[name].unit;
}
