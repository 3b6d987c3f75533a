// node bench/readme.mjs: writes the README's table of other engines from the latest saved results.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { latestPeers, peersSection, withSection } from './peers/tables.mjs';

const folder = new URL('./results/', import.meta.url);
const results = readdirSync(folder).map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')));
const latest = latestPeers(results);
if (!latest) {
  console.error('bench/results has no measurement of other engines; expected one by `npm run bench -- peers --save`');
  process.exit(1);
}
const readme = new URL('../README.md', import.meta.url);
writeFileSync(readme, withSection(readFileSync(readme, 'utf8'), peersSection(latest)));
console.log(`README.md has the table of ${latest.machine}, ${latest.peers.date}`);
