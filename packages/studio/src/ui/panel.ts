import type { App } from '../app.js';
import { COLOURINGS, type Colouring, type Show } from '../protocol.js';
import { make } from './dom.js';

/** Settings, by topic: what is shown, what the bodies are made of, how they go. */
export function mountPanel(root: HTMLElement, app: App): void {
  root.append(mountView(app));
}

/** What is drawn, and in which colours. */
function mountView(app: App): HTMLElement {
  const section = make('details', { open: true }, make('summary', {}, 'View'));
  const box = (key: 'surface' | 'particles' | 'clusters' | 'proxies', text: string) => {
    const input = make('input', { type: 'checkbox', id: `show-${key}` });
    input.checked = app.show[key];
    input.onchange = () => app.setShow({ [key]: input.checked } as Partial<Show>);
    app.on('show', (show) => {
      input.checked = show[key];
    });
    return make('label', { class: 'check' }, input, text);
  };
  const colours = make(
    'select',
    { id: 'colouring' },
    ...COLOURINGS.map((name) => make('option', { value: name }, name)),
  );
  colours.onchange = () => app.setShow({ colouring: colours.value as Colouring });
  app.on('show', ({ colouring }) => {
    colours.value = colouring;
  });
  section.append(
    box('surface', 'Surface'),
    box('particles', 'Particles'),
    box('clusters', 'Clusters'),
    box('proxies', 'Collision proxies'),
    make('label', {}, 'Colour by ', colours),
  );
  return section;
}
