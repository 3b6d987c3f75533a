import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

export const sha256 = (content: Uint8Array | string): string => createHash('sha256').update(content).digest('hex');

/** JSON with the keys of every object in the order of their names: equal data give equal texts. */
export function canonicalJson(data: unknown): string {
  return JSON.stringify(data, (_, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

const require = createRequire(import.meta.url);

/** The folder of the built files of a package. Processes run these, also when tests run the sources. */
export const builtFolder = (name: string): string => dirname(require.resolve(name));

/** The files of this package that results depend on: not tables, plots and queues. */
const MEASURING = /^(simulate\.js|measure\/)/;

let known: string | undefined;

/**
 * The version of everything that a result depends on: the engine's version and a hash of the built files of the engine, the scene package and the
 * measures. Two machines with the same packages have the same; a changed line gives another. Runs of another version are other runs.
 */
export function codeVersion(): string {
  if (known !== undefined) return known;
  const hash = createHash('sha256');
  for (const name of ['pliant', '@pliant/scene', '@pliant/sweep']) {
    const folder = builtFolder(name);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((file) => file.replaceAll('\\', '/'))
      .filter((file) => file.endsWith('.js') && (name !== '@pliant/sweep' || MEASURING.test(file)))
      .sort();
    for (const file of files) hash.update(`${name}/${file}\n`).update(readFileSync(join(folder, file)));
  }
  const { version } = JSON.parse(readFileSync(join(builtFolder('pliant'), '../package.json'), 'utf8'));
  known = `${version}-${hash.digest('hex').slice(0, 12)}`;
  return known;
}
