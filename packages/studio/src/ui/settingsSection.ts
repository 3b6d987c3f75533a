import type { Editor } from '../settings/editor.js';
import { loadSchema } from '../settings/loadSchema.js';
import { isRaw, type Part, settingsOfPart } from '../settings/parts.js';
import type { JsonSchema, Setting } from '../settings/schema.js';
import { make } from './dom.js';
import { makeField } from './field.js';

/** The effect of a change in a part, for the user. */
const NOTES: Record<Part, string> = {
  material: 'Changes apply at once; masses build the body anew.',
  sampling: 'Changes build the body anew.',
  clustering: 'Changes build the body anew.',
  levels: 'Weights, stiffness and damping apply at once; the rest builds the body anew.',
  fracture: 'Changes build the body anew.',
  reclustering: 'Changes build the body anew.',
  contact: 'Changes build the body anew.',
  world: 'Gravity applies at once; another time step begins anew.',
};

/** Fills a section of the panel with the fields of its parts, from the schema. */
export async function fillSection(root: HTMLElement, parts: readonly Part[], editor: Editor): Promise<void> {
  const schema = await loadSchema();
  for (const part of parts) {
    if (parts.length > 1) root.append(make('h3', {}, part[0].toUpperCase() + part.slice(1)));
    fillPart(root, schema, part, editor);
  }
}

function fillPart(root: HTMLElement, schema: JsonSchema, part: Part, editor: Editor): void {
  const note = make('p', { class: 'note' }, NOTES[part]);
  root.append(note);
  const updates: ((disabled: boolean) => void)[] = [];
  if (part === 'levels') root.append(levelsSwitch(editor));
  addFields(root, settingsOfPart(schema, part), part, [], editor, updates);
  const update = () => {
    const reason = whyNot(editor, part);
    note.textContent = reason ?? noteOf(editor, part);
    const off = part === 'levels' && editor.read({ part, path: [] }) === undefined;
    for (const one of updates) one(reason !== undefined || off);
  };
  editor.onChange(update);
  update();
}

function addFields(
  root: HTMLElement,
  settings: Setting[],
  part: Part,
  way: string[],
  editor: Editor,
  updates: ((disabled: boolean) => void)[],
): void {
  for (const setting of settings) {
    const path = [...way, setting.key];
    if (setting.form.kind === 'group') {
      const group = make('fieldset', {}, make('legend', {}, setting.label), make('p', { class: 'note' }, setting.help));
      addFields(group, setting.form.settings, part, path, editor, updates);
      updates.push(() => {
        group.hidden = !editor.offers(part, path[0]);
      });
      root.append(group);
      continue;
    }
    const place = { part, path };
    const field = makeField(setting, [part, ...path].join('.'), (value) => {
      if (value === undefined && isOnly(editor, part, setting.key)) return field.show(editor.read(place), false);
      editor.write(place, value, setting.preset);
    });
    updates.push((disabled) => {
      field.element.hidden = !editor.offers(part, path[0]);
      field.show(editor.read(place), disabled);
    });
    root.append(field.element);
  }
}

/** A switch for levels, independent of their settings. */
function levelsSwitch(editor: Editor): HTMLElement {
  const input = make('input', { type: 'checkbox', id: 'set-levels' });
  input.onchange = () => editor.write({ part: 'levels', path: [] }, input.checked ? {} : undefined);
  const update = () => {
    input.checked = editor.read({ part: 'levels', path: [] }) !== undefined;
    input.disabled = whyNot(editor, 'levels') !== undefined && !input.checked;
  };
  editor.onChange(update);
  update();
  return make('label', { class: 'check' }, input, 'Levels above the clusters');
}

/** A body has either a number of particles or a spacing; the present one cannot be removed. */
const isOnly = (editor: Editor, part: Part, key: string) =>
  part === 'sampling' && (key === 'count' || key === 'spacing') && editor.read({ part, path: [key] }) !== undefined;

/** Why a part has no meaning for the body; undefined if it has one. */
function whyNot(editor: Editor, part: Part): string | undefined {
  const body = editor.json?.bodies[editor.body];
  if (part === 'clustering' && body?.['clusters']) return 'The scene gives the clusters of this body one by one.';
  const type = (body?.['geometry'] as { type?: string } | undefined)?.type;
  if (part === 'sampling' && (type === 'points' || type === 'particles'))
    return 'The scene gives the particles of this body one by one.';
  if (part === 'levels' && editor.json && !isRaw(editor.json, editor.body))
    return 'This body has an elastic law; levels belong to bodies with per-step parameters (raw).';
  return undefined;
}

function noteOf(editor: Editor, part: Part): string {
  if (part !== 'material') return NOTES[part];
  const { sharing: others, preset, warnings } = editor;
  const named = others.length > 3 ? `${others.length} other bodies` : others.join(', ');
  return [
    ...(others.length > 0 ? [`Shared with ${named}.`] : []),
    NOTES[part],
    ...(preset ? [`What is not set is that of ${preset}.`] : []),
    ...warnings,
  ].join(' ');
}
