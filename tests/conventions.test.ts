import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

const filesIn = (folder: string) =>
  (readdirSync(root + folder, { recursive: true }) as string[])
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => !/node_modules|\/(dist|found|public)\//.test(path));
const files = ['packages', 'tests', 'fuzz'].flatMap(filesIn);
const tests = files.filter((path) => /\.test\.(ts|mjs)$/.test(path));
/** The modules that tests import beside the code they test. */
const helpers = files.filter((path) => /^tests\/.*\.ts$|\/testing\/.*\.ts$/.test(path) && !tests.includes(path));
const text = (path: string) => readFileSync(root + path, 'utf8');

/** The project that a test file belongs to, by the word before `.test`; vitest.config.ts has the same rule. */
const projectOf = (path: string) => path.match(/\.(\w+)\.test\.\w+$/)?.[1] ?? 'unit';
const PROJECTS = ['unit', 'long', 'reference', 'scenes', 'studio'];

/** Lines of a file that a pattern finds, as path:line. */
const linesWith = (path: string, pattern: RegExp, content = text(path)) =>
  content.split('\n').flatMap((line, k) => (pattern.test(line) ? [`${path}:${k + 1}`] : []));

/** An address made into a path by hand. In a folder with a space, `pathname` has %20. */
const PATHNAME = /\.pathname\b(?!.*'http)(?<!'http.*)/;
const CONSOLE = /\bconsole\s*\.\s*\w+\(/;
/** A timeout as an option, or as the last argument of a test. */
const TIMEOUT = /\btimeout: \d|^\s*\}, [\d_]{4,}\);/;

/** A sentence of a comment that begins with a word in place of its subject: "What is not finite is not kept." Questions may. */
const NO_SUBJECT = /(?:^|[.:;!)] )(?:What|Whatever|Who|Whoever)\b(?![^.!]*\?)/;
/** The comments of a file, each as one line without its marks, as path:line of its first line and its text. */
function commentsOf(path: string, content = text(path)): [place: string, comment: string][] {
  const found: [string, string][] = [];
  let last = -1;
  for (const [k, line] of content.split('\n').entries()) {
    const words = line.match(/^\s*(?:\/\*\*?|\*(?!\/)|\/\/) ?(.*?)(?:\*\/)?$/)?.[1] ?? line.match(/\s\/\/ (.*)$/)?.[1];
    if (words === undefined) continue;
    if (last === k - 1 && found.length > 0) found[found.length - 1][1] += ` ${words}`;
    else found.push([`${path}:${k + 1}`, words]);
    last = k;
  }
  return found.map(([place, comment]) => [place, comment.trim().replace(/\s+/g, ' ')]);
}
/** Comments of a file in which a sentence has no subject. */
const subjectless = (path: string, content = text(path)) =>
  commentsOf(path, content).flatMap(([place, comment]) => (NO_SUBJECT.test(comment) ? [place] : []));

describe('test files', () => {
  it('belong to a project, and each project has some', () => {
    expect(tests.filter((path) => !PROJECTS.includes(projectOf(path)))).toEqual([]);
    expect([...new Set(tests.map(projectOf))].sort()).toEqual([...PROJECTS].sort());
    expect(tests.length).toBeGreaterThan(200);
  });

  it('that begin first, by tests/sequencer.ts, exist', () => {
    const first = [...text('tests/sequencer.ts').matchAll(/'(.*\.test\.\w+)'/g)].map(([, path]) => path);
    expect(first.length).toBeGreaterThan(5);
    expect(first.filter((path) => !tests.includes(path))).toEqual([]);
  });

  it('and what they import write nothing to the console', () => {
    expect([...tests, ...helpers].flatMap((path) => linesWith(path, CONSOLE))).toEqual([]);
    expect(linesWith('x', CONSOLE, `let a;\n${'console'}.log(a);`)).toEqual(['x:2']);
  });

  it('have no timeouts of their own', () => {
    expect(tests.flatMap((path) => linesWith(path, TIMEOUT))).toEqual([]);
    expect(linesWith('x', TIMEOUT, `test('a', { ${'timeout'}: 600_000 }, () => {\n}, 60_000);\n})`)).toEqual([
      'x:1',
      'x:2',
    ]);
  });

  it('that need the reference or a browser say so by their name', () => {
    const importing = (module: RegExp) => tests.filter((path) => linesWith(path, module).length > 0).map(projectOf);
    expect(new Set(importing(/from '.*\/reference\.js'/))).toEqual(new Set(['reference']));
    expect(new Set(importing(/from '(\.\/harness\.js|playwright-core)'/))).toEqual(new Set(['studio']));
  });
});

const sources = [...files, ...['bench', 'scripts', 'docs'].flatMap(filesIn), 'vitest.config.ts'];

describe('comments', () => {
  it('name their subject: no sentence begins with "What" or "Who"', () => {
    const code = sources.filter((path) => /\.(ts|mjs)$/.test(path));
    expect(code.flatMap((path) => subjectless(path))).toEqual([]);
    const examples = [
      '/** What is kept. */',
      `const a = 1; ${'//'} What is left.`,
      'b();',
      '/**',
      ' * Steps. What a',
      ' * function throws is passed on.',
      ' */',
      '// What is it?',
    ];
    expect(subjectless('x', examples.join('\n'))).toEqual(['x:1', 'x:4']);
  });
});

describe('paths', () => {
  it('of files come from fileURLToPath: `pathname` is for requests only', () => {
    const code = sources.filter((path) => /\.(ts|mjs)$/.test(path));
    expect(code.length).toBeGreaterThan(500);
    expect(code.flatMap((path) => linesWith(path, PATHNAME))).toEqual([]);
    const examples = `new URL('.', import.meta.url).${'pathname'};\nnew URL(request.url, 'http://x').${'pathname'};`;
    expect(linesWith('x', PATHNAME, examples)).toEqual(['x:1']);
  });
});
