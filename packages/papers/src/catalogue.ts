import type { Claim } from './claim.js';
import { CLAIMS_2007 } from './claims/y2007.js';
import { CLAIMS_2015 } from './claims/y2015.js';
import { CLAIMS_2016 } from './claims/y2016.js';
import { CLAIMS_2017 } from './claims/y2017.js';
import { CLAIMS_2020 } from './claims/y2020.js';

/** All claims, in the order of the report. */
export const CLAIMS: readonly Claim[] = [
  ...CLAIMS_2007,
  ...CLAIMS_2015,
  ...CLAIMS_2016,
  ...CLAIMS_2017,
  ...CLAIMS_2020,
];

export const claimOf = (id: string): Claim | undefined => CLAIMS.find((claim) => claim.id === id);
