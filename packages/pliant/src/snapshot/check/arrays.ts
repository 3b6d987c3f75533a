import { PliantError, refuse } from '../../check.js';
import { Flag } from '../../state/flags.js';
import { type ArrayName, DOMAINS, LAYOUT, PROXY_PLANES } from '../../state/layout.js';
import { KEPT, usedOf } from '../format/arrays.js';
import { checkBelow, checkFinite, integer, isTyped, record } from '../format/schema.js';
import type { Snapshot } from '../snapshot.js';

const KINDS = { f32: 'Float32Array', f64: 'Float64Array', u32: 'Uint32Array' } as const;

/** Arrays that may hold +Infinity: a body that never yields or breaks. */
const MAY_BE_INFINITE: ReadonlySet<ArrayName> = new Set<ArrayName>([
  'yieldLimit',
  'toughness',
  'clusterYield',
  'clusterToughness',
]);

/**
 * Arrays of flags and small numbers, with their exclusive upper bounds. Arrays that refer to rows are checked in
 * checkRows.ts.
 */
const BELOW: Partial<Record<ArrayName, number>> = {
  flags: 2 * Flag.ASLEEP,
  unrelaxed: 2,
  leaving: 2,
  proxyRound: 2,
  proxyPlanes: PROXY_PLANES + 1,
  proxyExits: PROXY_PLANES + 1,
};

/** Arrays of numbers above 0, and of numbers not below 0. */
const POSITIVE: readonly ArrayName[] = [
  'clusterMass',
  'fade',
  'proxySpacing',
  'coarseMass',
  'toughnessFactor',
  'soundness',
];
const NOT_NEGATIVE: readonly ArrayName[] = [
  'stiffness',
  'yieldLimit',
  'toughness',
  'reach',
  'width',
  'limit',
  'clusterYield',
  'clusterToughness',
  'sinceSplit',
  'plasticStrain',
  'proxyRadius',
  'tieWeight',
];

/**
 * Checks that the arrays of the state are present, of the right types, of the lengths given by the counts, and with
 * every number in its range.
 */
export function checkArrays({ counts, arrays }: Snapshot): void {
  record(Object.fromEntries(DOMAINS.map((domain) => [domain, integer({ min: 0, max: 0xffffffff })])))(
    'snapshot.counts',
    counts,
  );
  if (typeof arrays !== 'object' || arrays === null) refuse('snapshot.arrays', arrays, 'the arrays of the state');
  for (const name of KEPT)
    if (!isTyped(arrays[name], KINDS[LAYOUT[name].type]) || arrays[name].length !== usedOf(LAYOUT[name], counts))
      refuse('snapshot.arrays', arrays, `the arrays of the state, as long as snapshot.counts says; ${name} is not`);
  for (const name of Object.keys(arrays))
    if (!(KEPT as readonly string[]).includes(name))
      throw new PliantError(
        `snapshot.arrays.${name}`,
        `snapshot.arrays.${name} is no array of the state that is kept.`,
      );
  for (const name of KEPT) checkNumbers(name, arrays[name]);
}

function checkNumbers(name: ArrayName, values: ArrayLike<number>): void {
  const path = `snapshot.arrays.${name}`;
  const below = BELOW[name];
  if (below !== undefined) checkBelow(path, values, below);
  if (LAYOUT[name].type === 'u32') return;
  if (MAY_BE_INFINITE.has(name)) {
    for (let k = 0; k < values.length; k++) if (!(values[k] >= 0)) refuse(`${path}[${k}]`, values[k], 'at least 0');
    return;
  }
  checkFinite(path, values);
  const least = POSITIVE.includes(name) ? Number.MIN_VALUE : NOT_NEGATIVE.includes(name) ? 0 : Number.NEGATIVE_INFINITY;
  if (least === Number.NEGATIVE_INFINITY) return;
  for (let k = 0; k < values.length; k++)
    if (!(values[k] >= least)) refuse(`${path}[${k}]`, values[k], least > 0 ? 'a number above 0' : 'at least 0');
}
