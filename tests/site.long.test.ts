import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const site = `${root}out/site`;

/** The documentation as VitePress builds it, which fails for a dead link between its pages; without search index and minification, which nothing here looks at. */
describe.skipIf(!existsSync(`${root}scripts/site/node_modules`))('the site', () => {
  beforeAll(() => {
    execFileSync(process.execPath, [`${root}scripts/site/build.mjs`, '--pages'], {
      env: { ...process.env, PLIANT_SITE_QUICK: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  });

  it('has a page for every part of the documentation', () => {
    for (const page of [
      'index',
      'get-started',
      'concepts',
      'recipes',
      'materials',
      'other-tools',
      'examples/index',
      'design/contact',
    ])
      expect(existsSync(`${site}/${page}.html`), page).toBe(true);
  });

  it('shows the source of a live example beside it', () => {
    const page = readFileSync(`${site}/examples/index.html`, 'utf8');
    expect(page).toContain('data-example="jelly"');
    expect(page.replace(/<[^>]*>/g, '')).toContain('MATERIALS.jelly.material');
  });

  it('leads from documents to files of the repository', () => {
    expect(readFileSync(`${site}/limits.html`, 'utf8')).toMatch(
      /href="https:\/\/github\.com\/[^"]*\/blob\/main\/bench\/README\.md"/,
    );
  });
});
