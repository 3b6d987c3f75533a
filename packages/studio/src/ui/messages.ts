import type { App } from '../app.js';
import { make, part } from './dom.js';

/** Time that a note is shown (ms); problems stay until they are dismissed. */
const STAY = 5000;

/** Messages for the user at the lower edge, and the worker's progress over the scene. */
export function mountMessages(root: HTMLElement, app: App): void {
  app.on('message', ({ text, kind }) => {
    const dismiss = make('button', { type: 'button', 'aria-label': 'Dismiss', onclick: () => line.remove() }, '×');
    const line = make('p', { class: kind }, text, dismiss);
    root.append(line);
    while (root.children.length > 4) root.firstElementChild!.remove();
    if (kind === 'note') setTimeout(() => line.remove(), STAY);
  });
  const busy = part('busy');
  app.simulation.on('progress', (what) => {
    busy.textContent = `${what} …`;
  });
  const done = () => {
    busy.textContent = '';
  };
  app.simulation.on('moment', done);
  app.simulation.on('problem', done);
}
