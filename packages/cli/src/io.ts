import { printable } from './printable.js';

/** Output of a command: the process's own streams, or those of a test. */
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

/** The same without control characters: texts of scenes and names of files are printed. */
export const cleaned = (io: Io): Io => ({
  out: (text) => io.out(printable(text)),
  err: (text) => io.err(printable(text)),
  tty: io.tty,
});

/**
 * Writes to a stream until its reader closes it (`pliant info x | head -2`). Then it is silent, and the command
 * continues for the files that it writes. Any other error is reported once on standard error and by the exit code.
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
