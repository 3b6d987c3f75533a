import { Presets, SingleBar } from 'cli-progress';
import type { Io } from './io.js';

/** Tells how far a run has come. */
export interface Progress {
  update(done: number): void;
  stop(): void;
}

const SILENT: Progress = { update() {}, stop() {} };

/** A bar that redraws itself on a terminal, a line every tenth elsewhere, nothing when asked to be quiet. */
export function startProgress(total: number, io: Io, quiet: boolean): Progress {
  if (quiet || total === 0) return SILENT;
  return io.tty ? bar(total) : lines(total, io);
}

function bar(total: number): Progress {
  const single = new SingleBar(
    {
      format: '  {bar} {percentage} % | frame {value}/{total} | {eta_formatted} left',
      hideCursor: true,
      stream: process.stderr,
    },
    Presets.shades_classic,
  );
  single.start(total, 0);
  return { update: (done) => single.update(done), stop: () => single.stop() };
}

function lines(total: number, io: Io): Progress {
  let told = 0;
  return {
    update(done) {
      const tenths = Math.floor((10 * done) / total);
      if (tenths === told) return;
      told = tenths;
      io.err(`frame ${done}/${total} (${10 * tenths} %)\n`);
    },
    stop() {},
  };
}
