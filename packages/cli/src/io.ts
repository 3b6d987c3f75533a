import { printable } from './printable.js';

/** Where a command speaks to: the process's own streams, or a test's. */
export interface Io {
  out(text: string): void;
  err(text: string): void;
  /** Standard error is a terminal: a progress bar can redraw itself. */
  tty: boolean;
}

export const processIo: Io = {
  out: writerOf(process.stdout),
  err: writerOf(process.stderr),
  tty: process.stderr.isTTY === true,
};

/** The same without what a terminal would obey: texts of scenes and names of files reach it. */
export const cleaned = (io: Io): Io => ({
  out: (text) => io.out(printable(text)),
  err: (text) => io.err(printable(text)),
  tty: io.tty,
});

/**
 * Writes to a stream until nobody reads it any more (`pliant info x | head -2`): from then on it is silent, and the command goes on, for the files that it
 * writes. Any other error is told once on standard error, and in the exit code.
 */
function writerOf(stream: NodeJS.WriteStream): (text: string) => void {
  let open = true;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (open && error.code !== 'EPIPE') {
      process.exitCode = 3;
      if (stream !== process.stderr)
        process.stderr.write(`pliant: cannot write to standard output: ${error.message}.\n`);
    }
    open = false;
  });
  return (text) => {
    if (open) stream.write(text);
  };
}
