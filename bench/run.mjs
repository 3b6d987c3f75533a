// npm run bench [-- --save]: prints the tables; --save keeps them as data in bench/results, one file per kind of machine.
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { broadphase } from './broadphase.mjs';
import { change } from './change.mjs';
import { clustering } from './clustering.mjs';
import { contact } from './contact.mjs';
import { dynamics } from './dynamics.mjs';
import { levels } from './levels.mjs';

const machine = `${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.version}`;
console.log(`${machine}\n`);
const results = {
  machine,
  command: 'npm run bench -- --save',
  date: new Date().toISOString().slice(0, 10),
  dynamics: await dynamics(),
  levels: await levels(),
  change: await change(),
  contact: await contact(),
  broadphase: await broadphase(),
  clustering: await clustering(),
};

if (process.argv.includes('--save')) {
  const folder = new URL('./results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${machine.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.json`, folder);
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
  console.log(`\nsaved to ${file.pathname}`);
}
