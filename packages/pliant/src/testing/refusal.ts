import { PliantError } from '../check.js';

/** The message with which something is refused. Fails where it is not refused, or by an error that is not Pliant's own. */
export function refusal(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (!(error instanceof PliantError)) throw error;
    if (!error.message.startsWith(error.path.split(/[ .[]/)[0]))
      throw new Error(`the message ${JSON.stringify(error.message)} does not start with its path ${error.path}`);
    return error.message;
  }
  throw new Error('expected a refusal, but nothing was thrown');
}
