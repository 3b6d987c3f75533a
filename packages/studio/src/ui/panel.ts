import type { App } from '../app.js';
import { Editor } from '../settings/editor.js';
import { SECTIONS } from '../settings/parts.js';
import { mountCompare } from './compare.js';
import { make } from './dom.js';
import { mountView } from './viewSettings.js';

/**
 * The settings by topic: those of everyday words first, all others under "Advanced". A folded section is loaded when it is
 * opened.
 */
export function mountPanel(root: HTMLElement, app: App): void {
  const editor = new Editor(app);
  const add = (into: HTMLElement, id: string, title: string, fill: (content: HTMLElement) => void | Promise<void>) => {
    const content = make('div', { class: 'content' });
    const details = make('details', { id: `section-${id}` }, make('summary', {}, title), content);
    const once = async () => {
      if (!details.open) return;
      details.removeEventListener('toggle', once);
      try {
        await fill(content);
      } catch (error) {
        app.say((error as Error).message, 'problem');
        details.open = false;
        details.addEventListener('toggle', once);
      }
    };
    details.addEventListener('toggle', once);
    into.append(details);
    return content;
  };
  const bar = make('div', { id: 'compare-bar', hidden: true });
  root.append(bar, bodySelect(editor));
  add(root, 'simple', 'Material', async (content) =>
    (await import('./materialSection.js')).fillMaterial(content, editor),
  );
  // Fetched with the first look at the panel.
  root.addEventListener('shown', () => root.querySelector('details')!.setAttribute('open', ''), { once: true });
  add(root, 'view', 'View', (content) => mountView(content, app));
  add(root, 'things', 'Bodies and obstacles', async (content) =>
    (await import('./thingsSection.js')).fillThings(content, editor, app),
  );
  const plots = add(root, 'plots', 'Plots', async (content) => (await import('./plots.js')).mountPlots(content, app));
  // Plots need all the room there is: what is above them goes out of the way.
  const details = plots.parentElement as HTMLDetailsElement;
  details.addEventListener('toggle', () => {
    if (details.open) requestAnimationFrame(() => root.scrollTo({ top: details.offsetTop - bar.offsetHeight }));
  });
  mountCompare(
    bar,
    add(root, 'compare', 'Compare', () => {}),
    app,
  );
  const advanced = make('div', { class: 'content' });
  root.append(make('details', { id: 'section-advanced' }, make('summary', {}, 'Advanced'), advanced));
  for (const { id, title, parts } of SECTIONS)
    add(advanced, id, title, async (content) => {
      const { fillSection } = await import('./settingsSection.js');
      await fillSection(content, parts, editor);
    });
}

/** Selects the body whose settings are shown, if there are several. */
function bodySelect(editor: Editor): HTMLElement {
  const select = make('select', { id: 'body' });
  select.onchange = () => editor.choose(Number(select.value));
  const row = make('div', { class: 'field', hidden: true }, make('label', { for: 'body' }, 'Settings of'), select);
  let shown = '';
  editor.onChange(() => {
    const { bodies } = editor;
    row.hidden = bodies.length < 2;
    if (bodies.join('\n') !== shown)
      select.replaceChildren(...bodies.map((name, k) => make('option', { value: k }, name)));
    shown = bodies.join('\n');
    select.value = String(editor.body);
  });
  return row;
}
