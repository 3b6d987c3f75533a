import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type BufferAttribute, type Mesh, PerspectiveCamera, Scene } from 'three';
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest';
import { compile } from './compile.js';

const root = fileURLToPath(new URL('../', import.meta.url));
const readme = readFileSync(`${root}README.md`, 'utf8');
const [threeExample, plainExample] = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code);

/** Examples become files here: `pliant` and `three` are found as they are in a user's project, built. */
const folder = `${root}node_modules/.cache/readme-test`;
mkdirSync(folder, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => vi.unstubAllGlobals());

/** Runs an example as it stands: its TypeScript is JavaScript too. */
async function run(name: string, code: string): Promise<void> {
  const file = `${folder}/${name}-${process.pid}.mjs`;
  writeFileSync(file, code);
  await import(/* @vite-ignore */ pathToFileURL(file).href);
}

/** Lowest and highest y of a list of x y z. */
function heights(positions: ArrayLike<number>): { lowest: number; highest: number } {
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let o = 1; o < positions.length; o += 3) {
    lowest = Math.min(lowest, positions[o]);
    highest = Math.max(highest, positions[o]);
  }
  return { lowest, highest };
}

describe("README's example with three.js", () => {
  test('shows a ball that falls, squashes and comes back up, without a renderer', async () => {
    const scene = new Scene();
    const camera = new PerspectiveCamera();
    let frame: (time: number) => void = () => {
      throw new Error('The example starts no loop.');
    };
    const render = vi.fn();
    vi.stubGlobal('scene', scene);
    vi.stubGlobal('camera', camera);
    vi.stubGlobal('renderer', { setAnimationLoop: (each: typeof frame) => (frame = each), render });
    await run('three', threeExample);

    expect(scene.children).toHaveLength(1);
    const { geometry } = scene.children[0] as Mesh;
    const { position } = geometry.attributes as Record<string, BufferAttribute>;
    const start = heights(position.array);
    expect(start.lowest).toBeCloseTo(1, 1);
    expect(start.highest).toBeCloseTo(2, 1);
    expect(Math.max(...geometry.index!.array)).toBe(position.count - 1);

    // Two seconds at 60 frames a second, in a page that was opened 5 s ago.
    const tops: number[] = [];
    for (let n = 0; n < 120; n++) {
      const { version } = position;
      frame(5000 + (1000 * n) / 60);
      tops.push(heights(position.array).highest);
      expect(position.version).toBe(version + 1);
    }
    expect(render).toHaveBeenCalledTimes(120);
    expect(render).toHaveBeenCalledWith(scene, camera);
    expect(position.array.every(Number.isFinite)).toBe(true);
    // On the ground the ball, 1 m high, is lower than 0.6 m at some time, and higher than 0.8 m after that.
    const flat = tops.indexOf(Math.min(...tops));
    expect(tops[flat]).toBeLessThan(0.6);
    expect(Math.max(...tops.slice(flat))).toBeGreaterThan(0.8);
  });

  test('has ten statements beside its imports and its loop', () => {
    const lines = threeExample.split('\n').filter((line) => /;( \/\/.*)?$/.test(line) && !/^(import|\}\))/.test(line));
    expect(lines.length).toBeLessThanOrEqual(10);
  });

  test('compiles, strictly', () => {
    const file = `${folder}/three-${process.pid}.ts`;
    writeFileSync(
      file,
      `import type { Camera, Scene, WebGLRenderer } from 'three';\n` +
        `declare const scene: Scene, camera: Camera, renderer: WebGLRenderer;\n${threeExample}`,
    );
    // The types of three.js are not ours to check, and need the DOM's.
    const settings = { lib: ['es2022', 'dom'], module: 'esnext', moduleResolution: 'bundler', skipLibCheck: true };
    expect(compile('typescript', [file], settings)).toEqual({ status: 0, said: '' });
  });
});

test("README's example without a renderer prints how a ball falls to the ground", async () => {
  const lines: string[] = [];
  vi.stubGlobal('console', { ...console, log: (line: string) => lines.push(line) });
  await run('plain', plainExample);
  expect(lines).toHaveLength(6);
  const lowest = lines.map((line) => Number(line.match(/at (-?[\d.]+) m/)![1]));
  // Dropped from 1 m it falls, reaches the ground and does not sink into it.
  expect(lowest[0]).toBeGreaterThan(0.9);
  expect(Math.min(...lowest)).toBeLessThan(0.05);
  expect(Math.min(...lowest)).toBeGreaterThan(-1e-3);
});

test("README's table of speed has the figures of bench/results", () => {
  interface Row {
    scene: string;
    particles: number;
    [figure: string]: string | number;
  }
  const file = `${root}bench/results/intel-r-xeon-r-processor-2-cores-node-v20-20-2.json`;
  const { machine, dynamics, contact } = JSON.parse(readFileSync(file, 'utf8'));
  const rows = [...readme.matchAll(/^\| `(\w+)` \|(.*)\|$/gm)].map(([, scene, rest]) => [
    scene,
    ...rest.split('|').map((cell) => Number(cell.replaceAll(' ', ''))),
  ]);
  expect(rows.length).toBeGreaterThan(2);
  for (const [scene, ...figures] of rows) {
    const of = (list: Row[]) => list.find((row) => row.scene === scene)!;
    const [d, c] = [of(dynamics.scenes), of(contact.reference.rows)];
    const recorded = [d['particles'], d['ms/step'], d['reference ms'], c['with momentum, ms'], c['reference ms']];
    expect(figures, String(scene)).toEqual(recorded.map(Number));
  }
  expect(machine).toMatch(/^Intel\(R\) Xeon\(R\) Processor, 2 cores, Node v20\.20/);
});
