import type { App } from '../app.js';
import { Editor } from '../settings/editor.js';
import { SECTIONS } from '../settings/parts.js';
import { mountCompare } from './compare.js';
import { make } from './dom.js';
import { mountView } from './viewSettings.js';

/** The settings by topic. A folded section is loaded when it is opened. */
export function mountPanel(root: HTMLElement, app: App): void {
  const editor = new Editor(app);
  const add = (id: string, title: string, fill: (content: HTMLElement) => void | Promise<void>, open = false) => {
    const content = make('div', { class: 'content' });
    const details = make('details', { id: `section-${id}`, open }, make('summary', {}, title), content);
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
    if (open) void fill(content);
    else details.addEventListener('toggle', once);
    root.append(details);
    return content;
  };
  const bar = make('div', { id: 'compare-bar', hidden: true });
  root.append(bar);
  add('view', 'View', (content) => mountView(content, app), true);
  root.append(bodySelect(editor));
  for (const { id, title, parts } of SECTIONS)
    add(id, title, async (content) => {
      const { fillSection } = await import('./settingsSection.js');
      await fillSection(content, parts, editor);
    });
  add('plots', 'Plots', async (content) => {
    const { mountPlots } = await import('./plots.js');
    mountPlots(content, app);
  });
  mountCompare(
    bar,
    add('compare', 'Compare', () => {}),
    app,
  );
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
