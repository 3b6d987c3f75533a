import { resolve } from 'node:path';
import { type Outcome, runJobs } from '@pliant/sweep';
import { PliantError } from 'pliant';
import type { CommandResult } from './commandTask.js';
import { exitCodeOf, Interrupt } from './interrupt.js';
import type { Io } from './io.js';
import { caption } from './printable.js';

/**
 * Runs a command once for each of several scenes, in processes on all cores: the queue of `pliant sweep`. The lines of each are printed in the order of the scenes, with the scene before them. A scene that takes its process
 * along stops no other. Returns the largest exit code.
 */
export async function manyScenes(
  scenes: readonly string[],
  argsOf: (scene: string) => string[],
  io: Io,
): Promise<number> {
  const twice = scenes.find((scene, k) => scenes.findIndex((other) => resolve(other) === resolve(scene)) < k);
  if (twice !== undefined) throw new PliantError('scene', `scene ${twice} is given twice; expected every scene once.`);
  const results: (CommandResult | undefined)[] = [];
  let [printed, worst] = [0, 0];
  const interrupt = new Interrupt();
  try {
    await runJobs(
      scenes.map((scene, k) => ({ id: `scene-${k}`, task: 'command', input: { args: argsOf(scene) } })),
      {
        tasks: { command: new URL('../dist/commandTask.js', import.meta.url).href },
        retries: 0,
        signal: interrupt.abort,
        onOutcome({ id }, outcome) {
          results[Number(id.slice('scene-'.length))] = resultOf(outcome);
          for (; results[printed] !== undefined; printed++) print(scenes[printed], results[printed]!, io);
        },
      },
    );
  } finally {
    interrupt.close();
  }
  for (const result of results) worst = Math.max(worst, result?.code ?? 0);
  if (!interrupt.signal) return worst;
  io.err(`stopped by ${interrupt.signal}; ${results.filter(Boolean).length} of ${scenes.length} scenes are done\n`);
  return exitCodeOf(interrupt.signal);
}

const resultOf = (outcome: Outcome): CommandResult =>
  outcome.status === 'done'
    ? (outcome.value as CommandResult)
    : { code: 1, out: '', err: `${outcome.status}: ${outcome.reason}\n` };

/** Every line names its scene. Refusals begin as those of one scene do. */
function print(scene: string, { out, err }: CommandResult, io: Io): void {
  const name = `${caption(scene)}: `;
  for (const [text, write] of [[err, io.err] as const, [out, io.out] as const])
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const refusal = line.startsWith(REFUSED) ? line.slice(REFUSED.length) : undefined;
      if (refusal === undefined) write(`${name}${line}\n`);
      else write(`${REFUSED}${refusal.startsWith(name) ? '' : name}${refusal}\n`);
    }
}
const REFUSED = 'pliant: ';
