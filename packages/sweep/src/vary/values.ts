import { parseJson } from '@pliant/scene';
import { elementary, PliantError } from 'pliant';

/** The values that a path takes in a sweep, and how they are spaced, which plots take as the scale of their axis. */
export interface Values {
  /** The values, in the order in which they are run. */
  list: unknown[];
  /** 'log' for a range with `log`. */
  scale: 'linear' | 'log';
}

/** Largest number of values of one range. */
const MOST_VALUES = 10_000;

const NUMBER = String.raw`[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?`;
const QUOTIENT = `${NUMBER}(?:/${NUMBER})?`;
const SINGLE = new RegExp(`^${QUOTIENT}$`);
/** a..b/N, a..b/Nlog, a..b/Nint, a..b/Nlogint */
const COUNTED = new RegExp(`^(${QUOTIENT})\\.\\.(${QUOTIENT})/(\\d+)(log)?(int)?$`);
/** a..b of whole numbers */
const WHOLE = /^([+-]?\d+)\.\.([+-]?\d+)$/;

export const GRAMMAR =
  'values "1,2,5" (numbers, 1/60, true, words, JSON), or a range "1..5", "0..1/11", "1e4..1e6/20log", "10..1000/7logint"';

/**
 * The values of a text: a list `a,b,c` of numbers, fractions, `true` and `false`, words, or JSON in brackets or quotes; in
 * place of a value a range. `1..5` are whole numbers, `a..b/N` are N numbers from a to b, both included, `a..b/Nlog` the same with equal
 * ratios, and `int` at the end rounds to whole numbers. `path` is what takes the values, for messages.
 */
export function parseValues(text: string, path: string): Values {
  const list: unknown[] = [];
  let scale: Values['scale'] = 'linear';
  for (const part of splitList(text, path)) {
    const range = COUNTED.exec(part);
    if (range) {
      if (range[4]) scale = 'log';
      list.push(...countedRange(part, range, path));
      continue;
    }
    const whole = WHOLE.exec(part);
    if (whole) list.push(...wholeRange(part, Number(whole[1]), Number(whole[2]), path));
    else list.push(parseValue(part, path));
    if (list.length > MOST_VALUES)
      throw refusal(path, text, `has more than ${MOST_VALUES} values`, `at most ${MOST_VALUES}`);
  }
  const seen = new Set<string>();
  for (const value of list) {
    const key = JSON.stringify(value);
    if (seen.has(key)) throw refusal(path, text, `has ${key} twice`, 'every value once');
    seen.add(key);
  }
  return { list, scale };
}

const refusal = (path: string, text: string, problem: string, expected: string): PliantError =>
  new PliantError(path, `${path} is ${JSON.stringify(text.slice(0, 200))}, which ${problem}; expected ${expected}.`);

/** Splits at the commas that are in no brackets and no quotes. */
function splitList(text: string, path: string): string[] {
  const parts: string[] = [];
  let [start, depth, quoted] = [0, 0, false];
  for (let k = 0; k < text.length; k++) {
    const c = text[k];
    if (quoted) {
      if (c === '\\') k++;
      else if (c === '"') quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === '[' || c === '{') depth++;
    else if (c === ']' || c === '}') depth--;
    else if (c === ',' && depth === 0) {
      parts.push(text.slice(start, k));
      start = k + 1;
    }
  }
  parts.push(text.slice(start));
  const trimmed = parts.map((part) => part.trim());
  if (trimmed.includes('')) throw refusal(path, text, 'has an empty value', GRAMMAR);
  return trimmed;
}

/** A number or a fraction of two. */
function numberOf(text: string, path: string): number {
  const [above, below = 1] = text.split('/').map(Number);
  const value = above / below;
  if (!Number.isFinite(value)) throw refusal(path, text, 'is not finite', 'a finite number');
  return value;
}

function parseValue(text: string, path: string): unknown {
  if (SINGLE.test(text)) return numberOf(text, path);
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (/^[["{]/.test(text)) {
    try {
      return parseJson(new TextEncoder().encode(text), path);
    } catch (error) {
      throw refusal(path, text, `is no JSON (${(error as Error).message.replace(/\.$/, '')})`, GRAMMAR);
    }
  }
  // A range with a mistake must not become a word.
  if (text.includes('..')) throw refusal(path, text, 'is no range', GRAMMAR);
  return text;
}

function countedRange(text: string, range: RegExpExecArray, path: string): number[] {
  const [first, last] = [numberOf(range[1], path), numberOf(range[2], path)];
  const count = Number(range[3]);
  if (range[1].includes('/') && !range[2].includes('/'))
    throw refusal(
      path,
      text,
      `may mean ${count} values up to ${range[2]}`,
      'both ends as fractions and then the number of values: 1/120..1/30/4',
    );
  if (count < 2 || count > MOST_VALUES)
    throw refusal(path, text, `has ${count} values`, `from 2 to ${MOST_VALUES} of them`);
  if (first === last) throw refusal(path, text, 'begins and ends with the same number', 'two different ends');
  if (range[4] && !(first * last > 0))
    throw refusal(path, text, 'has an end of 0 or ends of different sign', 'ends above 0 for a range with log');
  const values = Array.from({ length: count }, (_, k) => {
    if (k === 0) return first;
    if (k === count - 1) return last;
    const share = k / (count - 1);
    const value = range[4] ? first * elementary.pow(last / first, share) : first + share * (last - first);
    // Twelve digits: 0.3 instead of 0.30000000000000004 in tables and in scenes.
    return Number(value.toPrecision(12));
  });
  return range[5] ? [...new Set(values.map(Math.round))] : values;
}

function wholeRange(text: string, first: number, last: number, path: string): number[] {
  if (last <= first) throw refusal(path, text, 'does not rise', 'a range like 1..5');
  if (last - first >= MOST_VALUES)
    throw refusal(path, text, `has ${last - first + 1} values`, `at most ${MOST_VALUES}`);
  return Array.from({ length: last - first + 1 }, (_, k) => first + k);
}
