import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import { BINARY } from '../packages/pliant/src/kernels/wasm/binary.generated.js';
import { bytesOfText } from '../packages/pliant/src/math/bytesOfText.js';
import { isNode, type Node, nameOf } from './syntax.js';

// Same bits everywhere (SPEC Q1): nothing of the host whose result differs between engines or runs may reach the state. The functions to be
// used instead are in packages/pliant/src/math/elementary.ts.

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDERS = ['packages/pliant/src', 'packages/scene/src'];

/** Of `Math` only what is exact or rounded alike by every engine. Everything else is refused, also what the language adds one day. */
const EXACT =
  'abs ceil clz32 floor fround imul max min round sign sqrt trunc E LN10 LN2 LOG10E LOG2E PI SQRT1_2 SQRT2'.split(' ');

const POWER = 'engines round powers differently; see pow, squared and cubed of math/elementary.ts';
const ROUNDING = 'engines round it differently; see math/elementary.ts';
const RUNS = 'it differs from run to run';
const FILL = 'Firefox 153 at times returns another array from it; fill in a statement of its own';
const LANGUAGE = "it depends on the machine's language";

/** Names that are refused wherever they stand, and why. */
const REFUSED = new Map([
  ...['Date', 'Temporal', 'crypto', 'performance'].map((name) => [name, RUNS] as const),
  ...['Intl', 'localeCompare', 'toLocaleString', 'toLocaleLowerCase', 'toLocaleUpperCase'].map(
    (name) => [name, LANGUAGE] as const,
  ),
]);

/** The profile measures time, and tells nobody in the step. */
const MAY_MEASURE = ['packages/pliant/src/profile.ts', 'packages/pliant/src/platform.d.ts'];

/** Sources without tests and what is only for tests. */
function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.endsWith('.generated.ts'))
    .map((path) => relative(ROOT, join(ROOT, folder, path)).replaceAll('\\', '/'))
    .filter((path) => !path.split('/').includes('testing'))
    .sort();
}

const isSubarray = ({ type, callee }: Node): boolean =>
  type === 'CallExpression' && nameOf((callee as Node).property) === 'subarray';

/** The reasons to refuse a node itself; its parts are checked by themselves. Parts that are allowed here are added to `fine`. */
function judge(node: Node, fine: Set<unknown>): { found: string; reason: string }[] {
  const { type, object, property, init, id, operator } = node;
  if ((type === 'BinaryExpression' && operator === '**') || (type === 'AssignmentExpression' && operator === '**='))
    return [{ found: operator as string, reason: POWER }];
  if (type === 'MemberExpression' && nameOf(object) === 'Math' && !node.computed) {
    fine.add(object);
    const found = nameOf(property)!;
    return EXACT.includes(found) ? [] : [{ found: `Math.${found}`, reason: found === 'random' ? RUNS : ROUNDING }];
  }
  // const { abs, sqrt } = Math
  if (type === 'VariableDeclarator' && nameOf(init) === 'Math' && (id as Node).type === 'ObjectPattern') {
    fine.add(init);
    const names = ((id as Node).properties as Node[]).map(({ key }) => nameOf(key) ?? 'what is not named');
    return names.filter((n) => !EXACT.includes(n)).map((n) => ({ found: `Math.${n}`, reason: ROUNDING }));
  }
  if (type === 'MemberExpression' && nameOf(property) === 'fill' && isSubarray(object as Node))
    return [{ found: 'subarray().fill', reason: FILL }];
  const name = nameOf(node);
  if (name === 'Math' && !fine.has(node)) return [{ found: 'Math', reason: 'take its functions by name' }];
  return name && REFUSED.has(name) ? [{ found: name, reason: REFUSED.get(name)! }] : [];
}

/** By the syntax tree: comments and strings are no part of it. */
function findings(path: string, source: string): string[] {
  const { program, errors } = parseSync(path, source);
  expect(errors, path).toEqual([]);
  const lines: string[] = [];
  const fine = new Set<unknown>();
  const visit = (value: unknown) => {
    if (Array.isArray(value)) for (const part of value) visit(part);
    if (!isNode(value)) return;
    for (const { found, reason } of judge(value, fine)) {
      if (found === 'performance' && MAY_MEASURE.includes(path)) continue;
      lines.push(`${path}:${source.slice(0, value.start).split('\n').length}: ${found}: ${reason}`);
    }
    for (const part of Object.values(value)) visit(part);
  };
  visit(program);
  return lines;
}

describe.each(FOLDERS)('%s', (folder) => {
  test('uses nothing of the host that differs between engines or runs', () => {
    const paths = sources(folder);
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.flatMap((path) => findings(path, readFileSync(join(ROOT, path), 'utf8')))).toEqual([]);
  });
});

describe('this check', () => {
  const found = (source: string) => findings('a.ts', source).map((line) => line.split(': ').slice(0, 2).join(': '));

  test.each([
    ['const a = 1;\nconst b = Math.exp(a);', 'a.ts:2: Math.exp'],
    ['Math\n. sin(0)', 'a.ts:1: Math.sin'],
    ['Math?.tanh(0)', 'a.ts:1: Math.tanh'],
    ['x = Math.random()', 'a.ts:1: Math.random'],
    ['x = y ** 2', 'a.ts:1: **'],
    ['x **= 2', 'a.ts:1: **='],
    ['const { abs, cos: c } = Math;', 'a.ts:1: Math.cos'],
    ['const host = Math;', 'a.ts:1: Math'],
    ['f(Math)', 'a.ts:1: Math'],
    ['globalThis.Math.sin(1)', 'a.ts:1: Math'],
    ["Math['cos'](1)", 'a.ts:1: Math'],
    ['Date.now()', 'a.ts:1: Date'],
    ['performance.now()', 'a.ts:1: performance'],
    ['names.sort((a, b) => a.localeCompare(b))', 'a.ts:1: localeCompare'],
    ['const a = x.subarray(0, 6).fill(0);', 'a.ts:1: subarray().fill'],
    // Code inside of a template.
    ['const s = `a $' + '{Math.log(2)} `;', 'a.ts:1: Math.log'],
  ])('refuses %s', (source, finding) => {
    expect(found(source)).toEqual([finding]);
  });

  test.each([
    '// Math.exp, x ** 2',
    '/* Math.exp\n ** Date */ const a = 1;',
    "const s = 'Math.exp ** Date';",
    'const s = "Math.exp // **"; const t = 1;',
    'const s = `Math.exp ** Date`;',
    'const { PI, sqrt } = Math;',
    'const a = x.subarray(0, 6); a.fill(0);',
    'Math.sqrt(Math.abs(Math.PI)) + Math.fround(1)',
    'const updated = candidate; lastDates.push(1);',
    'const r = /\\*\\*Date/; const q = a / b;',
  ])('lets %s pass', (source) => {
    expect(found(source)).toEqual([]);
  });
});

describe('the WASM kernels', () => {
  const bytes = bytesOfText(BINARY);

  test('import memory, the place of their scratch and nothing else: no function of the host', async () => {
    const imports = WebAssembly.Module.imports(await WebAssembly.compile(bytes));
    expect(imports).toHaveLength(2);
    expect(imports).toContainEqual({ module: 'env', name: 'memory', kind: 'memory' });
    expect(imports).toContainEqual({ module: 'env', name: 'scratchShift', kind: 'global' });
  });

  test('are built without relaxed SIMD, whose results differ between processors', () => {
    const script = readFileSync(join(ROOT, 'packages/pliant/scripts/build-kernels.mjs'), 'utf8');
    expect(script).not.toMatch(/relaxed/);
    for (const file of readdirSync(join(ROOT, 'packages/pliant/assembly')))
      if (file.endsWith('.ts'))
        expect(readFileSync(join(ROOT, 'packages/pliant/assembly', file), 'utf8'), file).not.toMatch(/relaxed_/);
  });
});
