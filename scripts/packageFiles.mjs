// Writes into every package what all of them share: the licence, and the fields of package.json. `node scripts/packageFiles.mjs` after a package was added.
import { copyFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { publicPackages, readJson } from './packages.mjs';
import { ROOT } from './run.mjs';

const { repository, homepage, bugs } = readJson(join(ROOT, 'package.json'));

for (const { folder, json } of publicPackages()) {
  copyFileSync(join(ROOT, 'LICENSE'), join(folder, 'LICENSE'));
  const { name, version, description, keywords = [], license, ...rest } = json;
  const shared = { homepage, bugs, repository: { ...repository, directory: `packages/${basename(folder)}` } };
  const words = [...new Set([...keywords, 'physics', 'soft-body', 'deformable', 'simulation', 'shape-matching'])];
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ name, version, description, keywords: words, license, ...rest, ...shared }, null, 2)}\n`,
  );
}
