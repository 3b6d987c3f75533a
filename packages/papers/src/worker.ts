import { runClaim } from './runClaims.js';

// A process of runClaims: runs one claim and tells the result.
const [id, quick, seeds] = process.argv.slice(2);
const result = await runClaim(id, quick === 'true', seeds.split(',').map(Number));
process.send?.(result, () => process.exit(0));
