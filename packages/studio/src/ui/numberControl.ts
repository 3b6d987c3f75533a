import { NOTCHES, notchOf, trackOf, valueAt } from '../settings/ranges.js';
import { type Form, objection, presetText, type Setting, short } from '../settings/schema.js';
import type { Control, Wires } from './controls.js';
import { make } from './dom.js';

type NumberForm = Extract<Form, { kind: 'number' }>;

/** A number field, with a slider if there are two bounds, and a box for the word that may replace the number. */
export function numberControl(setting: Setting, form: NumberForm, { id, name, change, refuse }: Wires): Control {
  const { range, whole, words } = form;
  const track = trackOf(name, form);
  const input = make('input', {
    type: 'number',
    id,
    step: whole ? 1 : track && !track.logarithmic ? short((track.high - track.low) / 100) : 'any',
    min: range.min,
    max: range.max,
    placeholder: presetText(setting),
  });
  const slider = track && make('input', { type: 'range', id: `${id}-slider`, min: 0, max: NOTCHES, step: 1 });
  // A word that is the default needs no box: an empty field means it.
  const word =
    words.length > 0 && words[0] !== setting.preset
      ? make('input', { type: 'checkbox', id: `${id}-${words[0]}` })
      : undefined;
  const mixed = make('p', { class: 'mixed', hidden: true });
  const presetNumber = typeof setting.preset === 'number' ? setting.preset : undefined;

  const say = (value: number | string) => {
    const wrong = objection(form, value);
    refuse(wrong);
    if (!wrong) change(value);
  };
  input.oninput = () => {
    if (input.value !== '' || input.validity.badInput)
      return say(input.value === '' ? Number.NaN : Number(input.value));
    refuse(undefined);
    change(undefined);
  };
  if (slider && track) {
    slider.setAttribute('aria-label', `${setting.label}, slider`);
    slider.oninput = () => {
      const value = valueAt(track, Number(slider.value), form);
      input.value = String(value);
      say(value);
    };
  }
  if (word)
    word.onchange = () => {
      if (word.checked) say(words[0]);
      else change(undefined);
    };

  const showSlider = (value: unknown) => {
    if (!slider || !track) return;
    const at = typeof value === 'number' ? value : presetNumber;
    // "Never" is at the upper end of the slider; "automatic" is shown in the middle without a position.
    const unsaid = presetText(setting) === 'automatic' ? NOTCHES / 2 : NOTCHES;
    if (document.activeElement !== slider) slider.value = String(at === undefined ? unsaid : notchOf(track, at));
    slider.classList.toggle('nowhere', at === undefined && unsaid < NOTCHES);
    slider.setAttribute('aria-valuetext', typeof value === 'number' ? short(value) : presetText(setting));
  };
  const element = make('span', { class: 'entry' }, input);
  if (word) element.append(make('label', { class: 'check' }, word, words[0]));
  const oneValue = make('button', { type: 'button' }, 'Use one value');
  oneValue.onclick = () => {
    change(presetNumber ?? track?.low ?? 1);
    input.focus();
  };
  return {
    element,
    below: [...(slider ? [slider] : []), ...(form.mixed ? [mixed] : [])],
    inputs: [input],
    extras: [...(slider ? [slider] : []), ...(word ? [word] : []), oneValue],
    show(value) {
      const written = typeof value === 'object' && value !== null;
      input.hidden = written;
      if (slider) slider.hidden = written;
      mixed.hidden = !written;
      if (written) mixed.replaceChildren(make('code', {}, textOf(value)), ' differs from place to place. ', oneValue);
      if (word) word.checked = value === words[0];
      const text = typeof value === 'number' ? value : undefined;
      const same = input.value !== '' && Number(input.value) === text;
      // Invalid text stays while it is typed, with the error.
      const typing = document.activeElement === input && input.getAttribute('aria-invalid') === 'true';
      if (!same && !typing) input.value = text === undefined ? '' : String(text);
      showSlider(value);
    },
  };
}

/** The value as in the file, at most two lines long. */
function textOf(value: object): string {
  const text = JSON.stringify(value).replaceAll('"', '').replaceAll(',', ', ').replaceAll(':', ': ');
  return text.length > 90 ? `${text.slice(0, 88)} …` : text;
}
