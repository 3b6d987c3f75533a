import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Finding } from '../core/finding.mjs';
import { printCase } from '../core/printCase.mjs';
import { BASES } from '../files/bases.mjs';
import { mutate } from '../files/mutate.mjs';

const PLIANT = fileURLToPath(new URL('../../packages/cli/bin/pliant.mjs', import.meta.url));
/** Seconds of time for one command: the scenes are small, the machine may be busy. */
const PATIENCE = 240;

/**
 * The command line with arguments of any kind, damaged scenes, closed pipes, places that cannot be written to, and signals: it says what is wrong in a line, ends with 0 or 2, never with a stack trace, and leaves no
 * file behind that nobody asked for.
 */
export const commandLine = {
  // A run starts a process, which takes seconds: 800 of them were half an hour.
  shrinkRuns: 100,
  generate(random) {
    const files = Object.fromEntries(
      ['cube.obj', 'cube.ply', 'particles.txt', 'clusters.json', 'scene.json', 'research.json'].map((name) => [
        name,
        BASES[name](),
      ]),
    );
    if (random.chance(0.35)) {
      const name = random.pick(Object.keys(files));
      files[name] = cheap(mutate(files[name], name, random));
    }
    return {
      args: makeArguments(random),
      files,
      stdout: random.weighted({ read: 8, closed: 1.5, head: 1 }),
      signal: random.chance(0.1)
        ? { name: random.pick(['SIGINT', 'SIGTERM', 'SIGHUP']), after: random.integer(0, 1500) }
        : null,
    };
  },
  execute,
  script: (data) => printCase('cli', data),
  mayChange: ([first, ...rest]) => (first === 'args' && rest.length === 0) || (first === 'files' && rest.length === 1),
};

/** Large counts and small spacings are valid and take long; files.mjs and worlds try them. */
const cheap = (content) =>
  typeof content === 'string'
    ? content.replace(/"(count|spacing|frames)":\s*([\d.e+-]+)/g, (all, key, n) =>
        key === 'spacing'
          ? `"${key}": ${Math.max(0.1, Number(n) || 0.1)}`
          : Number(n) > 60 && Number(n) <= 1e10
            ? `"${key}": 60`
            : all,
      )
    : content;

const ODD = [
  '',
  '-',
  '--',
  'x',
  '-1',
  '1.5',
  '1e3',
  'NaN',
  '999999999999999999999',
  '0x10',
  '٣',
  '\u001b[31mred',
  'a\nb',
  '/',
  '.',
  '..',
  '/dev/null',
  '/proc/x/y',
  '/dev/full',
  '*',
  '$HOME',
  '%s',
  'x'.repeat(3000),
];
const OUTPUTS = [
  'out.ply',
  'out.html',
  'out/',
  'deep/er/out.ply',
  'out.exe',
  '/proc/x/out.ply',
  '/dev/full',
  'scene.json/out.ply',
  '',
  'a\u001b[31mb.ply',
  '/dev/null',
];

const BAKED = [
  'out.usda',
  'deep/out.usdz',
  'out.glb',
  'out.pc2',
  'out.mdd',
  'out.ply',
  'out.fbx',
  'a\u001b[31mb.glb',
  'scene.json/out.glb',
];

function makeArguments(random) {
  const odd = () => random.pick(ODD);
  const scene = () =>
    random.weighted({
      'scene.json': 8,
      'scene.json#soft': 1,
      'scene.json#none': 0.3,
      'research.json': 3,
      'particles.txt': 0.5,
      'missing.json': 0.7,
      '.': 0.3,
    });
  const command = random.weighted({
    run: 7,
    bake: 2,
    info: 3,
    validate: 3,
    schema: 0.7,
    '--help': 0.4,
    '--version': 0.4,
    odd: 0.7,
  });
  const args = command === 'odd' ? [odd()] : [command];
  if (['run', 'bake', 'info', 'validate'].includes(command) && !random.chance(0.03))
    args.push(random.chance(0.95) ? scene() : odd());
  const value = (name, ...given) => [name, random.chance(0.94) ? random.pick(given) : odd()];
  if (command === 'bake') {
    args.push(...value('--out', ...BAKED));
    if (random.chance(0.7)) args.push(...value('--frames', '0', '1', '3', '5'));
    else args.push(...value('--seconds', '0.05', '0.1', '-1'));
    if (random.chance(0.4)) args.push(...value('--fps', '24', '60', '7.5', '0'));
    if (random.chance(0.3)) args.push('--pieces');
  }
  const options = {
    frames: () => value('--frames', '0', '1', '3', '5'),
    stats: () => value('--stats', ...OUTPUTS, 'stats.json', 'stats.json', 'stats.json'),
    clusters: () => value('--clusters', 'clusters.json', 'scene.json', 'missing.json', 'cube.obj'),
    backend: () => value('--backend', 'ts', 'wasm', 'cuda'),
    seed: () => value('--seed', '0', '7'),
    variant: () => value('--variant', 'soft', 'hard'),
    out: () => value('--out', ...OUTPUTS),
    every: () => value('--every', '1', '2', '0'),
    probe: () => value('--probe', '0', '0,1,2', '99999', '1,x'),
    quiet: () => ['--quiet'],
    unknown: () => ['--nonsense', odd()],
    help: () => ['--help'],
  };
  const share = {
    frames: 0.7,
    stats: 0.25,
    variant: 0.1,
    clusters: 0.05,
    backend: 0.2,
    seed: 0.2,
    out: 0.35,
    every: 0.15,
    probe: 0.15,
    quiet: 0.3,
    unknown: 0.04,
    help: 0.03,
  };
  for (const [name, make] of Object.entries(options))
    if (random.chance(command === 'run' ? share[name] : share[name] / 4)) args.push(...make());
  // A million frames are valid, and so are a thousand seconds.
  return args.map((arg, k) => {
    const isLong = args[k - 1] === '--frames' ? Number(arg) > 5 : args[k - 1] === '--seconds' && Number(arg) > 0.1;
    return isLong && Number(arg) < 1e16 ? (args[k - 1] === '--frames' ? '5' : '0.1') : arg;
  });
}

async function execute({ args, files, stdout, signal }, { at }) {
  at(0, `pliant ${args[0] ?? ''}`);
  const folder = mkdtempSync(join(tmpdir(), 'pliant-fuzz-'));
  const work = join(folder, 'work');
  const temporary = join(folder, 'tmp');
  try {
    for (const path of [work, temporary]) mkdirSync(path);
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(work, name), typeof content === 'string' ? content : Uint8Array.from(content));
    const result = await runCommand(args, work, temporary, stdout, signal);
    check(result, { args, stdout, signal });
    checkLeftovers(work, temporary, Object.keys(files), args);
    return { [result.code === 0 ? 'done' : 'refused']: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runCommand(args, cwd, temporary, stdout, signal) {
  return new Promise((resolve, reject) => {
    let child;
    try {
      child = spawn(process.execPath, ['--max-old-space-size=1000', PLIANT, ...args], {
        cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, TMPDIR: temporary, NO_COLOR: '1' },
      });
    } catch (error) {
      // Arguments with a zero byte are not for this world.
      reject(error);
      return;
    }
    const result = { out: '', err: '', isLate: false };
    child.stdout.setEncoding('utf8').on('data', (text) => {
      result.out += text;
      if (stdout === 'head') child.stdout.destroy();
    });
    if (stdout === 'closed') child.stdout.destroy();
    child.stderr.setEncoding('utf8').on('data', (text) => {
      result.err += text;
    });
    const late = setTimeout(() => {
      result.isLate = true;
      child.kill('SIGKILL');
    }, 1000 * PATIENCE);
    const ring = signal && setTimeout(() => child.kill(signal.name), signal.after);
    child.on('close', (code, killedBy) => {
      clearTimeout(late);
      clearTimeout(ring);
      resolve({ ...result, code, killedBy });
    });
  });
}

function check({ out, err, isLate, code, killedBy }, { args, signal }) {
  const where = `pliant ${args[0] ?? ''}`;
  const fail = (kind, message) => {
    throw new Finding(kind, message, { where });
  };
  if (isLate) fail('hang', `no end within ${PATIENCE} s`);
  if (/^\s+at .+:\d+:\d+\)?$/m.test(err) || /^\s+at .+:\d+:\d+\)?$/m.test(out)) fail('stack trace', firstLine(err));
  if (/internal error|unhandled|EPIPE|ERR_/i.test(err)) fail('internal error', firstLine(err));
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
  if (control.test(err.replaceAll('\r', '')) || (control.test(out) && !args.includes('schema')))
    fail(
      'control characters',
      JSON.stringify(firstLine((err + out).split('\n').find((line) => control.test(line)) ?? '')),
    );
  if (signal && (killedBy === signal.name || [0, 2, 129, 130, 143].includes(code))) return;
  // A device that is always full takes no result, which ends with 3 as the help says.
  const isFull = code === 3 && args.includes('/dev/full') && /cannot write .*: the disk is full/.test(err);
  if (code !== 0 && code !== 2 && !isFull)
    fail('exit code', `the command ended with ${code ?? killedBy}: ${firstLine(err)}`);
  // Where several scenes are validated, warnings of others may follow.
  if (code === 2 && !(/^pliant: .+$/m.test(err) && err.endsWith('\n')))
    fail('poor refusal', `the command ended with 2 and said ${JSON.stringify(err.slice(0, 200))}`);
  const longest = Math.max(...err.split('\n').map((line) => line.length));
  if (longest > 2500) fail('poor refusal', `a line of ${longest} characters: ${firstLine(err)}`);
}

/** The line of the output to report: the line that a stack trace belongs to, or the first one that is no warning. */
function firstLine(text) {
  const lines = text.trim().split('\n');
  const trace = lines.findIndex((line) => /^\s+at /.test(line));
  const said = trace > 0 ? lines[trace - 1] : (lines.find((line) => !/^(?:warning|note|frame)\b/.test(line)) ?? '');
  return said.slice(0, 200);
}

/** Files that were there, files that --out and --stats name, and folders on the way to them; nothing else, and nothing in the folder for temporary files. */
function checkLeftovers(work, temporary, given, args) {
  const named = ['--out', '--stats']
    .map((option) => args[args.lastIndexOf(option) + 1])
    .filter((path, k) => args.includes(['--out', '--stats'][k]) && path)
    .map((path) => normalize(path).replace(/\/$/, ''));
  // A bake writes meshes and textures beside its file, with names that begin alike.
  const stems = args[0] === 'bake' ? named.map((name) => name.replace(/\.\w+$/, '')) : [];
  const isAsked = (path) =>
    given.includes(path) ||
    stems.some((stem) => stem !== '' && path.startsWith(stem)) ||
    named.some((name) => name === '.' || path === name || path.startsWith(`${name}/`) || name.startsWith(`${path}/`));
  const left = [...readdirSync(work, { recursive: true }).filter((path) => !isAsked(path)), ...readdirSync(temporary)];
  if (left.length > 0)
    throw new Finding('left behind', `nobody asked for ${left.slice(0, 3).join(', ')}`, {
      where: `pliant ${args[0] ?? ''}`,
    });
}
