import type { App } from '../app.js';
import { COLOURINGS, type Colouring, type Show } from '../protocol.js';
import { make } from './dom.js';

/** Settings of the view: what is drawn, its colours, and the camera. */
export function mountView(root: HTMLElement, app: App): void {
  const box = (key: 'surface' | 'particles' | 'clusters' | 'proxies' | 'goals', text: string) => {
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
  root.append(
    make(
      'div',
      { class: 'checks' },
      box('surface', 'Surface'),
      box('particles', 'Particles'),
      box('clusters', 'Clusters'),
      box('proxies', 'Proxies'),
      box('goals', 'Goals'),
    ),
    make('div', { class: 'field' }, make('label', { for: 'colouring' }, 'Colour by'), colours),
    cameras(app),
  );
}

/** The cameras of the scene. */
function cameras(app: App): HTMLElement {
  const group = make('div', {
    id: 'cameras',
    class: 'cameras',
    role: 'group',
    'aria-label': 'Look from',
    hidden: true,
  });
  app.simulation.on('loaded', ({ cameras: places }) => {
    group.hidden = places.length === 0;
    group.replaceChildren(
      make('span', {}, 'Look from'),
      ...places.map((place, k) => {
        const button = make('button', { type: 'button', 'data-camera': k }, place.name);
        button.onclick = () => app.look(place);
        return button;
      }),
    );
  });
  return group;
}
