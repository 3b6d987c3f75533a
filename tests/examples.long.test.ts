import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Body, World } from 'pliant';
import { transformWithOxc } from 'vite';
import { beforeAll, describe, expect, it } from 'vitest';

/**
 * Every `@example` of the engine's doc comments, as a reader would paste it: type-checked against the engine's sources, then run. These names are given:
 *
 *   World, pliant   the class, and all that the engine exports
 *   world           a world with gravity and a floor at y = 0
 *   body            a block in it, at rest 1 m above the floor
 *   console         keeps quiet
 */
const ROOT = join(import.meta.dirname, '..');
const SOURCES = join(ROOT, 'packages/pliant/src');
const FOLDER = join(ROOT, 'node_modules/.cache/examples');

interface Example {
  /** File and line of the tag. */
  where: string;
  code: string;
}

const examples = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|\.d\.ts$|(^|[/\\])testing[/\\]/.test(file))
  .flatMap((file) => examplesOf(join(SOURCES, file)));

/** The code of each tag: up to the next tag, or the end of the comment. */
function examplesOf(path: string): Example[] {
  const text = readFileSync(path, 'utf8');
  return [...text.matchAll(/\/\*\*(?:(?!\*\/)[\s\S])*?\*\//g)].flatMap((comment) => {
    const lines = comment[0].slice(0, -2).split('\n');
    const first = text.slice(0, comment.index).split('\n').length;
    return lines.flatMap((line, k) => {
      if (!/^\s*\*\s*@example\s*$/.test(line)) return [];
      const rest = lines.slice(k + 1);
      const end = rest.findIndex((other) => /^\s*\*\s*@\w/.test(other));
      const code = (end < 0 ? rest : rest.slice(0, end)).map((other) => other.replace(/^\s*\* ?/, '')).join('\n');
      return [{ where: `${relative(ROOT, path).split(sep).join('/')}:${first + k}`, code: code.trim() }];
    });
  });
}

const GIVEN =
  'world: pliant.World, body: pliant.Body, World: typeof pliant.World, console: { log(...values: unknown[]): void }';
const source = [
  "import * as pliant from 'pliant';",
  ...examples.map(
    ({ where, code }, k) => `// ${where}\nexport async function example${k}(${GIVEN}): Promise<void> {\n${code}\n}`,
  ),
].join('\n');

type Run = (world: World, body: Body, World: unknown, console: { log: () => void }) => Promise<void>;
let runs: Record<string, Run>;

beforeAll(async () => {
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, 'examples.ts'), source);
  const { code } = await transformWithOxc(source, 'examples.ts');
  // The engine is handed over: in the tests it is made from its sources.
  const given = code.replace(/^import \* as pliant from .*$/m, '').replace(/^export /gm, '');
  const names = examples.map((_, k) => `example${k}`).join(', ');
  const module = `export const make = (pliant) => { ${given}\nreturn { ${names} }; };`;
  const path = join(FOLDER, 'examples.mjs');
  writeFileSync(path, module);
  const { make } = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as {
    make: (engine: unknown) => Record<string, Run>;
  };
  runs = make(await import('pliant'));
});

describe('examples of doc comments', () => {
  it('are there for what users of rigid bodies look for', () => {
    const all = examples.map(({ code }) => code).join('\n');
    for (const call of [
      'setPose(',
      'setVelocity(',
      'applyImpulseAt(',
      'applyForceAt(',
      'castRay(',
      'overlapSphere(',
      '.moveTo(',
    ])
      expect(all).toContain(call);
    expect(examples.length).toBeGreaterThanOrEqual(15);
  });

  it('compile', () => {
    const config = {
      extends: '../../../tsconfig.base.json',
      compilerOptions: {
        noEmit: true,
        composite: false,
        noUnusedLocals: false,
        noUnusedParameters: false,
        paths: { pliant: ['../../../packages/pliant/src/index.ts'] },
      },
      files: ['examples.ts', '../../../packages/pliant/src/platform.d.ts'],
    };
    writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    let said = '';
    try {
      execFileSync(process.execPath, [tsc, '-p', FOLDER], { encoding: 'utf8' });
    } catch (error) {
      said = String((error as { stdout?: string }).stdout ?? error);
    }
    expect(said).toBe('');
  });

  it.each(examples.map(({ where }, k) => [where, k] as const))('run: %s', async (_, k) => {
    const world = await World.create();
    world.addCollider({ type: 'plane', normal: [0, 1, 0] });
    const body = world.addBody({
      name: 'block',
      shape: { type: 'box', size: [0.9, 0.8, 0.7] },
      sampling: { spacing: 0.1 },
      position: [0, 1.4, 0],
    });
    await runs[`example${k}`](world, body, World, { log: () => {} });
    // The example leaves a world that is valid and can go on.
    for (let n = 0; n < 3; n++) world.step();
    expect(world.validate()).toEqual([]);
  });
});
