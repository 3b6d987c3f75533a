import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { BOX, scratch } from './testing/cli.js';

// The built command as a process of its own: pipes, signals and streams that fail.
const disk = scratch();
const box = disk.scene('box.json', BOX);
const soft = disk.scene('soft.json', { ...BOX, bodies: [{ ...BOX.bodies[0], material: { raw: { stiffness: 2.5 } } }] });
const bin = fileURLToPath(new URL('../bin/pliant.mjs', import.meta.url));
const built = existsSync(new URL('../dist/main.js', import.meta.url));

const shell = (script: string) =>
  spawnSync('bash', ['-c', `set -o pipefail; ${script}`], {
    encoding: 'utf8',
    env: { ...process.env, PLIANT: `${process.execPath} ${bin}`, BOX: box },
  });

describe.skipIf(!built)('the built command', () => {
  test('answers and refuses as the program called in a test does', () => {
    const { status, stdout } = spawnSync(process.execPath, [bin, 'validate', box], { encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'ok\n' });
    const bad = spawnSync(process.execPath, [bin, 'run', soft], { encoding: 'utf8' });
    expect(bad.status).toBe(2);
    expect(bad.stderr).toMatch(/^pliant: .*expected a number in \[0, 2\)\.\n$/);
  });

  test.each(['info $BOX', 'schema', 'run $BOX', 'run $BOX --quiet', '--help'])(
    '%s whose reader goes away is silent',
    (args) => {
      const { status, stderr } = shell(`$PLIANT ${args} 2> >(grep -v "^frame\\|^Box" >&2) | head -n 1 > /dev/null`);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      // Gone before the first word.
      expect(shell(`$PLIANT ${args} 2> >(grep -v "^frame\\|^Box" >&2) | true`)).toMatchObject({
        status: 0,
        stderr: '',
      });
    },
  );

  test('results are written though nobody reads what is said', () => {
    const file = disk.path('unread.json');
    expect(shell(`$PLIANT run $BOX --stats ${file} 2>/dev/null | true`).status).toBe(0);
    expect(JSON.parse(readFileSync(file, 'utf8')).step.count).toBe(5);
  });

  test.skipIf(!existsSync('/dev/full'))('a full standard output is told and ends with 3', () => {
    const { status, stderr } = shell('$PLIANT schema > /dev/full');
    expect(status).toBe(3);
    expect(stderr).toMatch(/^pliant: cannot write to standard output: .*\n$/);
  });

  test('a FIFO, a device and a folder as the scene are refused, not waited for', () => {
    for (const [path, reason] of [
      ['/dev/zero', 'a device; expected a regular file'],
      ['<(cat $BOX)', 'a FIFO; expected a regular file'],
      ['/', 'a folder'],
    ]) {
      const { status, stderr } = shell(`$PLIANT info ${path}`);
      expect(status).toBe(2);
      expect(stderr).toMatch(new RegExp(`^pliant: scene: cannot read .* \\(it is ${reason}\\)\\.\n$`));
    }
  });

  test('one signal ends the run and keeps it; two end it at once, with nothing left beside', async () => {
    // Long enough that only a signal can end it.
    const args = [
      'run',
      box,
      '--frames',
      '100000000',
      '--out',
      disk.path('kept.ply'),
      '--stats',
      disk.path('kept.json'),
    ];
    const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (said += text));
    await once(child.stderr, 'data');
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(said).toMatch(/stopped by SIGINT after frame \d+ of 100000000; wrote .*kept\.ply and .*kept\.json\n$/);
    expect(existsSync(disk.path('kept.ply'))).toBe(true);

    // The second signal comes while the first is not yet heard: between two frames both are.
    writeFileSync(disk.path('kept.ply'), 'old');
    const again = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
    await once(again.stderr, 'data');
    again.kill('SIGINT');
    again.kill('SIGTERM');
    const [code] = await once(again, 'close');
    expect([130, 143]).toContain(code);
    expect(readdirSync(disk.path('.')).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});
