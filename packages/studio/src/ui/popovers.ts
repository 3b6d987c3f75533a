import { make } from './dom.js';

/**
 * A small menu under a button of the header. Its code is fetched and it is filled when it is opened for the first time.
 */
export function popoverFor(id: string, label: string, fill: (root: HTMLElement) => Promise<void>): HTMLElement {
  const root = make('div', { id, class: 'popover', popover: 'auto', role: 'region', 'aria-label': label });
  const open = async () => {
    await fill(root);
    root.querySelector<HTMLElement>('button, input')?.focus();
  };
  root.addEventListener('beforetoggle', open, { once: true });
  return root;
}
