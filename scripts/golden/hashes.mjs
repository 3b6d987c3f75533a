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

/** The early hashes: after how many steps, and of the largest scene. */
const SOON = { wasm: 60, ts: 10 };
const SOON_OF_LARGEST = { wasm: 10, ts: 3 };

/** After how many steps a world is hashed: early and at the end. */
export function stepsOf(scene, backend) {
  return scene in FEWER ? [SOON_OF_LARGEST[backend], FEWER[scene]] : [SOON[backend], 300];
}

/**
 * The jobs to run, the longest first, so that lanes end at about the same time. `ts` takes four to eight times as long as `wasm`: without `all` it
 * stops at its early hash. With `threads` only those of wasm: ts has one.
 */
export function jobsFor({ scenes = SCENES, all = false, threads } = {}) {
  return longestFirst(
    scenes.flatMap((scene) =>
      (threads ? ['wasm'] : ['wasm', 'ts']).map((backend) => ({
        scene,
        backend,
        steps: backend === 'wasm' || all ? stepsOf(scene, backend) : stepsOf(scene, backend).slice(0, 1),
        threads,
      })),
    ),
  );
}

/** The hosts of CI, in which scenes take turns. */
export const CI_HOSTS = ['node', 'chromium'];

/**
 * The jobs of one host in CI. Every other scene runs to its end with wasm; the others run to their early hashes, with wasm and ts. The other host
 * has them the other way round.
 */
export function ciJobsFor(host) {
  return longestFirst(
    SCENES.flatMap((scene, k) =>
      k % 2 === CI_HOSTS.indexOf(host)
        ? [{ scene, backend: 'wasm', steps: stepsOf(scene, 'wasm') }]
        : ['wasm', 'ts'].map((backend) => ({ scene, backend, steps: stepsOf(scene, backend).slice(0, 1) })),
    ),
  );
}

function longestFirst(jobs) {
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
