import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const DOCS = fileURLToPath(new URL('..', import.meta.url));
const ROOT = join(DOCS, '..');
const { repository } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const SOURCE = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/main`;
/** PLIANT_SITE_QUICK: a build for tests, without what takes long and is not looked at. */
const { PLIANT_SITE_BASE = '/', PLIANT_SITE_QUICK } = process.env;

/** Links that lead out of docs/, to code and scenes, go to the repository. They must lead to something. */
function outwardLinks(markdown) {
  const open =
    markdown.renderer.rules.link_open ?? ((tokens, k, options, _, self) => self.renderToken(tokens, k, options));
  markdown.core.ruler.push('outward', ({ tokens, env }) => {
    for (const { children } of tokens)
      for (const token of children ?? []) {
        const href = token.type === 'link_open' ? token.attrGet('href') : null;
        if (!href || /^([a-z]+:|#|\/)/i.test(href)) continue;
        const path = join(DOCS, dirname(env.relativePath), decodeURI(href.replace(/#.*/, '')));
        const outside = relative(DOCS, path).startsWith('..');
        if (!outside && /\.(md|html)$/.test(path)) continue;
        if (!existsSync(path)) throw new Error(`${env.relativePath} links to ${href}, which does not exist.`);
        if (outside || statSync(path).isDirectory())
          token.attrSet('href', `${SOURCE}/${posix.normalize(relative(ROOT, path).replaceAll('\\', '/'))}`);
      }
  });
  markdown.renderer.rules.link_open = open;
}

const DESIGN = [
  ['sampling-and-clustering', 'Sampling and clustering'],
  ['goals', 'Goals'],
  ['elasticity', 'Elasticity'],
  ['levels', 'Levels'],
  ['plasticity', 'Plasticity'],
  ['fracture-and-topology', 'Fracture and topology'],
  ['reclustering', 'Reclustering'],
  ['contact', 'Contact'],
  ['drivers', 'Clamps, fields, obstacles, sleep'],
  ['cuts', 'Cuts'],
  ['surfaces', 'Surfaces'],
  ['snapshots', 'Snapshots'],
  ['determinism', 'Determinism'],
  ['files', 'Files'],
  ['studio', 'Studio'],
  ['bake', 'Bakes and films'],
].map(([name, text]) => ({ text, link: `/design/${name}` }));

export default {
  title: 'Pliant',
  description: 'Deformable bodies for games and simulations: squash, tear, flow, cut',
  base: PLIANT_SITE_BASE,
  outDir: join(ROOT, 'out/site'),
  cacheDir: join(ROOT, 'node_modules/.cache/vitepress'),
  cleanUrls: false,
  // The studio and the API reference are put beside the pages after they were built (scripts/site/build.mjs).
  ignoreDeadLinks: [/^\/?(\.\/)?(api|studio)\//],
  srcExclude: ['plots/**', 'pictures/**'],
  markdown: { config: outwardLinks, math: false },
  vite: {
    resolve: {
      alias: {
        pliant: join(ROOT, 'packages/pliant/dist/index.js'),
        three: join(ROOT, 'node_modules/three/build/three.module.js'),
      },
    },
    build: { target: 'es2022', chunkSizeWarningLimit: 1500, ...(PLIANT_SITE_QUICK && { minify: false }) },
    publicDir: false,
  },
  themeConfig: {
    nav: [
      { text: 'Guide', link: '/get-started' },
      { text: 'Recipes', link: '/recipes' },
      { text: 'Examples', link: '/examples/' },
      { text: 'API', link: '/api/index.html', target: '_self' },
      { text: 'Studio', link: '/studio/index.html', target: '_self' },
    ],
    sidebar: [
      {
        text: 'Guide',
        items: [
          { text: 'Get started', link: '/get-started' },
          { text: 'Concepts', link: '/concepts' },
          { text: 'Materials', link: '/materials' },
          { text: 'Recipes', link: '/recipes' },
          { text: 'Out to other tools', link: '/other-tools' },
          { text: 'Live examples', link: '/examples/' },
        ],
      },
      {
        text: 'Reference',
        items: [
          { text: 'Parameters', link: '/parameters' },
          { text: 'Levels', link: '/levels' },
          { text: 'Limits', link: '/limits' },
          { text: 'Glossary', link: '/glossary' },
          { text: 'Specification', link: '/spec' },
        ],
      },
      { text: 'Design notes', collapsed: true, items: DESIGN },
    ],
    outline: [2, 3],
    ...(!PLIANT_SITE_QUICK && { search: { provider: 'local' } }),
  },
};
