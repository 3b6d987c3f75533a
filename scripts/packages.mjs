// The packages that are published: all in packages/ that are not private, those that others depend on first.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

export const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** `{ folder, json }` of each, in the order in which to publish them. */
export function publicPackages(root = ROOT) {
  const all = readdirSync(join(root, 'packages'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(root, 'packages', name))
    .map((folder) => ({ folder, json: readJson(join(folder, 'package.json')) }))
    .filter(({ json }) => !json.private);
  const names = new Set(all.map(({ json }) => json.name));
  const sorted = [];
  const add = (one) => {
    if (sorted.includes(one)) return;
    for (const name of Object.keys({ ...one.json.dependencies, ...one.json.peerDependencies }))
      if (names.has(name)) add(all.find(({ json }) => json.name === name));
    sorted.push(one);
  };
  for (const one of all) add(one);
  return sorted;
}
