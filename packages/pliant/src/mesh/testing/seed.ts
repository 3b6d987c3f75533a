/** Seed of a random test: PLIANT_SEED to repeat a run, else the clock. Printed, so that a failure can be repeated. */
export function testSeed(name: string): number {
  const seed = Number(process.env.PLIANT_SEED ?? Date.now() % 2 ** 31);
  console.log(`${name}: PLIANT_SEED=${seed}`);
  return seed;
}
