/** Seed of the random tests: new every run, printed, and repeatable with PLIANT_SEED=… npm test. */
export function testSeed(what: string): number {
  const seed = Number(process.env['PLIANT_SEED'] ?? Date.now() % 2 ** 31);
  console.log(`${what}: PLIANT_SEED=${seed}`);
  return seed;
}
