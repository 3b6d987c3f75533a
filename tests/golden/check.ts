import { expect } from 'vitest';
// @ts-expect-error: plain scripts, shared with `npm run golden`.
import * as golden from '../../scripts/golden/hashes.mjs';
// @ts-expect-error
import { hasHost, runJobs } from '../../scripts/golden/host.mjs';

export const available = (host: string): boolean => hasHost(host);

/** CI's jobs of a host, in one lane: the other tests run beside it. Where a host is missing, the other does all. */
export async function checkHost(host: string): Promise<void> {
  const expected = golden.readHashes();
  const wrong: string[] = golden.strays(expected);
  await runJobs(host, golden.CI_HOSTS.every(available) ? golden.ciJobsFor(host) : golden.jobsFor(), {
    each: (result: unknown) => wrong.push(...golden.differences(host, result, expected)),
  });
  expect(wrong.length, [...wrong, golden.ADVICE].join('\n')).toBe(0);
}
