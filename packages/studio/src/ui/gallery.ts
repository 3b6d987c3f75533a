import { type SceneCard, type SceneGroup, scenes } from 'virtual:scenes';
import type { App } from '../app.js';
import { make } from './dom.js';
import { GREETING } from './hint.js';

/** Groups in their order, with their headings; the word of a button where the heading is long. */
const GROUPS: readonly { group: SceneGroup; title: string; short?: string }[] = [
  { group: 'touch', title: 'Touch' },
  { group: 'dent', title: 'Dent' },
  { group: 'break', title: 'Break' },
  { group: 'cut', title: 'Cut' },
  { group: 'flow', title: 'Flow' },
  { group: 'papers', title: 'From the papers', short: 'Papers' },
];

/** All scenes by group, each with a picture, what there is to see and what to try; and a search. */
export function mountGallery(dialog: HTMLDialogElement, app: App): void {
  const close = make(
    'button',
    { type: 'button', class: 'close', 'aria-label': 'Close the gallery', onclick: () => dialog.close() },
    '×',
  );
  const search = make('input', {
    type: 'search',
    id: 'gallery-search',
    'aria-label': 'Search the scenes',
    placeholder: 'Search: rubber, tear, bunny …',
    autocomplete: 'off',
  });
  const cards = scenes.map((scene) => ({ scene, item: cardOf(scene, dialog, app), words: wordsOf(scene) }));
  const nothing = make('p', { role: 'status', class: 'nothing' });
  const sections = GROUPS.map(({ group, title }) => {
    // The scene of the first visit comes first.
    const own = cards
      .filter(({ scene }) => scene.group === group)
      .sort((a, b) => Number(b.scene.name === GREETING) - Number(a.scene.name === GREETING));
    const section = make(
      'section',
      { 'aria-labelledby': `group-${group}` },
      make('h3', { id: `group-${group}` }, title),
      make('ul', { class: 'cards' }, ...own.map(({ item }) => item)),
    );
    return { group, section, own };
  });
  const jumps = make(
    'nav',
    { class: 'groups', 'aria-label': 'Groups of scenes' },
    ...sections.map(({ group, section }, k) => {
      const jump = make('button', { type: 'button', 'data-group': group }, GROUPS[k].short ?? GROUPS[k].title);
      jump.onclick = () => section.scrollIntoView({ block: 'start' });
      return jump;
    }),
  );
  search.oninput = () => {
    const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    for (const { item, words } of cards) {
      item.hidden = !wanted.every((word) => words.includes(word));
      if (!item.hidden) found++;
    }
    for (const { section, own } of sections) section.hidden = own.every(({ item }) => item.hidden);
    nothing.textContent = found === 0 ? 'No scene has all of these words.' : '';
  };
  dialog.append(
    make(
      'header',
      {},
      make('h2', { id: 'gallery-title' }, 'Gallery'),
      make('div', { class: 'find' }, search, jumps),
      close,
    ),
    ...sections.map(({ section }) => section),
    nothing,
  );
  app.on('document', () => {
    for (const { scene, item } of cards)
      item.firstElementChild!.setAttribute('aria-current', String(scene.name === app.document?.name));
  });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close();
  });
}

function cardOf(
  { name, title, description, hint, particles, variants }: SceneCard,
  dialog: HTMLDialogElement,
  app: App,
) {
  const picture = make('img', { src: `thumbnails/${name}.webp`, alt: '', width: 320, height: 200, loading: 'lazy' });
  const facts = [
    ...(particles ? [`${particles.toLocaleString('en')} particles`] : []),
    ...(variants.length > 3 ? [`${variants.length} variants`] : []),
    ...(variants.length > 0 && variants.length <= 3 ? [`variants: ${variants.join(', ')}`] : []),
  ];
  const card = make(
    'button',
    { type: 'button', 'data-scene': name },
    picture,
    make('strong', {}, title),
    make('span', {}, description.split('\n')[0]),
    ...(hint ? [make('span', { class: 'try' }, make('b', {}, 'Try: '), hint)] : []),
    ...(facts.length > 0 ? [make('small', {}, facts.join(' · '))] : []),
  );
  card.onclick = () => {
    dialog.close();
    void app.openScene(name);
  };
  return make('li', {}, card);
}

/** The words that a search looks through. */
const wordsOf = ({ name, title, description, hint, group, materials, variants }: SceneCard) =>
  [name, title, description, hint, group, ...materials, ...variants].join(' ').toLowerCase();
