import type { Setting } from '../settings/schema.js';
import { makeControl } from './controls.js';
import { make } from './dom.js';

/** A setting on the page. */
export interface Field {
  element: HTMLElement;
  /** Shows the value of the document; `disabled` if it has no meaning. */
  show(value: unknown, disabled: boolean): void;
}

/** Receives a new value; undefined is the default. */
export type Change = (value: unknown) => void;

/**
 * A setting with its name, unit, help and default. Invalid values are reported at the field and not passed on. `name`
 * is its path in the scene, "material.raw.limit.gamma", from which its id is made.
 */
export function makeField(setting: Setting, name: string, change: Change): Field {
  const { label, symbol, unit, help, form, required } = setting;
  const id = `set-${name.replaceAll('.', '-')}`;
  const problem = make('p', { id: `${id}-problem`, class: 'wrong', role: 'alert', hidden: true });
  const refuse = (message: string | undefined) => {
    problem.textContent = message ?? '';
    problem.hidden = !message;
    for (const input of control.inputs) {
      if (message) input.setAttribute('aria-invalid', 'true');
      else input.removeAttribute('aria-invalid');
    }
  };
  const control = makeControl(setting, { id, name, change, refuse });
  for (const input of control.inputs) input.setAttribute('aria-describedby', `${id}-help ${id}-problem`);
  const note = make('p', { id: `${id}-help`, class: 'help', hidden: true }, helpText(help, symbol));
  const ask = askButton(label, note);
  const reset = make(
    'button',
    {
      type: 'button',
      class: 'ask reset',
      id: `${id}-reset`,
      'aria-label': `${label}: back to the default`,
      hidden: true,
    },
    '↺',
  );
  reset.title = 'Back to the default';
  reset.onclick = () => {
    refuse(undefined);
    change(undefined);
    control.inputs[0]?.focus();
  };
  const title = make('label', { for: control.inputs.length === 1 ? id : undefined, id: `${id}-label` }, label);
  if (unit) title.append(' ', make('span', { class: 'unit' }, unit));
  const element = make(
    'div',
    { class: `field ${form.kind}`, 'data-setting': name },
    title,
    control.element,
    make('span', { class: 'asks' }, reset, ask),
    ...(control.below ?? []),
    note,
    problem,
  );
  return {
    element,
    show(value, disabled) {
      reset.hidden = value === undefined || required || disabled;
      element.classList.toggle('said', value !== undefined);
      for (const input of [...control.inputs, ...(control.extras ?? [])]) input.disabled = disabled;
      control.show(value);
    },
  };
}

/** The help with the papers' symbol at its end: "α: share of …" becomes "Share of … In the papers: α." */
function helpText(help: string, symbol: string | undefined): string {
  if (!symbol) return help;
  const rest = help.startsWith(`${symbol}: `) ? help.slice(symbol.length + 2) : help;
  return `${rest[0].toUpperCase()}${rest.slice(1)} In the papers: ${symbol}.`;
}

/** The button with a question mark that shows and hides the help of a field. */
export function askButton(label: string, note: HTMLElement): HTMLElement {
  const ask = make(
    'button',
    {
      type: 'button',
      class: 'ask',
      'aria-label': `What is ${label}?`,
      'aria-expanded': 'false',
      'aria-controls': note.id,
    },
    '?',
  );
  ask.onclick = () => {
    note.hidden = !note.hidden;
    ask.setAttribute('aria-expanded', String(!note.hidden));
  };
  return ask;
}
