import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

// No module hands results to another through an exported variable: worlds will be stepped by several threads, and a result that lies in a global is
// whoever's wrote last. Results go into an object that the caller gives. Scratch that never leaves its module stays allowed.

const ROOT = resolve(import.meta.dirname, '../packages/pliant/src');

interface Node {
  type: string;
  [key: string]: unknown;
}

/** Strips `as const`, `satisfies T`, parentheses. */
function bare(node: Node): Node {
  return /^TS(?:As|Satisfies|NonNull)Expression$|^ParenthesizedExpression$/.test(node.type)
    ? bare(node.expression as Node)
    : node;
}

const isConst = (node: Node): boolean =>
  node.type === 'TSSatisfiesExpression' || node.type === 'ParenthesizedExpression'
    ? isConst(node.expression as Node)
    : node.type === 'TSAsExpression' && JSON.stringify(node.typeAnnotation).includes('"name":"const"');

/** Whether a declaration says by its type or its name (a constant in CAPITALS, a table of them in Capitals) that it is only read. */
const isReadOnly = (id: Node, init: Node) =>
  isConst(init) ||
  /"name":"(?:Readonly\w*|Required)"|"operator":"readonly"/.test(JSON.stringify(id.typeAnnotation ?? null)) ||
  /^[A-Z]/.test(id.name as string);

/** The exports of a module that can change after it was loaded. */
function mutableExports(path: string, code: string): string[] {
  const { program } = parseSync(path, code);
  const found: string[] = [];
  for (const statement of program.body as unknown as Node[]) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? (statement.declaration as Node | null) : null;
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { id, init } of declaration.declarations as { id: Node; init: Node | null }[]) {
      const name = id.name as string;
      const value = init && bare(init);
      if (declaration.kind !== 'const') found.push(`${path} exports a variable: ${name}`);
      else if (
        value?.type === 'NewExpression' &&
        /Array$|^(?:Map|Set|Scratch)$/.test((value.callee as Node).name as string)
      )
        found.push(`${path} exports an array: ${name}`);
      else if (init && value && /^(?:Array|Object)Expression$/.test(value.type) && !isReadOnly(id, init))
        found.push(`${path} exports an object: ${name}`);
    }
  }
  return found;
}

test('finds what it is to find', () => {
  const finds = (code: string) => mutableExports('a.ts', code).length > 0;
  for (const code of [
    'export let last = 0;',
    'export const centre = new Float64Array(3);',
    'export const SEEN = new Map<number, number>();',
    'export const clipped = { from: 0, to: 1 };',
    'export const list: number[] = [];',
  ])
    expect(finds(code), code).toBe(true);
  for (const code of [
    'const centre = new Float64Array(3);',
    'export const a = { b: 1 } as const;',
    'export const DEFAULTS: Required<Options> = { b: 1 };',
    'export const list: readonly number[] = [1];',
    'export const f = () => new Float64Array(3);',
  ])
    expect(finds(code), code).toBe(false);
});

test('no module of the engine exports what can change', () => {
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !/\.test\.ts$|\.d\.ts$|\.generated\.ts$|(^|[/\\])testing[/\\]/.test(file),
  );
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => mutableExports(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
});
