import { parseArgs } from 'node:util';
import { runFuzzer, SHRINK_RUNS } from './core/loop.mjs';
import { FUZZERS } from './fuzzers.mjs';

const HELP = `npm run fuzz -- [${Object.keys(FUZZERS).join('|')}|all …] [options]

  --minutes N   how long each fuzzer runs (default 1)
  --cases N     how many cases each fuzzer runs, instead
  --seed S      a number or a word (default: a new one, which is printed)
  --case N      only this case of that seed
  --jobs N      how many fuzzers run at the same time (default 1)
  --with FILE   a module that is loaded before the engine is tried (tests plant defects by it)
  --folder DIR  where scripts that repeat a finding are written (default fuzz/found)
  --shrink N    runs for making one finding smaller (default ${SHRINK_RUNS}, cli ${FUZZERS.cli.shrinkRuns}); 0: it is written down as it was found
  --patience N  CPU seconds that one call may take (default 10)
  --until TEXT  look for this finding only (a regular expression) and stop there

Ends with 1 if anything was found.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    minutes: { type: 'string' },
    cases: { type: 'string' },
    seed: { type: 'string' },
    case: { type: 'string' },
    jobs: { type: 'string', default: '1' },
    with: { type: 'string', multiple: true, default: [] },
    folder: { type: 'string' },
    shrink: { type: 'string' },
    patience: { type: 'string' },
    until: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const number = (name, text) => {
  if (Number(text) >= 0) return Number(text);
  console.error(`--${name} is ${text}; expected a number of at least 0.`);
  process.exit(2);
};

if (values.help) {
  console.log(HELP);
  process.exit(0);
}
const asked = positionals.length === 0 || positionals.includes('all') ? Object.keys(FUZZERS) : positionals;
const unknown = asked.filter((name) => !FUZZERS[name]);
if (unknown.length > 0) {
  console.error(`There is no fuzzer ${unknown.join(', ')}; expected ${Object.keys(FUZZERS).join(', ')} or all.`);
  process.exit(2);
}
const seed = values.seed ?? String(Date.now() % 2 ** 31);
const only = values.case === undefined ? {} : { first: number('case', values.case), cases: 1 };
const budget =
  values.cases === undefined
    ? { seconds: 60 * number('minutes', values.minutes ?? '1') }
    : { cases: number('cases', values.cases) };
console.log(`seed ${seed}`);

const queue = [...asked];
const results = [];
async function work() {
  for (let name = queue.shift(); name; name = queue.shift()) {
    const fuzzer = { ...FUZZERS[name], name };
    const given = {
      seed,
      modules: values.with,
      say: console.log,
      folder: values.folder,
      shrinkRuns: values.shrink && number('shrink', values.shrink),
      patience: values.patience && number('patience', values.patience),
      until: values.until && new RegExp(values.until),
    };
    results.push(
      ...(await runFuzzer(fuzzer, { ...given, ...budget, ...only })).findings.map((entry) => ({ name, ...entry })),
    );
  }
}
await Promise.all(Array.from({ length: number('jobs', values.jobs) }, work));

for (const { name, finding, path, times } of results)
  console.log(`\n${name}: ${finding.kind}, ${times} times: ${finding.message}\n  ${path}`);
console.log(results.length === 0 ? 'nothing found' : `\n${results.length} findings`);
process.exitCode = results.length === 0 ? 0 : 1;
