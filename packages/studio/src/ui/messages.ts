import type { App } from '../app.js';
import { make } from './dom.js';

/** Time that a message is shown (ms): a problem takes longer to read. */
const STAY = { note: 5000, problem: 15_000 };

/**
 * Messages for the user at the lower edge. They go away by themselves, but not while the pointer or the focus is on
 * them; problems also when another scene is open.
 */
export function mountMessages(root: HTMLElement, app: App): void {
  app.on('message', ({ text, kind }) => {
    // The same message again replaces the first, and any replaces what tells that something is under way.
    for (const old of [...root.children]) {
      const said = old.firstChild?.textContent;
      if (said === text || said?.endsWith('…')) old.remove();
    }
    const dismiss = make('button', { type: 'button', 'aria-label': 'Dismiss', onclick: () => line.remove() }, '×');
    const line = make('p', { class: kind }, text, dismiss);
    root.append(line);
    while (root.children.length > 4) root.firstElementChild!.remove();
    const leave = () => {
      if (line.matches(':hover, :focus-within')) setTimeout(leave, 1000);
      else line.remove();
    };
    setTimeout(leave, STAY[kind]);
  });
  app.on('opened', () => {
    for (const line of root.querySelectorAll('.problem')) line.remove();
  });
}
