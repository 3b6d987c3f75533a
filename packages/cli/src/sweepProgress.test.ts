import { expect, test } from 'vitest';
import { duration, startRunProgress } from './sweepProgress.js';

test('without a terminal there is a line every tenth, with failures and an estimate', () => {
  let [said, clock] = ['', 0];
  const io = { out: () => {}, err: (text: string) => void (said += text), tty: false };
  const progress = startRunProgress(40, 20, io, false, () => clock);
  clock = 30_000;
  progress.update(23, true);
  progress.update(24, false);
  progress.note('Redis is back');
  clock = 150_000;
  progress.update(30, true);
  progress.stop();
  // Four runs took 30 s: 16 are left. Then ten took 150 s.
  expect(said).toBe(
    'run 24/40 (60 %), 1 failed, 2 min 0 s left\nRedis is back\nrun 30/40 (70 %), 2 failed, 2 min 30 s left\n',
  );
});

test('quiet progress still passes notes on', () => {
  let said = '';
  const progress = startRunProgress(
    40,
    0,
    { out: () => {}, err: (text: string) => void (said += text), tty: false },
    true,
  );
  progress.update(20, false);
  progress.note('the disk is full');
  expect(said).toBe('the disk is full\n');
});

test.each([
  [0.2, '0 s'],
  [59.4, '59 s'],
  [61, '1 min 1 s'],
  [7500, '2 h 5 min'],
])('%d s is %s', (seconds, text) => {
  expect(duration(seconds)).toBe(text);
});
