import { main } from './main.js';

/** The end of a command: its exit code and all that it said. */
export interface CommandResult {
  code: number;
  out: string;
  err: string;
}

/** The task 'command' of the queue: one command of `pliant`, as a terminal would start it in this folder. */
export async function run({ args }: { args: string[] }): Promise<CommandResult> {
  const result: CommandResult = { code: 0, out: '', err: '' };
  const io = {
    out: (text: string) => void (result.out += text),
    err: (text: string) => void (result.err += text),
    tty: false,
  };
  result.code = await main(['node', 'pliant', ...args], io);
  return result;
}
