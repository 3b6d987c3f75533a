import type { Setting, Variant } from '../settings/schema.js';
import { type Control, listControl, type Wires } from './controls.js';
import { make } from './dom.js';
import { type Field, makeField } from './field.js';

type Parts = Record<string, unknown>;

/** A choice between objects, with the fields of the chosen one; or a list of numbers. */
export function variantsControl(setting: Setting, variants: readonly Variant[], wires: Wires): Control {
  const { id, name, change, refuse } = wires;
  const { preset } = setting;
  const select = make(
    'select',
    { id },
    ...variants.map((one) =>
      make('option', { value: one.name }, one.name === preset ? `${one.name} (default)` : one.name),
    ),
  );
  let now: unknown;
  const fields = new Map<Variant, [Setting, Field][]>();
  for (const variant of variants)
    fields.set(
      variant,
      variant.settings.map((inner) => {
        const put = (value: unknown) => {
          const { [inner.key]: _, ...others } = now as Parts;
          change(value === undefined ? others : { ...others, [inner.key]: value });
        };
        return [inner, makeField(inner, `${name}.${variant.name}.${inner.key}`, put)];
      }),
    );
  const numbers: Setting = {
    ...setting,
    form: { kind: 'numbers', range: { min: 0 }, whole: false, length: undefined },
  };
  const list = listControl(numbers, { ...wires, id: `${id}-list`, change: (value) => value && change(value) });
  list.inputs[0].setAttribute('aria-label', `${setting.label}, one number for each level, the finest first`);
  const inner = make('div', { class: 'variant' });
  const showFields = (variant: Variant | undefined) => {
    const shown = variant ? fields.get(variant)! : [];
    inner.replaceChildren(...(variant?.list ? [list.element] : shown.map(([, field]) => field.element)));
    const parts = (typeof now === 'object' ? now : {}) as Parts;
    for (const [{ key }, field] of shown) field.show(parts[key], select.disabled);
    list.show(now);
  };
  select.onchange = () => {
    const variant = variants.find((one) => one.name === select.value)!;
    refuse(undefined);
    // There is no value until the numbers are entered.
    if (variant.list) return showFields(variant);
    if (variant.name === preset) return change(undefined);
    change({ type: variant.name, ...requiredOf(variant) });
  };
  return {
    element: select,
    below: [inner],
    inputs: [select],
    show(value) {
      now = value;
      const chosen = nameOf(value ?? preset);
      const variant = variants.find((one) => (one.list ? chosen === undefined : one.name === chosen));
      if (variant) select.value = variant.name;
      showFields(variant);
    },
  };
}

/** The `type` of an object, or a word itself; undefined for a list. */
function nameOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? undefined : ((value as Parts | undefined)?.['type'] as string | undefined);
}

/** Initial values of the required fields of an object. */
function requiredOf({ settings }: Variant): Parts {
  const needed = settings.filter(({ required }) => required);
  return Object.fromEntries(needed.map(({ key, form }) => [key, form.kind === 'choice' ? form.choices[0] : 0]));
}
