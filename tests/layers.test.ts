import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';

/**
 * The layers of the engine, lowest first. A file imports at run time only from its own folder and from layers below it; type imports are free. The same list stands in
 * ARCHITECTURE.md. A folder within a folder has a line of its own.
 */
const LAYERS = [
  'math',
  'check.ts',
  'limits.ts',
  'work.ts',
  'plainData.ts',
  'scratch.ts',
  'events.ts',
  'groups.ts',
  'spatial',
  'mesh',
  'sample',
  'cluster',
  'state',
  'kernels',
  'kernels/ts',
  'threads',
  'kernels/wasm',
  'match',
  'levels',
  'material',
  'proxy',
  'topology',
  'skin',
  'meshContact',
  'plasticity',
  'fracture',
  'recluster',
  'strainLimit',
  'contact',
  'external',
  'obstacles',
  'rigid',
  'folds',
  'sleep',
  'body',
  'cut',
  'query',
  'measure.ts',
  'inspect.ts',
  'debugDraw.ts',
  'validate.ts',
  'profile.ts',
  'snapshot/format',
  'snapshot/check',
  'snapshot',
  'asset',
  'buildWorker.ts',
  'quarantine.ts',
  'step.ts',
  'world',
  'world.ts',
  'index.ts',
];

const ROOT = resolve(import.meta.dirname, '../packages/pliant/src');

const sources = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\.d\.ts$|(^|[/\\])testing[/\\]/.test(file))
  .map((file) => file.split(sep).join('/'));

/** The layer of a file: its folder, or the file itself in the root. */
function layerOf(file: string): string {
  const folder = dirname(file);
  return folder === '.' ? file : LAYERS.includes(folder) ? folder : folder.split('/')[0];
}

/** Files that a file imports at run time. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/^(?:import|export)\s+(?!type\b)([^;]*?)from\s+'(\.[^']+)'/gms)]
    .filter(([, names]) => !isTypeOnly(names))
    .map(([, , path]) => relative(ROOT, resolve(ROOT, dirname(file), path.replace(/\.js$/, '.ts'))))
    .map((path) => path.split(sep).join('/'));
}

/** `{ type A, type B }` is removed by the compiler. */
function isTypeOnly(names: string): boolean {
  const list = names.match(/^\s*\{(.*)\}\s*$/s)?.[1];
  return (list ?? 'none').split(',').every((name) => name.trim() === '' || name.trim().startsWith('type '));
}

test('every folder and file of the engine has a layer, and every layer is there', () => {
  expect(new Set(sources.map(layerOf))).toEqual(new Set(LAYERS));
});

test('imports go to lower layers only', () => {
  const upward = sources.flatMap((file) =>
    importsOf(file)
      .filter((to) => LAYERS.indexOf(layerOf(to)) > LAYERS.indexOf(layerOf(file)))
      .map((to) => `${file} imports ${to}`),
  );
  expect(upward).toEqual([]);
});

test('ARCHITECTURE.md names the layers in this order', () => {
  const section = readFileSync(resolve(ROOT, '../../../ARCHITECTURE.md'), 'utf8').match(/## Layers\n(.*?)\n## /s)?.[1];
  const named = [...(section ?? '').matchAll(/`([\w./]+)`/g)].map(([, name]) => name);
  expect(named).toEqual(LAYERS);
});
