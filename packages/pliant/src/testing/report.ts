import { TestRunner } from 'vitest';

/** A figure or a list or table of figures. */
export type Value = number | string | readonly Value[] | { readonly [name: string]: Value };

export interface Figure {
  name: string;
  value: Value;
  unit: string;
}

declare module 'vitest' {
  interface TaskMeta {
    figures?: Figure[];
  }
}

/**
 * Keeps a figure that the running test has measured, beside what it asserts. All figures of a run go to test-report/figures.json
 * (tests/reporter.ts) and none to the terminal. `unit` is '' for ratios and counts.
 */
export function report(name: string, value: Value, unit: string): void {
  const test = TestRunner.getCurrentTest();
  if (!test) throw new Error(`report('${name}') was called outside of a test.`);
  const figures = (test.meta.figures ??= []);
  figures.push({ name, value, unit });
}
