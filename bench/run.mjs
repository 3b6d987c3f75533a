// npm run bench [-- part …] [-- --save] [-- --quick]: prints the tables of all parts or of those named; --save keeps them as data in bench/results, one file per
// kind of machine, beside those of other parts that were measured before. --quick is a short form of parts that have one.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { broadphase } from './broadphase.mjs';
import { change } from './change.mjs';
import { clustering } from './clustering.mjs';
import { contact } from './contact.mjs';
import { cut } from './cut.mjs';
import { dynamics } from './dynamics.mjs';
import { levels } from './levels.mjs';
import { material } from './material.mjs';
import { studio } from './studio.mjs';

const PARTS = { dynamics, levels, change, contact, cut, broadphase, clustering, studio, material };

const machine = `${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.version}`;
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = named.find((name) => !(name in PARTS));
if (unknown !== undefined) {
  console.error(`${unknown} is no part of the benches; expected ${Object.keys(PARTS).join(', ')}`);
  process.exit(1);
}
console.log(`${machine}\n`);
const date = new Date().toISOString().slice(0, 10);
const measured = {};
const options = { quick: process.argv.includes('--quick') };
for (const name of named.length > 0 ? named : Object.keys(PARTS)) measured[name] = await PARTS[name](options);

if (process.argv.includes('--save')) {
  const folder = new URL('./results/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const file = new URL(`${machine.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.json`, folder);
  const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const results = { ...before, machine, command: 'npm run bench -- --save', date, ...measured };
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
  console.log(`\nsaved to ${fileURLToPath(file)}`);
}
