/** The part of JSON Schema that scene.schema.json uses. */
export interface JsonSchema {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema | false;
  prefixItems?: JsonSchema[];
  anyOf?: JsonSchema[];
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
}

export interface Range {
  min?: number;
  max?: number;
  above?: number;
  below?: number;
}

/** One setting of the schema. */
export interface Setting {
  key: string;
  label: string;
  /** The symbol of the papers, α. */
  symbol: string | undefined;
  help: string;
  unit: string | undefined;
  /** The default; undefined if it is not a single value. */
  preset: unknown;
  required: boolean;
  form: Form;
}

export type Form =
  /** `words` may replace the number ("auto"); `mixed`: it may also be a gradient, a file, a list. */
  | { kind: 'number'; range: Range; whole: boolean; words: string[]; mixed: boolean }
  | { kind: 'choice'; choices: string[] }
  | { kind: 'switch' }
  /** `length` numbers, or any number of them if it is undefined. */
  | { kind: 'numbers'; range: Range; whole: boolean; length: number | undefined }
  | { kind: 'group'; settings: Setting[] }
  /** One of several objects, distinguished by their `type`, each with its own settings; or a list of numbers. */
  | { kind: 'variants'; variants: Variant[] }
  | { kind: 'other' };

export interface Variant {
  name: string;
  settings: Setting[];
  /** A list of numbers instead of an object. */
  list: boolean;
}

/** The settings of one of the schema's definitions; of the scene itself without a name. */
export function readSettings(schema: JsonSchema, definition?: string): Setting[] {
  const node = definition === undefined ? schema : schema.$defs?.[definition];
  if (!node) throw new Error(`The schema has no ${definition}.`);
  return settingsOf(node, schema);
}

function settingsOf({ properties = {}, required = [] }: JsonSchema, root: JsonSchema): Setting[] {
  return Object.entries(properties)
    .filter(([, node]) => node.const === undefined)
    .map(([key, node]) => readSetting(key, node, required.includes(key), root));
}

function readSetting(key: string, node: JsonSchema, required: boolean, root: JsonSchema): Setting {
  const target = resolve(node, root);
  const help = node.description ?? target.description ?? '';
  return {
    key,
    label: node.title ?? nameOf(key),
    symbol: SYMBOL.exec(help)?.[1],
    help,
    unit: unitOf(help),
    preset: node.default,
    required,
    form: formOf(target, root),
  };
}

function resolve(node: JsonSchema, root: JsonSchema): JsonSchema {
  if (node.$ref === undefined) return node;
  return root.$defs?.[node.$ref.replace('#/$defs/', '')] ?? {};
}

function formOf(node: JsonSchema, root: JsonSchema): Form {
  if (node.anyOf) return formOfUnion(node.anyOf, root);
  if (node.enum) return { kind: 'choice', choices: node.enum.map(String) };
  if (node.type === 'boolean') return { kind: 'switch' };
  if (isNumber(node)) return { kind: 'number', ...limitsOf(node), words: [], mixed: false };
  const item = node.prefixItems?.[0] ?? (node.items || undefined);
  if (node.type === 'array' && item && isNumber(item))
    return { kind: 'numbers', ...limitsOf(item), length: node.prefixItems?.length };
  if (node.properties) return { kind: 'group', settings: settingsOf(node, root) };
  return { kind: 'other' };
}

function formOfUnion(branches: JsonSchema[], root: JsonSchema): Form {
  const variants = branches
    .filter(({ properties }) => properties?.['type']?.const !== undefined)
    .map((branch) => ({
      name: String(branch.properties!['type'].const),
      settings: settingsOf(branch, root),
      list: false,
    }));
  if (variants.length > 0) {
    const list = branches.some(({ type }) => type === 'array');
    return { kind: 'variants', variants: [...variants, ...(list ? [{ name: 'list', settings: [], list }] : [])] };
  }
  const number = branches.find(isNumber);
  if (!number) return { kind: 'other' };
  const words = branches.filter((branch) => typeof branch.const === 'string').map((branch) => String(branch.const));
  return { kind: 'number', ...limitsOf(number), words, mixed: branches.length > 1 + words.length };
}

const isNumber = ({ type }: JsonSchema) => type === 'number' || type === 'integer';

function limitsOf({ type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema) {
  const whole = type === 'integer';
  // The bounds that zod writes for "any integer" are no range.
  const end = (value: number | undefined) =>
    value === undefined || Math.abs(value) === Number.MAX_SAFE_INTEGER ? undefined : value;
  const range: Range = {
    min: end(minimum),
    max: end(maximum),
    above: end(exclusiveMinimum),
    below: end(exclusiveMaximum),
  };
  return { range, whole };
}

/** bodyDamping: Body damping. */
function nameOf(key: string): string {
  if (key.length <= 2) return key;
  const words = key.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words[0].toUpperCase() + words.slice(1);
}

/** Descriptions begin with the symbol: "α: share of …", "β of the modes …". */
const SYMBOL = /^([α-ωA-Z](?:_[a-z])?|k_d)(?=:| of )/;

const IN_BRACKETS = /\((Pa|kg\/m³|m\/s²|m\/s|m²|m|kg|1\/s|rad\/s|s|degrees)\)/;
const IN_FRONT = /^(kg\/m³|m\/s²|m\/s|m)[.,;]/;

function unitOf(help: string): string | undefined {
  if (/^Seconds\b/.test(help)) return 's';
  if (/^Steps\b/.test(help)) return 'steps';
  return (IN_BRACKETS.exec(help) ?? IN_FRONT.exec(help))?.[1];
}

/** The fault of a value as a sentence; undefined if there is none. */
export function objection(form: Form, value: unknown): string | undefined {
  if (form.kind === 'choice') return form.choices.includes(value as string) ? undefined : expected(form);
  if (form.kind === 'number') {
    if (typeof value === 'string' && form.words.includes(value)) return undefined;
    return fits(form, value) ? undefined : expected(form);
  }
  if (form.kind === 'numbers') {
    const right =
      Array.isArray(value) &&
      value.length > 0 &&
      (form.length === undefined || value.length === form.length) &&
      value.every((one) => fits(form, one));
    return right ? undefined : expected(form);
  }
  return undefined;
}

function fits({ range: { min, max, above, below }, whole }: { range: Range; whole: boolean }, value: unknown): boolean {
  if (typeof value !== 'number' || !Number.isFinite(value) || (whole && !Number.isInteger(value))) return false;
  return !(value < min! || value > max! || value <= above! || value >= below!);
}

function expected(form: Form): string {
  if (form.kind === 'choice') return `Expected one of ${form.choices.join(', ')}.`;
  if (form.kind === 'number')
    return `Expected ${[phrase(form.whole ? 'an integer' : 'a number', form.range), ...form.words.map((w) => `"${w}"`)].join(', or ')}.`;
  if (form.kind === 'numbers') {
    const some = form.length === undefined ? 'numbers' : `${form.length} numbers`;
    return `Expected ${phrase(some, form.range)}, with commas between them.`;
  }
  return '';
}

/** The same wording as the messages of the validator. */
export function phrase(kind: string, { min, max, above, below }: Range): string {
  const low = min !== undefined ? `[${min}` : above !== undefined ? `(${above}` : undefined;
  const high = max !== undefined ? `${max}]` : below !== undefined ? `${below})` : undefined;
  if (low && high) return `${kind} in ${low}, ${high}`;
  if (min !== undefined) return `${kind} of at least ${min}`;
  if (above !== undefined) return `${kind} above ${above}`;
  return kind;
}

/** Text of an empty field: the default, or the word for it in the description ("Default: never."). */
export function presetText({ preset, help }: Setting): string {
  if (preset !== undefined) return valueText(preset);
  return /default: (never|none)\b/i.exec(help)?.[1] ?? 'automatic';
}

export function valueText(value: unknown): string {
  if (typeof value === 'number') return short(value);
  if (Array.isArray(value) && value.every((one) => typeof one === 'number')) return value.map(short).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Four digits: 0.01667, 1e-4. */
export function short(value: number): string {
  if (!Number.isFinite(value)) return value > 0 ? '∞' : '−∞';
  return String(Number(value.toPrecision(4)));
}
