import type { App, Tool } from '../app.js';
import { icon, make } from './dom.js';

export const TOOLS: readonly { tool: Tool; name: string; key: string; path: string; help: string }[] = [
  {
    tool: 'pick',
    name: 'Pick',
    key: '1',
    path: 'M8 12V5a1.5 1.5 0 0 1 3 0v5V4a1.5 1.5 0 0 1 3 0v6-4.5a1.5 1.5 0 0 1 3 0V14c0 4-2.500 7-6 7-3 0-4.500-1.500-6.500-5L3 13.500A1.500 1.500 0 0 1 5.500 12L8 14',
    help: 'Drag a body. The wheel pulls nearer and pushes away, L, a long press or a second finger locks it in place.',
  },
  {
    tool: 'push',
    name: 'Push',
    key: '2',
    path: 'M12 12m-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0M2 12h2M20 12h2M12 2v2M12 20v2',
    help: 'Drag a ball through the scene. The wheel makes it larger or smaller.',
  },
  {
    tool: 'cut',
    name: 'Cut',
    key: '3',
    path: 'M6 6m-2.500 0a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0-5 0M6 18m-2.500 0a2.500 2.500 0 1 0 5 0a2.500 2.500 0 1 0-5 0M8 8l12 11M8 16L20 5',
    help: 'Draw a line across a body to cut it through, or a short one that ends on it to cut it in.',
  },
  {
    tool: 'look',
    name: 'Look',
    key: '4',
    path: 'M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7zM12 12m-3 0a3 3 0 1 0 6 0a3 3 0 1 0-6 0',
    help: 'Drag to turn the view. With the other hands: drag beside the bodies, or with the right button.',
  },
  {
    tool: 'move',
    name: 'Move',
    key: '5',
    path: 'M12 3v18M3 12h18M12 3l-3 3M12 3l3 3M12 21l-3-3M12 21l3-3M3 12l3-3M3 12l3 3M21 12l-3-3M21 12l-3 3',
    help: 'Drag a body or an obstacle to where it shall begin: the scene starts anew with it there.',
  },
];

const BACK = 'M9 6L4 11l5 5M4 11h10a6 6 0 0 1 6 6v1';
const AGAIN = 'M15 6l5 5-5 5M20 11H10a6 6 0 0 0-6 6v1';

/** Selects the tool, and has buttons for its further actions. */
export function mountTools(root: HTMLElement, app: App): void {
  for (const { tool, name, key, path, help } of TOOLS) {
    const button = make(
      'button',
      { type: 'button', id: `tool-${tool}`, title: `${help} (${key})`, 'aria-pressed': app.tool === tool },
      icon(path),
      name,
    );
    button.setAttribute('aria-pressed', String(app.tool === tool));
    button.onclick = () => app.setTool(tool);
    app.on('tool', (now) => button.setAttribute('aria-pressed', String(now === tool)));
    root.append(button);
  }
  const drop = make(
    'button',
    { type: 'button', id: 'drop-picks', title: 'Lets go of everything that is locked (U)', hidden: true },
    'Let go',
  );
  drop.onclick = () => {
    for (const simulation of app.simulations) simulation.send({ type: 'dropAllPicks' });
  };
  const undo = make('button', { type: 'button', id: 'undo', 'aria-label': 'Undo' }, icon(BACK));
  const redo = make('button', { type: 'button', id: 'redo', 'aria-label': 'Redo' }, icon(AGAIN));
  const pair = make('div', { class: 'pair', role: 'group', 'aria-label': 'Edits and cuts' }, undo, redo);
  undo.onclick = () => app.past.undo();
  redo.onclick = () => app.past.redo();
  const update = () => {
    const { nextUndo, nextRedo } = app.past;
    pair.hidden = !nextUndo && !nextRedo;
    undo.disabled = !nextUndo;
    redo.disabled = !nextRedo;
    undo.title = `Takes back: ${nextUndo ?? 'nothing'} (Ctrl Z)`;
    redo.title = `Does again: ${nextRedo ?? 'nothing'} (Ctrl Shift Z)`;
  };
  app.past.onChange(update);
  update();
  root.append(drop, pair);
  app.simulation.on('cut', ({ bodies, message }) => {
    app.say(message);
    if (bodies > 0) app.past.recordCut();
  });
  app.simulation.on('moment', ({ picks }) => {
    drop.hidden = !picks.some(({ locked }) => locked);
  });
}
