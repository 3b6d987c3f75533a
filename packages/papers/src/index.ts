/**
 * The examples and claims of the five papers, run again: each claim is an experiment with checks, and `reproduce` of the
 * command line runs them all and writes a report.
 *
 * @module @pliant/papers
 */
export { CLAIMS, claimOf } from './catalogue.js';
export * from './claim.js';
