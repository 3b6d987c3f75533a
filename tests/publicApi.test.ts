import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';

/**
 * The published types of the engine against a reviewed list, tests/publicApi.txt: what is exported, and the members of each exported class. A line that this test wants to
 * have in the list is a promise to users: look at it before you add it, or mark what it names `@internal`.
 */

const DIST = resolve(import.meta.dirname, '../packages/pliant/dist');
const LIST = resolve(import.meta.dirname, 'publicApi.txt');

/** Names that a declaration file exports, those of `export *` among them, and the file that each is declared in. */
function exportsOf(file: string): Map<string, string> {
  const text = readFileSync(file, 'utf8');
  const names = new Map<string, string>();
  const at = (path: string) => resolve(dirname(file), path.replace(/\.js$/, '.d.ts'));
  for (const [, path] of text.matchAll(/^export \* from '(.*)';$/gm))
    for (const [name, from] of exportsOf(at(path))) names.set(name, from);
  for (const [, name] of text.matchAll(/^export \* as (\w+) from/gm)) names.set(name, file);
  for (const [, list, path] of text.matchAll(/^export (?:type )?\{([^}]*)\} from '(.*)';$/gm))
    for (const item of list.split(',').map((name) => name.trim().replace(/^type /, '')))
      if (item) names.set(item.split(' as ').at(-1)!, at(path));
  for (const [, name] of text.matchAll(
    /^export (?:declare )?(?:abstract )?(?:class|function|const|interface|type|enum) (\w+)/gm,
  ))
    names.set(name, file);
  return names;
}

/** Public members of a class, in the order of their names. */
function membersOf(file: string, name: string): string[] {
  const body = readFileSync(file, 'utf8').match(
    new RegExp(`^export declare class ${name}\\b[^{]*\\{\\n(.*?)\\n\\}`, 'ms'),
  )?.[1];
  if (body === undefined) return [];
  const members = [...body.matchAll(/^ {4}(?:static |readonly |get |set |abstract )*(\w+|#private)(?=[?(<:;])/gm)];
  const isPrivate = new Set(
    [...body.matchAll(/^ {4}private (?:static |readonly |get |set )*(\w+)/gm)].map(([, m]) => m),
  );
  return [...new Set(members.map(([, member]) => member))].filter((m) => !isPrivate.has(m)).sort();
}

test('the published types are those of the reviewed list', () => {
  expect(existsSync(`${DIST}/index.d.ts`), 'build first: npm run build').toBe(true);
  const lines = [...exportsOf(`${DIST}/index.d.ts`)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, file]) => [name, ...membersOf(file, name).map((member) => `  ${name}.${member}`)]);
  const reviewed = readFileSync(LIST, 'utf8').split('\n').filter(Boolean);
  expect({
    added: lines.filter((line) => !reviewed.includes(line)),
    gone: reviewed.filter((line) => !lines.includes(line)),
  }).toEqual({
    added: [],
    gone: [],
  });
});

test('no published class or interface names the state or the kernels', () => {
  const leaks = [...exportsOf(`${DIST}/index.d.ts`)].flatMap(([name, file]) => {
    const text = readFileSync(file, 'utf8').replace(/\/\*\*.*?\*\//gs, '');
    const body = text.match(new RegExp(`^export (?:declare class|interface) ${name}\\b.*?^\\}`, 'ms'))?.[0] ?? '';
    return [...body.matchAll(/\b(?:Views|State|Rows|Kernels)\b/g)].map(([what]) => `${name}: ${what}`);
  });
  expect(leaks).toEqual([]);
});
