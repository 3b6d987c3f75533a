import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { main } from './main.js';
import { BOX, scratch } from './testing/cli.js';

const disk = scratch();
const box = disk.scene('box.json', BOX);

/** Runs the command, and sends the signal when it says `when`. */
async function interrupted(signal: NodeJS.Signals, when: string, ...args: string[]) {
  let err = '';
  const io = {
    out() {},
    err(text: string) {
      err += text;
      // To the command's listeners; the process of the tests must not hear it.
      if (text.includes(when)) process.emit(signal, signal);
    },
    tty: false,
  };
  return { code: await main(['node', 'pliant', ...args], io), err };
}

test('a signal ends a run after the frame that it came in; what there is gets written, and it is said', async () => {
  const [out, stats] = [disk.path('a.ply'), disk.path('s.json')];
  const { code, err } = await interrupted(
    'SIGINT',
    'frame 20/',
    'run',
    box,
    ...['--frames', '200'],
    '--out',
    out,
    '--stats',
    stats,
  );
  expect(code).toBe(130);
  expect(err).toContain(`stopped by SIGINT after frame 20 of 200; wrote ${out} and ${stats}\n`);
  expect(JSON.parse(readFileSync(stats, 'utf8')).step.count).toBe(20);
  expect(readFileSync(out, 'latin1')).toMatch(/^ply\n/);
  expect(readdirSync(disk.path('.')).filter((name) => name.endsWith('.part'))).toEqual([]);
});

test('pages and folders hold the frames so far', async () => {
  const page = disk.path('a.html');
  const first = await interrupted('SIGTERM', 'frame 20/', 'run', box, '--frames', '200', '--out', page);
  expect(first.code).toBe(143);
  expect(JSON.parse(/id="data">(.*?)<\/script>/s.exec(readFileSync(page, 'utf8'))![1]).frames).toBe(21);
  const folder = disk.path('frames');
  const second = await interrupted('SIGINT', 'frame 3/', 'run', box, '--frames', '30', '--out', folder);
  expect(second.err).toContain('stopped by SIGINT after frame 3 of 30; wrote the frames so far\n');
  expect(readdirSync(folder)).toEqual(['frame_0000.ply', 'frame_0001.ply', 'frame_0002.ply', 'frame_0003.ply']);
});

test('after a run signals are the process’s own again', async () => {
  const before = process.listenerCount('SIGINT');
  const { err } = await interrupted('SIGINT', 'frame 20/', 'run', box, '--frames', '200');
  expect(err).toContain('after frame 20 of 200; nothing was to be written');
  expect(process.listenerCount('SIGINT')).toBe(before);
});
