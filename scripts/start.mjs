// Runs the default scene and says where the result is. `npm start` installs and builds first (scripts/setup.mjs).
import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';

process.chdir(new URL('..', import.meta.url).pathname);

const page = 'out/drop.html';
const stats = 'out/drop.stats.json';
const command = ['packages/cli/bin/pliant.mjs', 'run', 'scenes/drop.json', '--out', page, '--stats', stats];
console.log(`node ${command.join(' ')}\n`);
const { status, error } = spawnSync(process.execPath, command, { stdio: 'inherit' });
if (error) throw error;
if (status !== 0) process.exit(status ?? 1);

const address = pathToFileURL(page).href;
const opener = { darwin: 'open', win32: 'start' }[process.platform] ?? 'xdg-open';
console.log(`
The run is recorded in ${page}: open ${address} in a browser
(${opener} ${page}); drag to turn, wheel to come closer, space to pause.
Its measurements are in ${stats}. Other scenes are in scenes/;
run one with: npx pliant run scenes/twisted-bar.json --out out/twisted-bar.html`);
