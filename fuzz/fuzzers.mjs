import { worlds } from './worlds/worlds.mjs';

/** All fuzzers by name: generate(random) makes a case, execute(case, { beat, at }) runs it and throws a Finding, script(case, finding) prints it as a script. */
export const FUZZERS = { worlds };
