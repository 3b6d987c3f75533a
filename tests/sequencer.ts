import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that begin first. The golden hashes keep one core busy for minutes, and the studio's tests mostly wait for a page. On two cores each
 * studio file runs beside a file that only computes, and other files fill the cores until the end. Then come the longest scenes.
 */
const FIRST = [
  'tests/golden/chromium.studio.test.ts',
  'tests/studio/gallery.studio.test.ts',
  'tests/golden/node.scenes.test.ts',
  'tests/studio/hands.studio.test.ts',
  'tests/studio/settings.studio.test.ts',
  'tests/studio/keep.studio.test.ts',
  'tests/studio/packages.studio.test.ts',
  'tests/studio/policy.studio.test.ts',
  'packages/scene/src/galleryContact.scenes.test.ts',
  'packages/scene/src/galleryRecluster.scenes.test.ts',
  'tests/fuzz.long.test.ts',
  'packages/sweep/src/redis.long.test.ts',
];

/**
 * The order of test files: FIRST, then the other projects by their names, then `unit`, whose many short files fill both cores until the end.
 * Without this, vitest begins a project when the one before has no file left, and sorts files that it has never run by their size: the golden
 * hashes in Chromium, a file of five lines, came last and alone.
 */
export default class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId, project }: TestSpecification): number => {
      const place = FIRST.indexOf(relative(this.ctx.config.root, moduleId).replaceAll('\\', '/'));
      if (place >= 0) return place;
      return project.name === 'unit' ? FIRST.length + 1 : FIRST.length;
    };
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}
