import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import * as scratchMap from '../packages/pliant/src/kernels/wasm/scratchMap.js';
import { Fit, Goal } from '../packages/pliant/src/state/coarseRow.js';
import { CONTACT_ROW, PATCH } from '../packages/pliant/src/state/contactRow.js';
import { FIELDS, MemberBlock } from '../packages/pliant/src/state/fields.js';
import { ALIKE, LAYOUT } from '../packages/pliant/src/state/layout.js';
import { PROXY_ROW } from '../packages/pliant/src/state/proxyRow.js';

// The numbers of the AssemblyScript kernels are generated from the declarations in packages/pliant/src (scripts/kernel-layout.mjs).

const PLIANT = resolve(import.meta.dirname, '../packages/pliant');

interface Generator {
  checkScratch(regions: Record<string, { at: number; bytes: number }>, start: number, end: number): void;
  checkFields(
    layout: Record<string, { type: string; width: number }>,
    fields: Record<string, Record<string, number>>,
    alike: readonly (readonly string[])[],
  ): void;
}
const { checkScratch, checkFields } = (await import(join(PLIANT, 'scripts/kernel-layout.mjs'))) as Generator;
const { SCRATCH, SCRATCH_START, SCRATCH_END } = scratchMap;

test('the build takes the scratch map, and refuses one with an overlap, beyond its bounds or not aligned', () => {
  checkScratch(SCRATCH, SCRATCH_START, SCRATCH_END);
  const { MATCH_A } = SCRATCH;
  const withRegion = (at: number, bytes: number) => () =>
    checkScratch({ ...SCRATCH, MORE: { at, bytes } }, SCRATCH_START, SCRATCH_END);
  expect(withRegion(MATCH_A.at + MATCH_A.bytes - 8, 8)).toThrow(
    'MORE begins at 25664, within MATCH_A, which ends at 25672',
  );
  expect(withRegion(MATCH_A.at - 8, 16)).toThrow('MATCH_A begins at 25600, within MORE');
  expect(withRegion(MATCH_A.at, MATCH_A.bytes)).toThrow('within');
  expect(withRegion(SCRATCH_END - 8, 16)).toThrow('expected it within 24576 to 32768');
  expect(withRegion(SCRATCH_START - 8, 8)).toThrow('expected it within');
  expect(withRegion(26508, 8)).toThrow('multiple of 8');
  // Free bytes between two regions.
  withRegion(26512, 8)();
});

test('the build refuses a field beyond its row, and rows that are not alike', () => {
  checkFields(LAYOUT, FIELDS, ALIKE);
  expect(() => checkFields(LAYOUT, { transform: { MORE: 20 } }, [])).toThrow('transform.MORE');
  expect(() => checkFields(LAYOUT, {}, [['x', 'stepBox']])).toThrow('rows of 16, 32 bytes');
});

test('rows are as long as the layout says', () => {
  const { contactRow, patch, proxy, sums, coarseFit, coarseGoal, stepBox } = LAYOUT;
  expect([CONTACT_ROW, PROXY_ROW, Fit.SUMS, Fit.WIDTH, Goal.WIDTH, MemberBlock.BOX]).toEqual(
    [contactRow, proxy, sums, coarseFit, coarseGoal, stepBox].map(({ width }) => width),
  );
  expect(PATCH).toBeLessThanOrEqual(patch.width);
});

const STRIDE = 'a stride; use S.STRIDE_… or S.SHIFT_…';
const OFFSET = 'an offset in a row; use its field in src/state/fields.ts';
const ADDRESS = 'an address of scratch; use src/kernels/wasm/scratchMap.ts';
/** Numbers that must not be typed in a kernel, and what they are. */
const TYPED: [RegExp, string][] = [
  [/S\.\w+\(\) \+ \d+ \*/, STRIDE],
  [/S\.\w+\(\) \+ \((?:\w+|\([^()]*\)) << \d/, STRIDE],
  [/\b(?:load|store)<(?:f32|u32|f64)>\([^()]*(?:\([^()]*\))?[^()]*, (?:1[2-9]|[2-9]\d|\d{3,})\)/, OFFSET],
  [/v128\.load(?:32_splat|32_zero)\([^()]*, (?:1[2-9]|[2-9]\d|\d{3,})\)/, OFFSET],
  [/: usize = \d{3,}/, ADDRESS],
];
const typedIn = (line: string) => TYPED.filter(([pattern]) => pattern.test(line)).map(([, what]) => what);

test('kernels hold no typed strides, offsets and addresses', () => {
  expect(typedIn('const t = S.transform() + 80 * c;')).toEqual([STRIDE]);
  expect(typedIn('const i = load<u32>(S.touching() + (k << 2));')).toEqual([STRIDE]);
  expect(typedIn('const i = load<u32>(S.touching() + ((k + 1) << 2));')).toEqual([STRIDE]);
  expect(typedIn('const m = load<f32>(x + o, 12);')).toEqual([OFFSET]);
  expect(typedIn('const w = v128.load32_splat(q, 12);')).toEqual([OFFSET]);
  expect(typedIn('const STACK: usize = 30720;')).toEqual([ADDRESS]);

  const folder = join(PLIANT, 'assembly');
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts') && !file.endsWith('.generated.ts'));
  expect(files.length).toBeGreaterThan(10);
  const typed = files.flatMap((file) =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .flatMap((line, n) => typedIn(line).map((what) => `${file}:${n + 1} types ${what}`)),
  );
  expect(typed).toEqual([]);
});
