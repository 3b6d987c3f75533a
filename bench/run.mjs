// npm run bench [-- part …] [-- --save] [-- --quick]: prints the tables of all parts or of those named; --save keeps them as data in bench/results, one file per
// kind of machine, beside those of other parts that were measured before. --quick is a short form of parts that have one, '--only=WORD;…' some groups of `material`. --smoke (of peers) only shows that it works, on a small cube, and
// times nothing worth keeping.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { broadphase } from './broadphase.mjs';
import { change } from './change.mjs';
import { clustering } from './clustering.mjs';
import { contact } from './contact.mjs';
import { cut } from './cut.mjs';
import { dynamics } from './dynamics.mjs';
import { frames } from './frames.mjs';
import { goals } from './goals.mjs';
import { levels } from './levels.mjs';
import { load } from './load.mjs';
import { material } from './material.mjs';
import { peers } from './peers.mjs';
import { skin } from './skin.mjs';
import { small } from './small.mjs';
import { studio } from './studio.mjs';
import { sweep } from './sweep.mjs';
import { threads } from './threads.mjs';

const PARTS = {
  dynamics,
  levels,
  change,
  contact,
  cut,
  skin,
  small,
  broadphase,
  clustering,
  goals,
  load,
  studio,
  frames,
  material,
  threads,
  sweep,
  peers,
};
/** Other engines are installed only for whoever asks for them, and frames are those of a graphics card. */
const ONLY_IF_NAMED = ['peers', 'frames'];

const machine = `${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.version}`;
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = named.find((name) => !(name in PARTS));
if (unknown !== undefined) {
  console.error(`${unknown} is no part of the benches; expected ${Object.keys(PARTS).join(', ')}`);
  process.exit(1);
}
console.log(`${machine}\n`);
const date = new Date().toISOString().slice(0, 10);
const [isSaved, smoke] = ['--save', '--smoke'].map((flag) => process.argv.includes(flag));
if (smoke && (isSaved || named.join() !== 'peers')) {
  console.error(`--smoke is of \`npm run bench -- peers --smoke\` only, which saves nothing`);
  process.exit(1);
}
const measured = {};
const only = process.argv.find((word) => word.startsWith('--only='))?.slice(7);
const folder = new URL('./results/', import.meta.url);
const file = new URL(`${machine.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.json`, folder);
const before = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
const options = { quick: process.argv.includes('--quick'), smoke };
const optionsOf = (name) => (name === 'material' ? { ...options, only, before: before.material } : options);
const wanted = named.length > 0 ? named : Object.keys(PARTS).filter((name) => !ONLY_IF_NAMED.includes(name));
for (const name of wanted) measured[name] = await PARTS[name](optionsOf(name));

if (isSaved) {
  mkdirSync(folder, { recursive: true });
  const results = { ...before, machine, command: 'npm run bench -- --save', date, ...measured };
  writeFileSync(file, `${JSON.stringify(results, null, 1)}\n`);
  console.log(`\nsaved to ${fileURLToPath(file)}`);
}
