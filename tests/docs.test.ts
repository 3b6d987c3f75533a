import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../', import.meta.url));
const text = (path: string) => readFileSync(root + path, 'utf8');

const BUILT = new Set(['node_modules', 'dist', 'results', 'found', 'public', 'pictures', 'plots']);

/** The source and text files in a folder, as paths from the root; what is installed, built or measured is left out. */
function filesIn(folder: string): string[] {
  return readdirSync(root + folder).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (statSync(root + path).isDirectory()) return BUILT.has(name) ? [] : filesIn(path);
    return /\.(ts|mjs|js|md|json|html|css)$/.test(name) && !name.includes('.generated.') ? [path] : [];
  });
}

const PAGES = readdirSync(root).filter((name) => name.endsWith('.md'));
const DOCS = filesIn('docs').filter((path) => path.endsWith('.md'));

describe('the documents', () => {
  it.each([...PAGES.filter((page) => page !== 'CHANGELOG.md'), 'bench/README.md', ...DOCS])(
    '%s names only paths that exist',
    (file) => {
      const named = [
        ...text(file).matchAll(
          /`((?:packages|scenes|bench|fuzz|tests|scripts|docs)(?:\/[\w.-]+)*)`|\]\((?!http)([^)#]+)\)|(?:^|\s)(scenes\/[\w.-]+\.json)/gm,
        ),
      ];
      const paths = named.map(([, code, link, scene]) => code ?? link ?? scene);
      expect(paths.length).toBeGreaterThan(0);
      const missing = paths.filter(
        (path) => !existsSync(root + path) && !existsSync(`${root}${file.replace(/[^/]*$/, '')}${path}`),
      );
      expect(missing).toEqual([]);
    },
  );

  it('ARCHITECTURE.md has at most 1200 words', () => {
    const words = text('ARCHITECTURE.md')
      .split(/\s+/)
      .filter((word) => /[\p{L}\p{N}]/u.test(word));
    expect(words.length).toBeGreaterThan(500);
    expect(words.length).toBeLessThanOrEqual(1200);
  });

  // The report of the papers has its timings beside the papers'.
  const timeless = DOCS.filter((file) => file !== 'docs/papers.md');
  it.each(['ARCHITECTURE.md', ...timeless])('%s leaves timings to bench/README.md', (file) => {
    expect(text(file).match(/[^\n]*\d ?(?:ms|µs|ns)\b[^\n]*/g)).toBeNull();
  });
});

/** The ids of the specification that a text cites: after the word SPEC, single, listed or as a range, or alone in parentheses. */
function citedIds(source: string): string[] {
  const flat = source.replace(/\n\s*(?:\*|\/\/)?\s*/g, ' ');
  const lists = [...flat.matchAll(/\bSPEC:? ([A-Z]\d*(?!\w)(?:(?:, | and | to |; |–)[A-Z]\d*(?!\w))*)/g)].map(
    ([, list]) => list,
  );
  const ranges = lists.flatMap((list) =>
    [...list.matchAll(/([A-Z])(\d+)(?: to |–)\1(\d+)/g)].flatMap(([, letter, first, last]) =>
      Array.from({ length: Number(last) - Number(first) + 1 }, (_, k) => `${letter}${Number(first) + k}`),
    ),
  );
  const alone = [...flat.matchAll(/\s\(([MSCLPXRKIVNQ][1-9]\d?)(?=[),:;])/g)].map(([, id]) => id);
  return [...lists.flatMap((list) => list.match(/[A-Z]\d*/g)!), ...ranges, ...alone];
}

describe('the specification', () => {
  const page = text('docs/spec.md');
  const known = new Set([...page.matchAll(/^(?:- \*\*|## )([A-Z]\d*)(?:\*\*| ·)/gm)].map(([, id]) => id));

  it('finds ids however they are cited', () => {
    const source = `
      // ${'SPEC'} X1 to X3, [J16] 3.3
      /* ${'SPEC'} C5, L;
       * ${'SPEC'}
       * R2, and (K6), (M5: why) but not (x, L1) */`;
    expect(new Set(citedIds(source))).toEqual(new Set(['X1', 'X2', 'X3', 'C5', 'L', 'R2', 'K6', 'M5']));
  });

  it('has a line for every id that is cited', () => {
    const folders = ['packages', 'tests', 'fuzz', 'bench', 'scripts', 'docs', 'scenes'];
    const files = [...PAGES, ...folders.flatMap(filesIn)].filter((path) => path !== 'docs/spec.md');
    const cited = files.flatMap((path) => citedIds(text(path)).map((id) => ({ id, path })));
    expect(cited.length).toBeGreaterThan(100);
    expect(cited.filter(({ id }) => !known.has(id)).map(({ id, path }) => `${path}: ${id}`)).toEqual([]);
  });
});

describe('the engine', () => {
  const files = (readdirSync(`${root}packages/pliant/src`, { recursive: true }) as string[]).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('testing'),
  );

  it('imports nothing but itself, and earcut in one place', () => {
    const foreign = files.flatMap((file) =>
      [...text(`packages/pliant/src/${file}`).matchAll(/(?:from\s|import)\s*\(?\s*'([^'.][^']*)'/g)].map(
        ([, name]) => `${file}: ${name}`,
      ),
    );
    expect(files.length).toBeGreaterThan(30);
    expect(foreign).toEqual(['cut/triangulate.ts: earcut']);
  });

  it('has no runtime dependency but earcut, which has none', () => {
    const { dependencies = {}, peerDependencies = {} } = JSON.parse(text('packages/pliant/package.json'));
    expect(Object.keys({ ...dependencies, ...peerDependencies })).toEqual(['earcut']);
  });

  it('holds the step in one file that fits on a screen or two', () => {
    expect(text('packages/pliant/src/step.ts').split('\n').length).toBeLessThan(110);
  });
});
