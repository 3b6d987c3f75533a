// The authors' scenes and recorded timings, read where they are; benches say so and go on without ratios where they are not.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildWorld, loadScene, parseClusterFile } from '@pliant/scene';

/** PLIANT_REFERENCE names another folder, for a checkout that does not lie beside it. */
export const REFERENCE = process.env.PLIANT_REFERENCE
  ? join(process.env.PLIANT_REFERENCE, '/')
  : fileURLToPath(new URL('../../shared/reference/', import.meta.url));
export const hasReference = existsSync(`${REFERENCE}results`);

const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
export const read = async (path) => new Uint8Array(await readFile(path));
export const referenceResult = (name) => json(`${REFERENCE}results/${name}.json`);

/** Scenes that the reference program ran to the end and whose clusters are known. */
export function referenceNames() {
  return readdirSync(`${REFERENCE}clusters`).map((file) => file.replace(/\.json$/, ''));
}

export async function referenceWorld(name, backend = 'wasm') {
  const scene = await loadScene(`${REFERENCE}scenes/${referenceResult(name).file}`, read);
  const file = `${REFERENCE}clusters/${name}.json`;
  return (
    await buildWorld(scene, {
      backend,
      threads: 1,
      clusters: { list: await parseClusterFile(await read(file), file), file },
    })
  ).world;
}

/** How much slower (> 1) or faster this machine is now than where the reference was timed, by the reference's own program. */
export function calibrate(rounds = 3) {
  const there = json(`${REFERENCE}results/CALIBRATION.json`).nsPerMembershipMin;
  let here = Number.POSITIVE_INFINITY;
  for (let k = 0; k < rounds; k++) {
    const { stdout } = spawnSync(process.execPath, [`${REFERENCE}calibrate.mjs`], { encoding: 'utf8' });
    here = Math.min(here, JSON.parse(stdout).min);
  }
  return { here, there, factor: here / there };
}
