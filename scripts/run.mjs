// Functions of setup, build and start: telling each phase in a line, and running a command of it.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The repository's folder. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Says what is done from now on. */
export const say = (phase) => console.log(`pliant: ${phase}`);

/** Runs a command in the repository's folder; its output is shown, and if it fails, this process ends with its status. */
export function run(command, ...args) {
  // npm is a script on Windows, which only a shell runs.
  const shell = process.platform === 'win32' && command === 'npm';
  const { status, error } = spawnSync(command, args, { stdio: 'inherit', cwd: ROOT, shell });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

/** The same for a script of ours or of a package. */
export const runScript = (...args) => run(process.execPath, ...args);
