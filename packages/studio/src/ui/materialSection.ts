import type { Editor } from '../settings/editor.js';
import { loadSchema } from '../settings/loadSchema.js';
import { drawnColour } from '../settings/looks.js';
import { addressOf } from '../settings/parts.js';
import { PRESETS, SIMPLE, type Simple, takePreset } from '../settings/simple.js';
import { make } from './dom.js';
import { askButton } from './field.js';

/** Positions of a slider. */
const NOTCHES = 200;

/** The material of a body in everyday words, and how the body looks. */
export async function fillMaterial(root: HTMLElement, editor: Editor): Promise<void> {
  const note = make('p', { class: 'note' });
  root.append(presetField(editor), ...SIMPLE.map((simple) => sliderOf(simple, editor)), note);
  const update = () => {
    const { sharing, warnings, json, body } = editor;
    const named = sharing.length > 3 ? `${sharing.length} other bodies` : sharing.join(', ');
    const address = json && addressOf(json, body, 'material');
    const shared = sharing.length > 0 ? [`Shared with ${named} (“${String(address?.at(-1))}”).`] : [];
    note.textContent = [...shared, ...warnings].join(' ');
    note.hidden = note.textContent === '';
  };
  editor.onChange(update);
  update();
  root.append(...(await lookFields(editor)));
}

function presetField(editor: Editor): HTMLElement {
  const select = make(
    'select',
    { id: 'simple-preset' },
    make('option', { value: '' }, 'its own'),
    ...PRESETS.map(({ name, words }) => make('option', { value: name }, words)),
  );
  select.onchange = () => {
    const { json, body } = editor;
    if (!json) return;
    if (select.value !== '') editor.writeAll(takePreset(json, body, select.value), 'the material');
    else editor.write({ part: 'material', path: ['preset'] }, undefined, undefined, 'the material');
  };
  const update = () => {
    select.value = editor.preset ?? '';
  };
  editor.onChange(update);
  update();
  return make('div', { class: 'field choice' }, make('label', { for: select.id }, 'Made of'), select);
}

function sliderOf(simple: Simple, editor: Editor): HTMLElement {
  const { label, ends, help } = simple;
  const id = `simple-${simple.id}`;
  const slider = make('input', { type: 'range', id, min: 0, max: NOTCHES, step: 1, 'aria-describedby': `${id}-help` });
  const value = make('output', { for: id, id: `${id}-value` });
  const note = make('p', { id: `${id}-help`, class: 'help', hidden: true }, help);
  const ask = askButton(label, note);
  slider.oninput = () => {
    const { json, body } = editor;
    if (json) editor.writeAll(simple.write(json, body, Number(slider.value) / NOTCHES), label.toLowerCase());
  };
  const update = () => {
    const { json, body } = editor;
    if (!json) return;
    const { share, text } = simple.read(json, body);
    if (document.activeElement !== slider || share === undefined) slider.value = String(NOTCHES * (share ?? 0.5));
    slider.classList.toggle('nowhere', share === undefined);
    slider.setAttribute('aria-valuetext', text);
    value.textContent = text;
  };
  editor.onChange(update);
  update();
  return make(
    'div',
    { class: 'simple' },
    make('div', { class: 'head' }, make('label', { for: id }, label), value, ask),
    slider,
    make('div', { class: 'ends', 'aria-hidden': 'true' }, make('span', {}, ends[0]), make('span', {}, ends[1])),
    note,
  );
}

/** Colour and look of a body, where the scene file has them. */
async function lookFields(editor: Editor): Promise<HTMLElement[]> {
  const properties = (await loadSchema()).$defs?.['Body']?.properties ?? {};
  const fields: HTMLElement[] = [];
  if (properties['look']) {
    const choices = (properties['look'].enum ?? []).map(String);
    const select = make(
      'select',
      { id: 'body-look' },
      make('option', { value: '' }, 'as its material'),
      ...choices.map((name) => make('option', { value: name }, name)),
    );
    select.onchange = () => editor.writeBody('look', select.value || undefined);
    const update = () => {
      select.value = String(editor.readBody('look') ?? '');
    };
    editor.onChange(update);
    update();
    fields.push(make('div', { class: 'field choice' }, make('label', { for: select.id }, 'Looks like'), select));
  }
  if (properties['colour']) {
    const input = make('input', { type: 'color', id: 'body-colour' });
    const reset = make(
      'button',
      { type: 'button', class: 'ask reset', 'aria-label': 'Colour: back to the default', title: 'Back to the default' },
      '↺',
    );
    input.onchange = () => editor.writeBody('colour', input.value);
    reset.onclick = () => editor.writeBody('colour', undefined);
    const update = () => {
      const said = editor.readBody('colour') as string | undefined;
      reset.hidden = said === undefined;
      if (editor.json) input.value = said ?? drawnColour(editor.json, editor.body);
    };
    editor.onChange(update);
    update();
    fields.push(make('div', { class: 'field choice' }, make('label', { for: input.id }, 'Colour'), input, reset));
  }
  return fields;
}
