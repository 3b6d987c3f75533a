import { isEndless, isSame, signatureOf } from './finding.mjs';
import { Host } from './host.mjs';
import { Random } from './random.mjs';
import { writeScript } from './report.mjs';
import { shrink } from './shrink.mjs';

/** Runs that making one finding smaller may take. They are counted and not timed, so that every machine comes to the same. A fuzzer whose runs take long says its own number. */
export const SHRINK_RUNS = 800;
/** Where a call does not return, waiting for it is what takes long: CPU seconds that count as that while shrinking, and runs that each is counted as. */
const SHORT_HANG = 3;
const HANG_RUNS = 20;

/**
 * Runs one fuzzer: cases by number from `first` on, until `cases` of them are done or `seconds` are over. Each finding is made smaller and written down, each defect
 * once. `until` ends it at the first finding that matches. `say` hears of it. Returns { cases, findings: [{ finding, data, path, times }] }.
 */
export async function runFuzzer(
  fuzzer,
  {
    seed,
    first = 0,
    cases = Infinity,
    seconds = Infinity,
    until,
    modules = [],
    say = () => {},
    folder,
    shrinkRuns = fuzzer.shrinkRuns ?? SHRINK_RUNS,
    patience,
  },
) {
  const host = new Host(modules, say);
  const known = new Map();
  const began = Date.now();
  const counts = {};
  let [done, nextWord] = [0, 30];
  const elapsed = () => (Date.now() - began) / 1000;
  try {
    for (let index = first; done < cases && elapsed() < seconds && !isEnough(known, until); index++, done++) {
      const data = fuzzer.generate(new Random(fuzzer.name, seed, index), { seconds: seconds - elapsed() });
      const answer = await host.run(fuzzer.name, data, { seconds: patience });
      for (const [key, n] of Object.entries(answer.counts ?? {})) counts[key] = (counts[key] ?? 0) + n;
      if (answer.finding && isWanted(answer.finding, until))
        await note(fuzzer, host, known, {
          seed,
          index,
          data,
          finding: answer.finding,
          say,
          folder,
          shrinkRuns,
          patience,
        });
      if (elapsed() > nextWord) {
        nextWord = elapsed() + 30;
        say(
          `${fuzzer.name}: ${done + 1} cases in ${elapsed().toFixed(0)} s (${((done + 1) / elapsed()).toFixed(1)}/s), ${known.size} findings${wordsOf(counts)}`,
        );
      }
    }
  } finally {
    await host.close();
  }
  say(`${fuzzer.name}: ${done} cases in ${elapsed().toFixed(0)} s, ${known.size} findings${wordsOf(counts)}`);
  return { cases: done, findings: [...known.values()] };
}

/** With `until`, a pattern, only what matches it is a finding, and the first is the last. */
const isWanted = (finding, until) => !until || until.test(`${signatureOf(finding)} ${finding.message}`);
const isEnough = (known, until) => until !== undefined && known.size > 0;

const wordsOf = (counts) =>
  Object.entries(counts)
    .map(([key, n]) => `, ${n} ${key}`)
    .join('');

async function note(fuzzer, host, known, { seed, index, data, finding, say, folder, shrinkRuns, patience }) {
  const signature = signatureOf(finding);
  const before = known.get(signature);
  if (before) {
    before.times++;
    return;
  }
  say(`\n${fuzzer.name}: case ${index}: ${signature}\n  ${finding.message}`);
  const entry = { finding, data, times: 1, path: '' };
  known.set(signature, entry);
  if (shrinkRuns > 0) Object.assign(entry, await shrinkFinding(fuzzer, host, data, finding, { shrinkRuns, patience }));
  entry.path = writeScript(fuzzer, entry.finding, entry.data, { seed, index }, folder);
  say(`  repeat by: node ${entry.path}`);
}

/** The smallest case that shows the same; what was seen of it. A finding that a fresh process does not show is kept as it is. */
async function shrinkFinding(fuzzer, host, data, finding, { shrinkRuns, patience }) {
  let left = shrinkRuns;
  const seconds = isEndless(finding) ? Math.min(SHORT_HANG, patience ?? SHORT_HANG) : undefined;
  let seen = finding;
  const fails = async (candidate) => {
    const { finding: found } = await host.run(fuzzer.name, candidate, { seconds });
    left -= found && isEndless(found) ? HANG_RUNS : 1;
    if (!found || !isSame(found, finding)) return false;
    seen = found;
    return true;
  };
  const start = finding.call !== undefined && fuzzer.truncate ? fuzzer.truncate(data, finding.call) : data;
  await host.close();
  let small = (await fails(start)) ? start : (await fails(data)) ? data : undefined;
  if (!small)
    return { data, finding: Object.assign(finding, { message: `${finding.message} (not in a process of its own)` }) };
  small = await shrink(small, fails, { isLate: () => left <= 0, mayChange: fuzzer.mayChange });
  // A slow case is no hang: the smallest case has to run into the same limit of time.
  if (isEndless(finding)) {
    const { finding: found } = await host.run(fuzzer.name, small, { seconds: patience });
    if (!found) return { data: start, finding };
    seen = found;
  }
  return { data: small, finding: seen };
}
