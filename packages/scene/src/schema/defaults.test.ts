import {
  FRACTURE_DEFAULTS,
  LEVEL_DEFAULTS,
  MATERIAL_DEFAULTS,
  RAW_DEFAULTS,
  RECLUSTER_DEFAULTS,
  WORLD_DEFAULTS,
} from 'pliant';
import { expect, test } from 'vitest';
import { CLUSTER_DEFAULTS } from '../../../pliant/src/cluster/options.js';
import { CONTACT_DEFAULTS } from '../../../pliant/src/contact/options.js';
import { SAMPLE_DEFAULTS } from '../../../pliant/src/sample/sample.js';
import { sceneJsonSchema, sceneSchema } from './scene.js';

interface Fields {
  properties: Record<string, { default?: unknown; description?: string }>;
}
const schema = sceneJsonSchema() as unknown as Fields & { $defs: Record<string, Fields> };
const { limit, areaLimit, ...raw } = RAW_DEFAULTS;

const ENGINE = [
  // Of bodies given as particles: no plain default.
  ['Material', MATERIAL_DEFAULTS, ['particleMass']],
  ['Raw', raw, []],
  ['Limit', limit, []],
  ['AreaLimit', areaLimit, []],
  // The overlap that is the default counts with "auto" alone, which is not the default of a file that says nothing.
  ['Clustering', CLUSTER_DEFAULTS, ['radius', 'overlap']],
  ['Sampling', SAMPLE_DEFAULTS, []],
  ['Levels', LEVEL_DEFAULTS, []],
  ['Fracture', FRACTURE_DEFAULTS, []],
  ['Reclustering', RECLUSTER_DEFAULTS, []],
  // By the mode.
  ['Contact', CONTACT_DEFAULTS, ['self']],
] as const;

test.each(ENGINE)('the defaults that the schema shows for %s are those of the engine', (name, defaults, except) => {
  for (const [key, value] of Object.entries(defaults)) {
    const field = schema.$defs[name].properties[key];
    // JSON has no infinity: what never happens has no default to show.
    const shown = value === Number.POSITIVE_INFINITY || (except as readonly string[]).includes(key) ? undefined : value;
    expect([key, field.default]).toEqual([key, shown]);
  }
});

test.each(['gravity', 'dt', 'substeps', 'maxSubsteps'] as const)('%s of the world too', (key) => {
  expect(schema.properties[key].default).toEqual(WORLD_DEFAULTS[key]);
});

test('a default that the words name is the one beside them', () => {
  let seen = 0;
  for (const { properties } of Object.values(schema.$defs))
    for (const [key, { default: value, description = '' }] of Object.entries(properties ?? {})) {
      const said = /Default (-?[\d.]+(?:e-?\d+)?)\.(?:\s|$)/.exec(description)?.[1];
      if (typeof value !== 'number' || said === undefined) continue;
      expect([key, Number(said)]).toEqual([key, value]);
      seen++;
    }
  expect(seen).toBeGreaterThan(20);
});

test('a default is for eyes: nothing is filled in', () => {
  const scene = { bodies: [{ geometry: { type: 'sphere', radius: 1 }, sampling: { count: 9 }, material: {} }] };
  expect(sceneSchema.parse(scene)).toEqual(scene);
});
