import type { App } from '../app.js';
import { part } from './dom.js';
import { TOOLS } from './tools.js';

/** Shortcuts (help.ts lists them). They press the existing buttons, so that both do the same. */
export function mountKeyboard(app: App): void {
  let camera = 0;
  const press = (id: string) => () => part(id).click();
  const actions: Record<string, () => void> = {
    ' ': press('play'),
    '.': press('step'),
    r: press('reset'),
    u: press('drop-picks'),
    g: press('open-gallery'),
    s: press('open-panel'),
    '?': press('open-help'),
    p: () => app.setShow({ particles: app.show.surface, surface: !app.show.surface }),
    c: () => {
      const { cameras } = app.simulation.scene ?? { cameras: [] };
      if (cameras.length > 0) app.look(cameras[++camera % cameras.length]);
    },
  };
  for (const { key, tool } of TOOLS) actions[key] = () => app.setTool(tool);
  window.addEventListener('keydown', (event) => {
    const { target, key } = event;
    if ((target as HTMLElement).closest?.('input, select, textarea, dialog[open]')) return;
    if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'z') {
      event.preventDefault();
      return part('undo').click();
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    // A focused control handles the space bar and Enter itself.
    if ((key === ' ' || key === 'Enter') && (target as HTMLElement).closest?.('button, a, summary')) return;
    // Enter takes hold of a body, also before anything has the focus.
    if (key === 'Enter' && target !== part('view')) {
      event.preventDefault();
      part('view').focus();
      part('view').dispatchEvent(new KeyboardEvent('keydown', { key }));
      return;
    }
    const action = actions[key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  });
}
