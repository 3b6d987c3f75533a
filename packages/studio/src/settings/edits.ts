import type { SettingCommand } from '../protocol.js';
import type { SceneJson } from '../sceneDocument.js';
import { addressOf, bodyName, materialOf, type Part, sharers } from './parts.js';

/** The place of a setting: the part of a body, and the path in it. */
export interface Place {
  body: number;
  part: Part;
  path: readonly string[];
}

type Step = string | number;
type Tree = Record<Step, unknown>;

/** The value of a scene at a place; undefined if the default applies. */
export function readAt(json: SceneJson, { body, part, path }: Place): unknown {
  let at: unknown = json;
  for (const key of [...addressOf(json, body, part), ...path]) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Tree)[key];
  }
  return at;
}

/** Settings of which a scene may have only one. */
const EITHER: Partial<Record<Part, readonly string[]>> = {
  material: ['density', 'mass', 'particleMass'],
  sampling: ['spacing', 'count'],
};

/** The scene with another value at a place; undefined restores the default. Settings that exclude it are removed. */
export function writeAt(json: SceneJson, { body, part, path }: Place, value: unknown): SceneJson {
  const address = addressOf(json, body, part);
  // An empty part is removed. Exceptions: a material that bodies name stays, and levels and `raw` are enabled by being present.
  const isRaw = part === 'material' && path[0] === 'raw';
  const keep = isRaw ? address.length + 1 : address[0] === 'bodies' && part !== 'levels' ? 2 : address.length;
  const put = (into: SceneJson, way: readonly string[], what: unknown) =>
    replace(into, [...address, ...way], what, keep) as SceneJson;
  let next = put(json, path, value);
  const either = EITHER[part];
  if (value !== undefined && either?.includes(path[0]))
    for (const other of either)
      if (other !== path[0] && readAt(next, { body, part, path: [other] }) !== undefined)
        next = put(next, [other], undefined);
  return next;
}

/** `keep`: number of steps of the path that stay, even if empty. */
function replace(at: unknown, [key, ...rest]: readonly Step[], value: unknown, keep: number): unknown {
  if (key === undefined) return value;
  const copy: Tree = Array.isArray(at) ? ([...at] as unknown as Tree) : { ...(at as Tree | undefined) };
  const below = replace(copy[key], rest, value, keep - 1);
  if (below === undefined || (value === undefined && keep <= 0 && isEmpty(below))) delete copy[key];
  // A material may have the name __proto__.
  else Object.defineProperty(copy, key, { value: below, enumerable: true, configurable: true, writable: true });
  return copy;
}

const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

/** Settings whose default (never) cannot be written in JSON. */
const NEVER: ReadonlySet<string> = new Set(['yield', 'toughness', 'raw.areaLimit.max']);
const MASSES: ReadonlySet<string> = new Set(['density', 'mass', 'particleMass']);

/**
 * The commands that apply an edit to a running world; undefined if it must be built anew. `preset` is the default of
 * the setting: the engine keeps values that are not sent, so a removed value is sent as its default.
 */
export function commandsFor(
  json: SceneJson,
  place: Place,
  value: unknown,
  preset: unknown,
): SettingCommand[] | undefined {
  const { body, part, path } = place;
  if (part === 'world')
    return path[0] === 'gravity'
      ? [{ type: 'gravity', gravity: (value ?? preset) as [number, number, number] }]
      : undefined;
  if (part === 'levels') return levelCommands(json, place, value, preset);
  if (part !== 'material' || MASSES.has(path[0])) return undefined;
  if (path[0] === 'preset') return undefined;
  // Without it the body is as stiff as its weight asks for, or what its preset says.
  if (value === undefined && (path[0] === 'young' || 'preset' in materialOf(json, body))) return undefined;
  const said = value ?? preset ?? (NEVER.has(path.join('.')) ? Number.POSITIVE_INFINITY : undefined);
  // Gradients and files are read with the scene.
  if (said === undefined || (typeof said === 'object' && said !== null)) return undefined;
  const bodies = sharers(json, body, part);
  // Levels with their own value override the material.
  const [first, ...inner] = path;
  const isOverridden = (k: number) => readAt(json, { body: k, part: 'levels', path: inner }) !== undefined;
  if (first === 'raw' && inner.length > 0 && bodies.some(isOverridden)) return undefined;
  const material = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), said) as Record<string, unknown>;
  return bodies.flatMap((k) => namesOf(json, k)).map((name) => ({ type: 'material', body: name, material }));
}

function levelCommands(
  json: SceneJson,
  { body, path }: Place,
  value: unknown,
  preset: unknown,
): SettingCommand[] | undefined {
  const key = path[0];
  const live = key === 'weights' || ((key === 'stiffness' || key === 'damping') && value !== undefined);
  if (!live || path.length > 1) return undefined;
  return namesOf(json, body).map((name) => ({ type: 'levels', body: name, levels: { [key]: value ?? preset } }));
}

/** Names of a body and its copies in the scene (describeBody.ts). */
function namesOf(json: SceneJson, body: number): string[] {
  const whole = bodyName(json, body);
  const copies = (json.bodies[body]['copies'] ?? []) as { name?: string }[];
  return [whole, ...copies.map(({ name }, c) => name ?? `${whole} ${c + 2}`)];
}
