import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';
import { LAYOUT } from '../packages/pliant/src/state/layout.js';
import { isNode, type Node, nameOf, nodesOf } from './syntax.js';

// The plain TypeScript kernels address the state by the names of packages/pliant/src/state/fields.ts: no stride or offset of a row is typed as a number.

const FOLDER = resolve(import.meta.dirname, '../packages/pliant/src/kernels/ts');
const STRIDE = 'as a stride; use Row or FIELDS of src/state/fields.ts';
const OFFSET = 'as an offset in a row; use FIELDS of src/state/fields.ts';
/** An offset below it is a coordinate of a vector. */
const LEAST_OFFSET = 3;

const numberOf = (node: Node) =>
  node.type === 'Literal' && typeof node.value === 'number' ? (node.value as number) : undefined;
const bare = (node: unknown): Node =>
  (node as Node).type === 'ParenthesizedExpression' ? bare((node as Node).expression) : (node as Node);
const COMPARISONS = ['<', '<=', '>', '>='];

/** The facts known of the names in one statement of a file, usually a function. */
class Names {
  /** Locals that are arrays of the state. */
  private readonly arrays = new Set<string>();
  /** The values that a local is set to, stepped by, or compared with as its bound. */
  private readonly values = new Map<string, Node[]>();

  constructor(nodes: Node[]) {
    for (const node of nodes) {
      if (node.type === 'VariableDeclarator') this.bind(node.id as Node, node.init);
      if (node.type === 'AssignmentExpression') this.bind(node.left as Node, node.right);
      if (Array.isArray(node.params)) for (const parameter of node.params) this.bindParameter(parameter);
      if (node.type !== 'BinaryExpression' || !COMPARISONS.includes(node.operator as string)) continue;
      const bound = bare(node.right);
      if (numberOf(bound) === undefined) this.bind(node.left as Node, bound);
    }
  }

  private bind(pattern: Node, value: unknown): void {
    const name = nameOf(pattern);
    if (name && isNode(value)) this.values.set(name, [...(this.values.get(name) ?? []), bare(value)]);
    if (pattern.type === 'ObjectPattern')
      for (const { key, value: local } of pattern.properties as Node[])
        if ((nameOf(key) ?? '') in LAYOUT && nameOf(local)) this.arrays.add(nameOf(local)!);
    if (pattern.type !== 'ArrayPattern' || !isNode(value)) return;
    const from = bare(value);
    const rows = from.type === 'ConditionalExpression' ? [bare(from.consequent), bare(from.alternate)] : [from];
    for (const row of rows)
      if (row.type === 'ArrayExpression')
        (pattern.elements as (Node | null)[]).forEach((element, k) => {
          if (element) this.bind(element, (row.elements as Node[])[k]);
        });
  }

  /** Scratch is f64: what a function is given as f32 or u32 is of the state. */
  private bindParameter(parameter: Node): void {
    this.bind(parameter, undefined);
    const [type] = nodesOf(parameter.typeAnnotation).filter((node) => node.type === 'TSTypeReference');
    if (/^(Float32|Uint32)Array$/.test(nameOf(type?.typeName) ?? '')) this.arrays.add(nameOf(parameter)!);
  }

  valuesOf(name: string): Node[] {
    return this.values.get(name) ?? [];
  }

  /** Whether it is an array of the state, or a part of one. */
  isState(value: unknown, seen: readonly string[] = []): boolean {
    if (!isNode(value)) return false;
    const node = bare(value);
    const name = nameOf(node);
    if (name && !seen.includes(name))
      return this.arrays.has(name) || this.valuesOf(name).some((from) => this.isState(from, [...seen, name]));
    if (node.type === 'ConditionalExpression')
      return this.isState(node.consequent, seen) || this.isState(node.alternate, seen);
    if (node.type === 'CallExpression') {
      const { object, property } = node.callee as Node;
      return nameOf(property) === 'subarray' && this.isState(object, seen);
    }
    return node.type === 'MemberExpression' && !node.computed && (nameOf(node.property) ?? '') in LAYOUT;
  }
}

/** Expressions that tell where in an array of the state something is. */
function addressesOf(node: Node, names: Names): Node[] {
  if (node.type === 'MemberExpression' && node.computed && names.isState(node.object)) return [node.property as Node];
  if (node.type !== 'CallExpression') return [];
  const given = node.arguments as Node[];
  const { object, property } = node.callee as Node;
  const method = names.isState(object) ? nameOf(property) : undefined;
  if (method === 'subarray') return given;
  // The first tells what is written.
  if (method === 'set' || method === 'fill') return given.slice(1);
  // f(array, at, …)
  return given.filter((_, k) => k > 0 && names.isState(given[k - 1]));
}

/** Numbers that are typed in the sum that an address is, and what they are typed as. */
function typedIn(address: Node, names: Names, seen: readonly string[] = []): { node: Node; what: string }[] {
  const node = bare(address);
  const name = nameOf(node);
  if (name)
    return seen.includes(name) ? [] : names.valuesOf(name).flatMap((from) => typedIn(from, names, [...seen, name]));
  if ((numberOf(node) ?? 0) >= LEAST_OFFSET) return [{ node, what: OFFSET }];
  const parts = (...fields: string[]) => fields.map((field) => bare(node[field]));
  if (node.type === 'ConditionalExpression')
    return parts('consequent', 'alternate').flatMap((part) => typedIn(part, names, seen));
  // k % 3 is a coordinate.
  if (node.type !== 'BinaryExpression' || node.operator === '%') return [];
  if (node.operator === '+' || node.operator === '-')
    return parts('left', 'right').flatMap((part) => typedIn(part, names, seen));
  return parts('left', 'right')
    .filter((part) => numberOf(part) !== undefined)
    .map((part) => ({ node: part, what: STRIDE }));
}

function findings(file: string, source: string): string[] {
  const { program, errors } = parseSync(file, source);
  expect(errors, file).toEqual([]);
  const found = (program.body as unknown as Node[]).flatMap((statement) => {
    const nodes = nodesOf(statement);
    const names = new Names(nodes);
    return nodes.flatMap((node) => addressesOf(node, names)).flatMap((address) => typedIn(address, names));
  });
  // An address that several accesses share is told once.
  const once = [...new Map(found.map((f) => [f.node.start, f])).values()].sort((a, b) => a.node.start - b.node.start);
  return once.map(
    ({ node, what }) => `${file}:${source.slice(0, node.start).split('\n').length} types ${node.value} ${what}`,
  );
}

const sources = readdirSync(FOLDER)
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => [file, readFileSync(join(FOLDER, file), 'utf8')] as const);

test('the plain kernels type no stride and no offset of the state', () => {
  expect(sources.length).toBeGreaterThan(10);
  expect(sources.flatMap(([file, source]) => findings(file, source))).toEqual([]);
});

describe('this check', () => {
  test('finds each stride of these kernels that is typed instead, by its file and line', () => {
    let tried = 0;
    for (const [file, source] of sources)
      for (const { index, 0: name } of source.matchAll(/\b(?:Row\.\w+|[A-Z]+_ROW)(?= \*)/g)) {
        const typed = `${source.slice(0, index)}4${source.slice(index + name.length)}`;
        const line = source.slice(0, index).split('\n').length;
        expect(findings(file, typed), name).toEqual([`${file}:${line} types 4 ${STRIDE}`]);
        tried++;
      }
    expect(tried).toBeGreaterThan(150);
  });

  test.each([
    ['s.x[4 * i + a]', 4, STRIDE],
    ['s.x[i * 4]', 4, STRIDE],
    ['s.x[i << 2]', 2, STRIDE],
    ['const { x } = s; x[4 * (i + 1)] = 0', 4, STRIDE],
    ['const { treeBox: b } = s; b[8 * p]', 8, STRIDE],
    ['const o = 4 * i; const e = o + a; s.x[e]', 4, STRIDE],
    ['const [t, m] = [Row.x * c, 8 * c]; s.motion[m]', 8, STRIDE],
    ['const [to, o] = old ? [s.beforeContact, 16 * n] : [s.goalOffset, Row.goalOffset * n]; to[o]', 16, STRIDE],
    ['const m = Row.motion * c; s.oldCentre[m / 2]', 2, STRIDE],
    ['for (let o = Row.x * first; o < 4 * last; o += Row.x) s.x[o] = 0', 4, STRIDE],
    ['for (let o = Row.x * first; o < Row.x * last; o += 4) s.x[o] = 0', 4, OFFSET],
    ['s.plastic.subarray(9 * c, Row.plastic * (c + 1))', 9, STRIDE],
    ['s.plastic.set(P, 9 * c)', 9, STRIDE],
    ['const Q = s.restInverse.subarray(Row.restInverse * c); Q[3 * j]', 3, STRIDE],
    ['invertInertiaInto(s.inertiaInverse, 6 * c, inertia)', 6, STRIDE],
    ['s.x[Row.x * i + 3]', 3, OFFSET],
    ['s.stepBox[Row.stepBox * i + a + 4]', 4, OFFSET],
    ['const q = s.inertiaInverse.subarray(Row.inertiaInverse * c); q[3]', 3, OFFSET],
  ])('refuses %s', (line, value, what) => {
    expect(findings('a.ts', `function f(s: Views) {\n  ${line};\n}`)).toEqual([`a.ts:2 types ${value} ${what}`]);
  });

  test('refuses a stride of an array that is handed over', () => {
    const source = 'function add({ touch: t }: Views, u: Float32Array) {\n  u[4 * i] += t[4 * i];\n}';
    expect(findings('a.ts', source)).toEqual([`a.ts:2 types 4 ${STRIDE}`, `a.ts:2 types 4 ${STRIDE}`]);
  });

  test.each([
    's.x[Row.x * i + 2]',
    'const A = new Float64Array(9); A[3 * j + a] = s.x[Row.x * i + a]',
    'for (let a = 0; a < 3; a++) s.x[Row.x * i + a] *= 4 * a',
    'const root = 2 * start; s.treeNode[FIELDS.treeNode.NODE * root]',
    's.x.fill(4, Row.x * i)',
    's.x[Row.x * i + (k % 3)]',
    's.linkStart[s.gatherRank[i] + 1]',
    '// s.x[4 * i]',
  ])('lets %s pass', (line) => {
    expect(findings('a.ts', `function f(s: Views) {\n  ${line};\n}`)).toEqual([]);
  });
});
