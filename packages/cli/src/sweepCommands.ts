import { type Axis, MEASURES, parseVariation, RUN_MEASURES, TIMINGS } from '@pliant/sweep';
import { type Command, Option } from 'commander';
import { BACKENDS, PliantError } from 'pliant';
import type { Io } from './io.js';
import { positiveNumber, seconds, seedList, wholeNumber } from './options.js';
import { sweep } from './sweep.js';
import { worker } from './worker.js';

const listed = (measures: Readonly<Record<string, { unit: string; meaning: string }>>): string =>
  Object.entries(measures)
    .map(([name, { unit, meaning }]) => `  ${name.padEnd(18)}${meaning}${unit && unit !== '1' ? ` (${unit})` : ''}\n`)
    .join('');

const HELP = `
Values of --vary and --with:
  1,2,5   1/60,1/120   true,false   rubber,steel   [0,-9.81,0],[0,-1.62,0]
  1..5               whole numbers 1 2 3 4 5
  0..1/11            11 numbers from 0 to 1
  1e4..1e6/20log     20 numbers in equal ratios; 10..1000/7logint: rounded to whole numbers
Paths are those of the scene file: dt, bodies[0].material.young, bodies[beam].sampling.count, bodies[*].material.young.
A varied dt changes the number of steps, so that all runs are equally long.

Measures, each as NAME, NAME.PART (centreOfMass.y) or NAME[BODY], at the end of the run or
  @0.5,1   @0..2/5   at these times (s)
  @all     @all/10   at every step, at every tenth: a series
  @max  @min  @mean  over all steps
${listed(MEASURES)}${listed(RUN_MEASURES)}Times of the machine, in a table of their own (they differ from run to run):
${listed(TIMINGS)}`;

/** Adds `sweep` and `worker` to the command. */
export function addSweepCommands(pliant: Command, io: Io, ended: { code: number }): void {
  const axes: Axis[] = [];
  const measures: string[] = [];
  const processes = () =>
    new Option('--processes <n>', 'runs at the same time (default: one for each core)').argParser(positiveNumber);
  pliant
    .command('sweep')
    .description('run a scene with all combinations of varied settings, and compare them')
    .argument('<scene>', "a scene file, Pliant's own or a research scene")
    .option('--variant <name>', 'a variant of the scene; scene.json#NAME says the same')
    .option('--vary <path=values>', 'vary a setting; given again, all combinations', (text: string) => {
      axes.push([parseVariation(text)]);
    })
    .option('--with <path=values>', 'vary together with the --vary before it: equally many values', (text: string) => {
      const last = axes.at(-1);
      if (!last)
        throw new PliantError('--with', `--with ${text} stands before any --vary; expected a --vary to go with.`);
      last.push(parseVariation(text));
    })
    .option('--measure <what>', 'a measure; may be given again', (text: string) => {
      measures.push(text);
    })
    .option('--module <file>', 'a module of JavaScript whose exported functions are measures too')
    .requiredOption('--out <folder>', 'the folder of the results; a sweep that was stopped continues there')
    .option('--seeds <n|list>', 'repeat every combination with these seeds of sampling and clustering', seedList)
    .option('--seconds <s>', 'length of a run (default: that of the scene)', seconds)
    .option('--frames <n>', 'length of a run in steps', positiveNumber)
    .addOption(processes())
    .option('--redis <url>', 'hand the runs to all pliant worker of this Redis')
    .option('--time-limit <s>', 'seconds that one run may take', seconds, 3600)
    .option('--retries <n>', 'how often a run whose process died is tried again', wholeNumber, 2)
    .option('--no-thumbnails', 'no pictures of the last states')
    .addOption(new Option('--backend <name>', 'which kernels compute').choices([...BACKENDS]))
    .option('--allow-outside', 'let the scene name files outside of its folder')
    .option('--quiet', 'no progress')
    .addHelpText('after', HELP)
    .action(async (scene: string, options) => {
      const measure = measures.length > 0 ? measures : undefined;
      ended.code = await sweep(scene, axes, { ...options, measure }, io);
    });
  pliant
    .command('worker')
    .description('take runs of sweeps from a Redis, until it is stopped')
    .requiredOption('--redis <url>', 'the Redis: redis://host:6379')
    .addOption(processes())
    .option(
      '--allow-modules',
      'also take runs with a module of measures: whoever writes to the Redis runs code on this machine',
    )
    .option(
      '--dead-after <s>',
      'seconds without a sign of life after which others take the runs of this worker',
      seconds,
      15,
    )
    .option('--quiet', 'say less')
    .action(async (options) => {
      ended.code = await worker(options, io);
    });
}
