import { pathToFileURL } from 'node:url';
import { Finding, thrown } from './finding.mjs';
import { Watchdog } from './watchdog.mjs';

/**
 * The process that runs cases: a hang or a crash ends it and not the fuzzer. It is told { fuzzer, data } and answers { finding } or { counts }. Arguments: the modules
 * to load first (tests plant defects by them).
 */
const SECONDS = 10;
const MEGABYTES = 3000;

for (const module of process.argv.slice(2)) await import(pathToFileURL(module).href);
const { FUZZERS } = await import('../fuzzers.mjs');
const watchdog = new Watchdog({ seconds: SECONDS, megabytes: MEGABYTES });

process.on('message', async ({ fuzzer, data, seconds = SECONDS }) => {
  watchdog.seconds = seconds;
  watchdog.beat();
  // Which call is on its way is told before it is made: it may be the last thing that is heard of it.
  const at = (call, where) => {
    watchdog.beat();
    process.send({ call, where });
  };
  try {
    const counts = await FUZZERS[fuzzer].execute(data, {
      beat: () => watchdog.beat(),
      at,
      say: (text) => process.send({ say: text }),
    });
    watchdog.rest();
    process.send({ isAnswer: true, counts: counts ?? {} });
  } catch (error) {
    watchdog.rest();
    const finding = error instanceof Finding ? error : thrown(error, 'fuzzer');
    process.send({ isAnswer: true, finding: finding.toJSON() });
  }
});
// The fuzzer has ended, or was ended: nobody waits for an answer.
process.on('disconnect', () => process.exit());
process.send({ ready: true });
