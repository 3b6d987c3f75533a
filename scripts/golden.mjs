// npm run golden: holds every gallery scene against tests/golden/hashes.json, in Node and in Chromium.
//   --update        writes the hashes that Node finds into the file, and says which changed
//   --all           ts to the end, too
//   --host NAMES    node, chromium, firefox; several by commas
//   --scenes NAMES  only these
//   --threads N     with so many threads, only the hashes of wasm
//   --trace SCENE   runs it in two hosts and tells the first step and the parts of the world in which they differ
//   --backend NAME, --steps N   of a trace; wasm and 300 if not given
import { parseArgs } from 'node:util';
import { ADVICE, differences, jobsFor, readHashes, SCENES, strays, writeHashes } from './golden/hashes.mjs';
import { HOST_NAMES, hasHost, runJobs } from './golden/host.mjs';

const { values } = parseArgs({
  options: {
    update: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    host: { type: 'string' },
    scenes: { type: 'string' },
    threads: { type: 'string' },
    trace: { type: 'string' },
    backend: { type: 'string', default: 'wasm' },
    steps: { type: 'string', default: '300' },
  },
});

/** Names by commas, all of which are known. */
function names(option, given, known) {
  const list = given.split(',');
  for (const name of list)
    if (!known.includes(name)) {
      console.error(`--${option} is ${name}; expected ${known.join(', ')}.`);
      process.exit(2);
    }
  return list;
}
const scenes = values.scenes ? names('scenes', values.scenes, SCENES) : SCENES;
const hosts = names('host', values.host ?? (values.update ? 'node' : 'node,chromium'), HOST_NAMES);
for (const host of hosts)
  if (!hasHost(host)) {
    console.error(`There is no ${host} on this machine.`);
    process.exit(2);
  }

const threads = values.threads && Number(values.threads);
if (threads !== undefined && !(Number.isInteger(threads) && threads >= 1 && threads <= 8)) {
  console.error(`--threads is ${values.threads}; expected a whole number from 1 to 8.`);
  process.exit(2);
}

if (values.trace) await trace(names('trace', values.trace, SCENES)[0]);
else if (values.update) await update();
else await check();

async function check() {
  const golden = readHashes();
  const found = strays(golden);
  for (const host of hosts) {
    let count = 0;
    await runJobs(host, jobsFor({ scenes, all: values.all, threads }), {
      lanes: 2,
      each: (result) => {
        const wrong = differences(host, result, golden);
        for (const line of wrong) console.log(line);
        found.push(...wrong);
        count += Object.keys(result.hashes).length;
      },
    });
    console.log(`${host}: ${count} hashes of ${scenes.length} scenes.`);
  }
  if (found.length === 0) return console.log('All as in tests/golden/hashes.json.');
  console.log(`\n${found.length} differ.\n${ADVICE}`);
  process.exitCode = 1;
}

async function update() {
  const before = readHashes();
  const after = structuredClone(before);
  const changed = strays(before);
  await runJobs(hosts[0], jobsFor({ scenes, all: true }), {
    lanes: 2,
    each: (result) => {
      const { job, hashes } = result;
      after[job.scene] = { ...after[job.scene], [job.backend]: hashes };
      // At once: what a run that is broken off has found so far is kept.
      writeHashes(after);
      const lines = differences(hosts[0], result, before);
      for (const line of lines) console.log(line);
      changed.push(...lines);
    },
  });
  console.log(changed.length === 0 ? 'Nothing changed.' : `\n${changed.length} changed. Say in the commit why.`);
}

async function trace(scene) {
  const job = {
    scene,
    backend: names('backend', values.backend, ['wasm', 'ts'])[0],
    steps: [Number(values.steps)],
    threads,
    trace: true,
  };
  const runs = [];
  for (const host of hosts) runs.push((await runJobs(host, [job]))[0].hashes);
  const [one, other = one] = runs;
  for (const [step, parts] of Object.entries(one)) {
    const differ = Object.keys(parts).filter((name) => parts[name] !== other[step]?.[name]);
    if (runs.length === 1) for (const name in parts) console.log(step, name, parts[name]);
    if (differ.length === 0) continue;
    return console.log(`${hosts.join(' and ')} first differ in step ${step}, in: ${differ.join(', ')}.`);
  }
  if (runs.length > 1) console.log(`${hosts.join(' and ')} agree in all ${Object.keys(one).length} steps.`);
}
