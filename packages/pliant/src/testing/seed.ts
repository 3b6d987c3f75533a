/** Seed of the random tests, set in vitest.config.ts. The reporter prints it when a test fails, so that the run can be repeated. */
export function testSeed(what: string): number {
  const seed = Number(process.env['PLIANT_SEED']);
  if (!Number.isFinite(seed)) throw new Error(`${what}: PLIANT_SEED is ${process.env['PLIANT_SEED']}, not a number.`);
  return seed;
}
