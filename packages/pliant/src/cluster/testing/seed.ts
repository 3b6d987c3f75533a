/** The seed of the random tests: PLIANT_SEED, or a new one every time, printed so that a failure can be repeated. */
export const SEED = Number(process.env.PLIANT_SEED ?? Date.now() % 2 ** 31);

export function sayTheSeed(test: string): void {
  console.log(`${test}: PLIANT_SEED=${SEED}`);
}
