import { scenes } from 'virtual:scenes';
import type { App } from '../app.js';
import { make } from './dom.js';

/** All scenes with a picture and a line on what to look at. */
export function mountGallery(dialog: HTMLDialogElement, app: App): void {
  const close = make(
    'button',
    { type: 'button', class: 'close', 'aria-label': 'Close the gallery', onclick: () => dialog.close() },
    '×',
  );
  const list = make('ul', { class: 'cards' });
  for (const { name, title, description, particles, variants } of scenes) {
    const picture = make('img', { src: `thumbnails/${name}.webp`, alt: '', width: 320, height: 200, loading: 'lazy' });
    const facts = [
      ...(particles > 0 ? [`${particles.toLocaleString('en')} particles`] : []),
      ...(variants.length > 0
        ? [variants.length > 3 ? `${variants.length} variants` : `variants: ${variants.join(', ')}`]
        : []),
    ];
    const size = facts.length > 0 ? make('small', {}, facts.join(' · ')) : '';
    const card = make(
      'button',
      { type: 'button', 'data-scene': name },
      picture,
      make('strong', {}, title),
      make('span', {}, description.split('\n')[0]),
      size,
    );
    card.onclick = () => {
      dialog.close();
      void app.openScene(name);
    };
    list.append(make('li', {}, card));
  }
  dialog.append(make('header', {}, make('h2', { id: 'gallery-title' }, 'Gallery'), close), list);
  const mark = () => {
    for (const card of list.querySelectorAll('button'))
      card.setAttribute('aria-current', String(card.dataset['scene'] === app.document?.name));
  };
  app.on('document', mark);
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
}
