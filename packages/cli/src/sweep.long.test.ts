import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { BOX, pliant, scratch } from './testing/cli.js';

const disk = scratch();
const small = { ...BOX, bodies: [{ ...BOX.bodies[0], sampling: { count: 20 }, clustering: { count: 1 } }] };
const box = disk.scene('box.json', small);
const bin = fileURLToPath(new URL('../bin/pliant.mjs', import.meta.url));
const lines = (folder: string, table = 'runs') =>
  readFileSync(disk.path(`${folder}/${table}.csv`), 'utf8')
    .trim()
    .split('\n');

test('a sweep runs all combinations, writes tables, plots, pictures and a page, and continues', async () => {
  const args = [
    'sweep',
    box,
    '--vary',
    'bodies[box].material.young=1e4..1e6/3log',
    '--vary',
    'dt=1/60,1/120',
    '--with',
    'maxSubsteps=4,8',
  ];
  const out = [
    '--measure',
    'height',
    '--measure',
    'height@all',
    '--measure',
    'stepTime',
    '--seeds',
    '2',
    '--out',
    disk.path('all'),
  ];
  const first = await pliant(...args, ...out);
  expect(first).toMatchObject({
    code: 0,
    out: expect.stringContaining('12 runs: 0 done before, 12 run now, 0 without a result'),
  });
  expect(first.err).toMatch(/^Box: 12 runs\n(run \d+\/12 \(\d+ %\), \d+ s left\n)+$/);
  expect(lines('all')[0]).toBe('run,bodies[box].material.young,dt,maxSubsteps,seed,status,reason,height,warnings,id');
  expect(lines('all')).toHaveLength(13);
  // Equally long runs: 5 steps of 1/60 s or 10 of 1/120 s.
  expect(lines('all', 'series')).toHaveLength(1 + 6 * 6 + 6 * 11);
  expect(lines('all', 'spread')).toHaveLength(7);
  expect(lines('all', 'timings')).toHaveLength(13);
  expect(readdirSync(disk.path('all/plots'))).toEqual([
    'height-over-bodies-box-.material.young.svg',
    'height-over-dt.svg',
    'height-over-time.svg',
  ]);
  expect(readdirSync(disk.path('all/thumbnails'))).toHaveLength(12);
  expect(readFileSync(disk.path('all/thumbnails/00000.png')).subarray(1, 4).toString()).toBe('PNG');
  expect(existsSync(disk.path('all/index.html'))).toBe(true);
  expect(existsSync(disk.path('all/.lock'))).toBe(false);

  const table = readFileSync(disk.path('all/runs.csv'));
  const again = await pliant(...args, ...out);
  expect(again).toMatchObject({ code: 0, out: expect.stringContaining('12 done before, 0 run now') });
  expect(readFileSync(disk.path('all/runs.csv'))).toEqual(table);
  // One more value: only its runs are new.
  const more = await pliant(...args.with(3, 'bodies[box].material.young=1e4,1e5,1e6,2e6'), ...out);
  expect(more.out).toContain('16 runs: 12 done before, 4 run now');
});

test('runs that fail are rows with their reasons, the exit code says so, and those that may end otherwise are tried again', async () => {
  const module = disk.path('own.mjs');
  disk.scene(
    'own.mjs',
    'export const odd = ({ world }) => { if (world.gravity[1] === -2) throw new Error("two"); if (world.gravity[1] === -3) for (;;); return 1; }',
  );
  const args = ['sweep', box, '--vary', 'gravity=[0,-1,0],[0,-2,0],[0,-3,0]', '--module', module, '--measure', 'odd'];
  const run = () => pliant(...args, '--time-limit', '3', '--no-thumbnails', '--quiet', '--out', disk.path('odd'));
  const { code, err } = await run();
  expect(code).toBe(4);
  expect(err).toMatch(/^run 1: failed: measure odd threw at .* s: two\nrun 2: over time: it took longer than 3 s\n$/);
  expect(lines('odd').map((line) => line.replace(/,\w{32}$/, ''))).toEqual([
    'run,gravity,status,reason,odd,warnings,id',
    '0,"[0,-1,0]",done,,1,',
    expect.stringMatching(/^1,"\[0,-2,0\]",failed,measure odd threw at .* s: two,,$/),
    '2,"[0,-3,0]",over time,it took longer than 3 s,,',
  ]);
  expect(existsSync(disk.path('odd/thumbnails'))).toBe(false);
});

test('several scenes are validated by the same queue, and told in their order', async () => {
  const bad = disk.scene('bad.json', { ...BOX, dt: -1 });
  const { code, out, err } = await pliant('validate', bad, box, disk.path('none.json'));
  expect(code).toBe(2);
  expect(out).toBe(`${box}: ok\n`);
  expect(err.split('\n')).toEqual([
    `pliant: ${bad}: dt is -1; expected a number in (0, 1].`,
    expect.stringMatching(/^pliant: .*none\.json: scene: cannot read .*none\.json \(not found\)\.$/),
    '',
  ]);
  expect((await pliant('validate', box, box)).err).toMatch(/is given twice; expected every scene once/);
});

describe('refused before the first run', () => {
  const refused = async (...args: string[]) => {
    const { code, err, out } = await pliant('sweep', box, '--out', disk.path('none'), ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(existsSync(disk.path('none'))).toBe(false);
    return err;
  };

  test.each([
    [
      ['--vary', 'bodies[0].material.young=1e4,-1'],
      /--vary bodies\[0\]\.material\.young=-1: box\.json: bodies\[0\]\.material\.young is -1; expected a number/,
    ],
    [
      ['--vary', 'bodies[0].materiel.young=1'],
      /bodies\[0\]\.materiel is not a field of this object \(did you mean material\?\)/,
    ],
    [['--vary', 'bodies[3].scale=1'], /bodies has 1 entries; expected a number from 0 to 0/],
    [['--vary', 'dt=1/60..1/30'], /may mean 30 values up to 1; expected both ends as fractions/],
    [['--with', 'dt=1'], /--with dt=1 stands before any --vary/],
    [
      ['--vary', 'dt=1/60,1/120', '--with', 'substeps=1,2,3'],
      /--with substeps has 3 values; expected 2, as many as dt/,
    ],
    [['--measure', 'hight'], /there is no measure hight; expected one of height/],
    [['--measure', 'height@9'], /9 s is after the end of a run; expected at most 0\.0833333 s/],
    [['--measure', 'height', '--measure', 'height@end'], /gives height, as height does/],
    [['--seeds', '0'], /Expected a whole number of at least 1/],
    [['--seeds', '3,3'], /Expected every seed once/],
    [['--seconds', 'x'], /Expected a number of seconds above 0/],
    [['--seconds', '1', '--frames', '2'], /expected one of the two/],
    [['--redis', 'redis://x', '--processes', '2'], /with Redis the workers compute/],
    [['--redis', 'http://:pass@x'], /--redis is "http:\/\/…@x"; expected an address such as redis:/],
    [['--module', 'none.mjs'], /--module: cannot read none\.mjs \(not found\)/],
  ])('%j', async (args, message) => {
    if (args.includes('http://:pass@x')) {
      // The folder is made before Redis is asked.
      expect((await pliant('sweep', box, '--out', disk.path('made'), ...args)).err).toMatch(message);
    } else expect(await refused(...args)).toMatch(message);
  });
});

describe.skipIf(!existsSync(new URL('../dist/main.js', import.meta.url)))('the built command', () => {
  test('Ctrl C keeps the runs that are done, says so, and the same command goes on', async () => {
    const out = disk.path('stopped');
    const args = [
      'sweep',
      box,
      '--vary',
      'bodies[0].material.young=1e4..1e6/40log',
      '--frames',
      '2000',
      '--measure',
      'height',
      '--no-thumbnails',
      '--processes',
      '1',
      '--out',
      out,
    ];
    // A group of its own, to which a terminal's Ctrl C goes as a whole.
    const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'ignore', 'pipe'], detached: true });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
    while (!/run \d+\/40/.test(said)) await new Promise((resolve) => setTimeout(resolve, 10));
    process.kill(-child.pid!, 'SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    const kept = Number(/stopped by SIGINT; (\d+) of 40 runs are kept in/.exec(said)![1]);
    expect(kept).toBeGreaterThan(0);
    expect(kept).toBeLessThan(40);
    expect(readdirSync(`${out}/runs`)).toHaveLength(kept);
    expect(lines('stopped').filter((line) => line.includes('not run'))).toHaveLength(40 - kept);
    const rest = await pliant(...args);
    expect(rest).toMatchObject({
      code: 0,
      out: expect.stringContaining(`40 runs: ${kept} done before, ${40 - kept} run now`),
    });
  });
});
