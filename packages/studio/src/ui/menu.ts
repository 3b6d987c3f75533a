import type { App } from '../app.js';
import { icon, make, part } from './dom.js';
import { popoverFor } from './popovers.js';
import { toggleTheme } from './theme.js';

const GRID = 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z';
const SUN =
  'M12 12m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0M12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2';
const MESH = 'M12 3l8 5v8l-8 5-8-5V8zM12 3v18M4 8l8 5 8-5';
const TRAY = 'M12 4v10M8 10l4 4 4-4M4 15v5h16v-5';
const SLIDERS =
  'M4 7h10M18 7h2M4 17h2M10 17h10M16 7m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0M8 17m-2 0a2 2 0 1 0 4 0a2 2 0 1 0-4 0';

/** The buttons in the upper right corner. */
export function mountMenu(root: HTMLElement, app: App): void {
  const open = (id: string) => () => (part(id) as HTMLDialogElement).showModal();
  const panel = part('panel');
  const settings = make(
    'button',
    { type: 'button', id: 'open-panel', 'aria-expanded': 'true', 'aria-controls': 'panel' },
    icon(SLIDERS),
    'Settings',
  );
  const showPanel = (shown: boolean) => {
    panel.hidden = !shown;
    settings.setAttribute('aria-expanded', String(shown));
    if (shown) panel.dispatchEvent(new Event('shown'));
  };
  settings.onclick = () => showPanel(panel.hidden !== false);
  // The scene first.
  showPanel(false);
  root.append(
    make('button', { type: 'button', id: 'open-gallery', onclick: open('gallery') }, icon(GRID), 'Gallery'),
    make('button', { type: 'button', id: 'open-own', popovertarget: 'own' }, icon(MESH), 'Your mesh'),
    make('button', { type: 'button', id: 'open-keep', popovertarget: 'keep' }, icon(TRAY), 'Keep'),
    settings,
    make(
      'button',
      { type: 'button', id: 'theme', 'aria-label': 'Light or dark', title: 'Light or dark', onclick: toggleTheme },
      icon(SUN),
    ),
    make(
      'button',
      { type: 'button', id: 'open-help', 'aria-label': 'Help', title: 'Help (?)', onclick: open('help') },
      '?',
    ),
  );
  // Outside the header, which lets clicks through to the scene.
  document.body.append(
    popoverFor('own', 'Your mesh', async (popover) => (await import('./ownMenu.js')).fillOwn(popover, app)),
    popoverFor('keep', 'Keep', async (popover) => (await import('./keepMenu.js')).fillKeep(popover, app)),
  );
}
