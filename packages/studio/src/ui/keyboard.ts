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
    // Text fields undo their own letters; sliders and boxes do not.
    const typing = 'input:not([type="range"], [type="checkbox"], [type="color"]), textarea, dialog[open]';
    const isShortcut = event.ctrlKey || event.metaKey;
    if ((target as HTMLElement).closest?.(isShortcut ? typing : 'input, select, textarea, dialog[open]')) return;
    if (event.ctrlKey || event.metaKey) {
      if (key.toLowerCase() === 's') {
        event.preventDefault();
        void import('../saving/actions.js').then(({ saveScene }) => saveScene(app));
        return;
      }
      const button = withControl(key.toLowerCase(), event.shiftKey);
      if (!button) return;
      event.preventDefault();
      return part(button).click();
    }
    if (event.altKey) return;
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

/** The button that a key presses together with Ctrl or Cmd. */
function withControl(key: string, shift: boolean): string | undefined {
  if (key === 'z') return shift ? 'redo' : 'undo';
  if (key === 'y') return 'redo';
  return undefined;
}
