/** Signals that end a run, and the exit codes for them: 128 plus the signal's number, as shells do. */
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

export type StopSignal = keyof typeof EXIT_CODES;

export const exitCodeOf = (signal: StopSignal): number => EXIT_CODES[signal];

/** Handles signals while it is open: the first is stored in `signal`, the second ends the process at once. */
export class Interrupt {
  signal: StopSignal | undefined;
  private readonly aborting = new AbortController();

  /** Aborted by the first signal: for work that is not done in a loop. */
  get abort(): AbortSignal {
    return this.aborting.signal;
  }

  private readonly hear = (signal: NodeJS.Signals) => {
    // Temporary files are removed as the process exits (resultFile.ts).
    if (this.signal) process.exit(exitCodeOf(this.signal));
    this.signal = signal as StopSignal;
    this.aborting.abort();
  };

  constructor() {
    for (const signal of Object.keys(EXIT_CODES)) process.on(signal, this.hear);
  }

  close(): void {
    for (const signal of Object.keys(EXIT_CODES)) process.off(signal, this.hear);
  }
}
