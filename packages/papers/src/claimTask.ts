import { type ClaimInput, type Result, runClaim } from './runClaims.js';

/** The task 'claim' of the queue: one claim in this process. */
export const run = ({ id, quick, seeds }: ClaimInput): Promise<Result> => runClaim(id, quick, seeds);
