/** Seed of the random tests, set in vitest.config.ts; printed, so that a run can be repeated. */
export function testSeed(what: string): number {
  const seed = Number(process.env['PLIANT_SEED']);
  console.log(`${what}: PLIANT_SEED=${seed}`);
  return seed;
}
