import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'vite';
// @ts-expect-error: a plain script, shared with the server.
import { HEADERS, POLICY } from '../../scripts/headers.mjs';
import { scenes } from './scenes.js';
import { threeBackends } from './threeBackends.js';

const source = (name: string) => fileURLToPath(new URL(`../${name}/src/index.ts`, import.meta.url));

/** The page says itself what it may do: it may lie on any server. While it is developed, Vite needs more than that. */
const policy: Plugin = {
  name: 'pliant-policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: POLICY },
      injectTo: 'head-prepend',
    },
  ],
};

/**
 * glTF-Transform is one module for browsers and Node. Its class NodeIO imports node:fs and node:path when it is created, which the studio never does;
 * but the bundler resolves the two imports, and would warn of each in every bundle. They lead to an empty module here. Imports of the same names
 * from anywhere else still warn.
 */
const withoutNodeIO = (): Plugin => ({
  name: 'pliant-without-node-io',
  enforce: 'pre',
  resolveId: (id, importer) =>
    /^node:(fs|path)$/.test(id) && importer?.includes('/@gltf-transform/core/') ? '\0no-node-io' : undefined,
  load: (id) => (id === '\0no-node-io' ? 'export {};' : undefined),
});

/**
 * Every schema of zod can write itself as a JSON schema. `pliant schema` has done that when the studio is built, and nothing in the page does: the code, 7 kB gzipped, is
 * replaced by functions of the same names that do nothing.
 */
const withoutSchemaWriter = (): Plugin => ({
  name: 'pliant-without-schema-writer',
  transform(code, id) {
    if (!/\/zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/.test(id)) return undefined;
    const names = [...code.matchAll(/^export (?:const|function) (\w+)/gm)].map(([, name]) => name);
    return { code: `${names.map((name) => `export const ${name} = () => undefined;`).join('\n')}\n`, map: null };
  },
});

/** Nor are the descriptions of fields of use without it. */
const withoutDescriptions = (): Plugin => ({
  name: 'pliant-without-descriptions',
  enforce: 'pre',
  transform: (code, id) =>
    /\/scene\/src\/schema\/\w+\.ts$/.test(id)
      ? { code: code.replace(/\.describe\(\s*(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"),?\s*\)/g, ''), map: null }
      : undefined,
});

/** The studio draws clusters, proxies and goals by itself, and never calls `world.debugDraw`: its code is replaced by a function that does nothing. */
const withoutDebugDraw = (): Plugin => ({
  name: 'pliant-without-debug-draw',
  enforce: 'pre',
  load: (id) =>
    id.endsWith('/pliant/src/debugDraw.ts')
      ? 'export const debugDraw = () => undefined, DEBUG_DRAW_DEFAULTS = {};'
      : undefined,
});

/** The engine's list of arrays also says what each holds and which stages write it, for readers and tests: nothing of that is used in a page. */
const withoutNotes = (): Plugin => ({
  name: 'pliant-without-notes',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('/pliant/src/state/layout.ts')
      ? { code: code.replace(/^ +(note: .*|writers: \[.*\]),$/gm, ''), map: null }
      : undefined,
});

/** three's renderer comes with a manager of headsets, 4 kB gzipped, which the studio has no use for: one that never presents takes its place. */
const withoutHeadsets = (): Plugin => ({
  name: 'pliant-without-headsets',
  transform(code, id) {
    if (!/\/three\/build\/three\.webgpu\.js$/.test(id)) return undefined;
    const from = code.indexOf('class XRManager extends EventDispatcher {');
    const to = code.indexOf('\n}\n', from);
    if (from < 0 || to < 0) throw new Error('three.webgpu.js has no class XRManager; expected to replace it');
    const stub =
      'class XRManager extends EventDispatcher {\n' +
      '  enabled = false; isPresenting = false; cameraAutoUpdate = false;\n' +
      '  getEnvironmentBlendMode() {} foveateBoundTexture() {}';
    return { code: code.slice(0, from) + stub + code.slice(to), map: null };
  },
});

/**
 * three's tracks of keyframes and their bindings are kept by a bundler, as statements beside their classes set fields of the prototypes. The studio animates nothing by them: empty
 * classes take their place, 5 kB gzipped less.
 */
const withoutKeyframes = (): Plugin => ({
  name: 'pliant-without-keyframes',
  transform(code, id) {
    if (!/\/three\/build\/three\.core\.js$/.test(id)) return undefined;
    let left = code;
    for (const name of ['KeyframeTrack', 'Composite', 'PropertyBinding']) {
      const from = left.indexOf(`\nclass ${name} {`);
      const to = left.indexOf('\n}\n', from);
      if (from < 0 || to < 0) throw new Error(`three.core.js has no class ${name}; expected to replace it`);
      left = `${left.slice(0, from)}\nclass ${name} {${left.slice(to)}`;
    }
    return { code: left, map: null };
  },
});

/**
 * three's renderer knows a material of nodes for every plain one, every kind of light and of tone mapping. The studio uses five materials, a sun and one mapping; the others, and what shades
 * with them, are left out: 7 kB gzipped less.
 */
const withoutUnusedNodes = (): Plugin => ({
  name: 'pliant-without-unused-nodes',
  transform(code, id) {
    if (!/\/three\/build\/three\.webgpu\.js$/.test(id)) return undefined;
    const unused: [RegExp, number][] = [
      [
        /^\t\tthis\.addMaterial\( (?:MeshPhong|MeshToon|MeshNormal|MeshMatcap|LineDashed|Points|Sprite|Shadow)NodeMaterial, .*\n/gm,
        8,
      ],
      [/^\t\tthis\.addToneMapping\( (?:linear|reinhard|cineon|acesFilmic|agx)ToneMapping, .*\n/gm, 10],
      [/^(?:Point|Spot|RectArea|IESSpot|Hemisphere|Projector)Light\.registerNode\( .*\n/gm, 12],
      [/^LightProbe\.registerNode\( .*\n/gm, 2],
    ];
    let left = code;
    for (const [lines, count] of unused) {
      const found = left.match(lines)?.length ?? 0;
      if (found !== count) throw new Error(`three.webgpu.js has ${found} lines like ${lines}; expected ${count}`);
      left = left.replace(lines, '');
    }
    return { code: left, map: null };
  },
});

/** A slow or busy machine would be told how long the bundler's plugins took, which is nothing to act on. */
const checks = { bundlerTimings: false };

const { 'Content-Security-Policy': _, ...relaxed } = HEADERS;

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: './',
  plugins: [
    ...[
      scenes(),
      policy,
      withoutNodeIO(),
      withoutHeadsets(),
      withoutKeyframes(),
      withoutUnusedNodes(),
      threeBackends(),
    ],
  ],
  // Not 'spa': what is not there is answered by 404.
  appType: 'mpa',
  worker: {
    format: 'es',
    plugins: () => [withoutNodeIO(), withoutSchemaWriter(), withoutDescriptions(), withoutNotes(), withoutDebugDraw()],
    rolldownOptions: { checks },
  },
  resolve: {
    alias: [
      { find: /^pliant$/, replacement: source('pliant') },
      { find: /^@pliant\/bake$/, replacement: source('bake') },
      { find: /^@pliant\/scene$/, replacement: source('scene') },
      { find: /^@pliant\/three\/host$/, replacement: source('three').replace('index.ts', 'worker/host.ts') },
      { find: /^@pliant\/three\/remote$/, replacement: source('three').replace('index.ts', 'worker/remoteWorld.ts') },
    ],
  },
  server: { headers: relaxed },
  preview: { headers: HEADERS },
  build: {
    target: 'es2022',
    outDir: 'dist',
    emptyOutDir: true,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: { checks },
  },
});
