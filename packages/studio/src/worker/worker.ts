import type { Command, Report } from '../protocol.js';
import { Pacer } from './pacer.js';
import { Session } from './session.js';

/** The worker's side: one scene at a time, commands in the order of arrival. */
const post = (report: Report, transfer: Transferable[] = []) => self.postMessage(report, { transfer });

let session: Session | undefined;
let loads = 0;
const pacer = new Pacer(() => session, post);

self.onmessage = async ({ data }: MessageEvent<Command>) => {
  try {
    if (data.type === 'load') await load(data);
    else if (data.type === 'unload') unload();
    else if (data.type === 'return') pacer.giveBack(data.buffer);
    else if (session) {
      session.obey(data);
      pacer.wake();
    }
  } catch (error) {
    const edit = 'edit' in data ? data.edit : undefined;
    const message = sentence(error);
    post(edit === undefined ? { type: 'problem', message, fatal: false } : { type: 'refused', message, edit });
    pacer.wake();
  }
};

function unload(): void {
  loads++;
  session?.dispose();
  session = undefined;
}

async function load({ scene, options }: Command & { type: 'load' }): Promise<void> {
  unload();
  const mine = loads;
  try {
    const next = await Session.load(scene, options, post);
    // Another scene was requested meanwhile.
    if (mine !== loads) return next.dispose();
    session = next;
    post({ type: 'loaded', load: options.load, scene: next.summary });
    pacer.begin(options.shared);
  } catch (error) {
    // Messages show file names, not the server's addresses.
    const folder = scene.path.slice(0, scene.path.lastIndexOf('/') + 1);
    const message = folder === '' ? sentence(error) : sentence(error).replaceAll(folder, '');
    if (mine === loads) post({ type: 'problem', message, fatal: true });
  }
}

/** Messages of the engine are sentences already. */
function sentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

post({ type: 'ready' });
