import { expect, test } from 'vitest';
import { report } from '../../pliant/src/testing/report.js';
import { CLAIMS } from './catalogue.js';
import { chooseClaims, runClaim } from './runClaims.js';

/** Claims of the quick run that are known to hold in part only; docs/papers.md says why. */
const IN_PART = new Set(['2007.caps-alike']);

test.each(chooseClaims({ quick: true }).map(({ id }) => id))('%s is still reproduced', async (id) => {
  const { verdict, finding, error } = await runClaim(id, true, [2]);
  const failing = finding?.checks.filter(({ holds }) => !holds).map(({ what }) => what) ?? [];
  report(id, Object.fromEntries((finding?.quantities ?? []).map(({ name, value }) => [name, value])), '');
  expect(error).toBeUndefined();
  expect(verdict, failing.join('\n')).toBe(IN_PART.has(id) ? 'in part' : 'reproduced');
});

test('there are at least 40 claims, each with an id of its own that names its paper', () => {
  expect(CLAIMS.length).toBeGreaterThanOrEqual(40);
  expect(new Set(CLAIMS.map(({ id }) => id)).size).toBe(CLAIMS.length);
  for (const { id, paper, statement, experiment } of CLAIMS) {
    expect(id.startsWith(`${paper}.`)).toBe(true);
    expect(statement.length, id).toBeGreaterThan(20);
    expect(experiment.length, id).toBeGreaterThan(20);
  }
});
