/**
 * The examples and claims of the five papers, run again. Each claim is an experiment with checks; `pliant reproduce` runs
 * them and writes a report.
 *
 * @module @pliant/papers
 */
export { CLAIMS, claimOf } from './catalogue.js';
export * from './claim.js';
export { EXAMPLES, type Example } from './examples.js';
export { htmlReport, markdownReport, type ReportHead, summary } from './report/write.js';
export {
  CLAIM_TASKS,
  type ClaimInput,
  chooseClaims,
  type Result,
  type RunOptions,
  runClaim,
  runClaims,
} from './runClaims.js';
