import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run, say } from './run.mjs';

/** Installs what the lock file of a folder (from the repository's) names, unless it is installed. */
export function install(folder) {
  const stamp = join(ROOT, folder, 'node_modules/.pliant-installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(ROOT, folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  // Not `npm ci`: that refuses a lock file without the optional packages of every platform, which registries do not always have.
  say(`installing the packages of ${join(folder, 'package-lock.json')} …`);
  run('npm', 'install', '--prefix', folder, '--no-save', '--no-audit', '--no-fund', '--loglevel=error');
  writeFileSync(stamp, wanted);
}
