import { expect, test } from 'vitest';
import { watchBuild } from './progress.js';

const progress = { stage: 'cluster', done: 0.429, body: 0, bodies: 1, name: 'ball' } as const;

function watched(quiet: boolean) {
  let [time, text] = [0, ''];
  const io = { out: () => {}, err: (line: string) => void (text += line), tty: false };
  const watch = watchBuild(io, quiet, () => time);
  return {
    at(seconds: number, more = {}) {
      time = 1000 * seconds;
      watch.onProgress?.({ ...progress, ...more });
      return text;
    },
  };
}

test('a build that takes long is told of every two seconds', () => {
  const build = watched(false);
  expect(build.at(1.9)).toBe('');
  expect(build.at(2.1)).toBe('building ball: clustering, 42 %\n');
  expect(build.at(3)).toBe('building ball: clustering, 42 %\n');
  expect(build.at(5, { body: 1, bodies: 3, done: 0.5 })).toMatch(/building ball \(2 of 3\): clustering, 50 %\n$/);
});

test('and not at all when it is to be quiet', () => {
  expect(watched(true).at(100)).toBe('');
});
