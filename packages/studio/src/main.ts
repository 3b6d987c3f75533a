import { App } from './app.js';
import { mountBusy } from './ui/busy.js';
import { part } from './ui/dom.js';
import { watchFocusMarks } from './ui/focusMarks.js';
import { mountGallery } from './ui/gallery.js';
import { mountHelp } from './ui/help.js';
import { mountHint } from './ui/hint.js';
import { mountKeyboard } from './ui/keyboard.js';
import { mountLegend } from './ui/legend.js';
import { mountMenu } from './ui/menu.js';
import { mountMessages } from './ui/messages.js';
import { mountPanel } from './ui/panel.js';
import { shareScale } from './ui/sharedScale.js';
import { mountTitle } from './ui/title.js';
import { mountTools } from './ui/tools.js';
import { mountTransport } from './ui/transport.js';
import { mountDrop } from './userFiles/drop.js';

/** The scene of the first visit: a body that waits to be dragged. */
const FIRST = 'hello';

const app = new App();
watchFocusMarks();
mountMessages(part('messages'), app);
mountBusy(part('busy'), app);
mountTitle(part('title'), app);
mountMenu(part('menu'), app);
mountTools(part('tools'), app);
mountTransport(part('controls'), app);
mountPanel(part('panel'), app);
mountLegend(part('legend'), app);
mountHint(part('hint'), app);
shareScale(app);
mountGallery(part('gallery') as HTMLDialogElement, app);
mountHelp(part('help') as HTMLDialogElement);
mountKeyboard(app);
mountDrop(document.body, app);
// For budgets: when controls can be used, and when something is seen.
performance.mark('pliant: controls');

// The worker begins to build while three.js is still loading.
const query = new URLSearchParams(location.search);
document.body.classList.toggle('bare', query.has('bare'));
const running = query.get('paused') === null;
const openAddress = async () => {
  if (location.hash.startsWith('#s=')) (await import('./saving/share.js')).openLink(app, running);
  else await app.openScene(query.get('scene') ?? FIRST, running, query.get('variant') ?? undefined);
};
void openAddress();
// A link pasted over the address of the open page changes only the part after the #.
window.addEventListener('hashchange', () => {
  if (location.hash.startsWith('#s=')) void openAddress();
});
void import('./view/graphics.js').then(({ startGraphics }) => startGraphics(app));

// For tests and for the console.
Object.assign(globalThis, { pliant: app });
