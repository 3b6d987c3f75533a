import type { App, Side } from '../app.js';
import type { SceneJson } from '../sceneDocument.js';
import type { Difference } from '../settings/differences.js';
import { make, part } from './dom.js';
import { paceOf } from './paceOf.js';

const SIDES: readonly { side: Side; name: string }[] = [
  { side: 'left', name: 'Left' },
  { side: 'right', name: 'Right' },
];

/**
 * Two variants of one scene side by side: `section` begins a comparison, `bar` selects the edited side and ends it, and
 * each half shows its settings.
 */
export function mountCompare(bar: HTMLElement, section: HTMLElement, app: App): void {
  const begin = make('button', { type: 'button', id: 'compare-start', class: 'plain' }, 'Compare');
  begin.onclick = () => app.document && app.compareWith(app.document.json);
  const before = make(
    'button',
    { type: 'button', id: 'compare-original', class: 'plain' },
    'Compare with the scene as opened',
  );
  before.onclick = () => compareWithOriginal(app);
  section.append(
    make(
      'p',
      { class: 'note' },
      'Runs the scene twice, side by side: what is changed from then on is changed on the right.',
    ),
    make('div', { class: 'buttons' }, begin, before),
  );
  mountVariants(section, app);

  const sides = SIDES.map(({ side, name }) => {
    const button = make('button', { type: 'button', id: `edit-${side}` }, name);
    button.onclick = () => app.edit(side);
    return button;
  });
  const keep = make(
    'button',
    { type: 'button', id: 'compare-keep', title: 'Goes on with the right one alone' },
    'Keep right',
  );
  keep.onclick = () => app.endComparison('right');
  const end = make('button', { type: 'button', id: 'compare-end', title: 'Goes on with the left one alone' }, 'End');
  end.onclick = () => app.endComparison();
  bar.append(
    make('div', { role: 'group', 'aria-label': 'Settings of which half' }, make('span', {}, 'Edit'), ...sides),
    keep,
    end,
  );

  const update = () => {
    bar.hidden = !app.second;
    begin.disabled = before.disabled = app.second !== undefined;
    before.hidden = !app.second && app.document?.json === app.original;
    SIDES.forEach(({ side }, k) => {
      sides[k].setAttribute('aria-pressed', String(app.side === side));
    });
  };
  app.on('edited', update);
  app.on('beside', update);
  update();
  mountHalves(part('halves'), app);
}

/** The variants that the scene's file names: one of them beside the open scene, or alone. */
function mountVariants(section: HTMLElement, app: App): void {
  const select = make('select', { id: 'variant' });
  const words = make('p', { class: 'note', id: 'variant-words' });
  const beside = make('button', { type: 'button', id: 'variant-beside', class: 'plain' }, 'Side by side');
  const alone = make('button', { type: 'button', id: 'variant-alone', class: 'plain' }, 'Alone');
  const row = make('div', { class: 'field' }, make('label', { for: 'variant' }, 'Variant'), select);
  const part = make('div', { id: 'variants' }, row, words, make('div', { class: 'buttons' }, beside, alone));
  section.append(part);
  const describe = () => {
    words.textContent = app.original?.variants?.[select.value]?.description?.split('\n')[0] ?? '';
  };
  select.onchange = describe;
  const apply = async (act: (json: SceneJson) => void) => {
    const { original } = app;
    if (!original) return;
    try {
      const { applyVariant } = await import('../settings/variants.js');
      act(applyVariant(original, select.value, original.title));
    } catch (error) {
      app.say((error as Error).message, 'problem');
    }
  };
  beside.onclick = () => void apply((json) => app.compareWith(json));
  alone.onclick = () => {
    app.endComparison();
    void apply((json) => app.rebuild(json));
  };
  let shown: SceneJson['variants'];
  const update = () => {
    const variants = app.original?.variants;
    part.hidden = !variants;
    if (variants === shown) return;
    shown = variants;
    select.replaceChildren(...Object.keys(variants ?? {}).map((name) => make('option', { value: name }, name)));
    describe();
  };
  app.on('edited', update);
  update();
}

/** Compares the document as opened (left) with the present one (right). */
function compareWithOriginal(app: App): void {
  const { document, original } = app;
  if (!document || !original) return;
  app.amend(original);
  app.compareWith(document.json);
}

/** The differences above each half, and its time. */
function mountHalves(root: HTMLElement, app: App): void {
  const labels = SIDES.map(({ side, name }) => {
    const clock = make('output', {});
    const list = make('ul', {});
    const title = make('strong', {}, name);
    const label = make('div', { id: `label-${side}`, class: 'half' }, title, ' ', clock, list);
    return { label, clock, list, title };
  });
  root.append(...labels.map(({ label }) => label));

  const show = (found: Difference[]) => {
    const shown = found.slice(0, 4);
    labels.forEach(({ list }, k) => {
      const lines = shown.map((one) => make('li', {}, `${one.name} `, make('b', {}, k === 0 ? one.left : one.right)));
      if (found.length > shown.length) lines.push(make('li', {}, `and ${found.length - shown.length} more`));
      if (found.length === 0) lines.push(make('li', {}, 'as the other; change it in the panel'));
      list.replaceChildren(...lines);
    });
  };
  const update = async () => {
    if (!app.variant) return;
    const [{ differences }, { loadSchema }] = await Promise.all([
      import('../settings/differences.js'),
      import('../settings/loadSchema.js'),
    ]);
    const schema = await loadSchema();
    if (!app.document || !app.variant) return;
    const titles = [app.document.json.title, app.variant.title];
    SIDES.forEach(({ name }, k) => {
      labels[k].title.textContent = titles[0] === titles[1] ? name : `${name}: ${titles[k]}`;
    });
    show(differences(app.document.json, app.variant, schema));
  };
  app.on('edited', () => void update().catch((error: Error) => app.say(error.message, 'problem')));
  let timer: ReturnType<typeof setInterval> | undefined;
  app.on('beside', (beside) => {
    clearInterval(timer);
    if (beside)
      timer = setInterval(() => {
        app.simulations.forEach(({ latest }, k) => {
          labels[k].clock.textContent = latest ? `${latest.time.toFixed(2)} s` : '…';
        });
        keepTogether(app);
      }, 125);
  });
}

/** Slows the half that is ahead, the more the larger its lead, so that the halves stay comparable on a slow machine. */
function keepTogether(app: App): void {
  const times = app.simulations.map(({ latest }) => latest?.time ?? Number.NaN);
  app.simulations.forEach((simulation, k) => {
    const factor = app.speed * paceOf(times[k] - times[1 - k]);
    if (simulation.latest?.running && Number.isFinite(factor)) simulation.send({ type: 'speed', factor });
  });
}
