import { readFileSync } from 'node:fs';

/** Version of a package that is installed beside this file. */
export function versionOf(name) {
  return JSON.parse(readFileSync(new URL(`./node_modules/${name}/package.json`, import.meta.url), 'utf8')).version;
}
