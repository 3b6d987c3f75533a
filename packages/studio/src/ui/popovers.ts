import { make } from './dom.js';

/** A small menu that opens under a button of the header. It is filled, and its code fetched, when it is opened for the first time. */
export function popoverFor(id: string, label: string, fill: (root: HTMLElement) => Promise<void>): HTMLElement {
  const root = make('div', { id, class: 'popover', popover: 'auto', role: 'group', 'aria-label': label });
  const open = async () => {
    await fill(root);
    root.querySelector<HTMLElement>('button, input')?.focus();
  };
  root.addEventListener('beforetoggle', open, { once: true });
  return root;
}
