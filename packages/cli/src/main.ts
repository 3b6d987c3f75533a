import { readFileSync } from 'node:fs';
import { sceneJsonSchema, shorten } from '@pliant/scene';
import { Command, CommanderError, Option } from 'commander';
import { BACKENDS, PliantError } from 'pliant';
import { bakeScene } from './bake.js';
import { bakeScenes } from './bakeScenes.js';
import { build } from './build.js';
import { info } from './info.js';
import { cleaned, type Io, processIo } from './io.js';
import { manyScenes } from './manyScenes.js';
import { decimal, indexList, positiveNumber, positiveReal, seedList, wholeNumber } from './options.js';
import { oneLine } from './printable.js';
import { reproduce } from './reproduce.js';
import { WriteError } from './resultFile.js';
import { run } from './run.js';
import { addSweepCommands } from './sweepCommands.js';
import { validate } from './validate.js';

/** Exit codes of the process. */
const [DONE, INTERNAL, BAD_INPUT, NOT_WRITTEN] = [0, 1, 2, 3];

const EXIT_CODES = `
Exit codes:
  0    done
  1    an error of Pliant itself
  2    the command line, a scene or a file that it names is refused; one line says why
  3    a result could not be written: the disk is full, say
  4    a sweep ended, and some of its runs have no result; its table says why
  130  stopped by Ctrl C; the frame was finished, and what there was is written
       (129 and 143: the same by SIGHUP and SIGTERM). A second Ctrl C ends at once.
`;

/** Largest number of characters of an error message. */
const LONGEST_MESSAGE = 2000;

/** The command line, `argv` as in process.argv. Returns the exit code (EXIT_CODES); errors are one line on standard error. */
export async function main(argv: readonly string[], given: Io = processIo): Promise<number> {
  const io = cleaned(given);
  try {
    if (argv.length < 3)
      throw new PliantError('command', 'there is no command; expected one of those that pliant --help lists.');
    const ended = { code: DONE };
    await program(io, ended).parseAsync([...argv]);
    return ended.code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return DONE;
    if (error instanceof CommanderError || error instanceof PliantError) {
      io.err(`pliant: ${shorten(oneLine(error.message.replace(/^error: /, '')), LONGEST_MESSAGE)}\n`);
      return error instanceof WriteError ? NOT_WRITTEN : BAD_INPUT;
    }
    io.err(
      `pliant: internal error, please report it: ${error instanceof Error ? (error.stack ?? error.message) : error}\n`,
    );
    return INTERNAL;
  }
}

/** The package's own version: package.json is beside src and dist. */
const version = (): string => JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

function program(io: Io, ended: { code: number }): Command {
  const pliant = new Command('pliant')
    .description('Deformable bodies by clustered shape matching: run, inspect and validate scenes.')
    .version(version(), '--version', 'print the version')
    .addHelpText('after', EXIT_CODES)
    .exitOverride()
    // Errors are printed by main, once and on one line.
    .configureOutput({ writeOut: io.out, writeErr: io.out, outputError: () => {} });
  const allowOutside = () =>
    new Option('--allow-outside', "let the scene name files outside of its folder (a research scene: of 'inputFiles')");
  const variant = () =>
    new Option('--variant <name>', 'a variant of the scene; scene.json#NAME says the same (info lists them)');
  const backend = () => new Option('--backend <name>', 'which kernels compute').choices([...BACKENDS]);
  const threads = () =>
    new Option('--threads <n>', 'how many threads step the world (default: all cores, one for small worlds)').argParser(
      positiveNumber,
    );
  pliant
    .command('run')
    .description('run a scene and tell what happened')
    .argument('<scene>', "a scene file, Pliant's own or a research scene")
    .addOption(variant())
    .option('--frames <n>', 'how many steps (default: what the scene says)', wholeNumber)
    .option('--stats <file>', 'write measurements as JSON')
    .option('--clusters <file>', 'take these clusters instead of computing them')
    .addOption(backend())
    .addOption(threads())
    .option('--seed <s>', 'seed of sampling and clustering', wholeNumber)
    .option(
      '--out <path>',
      'FILE.ply: the last state; FILE.html: a page that plays the run; FILE.mp4, FILE.webm: a film, for which a Chromium is needed; a folder: a .ply per frame',
    )
    .option('--every <n>', 'record every n-th frame only', positiveNumber, 1)
    .option('--size <WxH>', 'size of a film (default: 1280x720)')
    .option('--probe <list>', 'particles to follow in the statistics: I,J,…', indexList, [])
    .addOption(allowOutside())
    .option('--quiet', 'no progress and no table')
    .action(async (scene: string, options) => {
      ended.code = await run(scene, options, io);
    });
  pliant
    .command('bake')
    .description('run scenes and write them as animations for other programs')
    .argument('<scenes...>', "scene files, Pliant's own or research scenes; several run on all cores")
    .requiredOption(
      '--out <file>',
      'FILE.usda, .usdz, .glb; .pc2 or .mdd with an .obj beside it; .ply: numbered files, one a frame. Several scenes: with a * for the name of each, bakes/*.glb',
    )
    .addOption(variant())
    .option('--fps <n>', 'frames per second (default: one frame a step, at most 60)', positiveReal)
    .option('--frames <n>', 'how many frames after the first (default: what the scene says)', wholeNumber)
    .option('--seconds <t>', 'how long, instead of --frames', positiveReal)
    .option('--pieces', 'pieces of bodies that break become objects of their own')
    .option('--clusters <file>', 'take these clusters instead of computing them')
    .addOption(backend())
    .addOption(threads())
    .option('--seed <s>', 'seed of sampling and clustering', wholeNumber)
    .addOption(allowOutside())
    .option('--quiet', 'no progress and no list of files')
    .action(async ([scene, ...more]: string[], options) => {
      ended.code =
        more.length === 0 ? await bakeScene(scene, options, io) : await bakeScenes([scene, ...more], options, io);
    });
  pliant
    .command('info')
    .description('tell what a scene would build, without a step')
    .argument('<scene>')
    .addOption(variant())
    .option('--clusters <file>', 'take these clusters instead of computing them')
    .option('--seed <s>', 'seed of sampling and clustering', wholeNumber)
    .addOption(allowOutside())
    .action((scene: string, options) => info(scene, options, io));
  pliant
    .command('validate')
    .description('check scene files with their variants and the files they name, and build their bodies')
    .argument('<scenes...>', 'one scene, or several: these on all cores')
    .option(
      '--variant <name>',
      'only this variant; scene.json#NAME says the same (default: the scene and all variants)',
    )
    .addOption(allowOutside())
    .option('--quick', 'build nothing: check the files alone')
    .action(async ([scene, ...more]: string[], options) => {
      const flags = [
        ...(options.quick ? ['--quick'] : []),
        ...(options.allowOutside ? ['--allow-outside'] : []),
        ...(options.variant === undefined ? [] : ['--variant', options.variant]),
      ];
      if (more.length === 0) await validate(scene, options, io);
      else ended.code = await manyScenes([scene, ...more], (one) => ['validate', ...flags, '--', one], io);
    });
  pliant
    .command('reproduce')
    .description("run the papers' claims again and write a report")
    .option('--paper <year...>', 'only those of these papers: 2007, 2015, 2016, 2017, 2020')
    .option('--claim <id...>', 'only these claims')
    .option('--out <folder>', 'where the report and the results go', 'reproduced')
    .option('--quick', 'minutes instead of an hour: fewer seeds, nothing that is long or timed')
    .option('--seeds <n|list>', 'seeds of sampling and clustering (default: 2,3,4,5,6; with --quick 2)', seedList)
    .option(
      '--timed',
      'run only claims that rest on a time, on a quiet machine; of the others the report has what --out holds',
    )
    .option('--no-timed', 'run all others')
    .option('--report', 'run nothing: write the report of what --out holds')
    .option('--processes <n>', 'claims at the same time (default: one for each core)', positiveNumber)
    .option('--redis <url>', 'hand claims to every `pliant worker` of this Redis; timed ones run here')
    .option('--quiet', 'no progress')
    .action(async (options) => {
      ended.code = await reproduce(options, version(), io);
    });
  pliant
    .command('build')
    .description('build a body once, as an asset that scenes and programs load in milliseconds')
    .argument('<file>', 'a mesh (.obj, .ply, .stl, .gltf, .glb), or a scene file')
    .requiredOption('--out <file>', 'FILE.pliant: where the asset goes')
    .addOption(variant())
    .option('--body <name>', 'which body of the scene (default: its only one)')
    .option('--count <n>', 'how many particles fill the mesh', positiveNumber)
    .option('--spacing <m>', 'or how far apart they are', decimal)
    .addOption(new Option('--method <name>', 'how they are placed').choices(['blue-noise', 'grid']))
    .option('--seed <s>', 'seed of the sampling', wholeNumber)
    .option('--shell <m>', 'thickness of the walls of a hollow body', decimal)
    .option('--scale <factor>', 'scale of the mesh', decimal)
    .option('--density <kg/m³>', 'density', decimal)
    .option('--young <Pa>', "Young's modulus", decimal)
    .option('--poisson <ν>', "Poisson's ratio", decimal)
    .option('--yield <strain>', 'strain beyond which it flows', decimal)
    .option('--toughness <strain>', 'strain at which it breaks', decimal)
    .option('--name <text>', 'name of the body (default: that of the file)')
    .addOption(allowOutside())
    .option('--quiet', 'no progress and no summary')
    .action((file: string, options) => build(file, options, io));
  pliant
    .command('schema')
    .description('print the JSON Schema of the scene file')
    .action(() => io.out(`${JSON.stringify(sceneJsonSchema(), null, 2)}\n`));
  addSweepCommands(pliant, io, ended);
  return pliant;
}
