import { Presets, SingleBar } from 'cli-progress';
import type { Io } from './io.js';

/** Reports the progress of a sweep. */
export interface RunProgress {
  /** Told after every run: how many have ended, and whether this one failed. */
  update(ended: number, failed: boolean): void;
  /** A line between the others. */
  note(line: string): void;
  stop(): void;
}

/** A bar that redraws itself on a terminal, a line every tenth elsewhere, each with an estimate of the time that is left; nothing but notes if quiet. */
export function startRunProgress(
  total: number,
  before: number,
  io: Io,
  quiet: boolean,
  now = () => performance.now(),
): RunProgress {
  const note = (line: string) => io.err(`${line}\n`);
  if (quiet || total === before) return { update() {}, note, stop() {} };
  const began = now();
  let [failed, told] = [0, Math.floor((10 * before) / total)];
  const left = (ended: number) =>
    ended > before ? duration(((now() - began) / 1000 / (ended - before)) * (total - ended)) : 'unknown';
  if (io.tty) {
    const bar = new SingleBar(
      {
        format: '  {bar} {percentage} % | run {value}/{total} | {failed} failed | {left} left',
        hideCursor: true,
        stream: process.stderr,
      },
      Presets.shades_classic,
    );
    bar.start(total, before, { failed: 0, left: 'unknown' });
    return {
      update(ended, isFailed) {
        failed += isFailed ? 1 : 0;
        bar.update(ended, { failed, left: left(ended) });
      },
      note(line) {
        process.stderr.write('\r\x1b[K');
        note(line);
      },
      stop: () => bar.stop(),
    };
  }
  return {
    update(ended, isFailed) {
      failed += isFailed ? 1 : 0;
      const tenths = Math.floor((10 * ended) / total);
      if (tenths === told) return;
      told = tenths;
      const bad = failed > 0 ? `, ${failed} failed` : '';
      note(`run ${ended}/${total} (${10 * tenths} %)${bad}, ${left(ended)} left`);
    },
    note,
    stop() {},
  };
}

/** "2 h 5 min", "3 min 20 s", "12 s" */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
