import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  DefaultReporter,
  type TestCase,
  type TestModule,
  type TestRunEndReason,
  type TestSpecification,
} from 'vitest/node';
import type { Figure } from '../packages/pliant/src/testing/report.js';
// @ts-expect-error: a plain script, shared with the set-up of `npm test`.
import { findBrowser } from '../scripts/browser.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const FIGURES = 'test-report/figures.json';
const DURATIONS = 'test-report/durations.json';

/** Why tests of a project may have been skipped. */
const absences: Record<string, () => string | false> = {
  reference: () => !existsSync(`${root}../shared/reference`) && 'no ../shared/reference beside the project',
  studio: () =>
    findBrowser() ? !existsSync(`${root}packages/studio/dist/index.html`) && 'the studio is not built' : 'no Chromium',
};

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;

interface Tally {
  files: number;
  waiting: number;
  passed: number;
  failed: number;
  skipped: TestCase[];
}

/**
 * One line for each project, when its last file is done; failures in full; then where the figures of the run are, and after a failure
 * the seed that repeats it. On a terminal vitest's own summary shows what is running.
 */
export default class Reporter extends DefaultReporter {
  private tallies = new Map<string, Tally>();

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.renderSucceed = false;
    this.tallies.clear();
    for (const { project } of specifications) {
      const tally = this.tallies.get(project.name) ?? { files: 0, waiting: 0, passed: 0, failed: 0, skipped: [] };
      tally.files++;
      tally.waiting++;
      this.tallies.set(project.name, tally);
    }
    for (const [name, { files }] of this.tallies) this.log(` ${name.padEnd(10)} ${count(files, 'file')} to run`);
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module);
    const tally = this.tallies.get(module.project.name);
    if (!tally) return;
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'skipped') tally.skipped.push(test);
      else if (state === 'failed') tally.failed++;
      else tally.passed++;
    }
    if (--tally.waiting === 0) this.tell(module.project.name, tally);
  }

  /** Only files in which a test failed. */
  override printTestModule(module: TestModule): void {
    if (module.state() === 'failed') super.printTestModule(module);
  }

  override printTestCase(state: Parameters<DefaultReporter['printTestCase']>[0], test: TestCase): void {
    if (test.result().state === 'failed') super.printTestCase(state, test);
  }

  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: Parameters<DefaultReporter['onTestRunEnd']>[1],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, errors, reason);
    writeDurations(modules);
    const figures = writeFigures(modules);
    if (figures > 0) this.log(` ${count(figures, 'figure')} of this run: ${FIGURES}`);
    if (reason === 'failed') {
      const seed = modules[0]?.project.config.env?.['PLIANT_SEED'];
      this.log(` Random tests ran with PLIANT_SEED=${seed}: set it to repeat them.`);
    }
  }

  private tell(project: string, { files, passed, failed, skipped }: Tally): void {
    const counts = [count(files, 'file'), `${count(passed, 'test')} passed`];
    if (failed > 0) counts.push(`${failed} failed`);
    if (skipped.length > 0) counts.push(`${skipped.length} skipped`);
    const why = skipped.length > 0 && (absences[project]?.() || skipped.map((test) => test.fullName).join('; '));
    this.log(` ${project.padEnd(10)} ${counts.join(', ')}${why ? `: ${why}` : ''}`);
  }
}

const sixDigits = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(6)) : value);

/** Writes what tests have given to `report`, one figure a line, in the order of files and tests. Returns how many there are. */
function writeFigures(modules: readonly TestModule[]): number {
  const lines: string[] = [];
  const sorted = [...modules].sort((a, b) => (a.moduleId < b.moduleId ? -1 : 1));
  for (const module of sorted)
    for (const test of module.children.allTests())
      for (const figure of (test.meta() as { figures?: Figure[] }).figures ?? [])
        lines.push(JSON.stringify({ file: module.relativeModuleId, test: test.fullName, ...figure }, sixDigits));
  mkdirSync(`${root}test-report`, { recursive: true });
  writeFileSync(`${root}${FIGURES}`, `[\n${lines.join(',\n')}\n]\n`);
  return lines.length;
}

/** Writes how long each file took (s), the longest first: where to look when `npm test` takes too long. */
function writeDurations(modules: readonly TestModule[]): void {
  const lines = modules
    .map((module) => ({ seconds: module.diagnostic().duration / 1000, file: module.relativeModuleId }))
    .sort((a, b) => b.seconds - a.seconds)
    .map((row) => JSON.stringify(row, (_, value) => (typeof value === 'number' ? Number(value.toFixed(1)) : value)));
  mkdirSync(`${root}test-report`, { recursive: true });
  writeFileSync(`${root}${DURATIONS}`, `[\n${lines.join(',\n')}\n]\n`);
}
