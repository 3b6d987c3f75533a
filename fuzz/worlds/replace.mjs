import { Random } from '../core/random.mjs';
import { CALLS } from './calls.mjs';

/** Values that stand for all kinds that an option may wrongly be. */
export const WRONG = [
  { $: 'undefined' },
  null,
  true,
  -1,
  0.5,
  1e300,
  { $: 'NaN' },
  { $: 'Infinity' },
  'x',
  '',
  [],
  {},
  [null, null, null],
  { $: 'bigint' },
  { $: 'symbol' },
  { $: 'bare' },
  { $: 'nothing' },
  { $: 'words' },
  { $: 'endless' },
  { $: 'negativeLength' },
  { $: 'body', n: 0 },
  { toString: 1 },
];

/** Calls that take no argument, or whose argument is not checked by the engine. */
const LEFT_OUT = new Set(['step', 'dispose', 'setVelocity']);

/** Every place in an argument: a list of keys each, the whole of it first; of lists the first three entries. References are places, not objects. */
function* placesIn(value, path = []) {
  yield path;
  if (typeof value !== 'object' || value === null || '$' in value) return;
  for (const key of Object.keys(value).slice(0, Array.isArray(value) ? 3 : undefined))
    yield* placesIn(value[key], [...path, key]);
}

function replaced(value, [key, ...rest], by) {
  if (key === undefined) return by;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}

/** All calls in which one place of one argument of a valid call is replaced by one wrong value; `seed` chooses the valid ones. */
export function* wrongCalls(seed, names = Object.keys(CALLS)) {
  for (const name of names) {
    const { code, args } = CALLS[name];
    if (LEFT_OUT.has(name) || args.length === 0) continue;
    const made = args.map((grammar, k) => grammar.make(new Random('replace', seed, name, k), 0));
    for (let k = 0; k < made.length; k++) {
      if (code.includes(`$${k}.`)) continue;
      for (const path of placesIn(made[k]))
        for (const wrong of WRONG) yield [name, ...made.map((arg, n) => (n === k ? replaced(arg, path, wrong) : arg))];
    }
  }
}
