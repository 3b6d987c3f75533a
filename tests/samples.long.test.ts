import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { World } from 'pliant';
import { transformWithOxc } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/**
 * Every ```ts sample of the documentation's pages and of the packages' READMEs, type-checked and run against the built packages, as a reader would paste it. A sample that begins with an
 * import is a program of its own. To the others `World`, `world` with a floor and `body`, a block 1 m above it, are given. (tests/readme.long.test.ts runs those of the root's README.)
 */
const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(ROOT, 'node_modules/.cache/samples');

/** Packages whose READMEs need a page or another engine: tests/packageReadmes.long.test.ts compiles their samples, tests/studio/packages.studio.test.ts runs their like in Chromium. */
const OWN_TEST = ['three', 'react', 'rigid'];

const pages = [
  ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`),
  ...readdirSync(join(ROOT, 'packages'))
    .filter((name) => !OWN_TEST.includes(name))
    .map((name) => `packages/${name}/README.md`),
].filter((path) => path.endsWith('.md'));

interface Sample {
  where: string;
  code: string;
  isProgram: boolean;
}

const samples = pages.flatMap((path): Sample[] => {
  let text: string;
  try {
    text = readFileSync(join(ROOT, path), 'utf8');
  } catch {
    return [];
  }
  return [...text.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(({ 1: code, index }) => ({
    where: `${path}:${text.slice(0, index).split('\n').length}`,
    code,
    isProgram: /^import /.test(code),
  }));
});

const GIVEN = 'world: import("pliant").World, body: import("pliant").Body, World: typeof import("pliant").World';
const source = ({ code, isProgram }: Sample) =>
  isProgram ? code : `export default async function run(${GIVEN}): Promise<void> {\n${code}\n}`;

beforeAll(() => mkdirSync(FOLDER, { recursive: true }));
afterAll(() => rmSync(FOLDER, { recursive: true }));

describe('samples of the documentation', () => {
  it('are there for every recipe that is promised', () => {
    const recipes = readFileSync(join(ROOT, 'docs/recipes.md'), 'utf8');
    for (const title of 'Teleport, Set the velocity, Attach to a bone, Cloth, Rope, Filters, Debris, Cost per frame, Workers, Shared memory, Interpolation, Networking'.split(
      ', ',
    ))
      expect(recipes).toMatch(new RegExp(`^## ${title}\n[^#]*\`\`\`ts\n`, 'm'));
    expect(samples.length).toBeGreaterThan(18);
  });

  it('compile', () => {
    for (const [k, sample] of samples.entries())
      writeFileSync(join(FOLDER, `sample${k}.ts`), `// ${sample.where}\n${source(sample)}\nexport {};\n`);
    const compilerOptions = {
      noEmit: true,
      strict: true,
      target: 'es2022',
      module: 'esnext',
      moduleResolution: 'bundler',
      lib: ['es2023', 'dom'],
      types: [],
      skipLibCheck: true,
    };
    writeFileSync(join(FOLDER, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    let said = '';
    try {
      execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', FOLDER], {
        encoding: 'utf8',
      });
    } catch (error) {
      said = String((error as { stdout?: string }).stdout ?? error);
    }
    expect(said).toBe('');
  });

  it.each(samples.map((sample, k) => [sample.where, sample, k] as const))('run: %s', async (_, sample, k) => {
    const quiet = { log: () => {} };
    const { code } = await transformWithOxc(source(sample), `sample${k}.ts`);
    const path = join(FOLDER, `sample${k}-${process.pid}.mjs`);
    writeFileSync(path, `const console = globalThis.samplesConsole;\n${code}`);
    (globalThis as { samplesConsole?: object }).samplesConsole = quiet;
    const module = (await import(/* @vite-ignore */ pathToFileURL(path).href)) as {
      default?: (world: World, body: unknown, World: unknown) => Promise<void>;
    };
    delete (globalThis as { samplesConsole?: object }).samplesConsole;
    if (sample.isProgram) return;
    const world = await World.create();
    world.addCollider({ type: 'plane', normal: [0, 1, 0] });
    const body = world.addBody({
      shape: { type: 'box', size: [0.9, 0.8, 0.7] },
      sampling: { spacing: 0.1 },
      position: [0, 1.4, 0],
    });
    await module.default!(world, body, World);
    for (let n = 0; n < 3; n++) world.step();
    expect(world.validate()).toEqual([]);
  });
});

describe('live examples', () => {
  const files = readdirSync(join(ROOT, 'docs/examples')).filter((name) => name.endsWith('.js'));

  it('each have their place on the page, with their source beside', () => {
    const page = readFileSync(join(ROOT, 'docs/examples/index.md'), 'utf8');
    for (const file of files) {
      const name = file.slice(0, -3);
      expect(page).toContain(`<Live name="${name}" />\n\n<<< @/examples/${name}.js\n`);
    }
    expect(page.match(/<Live /g)).toHaveLength(files.length);
  });

  it.each(files)('%s runs, and something moves', async (file) => {
    const { default: start } = (await import(
      /* @vite-ignore */ pathToFileURL(join(ROOT, 'docs/examples', file)).href
    )) as {
      default: (stage: object) => Promise<void>;
    };
    let shown: { world: World; each: (world: World) => void } | undefined;
    const stage = { show: (world: World, { each = () => {} } = {}) => void (shown = { world, each }) };
    await start(stage);
    const { world, each } = shown!;
    const before = world.copyPositions();
    // The bar takes most time to tear, the loaf to be cut.
    for (let n = 0; n < (/tear|cut/.test(file) ? 100 : 45); n++) {
      each(world);
      world.step();
    }
    const after = world.copyPositions();
    expect(after.every(Number.isFinite)).toBe(true);
    expect(world.validate()).toEqual([]);
    const moved = before.some((value, k) => Math.abs(after[k] - value) > 0.05);
    expect(moved).toBe(true);
    if (file === 'tear.js') expect(world.bodies[0].pieces.count).toBeGreaterThan(1);
    if (file === 'cut.js') expect(world.bodies.length).toBeGreaterThan(1);
    world.dispose();
  });
});
