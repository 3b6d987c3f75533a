import type { App } from '../app.js';
import { make, part } from '../ui/dom.js';
import { download, fileNameOf } from './download.js';
import { Recording } from './video.js';

let recording: Recording | undefined;

/**
 * Starts a recording of the scene, or ends it and offers the file. Meanwhile the page shows a button with the time,
 * which ends it too.
 */
export async function toggleRecording(app: App): Promise<void> {
  if (recording) return stop(app);
  recording = Recording.start(part('view') as HTMLCanvasElement);
  if (app.graphics) app.graphics.stage.restless = true;
  const time = make('span', {}, '0:00');
  const mark = make(
    'button',
    { type: 'button', id: 'recording', onclick: () => void stop(app) },
    make('span', { class: 'dot', 'aria-hidden': 'true' }),
    'Recording ',
    time,
    ' · Stop',
  );
  part('stage').append(mark);
  const clock = setInterval(() => {
    if (!recording) {
      clearInterval(clock);
      mark.remove();
      return;
    }
    const seconds = Math.floor((performance.now() - recording.begun) / 1000);
    time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }, 200);
}

async function stop(app: App): Promise<void> {
  const done = recording;
  recording = undefined;
  if (!done) return;
  if (app.graphics) app.graphics.stage.restless = false;
  const { blob, ending } = await done.stop();
  if (blob.size === 0) return app.say('Nothing was recorded: the scene was not drawn meanwhile.', 'problem');
  download(`${fileNameOf(app.simulation.scene?.title ?? 'scene')}.${ending}`, blob, blob.type);
}

export const isRecording = (): boolean => recording !== undefined;
