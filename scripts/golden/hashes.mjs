// The golden hashes: which there are, what has to be run for them, and how a run is held against them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const file = new URL('../../tests/golden/hashes.json', import.meta.url);

/** All gallery scenes. */
export const SCENES = readdirSync(new URL('../../scenes/', import.meta.url))
  .filter((name) => name.endsWith('.json') && name !== 'scene.schema.json')
  .map((name) => name.replace('.json', ''))
  .sort();

/** Scenes that are too large for 300 steps. */
const FEWER = { 'creature-on-cylinders': 30 };

/** Steps of `ts` that CI runs, and of the largest scene. */
const SOON = 20;
const SOON_OF = { 'creature-on-cylinders': 5 };

/**
 * After how many steps a world is hashed. `ts` takes four to eight times as long as `wasm`, most of all for bodies with an elastic law, which take several
 * substeps: CI stops it after SOON steps. Both hashes are in the file; `--all` checks both.
 */
export function stepsOf(scene, backend, all) {
  const last = FEWER[scene] ?? 300;
  if (backend === 'wasm') return [last];
  const soon = SOON_OF[scene] ?? SOON;
  return all ? [soon, last] : [soon];
}

/** The jobs to run, the longest first, so that lanes end at about the same time. With `threads` only those of wasm: ts has one. */
export function jobsFor({ scenes = SCENES, all = false, threads } = {}) {
  const jobs = scenes.flatMap((scene) =>
    (threads ? ['wasm'] : ['wasm', 'ts']).map((backend) => ({
      scene,
      backend,
      steps: stepsOf(scene, backend, all),
      threads,
    })),
  );
  const slow = ['falling-bunny', 'pile', 'torn-creature', 'creature-on-cylinders', 'four-bunnies', 'three-bunnies'];
  const rank = ({ scene }) => (slow.includes(scene) ? slow.indexOf(scene) : slow.length);
  return jobs.sort((a, b) => rank(a) - rank(b));
}

export const readHashes = () => JSON.parse(readFileSync(file, 'utf8')).scenes;

/** Writes them, scenes and backends in their order. */
export function writeHashes(scenes) {
  const about =
    'Hash of the world after so many steps of every gallery scene, for each backend. Written by `npm run golden -- --update`; CONTRIBUTING.md says when.';
  const sorted = Object.fromEntries(
    SCENES.filter((name) => scenes[name]).map((name) => [name, { wasm: scenes[name].wasm, ts: scenes[name].ts }]),
  );
  writeFileSync(file, `${JSON.stringify({ about, scenes: sorted }, null, 2)}\n`);
}

/** The differences of a result from the golden hashes, one line each. */
export function differences(host, { job: { scene, backend }, hashes }, golden) {
  return Object.entries(hashes)
    .filter(([step, hash]) => golden[scene]?.[backend]?.[step] !== hash)
    .map(
      ([step, hash]) =>
        `${scene}, ${backend}, in ${host}, after ${step} steps: expected ${golden[scene]?.[backend]?.[step] ?? 'a hash, which is missing'}, got ${hash}.`,
    );
}

/** Scenes that the file has and the gallery has not. */
export const strays = (golden) =>
  Object.keys(golden)
    .filter((scene) => !SCENES.includes(scene))
    .map((scene) => `${scene}: there are hashes, but no scene.`);

/** Advice after a difference. */
export const ADVICE = [
  'If the change was meant to change results, run `npm run golden -- --update` and say in the commit why they changed.',
  'If hosts differ, `npm run golden -- --trace SCENE` shows the step and the arrays in which they first do.',
].join('\n');
