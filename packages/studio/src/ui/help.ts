import { make } from './dom.js';
import { TOOLS } from './tools.js';

/** Keys and their actions, for the page and the help. */
export const SHORTCUTS: readonly (readonly [string, string])[] = [
  ...TOOLS.map(({ key, name, help }) => [key, `${name}: ${help}`] as const),
  ['Space', 'Play or pause.'],
  ['.', 'One step.'],
  ['R', 'Back to the start.'],
  ['L', 'Lock what is held where it is; it stays when let go.'],
  ['U', 'Let go of everything that is locked.'],
  ['Ctrl Z', 'Take the last edit or cut back; Ctrl Shift Z does an edit again.'],
  ['Ctrl S', 'Save the scene as a file.'],
  ['C', 'Next of the scene’s cameras.'],
  ['P', 'Particles or surface.'],
  ['G', 'Gallery.'],
  ['S', 'Settings.'],
  ['Arrows, + −', 'Turn the view, come closer, go away (when the scene has the focus). With Shift, arrows move it.'],
  [
    'Enter',
    'With the scene in focus: take hold of what is in the middle of the view, or put the ball there; arrows, + and − move it, Enter lets go.',
  ],
  ['V, H', 'With the knife and the scene in focus: cut through the middle of the view, down or across.'],
  ['?', 'This list.'],
];

export function mountHelp(dialog: HTMLDialogElement): void {
  const close = make(
    'button',
    { type: 'button', class: 'close', 'aria-label': 'Close the help', onclick: () => dialog.close() },
    '×',
  );
  const keys = make(
    'dl',
    {},
    ...SHORTCUTS.flatMap(([key, what]) => [make('dt', {}, make('kbd', {}, key)), make('dd', {}, what)]),
  );
  dialog.append(
    make('header', {}, make('h2', { id: 'help-title' }, 'Hands and keys'), close),
    make(
      'p',
      {},
      'Bodies here are clouds of particles in overlapping clusters. Each cluster wants its rest shape back; where clusters give way, the body dents, flows or tears. Drag a body to pick it up; on a touch screen one finger is the hand, and two fingers that come down together turn and zoom the view; a long press locks a body where it is, and so does a second finger that comes later. Drop a mesh of your own anywhere on the page.',
    ),
    keys,
  );
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
}
