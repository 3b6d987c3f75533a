import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const root = new URL('../', import.meta.url).pathname;
const text = (path: string) => readFileSync(root + path, 'utf8');

describe('the documents', () => {
  it.each(['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'bench/README.md'])(
    '%s names only paths that exist',
    (file) => {
      const named = [
        ...text(file).matchAll(
          /`((?:packages|scenes|bench|fuzz|tests|scripts)(?:\/[\w.-]+)*)`|\]\((?!http)([^)#]+)\)|(?:^|\s)(scenes\/[\w.-]+\.json)/gm,
        ),
      ];
      const paths = named.map(([, code, link, scene]) => code ?? link ?? scene);
      expect(paths.length).toBeGreaterThan(0);
      const planned = ['packages/studio', 'packages/three'];
      const missing = paths.filter(
        (path) =>
          !planned.includes(path) &&
          !existsSync(root + path) &&
          !existsSync(`${root}${file.replace(/[^/]*$/, '')}${path}`),
      );
      expect(missing).toEqual([]);
    },
  );
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
