import { objection, type Setting } from '../settings/schema.js';
import { make } from './dom.js';
import type { Change } from './field.js';
import { numberControl } from './numberControl.js';
import { variantsControl } from './variantsControl.js';

export type Input = HTMLInputElement | HTMLSelectElement;

/** The inputs of a value. */
export interface Control {
  element: HTMLElement;
  /** Elements below it, over the whole width. */
  below?: HTMLElement[];
  /** The inputs that show the value: the first has the field's id. */
  inputs: Input[];
  /** Other elements: sliders, buttons. */
  extras?: (Input | HTMLButtonElement)[];
  show(value: unknown): void;
}

export interface Wires {
  id: string;
  name: string;
  change: Change;
  /** Shows an error at the field; undefined removes it. */
  refuse(message: string | undefined): void;
}

export function makeControl(setting: Setting, wires: Wires): Control {
  const { form, preset } = setting;
  switch (form.kind) {
    case 'number':
      return numberControl(setting, form, wires);
    case 'choice':
      return choiceControl(setting, form.choices, wires);
    case 'switch':
      // If the default is not a single value, there are three states.
      return typeof preset === 'boolean' ? switchControl(preset, wires) : onOffControl(setting, wires);
    case 'numbers':
      return form.length === undefined ? listControl(setting, wires) : vectorControl(setting, form.length, wires);
    case 'variants':
      return variantsControl(setting, form.variants, wires);
    default:
      return textControl();
  }
}

/** The default is one of the choices, or a separate entry otherwise. */
function choiceControl({ preset, required }: Setting, choices: readonly string[], { id, change }: Wires): Control {
  const options = choices.map((choice) =>
    make('option', { value: choice }, choice === preset ? `${choice} (default)` : choice),
  );
  if (preset === undefined && !required) options.unshift(make('option', { value: '' }, 'automatic'));
  const select = make('select', { id }, ...options);
  select.onchange = () =>
    change(select.value === '' || (select.value === preset && !required) ? undefined : select.value);
  return {
    element: select,
    inputs: [select],
    show(value) {
      select.value = String(value ?? preset ?? (required ? choices[0] : ''));
    },
  };
}

function onOffControl(setting: Setting, wires: Wires): Control {
  const asBoolean = (value: unknown) => (value === undefined ? undefined : value === 'on');
  const control = choiceControl(setting, ['on', 'off'], { ...wires, change: (v) => wires.change(asBoolean(v)) });
  return { ...control, show: (value) => control.show(value === undefined ? undefined : value ? 'on' : 'off') };
}

function switchControl(preset: boolean, { id, change }: Wires): Control {
  const input = make('input', { type: 'checkbox', id });
  input.onchange = () => change(input.checked === preset ? undefined : input.checked);
  return {
    element: input,
    inputs: [input],
    show(value) {
      input.checked = (value as boolean | undefined) ?? preset;
    },
  };
}

/** A list of any number of numbers, in one line. */
export function listControl(setting: Setting, { id, change, refuse }: Wires): Control {
  const input = make('input', {
    type: 'text',
    id,
    inputmode: 'decimal',
    autocomplete: 'off',
    placeholder: '1, 0.5, …',
  });
  const parse = () =>
    input.value
      .split(/[\s,;]+/)
      .filter((word) => word !== '')
      .map(Number);
  input.onchange = () => {
    const values = parse();
    if (values.length === 0) {
      refuse(undefined);
      return change(undefined);
    }
    const wrong = objection(setting.form, values);
    refuse(wrong);
    if (!wrong) change(values);
  };
  return {
    element: input,
    inputs: [input],
    show(value) {
      const text = Array.isArray(value) ? value.join(', ') : '';
      if (document.activeElement !== input || parse().join() !== String(value ?? '')) input.value = text;
    },
  };
}

const AXES = ['x', 'y', 'z', 'w'];

/** A number for each axis. */
function vectorControl(setting: Setting, length: number, { id, change, refuse }: Wires): Control {
  const preset = (setting.preset as number[] | undefined) ?? new Array<number>(length).fill(0);
  const inputs = AXES.slice(0, length).map((axis, k) => {
    const input = make('input', {
      type: 'number',
      id: k === 0 ? id : `${id}-${axis}`,
      step: 'any',
      'aria-label': `${setting.label} ${axis}`,
    });
    input.oninput = () => {
      const values = inputs.map((one, n) =>
        one.value === '' ? (one.validity.badInput ? Number.NaN : preset[n]) : Number(one.value),
      );
      const wrong = objection(setting.form, values);
      refuse(wrong);
      if (!wrong) change(values);
    };
    return input;
  });
  const element = make('span', { class: 'vector', role: 'group', 'aria-labelledby': `${id}-label` }, ...inputs);
  return {
    element,
    inputs,
    show(value) {
      const shown = (value as number[] | undefined) ?? preset;
      inputs.forEach((input, k) => {
        if (input.value === '' || Number(input.value) !== shown[k]) input.value = String(shown[k]);
      });
    },
  };
}

/** A value that the panel cannot edit, as text. */
function textControl(): Control {
  const element = make('code', {});
  return {
    element,
    inputs: [],
    show(value) {
      element.textContent = value === undefined ? '' : JSON.stringify(value);
    },
  };
}
