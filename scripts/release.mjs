// Releases all packages with one version:
//
//     node scripts/release.mjs prepare 0.2.0     versions, the changelog's heading, a commit and a tag
//     node scripts/release.mjs publish           to npm, with provenance: in CI, from the tag
//     node scripts/release.mjs publish --dry-run everything but the upload: what `npm test` does
//
// Packages depend on each other's exact version, so they are always released together.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicPackages, readJson } from './packages.mjs';
import { ROOT } from './run.mjs';

const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim();
const npm = (args, cwd = ROOT) =>
  execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

function stop(message) {
  console.error(`release: ${message}`);
  process.exit(1);
}

/** Versions of the packages and of what they name of each other, in all package.json files of the workspace. */
function setVersions(version) {
  const names = new Set(publicPackages().map(({ json }) => json.name));
  const files = [
    'package.json',
    ...['packages', 'bench'].flatMap((folder) => git('ls-files', `${folder}/*package.json`).split('\n')),
  ];
  for (const file of files.filter(Boolean)) {
    const path = join(ROOT, file);
    const json = readJson(path);
    if (json.version) json.version = version;
    for (const kind of ['dependencies', 'devDependencies', 'peerDependencies'])
      for (const name of Object.keys(json[kind] ?? {})) if (names.has(name)) json[kind][name] = version;
    writeFileSync(path, `${JSON.stringify(json, null, 2)}\n`);
  }
}

function prepare(version) {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version ?? ''))
    stop(`"${version}" is no version; expected 0.2.0 or 0.2.0-rc.1.`);
  if (git('status', '--porcelain') !== '') stop('there are changes that are not committed; expected none.');
  if (git('tag', '--list', `v${version}`) !== '') stop(`the tag v${version} exists already.`);
  const changelog = join(ROOT, 'CHANGELOG.md');
  const text = readFileSync(changelog, 'utf8');
  if (!/^## Unreleased\n+\S/m.test(text)) stop('CHANGELOG.md has nothing under "## Unreleased"; expected what is new.');
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(changelog, text.replace(/^## Unreleased$/m, `## Unreleased\n\n## ${version} (${day})`));
  setVersions(version);
  npm(['install', '--package-lock-only', '--no-audit', '--no-fund']);
  git('commit', '-aqm', `chore(release): ${version}`);
  git('tag', '-a', `v${version}`, '-m', version);
  console.log(`committed and tagged v${version}: push both, and CI publishes.`);
}

function publish(dry) {
  const packages = publicPackages();
  const versions = new Set(packages.map(({ json }) => json.version));
  if (versions.size !== 1) stop(`the packages have the versions ${[...versions].join(', ')}; expected one.`);
  const [version] = versions;
  if (!dry && git('tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`) === false)
    stop(`HEAD is not tagged v${version}; expected a release that was prepared.`);
  for (const { json } of packages)
    for (const [name, wanted] of Object.entries({ ...json.dependencies, ...json.peerDependencies }))
      if (packages.some((other) => other.json.name === name) && wanted !== version)
        stop(`${json.name} depends on ${name} ${wanted}; expected ${version}.`);
  for (const { folder, json } of packages) {
    const tag = version.includes('-') ? 'next' : 'latest';
    const args = ['publish', '--access', 'public', '--tag', tag, '--json', dry ? '--dry-run' : '--provenance'];
    const said = npm(args, folder);
    const answer = JSON.parse(said.slice(said.indexOf('{')));
    const { name, version: written, size, entryCount } = answer[json.name] ?? answer;
    console.log(
      `${dry ? 'would publish' : 'published'} ${name ?? json.name}@${written ?? version}: ${entryCount} files, ${size} bytes`,
    );
  }
}

const [command, ...rest] = process.argv.slice(2);
if (command === 'prepare') prepare(rest[0]);
else if (command === 'publish') publish(rest.includes('--dry-run'));
else stop('expected prepare VERSION, or publish [--dry-run].');
