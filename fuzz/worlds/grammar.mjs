import { PIECES } from './print.mjs';

/**
 * A grammar describes the values that an option may have. It makes a value from random numbers: `make(random, wild)`, where `wild` is the probability with which each part is replaced by something that
 * does not belong there.
 */

/** Values that have broken programs before. Finite numbers of any size are valid where the option does not say otherwise. */
const NUMBERS = [
  0, 1, -1, 0.5, 2, 3, 1e-3, 1e3, 1e-6, 1e6, 1e-12, 1e12, 1e-45, 1e38, 1e39, 1e80, 1e155, 1e-155, 1e300, 1e-300, 5e-324,
  1.7e308,
];
const ODD_NUMBERS = [-0.5, -3, 2 ** 31, 2 ** 32, 2 ** 53, -(2 ** 31), 0.1, 1e9, 4294967295, 16777217];
const MARKERS = Object.keys(PIECES).map((name) => ({ $: name }));
const OTHERS = [
  null,
  true,
  false,
  '',
  'auto',
  'x',
  '__proto__',
  'constructor',
  [],
  {},
  [0],
  [1, 2],
  [0, 0, 0],
  [1, 2, 3, 4],
  [null, null, null],
  { type: 'box' },
  { length: 3 },
  { toString: 1 },
];

export function anything(random) {
  const kind = random.weighted({ number: 5, odd: 2, marker: 3, other: 3, body: 0.3, gone: 0.3, foreign: 0.3 });
  if (kind === 'number') return random.pick(NUMBERS);
  if (kind === 'odd') return random.pick(ODD_NUMBERS);
  if (kind === 'marker') return random.pick(MARKERS);
  if (kind === 'other') return random.pick(OTHERS);
  if (kind === 'foreign')
    return { $: 'foreign', kind: random.pick(['body', 'collider', 'clamp', 'pick', 'forceField', 'snapshot']) };
  return { $: kind, n: random.integer(0, 3) };
}

/** A value of a grammar, or now and then something else. */
export function draw(grammar, random, wild) {
  if (!random.chance(wild)) return grammar.make(random, wild);
  for (;;) {
    const value = anything(random);
    if (grammar.accepts?.(value) ?? true) return value;
  }
}

/** Valid, and merely large: a million particles take their time. Numbers in between are not drawn, those beyond are refused. */
export const except = (low, high, grammar) => ({
  ...grammar,
  accepts: (value) => !(typeof value === 'number' && value > low && value < high),
});
/** Always as the grammar says. */
export const tame = (grammar) => ({ isTame: true, make: (random) => grammar.make(random, 0) });

export const number = (low, high) => ({ make: (random) => random.number(low, high) });
export const logarithmic = (low, high) => ({ make: (random) => random.logarithmic(low, high) });
export const integer = (low, high) => ({ make: (random) => random.integer(low, high) });
export const choice = (...values) => ({ make: (random) => random.pick(values) });
export const made = (make) => ({ make });
export const boolean = choice(true, false);
/** A function of the user's; in wild cases some throw. */
export const callback = (...names) => ({
  make: (random, wild) => ({ $: random.pick(wild > 0 && random.chance(0.3) ? ['throws', 'throwsLater'] : names) }),
});
export const reference = ($, most = 4) => ({ make: (random) => ({ $, n: random.integer(0, most) }) });
export const vec3 = (part) => tuple(part, part, part);
export const tuple = (...parts) => ({ make: (random, wild) => parts.map((part) => draw(part, random, wild)) });
export const list = (of, low, high) => ({
  make: (random, wild) => Array.from({ length: random.integer(low, high) }, () => draw(of, random, wild)),
});
export const either = (...grammars) => ({ grammars, make: (random, wild) => random.pick(grammars).make(random, wild) });

/** An object: `needed` entries always, of the others each with probability `share`. A misspelt one now and then. */
export function record(needed, others = {}, share = 0.25) {
  return {
    keys: [...Object.keys(needed), ...Object.keys(others)],
    make(random, wild) {
      const object = {};
      for (const [key, grammar] of Object.entries(needed))
        if (!random.chance(wild / 2)) object[key] = draw(grammar, random, wild);
      for (const [key, grammar] of Object.entries(others))
        if (random.chance(share)) object[key] = draw(grammar, random, wild);
      if (random.chance(wild / 4)) object[random.pick(['radus', 'Type', 'length', 'constructor'])] = 1;
      return object;
    },
  };
}
