import type { SceneProgress, SceneWatch } from '@pliant/scene';
import { Presets, SingleBar } from 'cli-progress';
import type { Io } from './io.js';

/** Reports the progress of a run. */
export interface Progress {
  update(done: number): void;
  stop(): void;
}

const SILENT: Progress = { update() {}, stop() {} };

/** A bar that redraws itself on a terminal, a line every tenth elsewhere, nothing if quiet. */
export function startProgress(total: number, io: Io, quiet: boolean, unit = 'frame'): Progress {
  if (quiet || total === 0) return SILENT;
  return io.tty ? bar(total, unit) : lines(total, io, unit);
}

function bar(total: number, unit: string): Progress {
  const single = new SingleBar(
    {
      format: `  {bar} {percentage} % | ${unit} {value}/{total} | {eta_formatted} left`,
      hideCursor: true,
      stream: process.stderr,
    },
    Presets.shades_classic,
  );
  single.start(total, 0);
  return { update: (done) => single.update(done), stop: () => single.stop() };
}

function lines(total: number, io: Io, unit: string): Progress {
  let told = 0;
  return {
    update(done) {
      const tenths = Math.floor((10 * done) / total);
      if (tenths === told) return;
      told = tenths;
      io.err(`${unit} ${done}/${total} (${10 * tenths} %)\n`);
    },
    stop() {},
  };
}

/** Milliseconds before the first line during building, and between two. */
const PATIENCE = 2000;

/** Words for the stages of building. */
const DOING = {
  sample: 'sampling',
  surface: 'finding its surface',
  cluster: 'clustering',
  levels: 'building levels',
  append: 'adding it',
} as const satisfies Record<SceneProgress['stage'], string>;

/** Prints the body being built, a line every two seconds, if building takes long. */
export function watchBuild(io: Io, quiet: boolean, now = () => performance.now()): SceneWatch {
  if (quiet) return {};
  let last = now();
  return {
    onProgress({ stage, done, body, bodies, name }) {
      if (now() - last < PATIENCE) return;
      last = now();
      const which = bodies > 1 ? `${name} (${body + 1} of ${bodies})` : name;
      io.err(`building ${which}: ${DOING[stage]}, ${Math.floor(100 * done)} %\n`);
    },
  };
}
