import { sceneJsonSchema } from '@pliant/scene';
import { Command, CommanderError, Option } from 'commander';
import { BACKENDS, PliantError } from 'pliant';
import { info } from './info.js';
import { type Io, processIo } from './io.js';
import { indexList, positiveNumber, wholeNumber } from './options.js';
import { run } from './run.js';
import { validate } from './validate.js';

/** What the process says when it ends. */
const [DONE, INTERNAL, BAD_INPUT] = [0, 1, 2];

/**
 * The command line, `argv` as in process.argv. Returns the exit code: 0, 2 with one line on standard error when the input is
 * wrong, 1 when Pliant is.
 */
export async function main(argv: readonly string[], io: Io = processIo): Promise<number> {
  try {
    if (argv.length < 3)
      throw new PliantError(
        'command',
        'there is no command; expected run, info, validate or schema (see pliant --help).',
      );
    await program(io).parseAsync([...argv]);
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return DONE;
    if (error instanceof CommanderError || error instanceof PliantError) {
      io.err(`pliant: ${oneLine(error.message)}\n`);
      return BAD_INPUT;
    }
    io.err(
      `pliant: internal error, please report it: ${error instanceof Error ? (error.stack ?? error.message) : error}\n`,
    );
    return INTERNAL;
  }
}

const oneLine = (text: string) => text.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');

function program(io: Io): Command {
  const pliant = new Command('pliant')
    .description('Deformable bodies by clustered shape matching: run, inspect and validate scenes.')
    .exitOverride()
    // Errors are printed by main, once and on one line.
    .configureOutput({ writeOut: io.out, writeErr: io.out, outputError: () => {} });
  const backend = () => new Option('--backend <name>', 'which kernels compute').choices([...BACKENDS]);
  pliant
    .command('run')
    .description('run a scene and tell what happened')
    .argument('<scene>', "a scene file, Pliant's own or a research scene")
    .option('--frames <n>', 'how many steps (default: what the scene says)', wholeNumber)
    .option('--stats <file>', 'write measurements as JSON')
    .option('--clusters <file>', 'take these clusters instead of computing them')
    .addOption(backend())
    .option('--seed <s>', 'seed of sampling and clustering', wholeNumber)
    .option(
      '--out <path>',
      'FILE.ply: the last state; FILE.html: a page that plays the run; a folder: a .ply per frame',
    )
    .option('--every <n>', 'record every n-th frame only', positiveNumber, 1)
    .option('--probe <list>', 'particles to follow in the statistics: I,J,…', indexList, [])
    .option('--quiet', 'no progress and no table')
    .action((scene: string, options) => run(scene, options, io));
  pliant
    .command('info')
    .description('tell what a scene would build, without a step')
    .argument('<scene>')
    .option('--clusters <file>', 'take these clusters instead of computing them')
    .option('--seed <s>', 'seed of sampling and clustering', wholeNumber)
    .action((scene: string, options) => info(scene, options, io));
  pliant
    .command('validate')
    .description('check a scene file and the files it names, and build its bodies')
    .argument('<scene>')
    .option('--quick', 'build nothing: check the files alone')
    .action((scene: string, options) => validate(scene, options, io));
  pliant
    .command('schema')
    .description('print the JSON Schema of the scene file')
    .action(() => io.out(`${JSON.stringify(sceneJsonSchema(), null, 2)}\n`));
  return pliant;
}
