import type { SceneJson } from '../sceneDocument.js';
import { readAt } from './edits.js';
import { addressOf, bodyName, PARTS, type Part, settingsOfPart } from './parts.js';
import { type JsonSchema, presetText, type Setting, valueText } from './schema.js';

export interface Difference {
  name: string;
  left: string;
  right: string;
}

/** The differences between two variants of a scene, in the words of the panel; "stiffness 0.9 | 0.3". */
export function differences(left: SceneJson, right: SceneJson, schema: JsonSchema): Difference[] {
  const found: Difference[] = [];
  const seen = new Set<string>();
  for (const part of PARTS)
    for (let body = 0; body < (part === 'world' ? 1 : left.bodies.length); body++) {
      // Shared parts are listed once.
      const address = addressOf(left, body, part).join('.');
      if (seen.has(address)) continue;
      seen.add(address);
      const who = part === 'world' ? '' : whose(left, body, part);
      if (part === 'levels') comparePresence(left, right, body, who, found);
      for (const setting of settingsOfPart(schema, part)) compare(left, right, body, part, [setting], who, found);
    }
  return found;
}

function compare(
  left: SceneJson,
  right: SceneJson,
  body: number,
  part: Part,
  way: Setting[],
  who: string,
  found: Difference[],
): void {
  const setting = way.at(-1)!;
  if (setting.form.kind === 'group') {
    for (const inner of setting.form.settings) compare(left, right, body, part, [...way, inner], who, found);
    return;
  }
  const path = way.map(({ key }) => key);
  const [a, b] = [left, right].map((json) => wordsFor(setting, readAt(json, { body, part, path })));
  if (a === b) return;
  const name = way.map(({ label }) => label.toLowerCase()).join(' ');
  found.push({ name: who + (part === 'material' || part === 'world' ? name : `${part} ${name}`), left: a, right: b });
}

function comparePresence(left: SceneJson, right: SceneJson, body: number, who: string, found: Difference[]): void {
  const [a, b] = [left, right].map((json) => (readAt(json, { body, part: 'levels', path: [] }) ? 'on' : 'off'));
  if (a !== b) found.push({ name: `${who}levels`, left: a, right: b });
}

function wordsFor(setting: Setting, value: unknown): string {
  return value === undefined ? presetText(setting) : valueText(value);
}

/** "ball: " if there are several bodies; for a shared material its name. */
function whose(json: SceneJson, body: number, part: Part): string {
  if (json.bodies.length === 1) return '';
  const shared = json.bodies[body]['material'];
  return part === 'material' && typeof shared === 'string' ? `${shared}: ` : `${bodyName(json, body)}: `;
}
