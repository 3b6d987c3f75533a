import type { App } from '../app.js';
import { make } from './dom.js';
import { GREETING } from './hint.js';

/** The title of the open scene, what there is to see, and what to try. */
export function mountTitle(root: HTMLElement, app: App): void {
  app.simulation.on('loaded', ({ title, description }) => {
    document.title = `${title} · Pliant`;
    const [first, ...more] = description.split('\n');
    const text = make('p', {}, first);
    if (more.length > 0) text.title = more.join('\n');
    const { name, json } = app.document ?? {};
    const hint = json?.['try'];
    root.replaceChildren(make('h2', {}, title), text);
    if (typeof hint === 'string' && name !== GREETING)
      root.append(make('p', { class: 'try' }, make('b', {}, 'Try: '), hint));
  });
}
