import type { SceneJson } from '../sceneDocument.js';
import { type JsonSchema, readSettings, type Setting } from './schema.js';

/** The parts of a scene that have settings, and their definitions in the schema. */
export const PARTS = [
  'material',
  'sampling',
  'clustering',
  'levels',
  'fracture',
  'reclustering',
  'contact',
  'world',
] as const;
export type Part = (typeof PARTS)[number];

/** Sections of the panel. */
export const SECTIONS: readonly { id: string; title: string; parts: readonly Part[] }[] = [
  { id: 'material', title: 'Material, all of it', parts: ['material'] },
  { id: 'clustering', title: 'Clustering and sampling', parts: ['clustering', 'sampling'] },
  { id: 'levels', title: 'Levels', parts: ['levels'] },
  { id: 'fracture', title: 'Fracture', parts: ['fracture'] },
  { id: 'reclustering', title: 'Reclustering', parts: ['reclustering'] },
  { id: 'contact', title: 'Contact', parts: ['contact'] },
  { id: 'world', title: 'World', parts: ['world'] },
];

const OF_THE_WORLD = ['gravity', 'dt'];

export function settingsOfPart(schema: JsonSchema, part: Part): Setting[] {
  if (part === 'world') return readSettings(schema).filter(({ key }) => OF_THE_WORLD.includes(key));
  return readSettings(schema, part[0].toUpperCase() + part.slice(1));
}

export const bodyName = ({ bodies }: SceneJson, body: number): string =>
  (bodies[body]?.['name'] as string | undefined) ?? `body ${body + 1}`;

type Address = readonly (string | number)[];

/** Address of a part of a body in the document: a shared material is stored under its name. */
export function addressOf(json: SceneJson, body: number, part: Part): Address {
  if (part === 'world') return [];
  const shared = part === 'material' ? json.bodies[body]?.['material'] : undefined;
  if (typeof shared === 'string') return ['materials', shared];
  return ['bodies', body, part];
}

/** Settings of the elastic law. A material has these, or per-step parameters in `raw`. */
const OF_THE_LAW = ['preset', 'young', 'poisson', 'dampingRatio', 'flowTime', 'hardening'];

/** The settings of a body's material in a scene. */
export function materialOf(json: SceneJson, body: number): Record<string, unknown> {
  let at: unknown = json;
  for (const key of addressOf(json, body, 'material')) at = (at as Record<string | number, unknown> | undefined)?.[key];
  return (at ?? {}) as Record<string, unknown>;
}

/** Whether a body has per-step parameters instead of the elastic law. */
export const isRaw = (json: SceneJson, body: number): boolean => 'raw' in materialOf(json, body);

/** Whether a setting can stand in a part of a body: in a material with `raw` nothing of the elastic law, in others no `raw`. */
export function isOffered(json: SceneJson, body: number, part: Part, key: string): boolean {
  if (part !== 'material') return true;
  if (key === 'raw') return isRaw(json, body);
  return !OF_THE_LAW.includes(key) || !isRaw(json, body);
}

/** The bodies that a part of one body belongs to: all that share its material. */
export function sharers(json: SceneJson, body: number, part: Part): number[] {
  const shared = json.bodies[body]?.['material'];
  const all = json.bodies.map((_, k) => k);
  if (part === 'world') return all;
  if (part !== 'material' || typeof shared !== 'string') return [body];
  return all.filter((k) => json.bodies[k]['material'] === shared);
}
