// Summarises several drops of one cube.
import { mean, median } from '../statistics.mjs';
import { PHASES } from './drop.mjs';

const rounded = (value, digits = 4) => Number(value.toPrecision(digits));
/** The value rounded; undefined if it is not finite. */
const known = (value) => (Number.isFinite(value) ? rounded(value) : undefined);
/** Median and range of a figure over the drops. */
const spread = (values) => ({
  median: rounded(median(values)),
  least: rounded(Math.min(...values)),
  most: rounded(Math.max(...values)),
});

/** Refuses a drop of another cube than the one asked for: vertices must be as many, the mass (kg) the same to a thousandth, as sums in single precision are. */
export function checkSame(name, { count, mass }, wantedCount, wantedMass) {
  if (count !== wantedCount) throw new Error(`${name} dropped ${count} vertices; expected ${wantedCount}`);
  if (!(Math.abs(mass - wantedMass) <= 1e-3 * wantedMass))
    throw new Error(`${name} dropped ${mass} kg; expected ${wantedMass}`);
}

/** Milliseconds a step, over all steps and in each phase; the time that building took (ms); and of the last drop, what of its motion is kept. */
export function summary(drops) {
  const { count, mass, parts, isFinite: staysFinite, least, last, speed, times } = drops.at(-1);
  const stepsOf = ([from, to]) => drops.map((drop) => drop.times.slice(from, to)).filter((list) => list.length > 0);
  const phases = Object.entries(PHASES).map(([name, range]) => [name, stepsOf(range)]);
  return {
    drops: drops.length,
    steps: times.length,
    all: spread(stepsOf([0, times.length]).map(mean)),
    ...Object.fromEntries(
      phases.flatMap(([name, lists]) => (lists.length > 0 ? [[name, spread(lists.map(mean))]] : [])),
    ),
    build: spread(drops.map(({ build }) => build)),
    isFinite: staysFinite,
    leastHeight: known(least),
    lastHeight: known(last),
    lastSpeed: known(speed),
    count,
    mass: rounded(mass),
    parts,
  };
}
