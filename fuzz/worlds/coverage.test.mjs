import { readFileSync } from 'node:fs';
import * as pliant from 'pliant';
import { describe, expect, it } from 'vitest';
import { CALLS } from './calls.mjs';
import * as options from './options.mjs';

const { PliantError, World } = pliant;
const EXPORTS = Object.entries(pliant);
const BOX = { shape: { type: 'box', size: [1, 1, 1] }, sampling: { count: 10 } };

/** The options that the engine names when it refuses one that it does not know: "…; expected one of a, b, c." */
function optionsOf(act) {
  try {
    act();
  } catch (error) {
    if (!(error instanceof PliantError)) throw error;
    const names = /is not an option; expected one of (.*)\.$/.exec(error.message)?.[1];
    if (names) return names.split(', ').sort();
    throw new Error(`expected the options to be named: ${error.message}`);
  }
  throw new Error('an unknown option was taken');
}

const sorted = (keys) => [...keys].sort();
const UNKNOWN = { noSuchOption: 1 };

describe('the fuzzers know every option that the engine has', async () => {
  const world = await World.create({ backend: 'ts' });
  const body = (part) => optionsOf(() => world.addBody({ ...BOX, ...part }));

  it('of bodies', () => {
    expect(sorted(options.body.keys)).toEqual(body(UNKNOWN));
  });

  it.each([
    ['material', options.material.keys],
    ['sampling', options.samplingKeys],
    ['clustering', options.clustering.keys],
    ['levels', options.levels.keys],
    ['contact', options.contact.keys],
    ['fracture', options.fracture.keys],
    ['reclustering', options.reclustering.keys],
  ])('of body.%s', (name, keys) => {
    // Levels are refused without `raw`.
    const material = name === 'levels' ? { material: { raw: {} } } : {};
    expect(sorted(keys)).toEqual(body({ ...material, [name]: UNKNOWN }));
  });

  it('of material.raw and its limits', () => {
    expect(sorted(options.raw.keys)).toEqual(body({ material: { raw: UNKNOWN } }));
    expect(sorted(options.limit.keys)).toEqual(body({ material: { raw: { limit: UNKNOWN } } }));
    expect(sorted(options.areaLimit.keys)).toEqual(body({ material: { raw: { mode: 'linear', areaLimit: UNKNOWN } } }));
  });

  it('of shapes', () => {
    const types = typesOf(() => world.addBody({ ...BOX, shape: { type: 'noSuchType' } }));
    const known = [...Object.keys(options.simpleShapes), 'union', 'difference', 'intersection'];
    expect(sorted(known)).toEqual(types);
    for (const type of types) {
      const { keys } = options.simpleShapes[type] ?? options.combination;
      expect(sorted(keys), type).toEqual(body({ shape: { type, ...UNKNOWN } }));
    }
  });

  it('of colliders', () => {
    const types = typesOf(() => world.addCollider({ type: 'noSuchType' }));
    expect(sorted(Object.keys(options.colliders))).toEqual(types);
    for (const type of types)
      expect(sorted(options.colliders[type].keys), type).toEqual(
        optionsOf(() => world.addCollider({ type, ...UNKNOWN })),
      );
  });

  it('of force fields', () => {
    const types = typesOf(() => world.addForceField({ type: 'noSuchType' }));
    expect(sorted(Object.keys(options.forceFields))).toEqual(types);
    for (const type of types)
      expect(sorted(options.forceFields[type].keys), type).toEqual(
        optionsOf(() => world.addForceField({ type, ...UNKNOWN })),
      );
  });

  it('of clamps, regions, picks, cuts and queries', () => {
    const points = world.addBody({ points: [0, 0, 0] });
    expect(sorted(options.clamp.keys)).toEqual(optionsOf(() => world.addClamp(UNKNOWN)));
    for (const [type, { keys }] of Object.entries(options.regions))
      expect(sorted(keys), type).toEqual(optionsOf(() => world.addClamp({ region: { type, ...UNKNOWN } })));
    const picks = new Set(options.picks.flatMap((pick) => pick.keys));
    expect(sorted(picks)).toEqual(optionsOf(() => world.addPick({ body: points, ...UNKNOWN })));
    const cuts = new Set([...options.cutPlane.keys, ...options.cutBlade.keys]);
    expect(sorted(cuts)).toEqual(optionsOf(() => world.cut(points, UNKNOWN)));
    expect(sorted(options.reach.keys)).toEqual(optionsOf(() => world.castRay([0, 0, 0], [1, 0, 0], UNKNOWN)));
    expect(sorted(options.nearest.keys)).toEqual(optionsOf(() => world.nearestParticle([0, 0, 0], UNKNOWN)));
    expect(sorted(options.debugDraw.keys)).toEqual(optionsOf(() => world.debugDraw(undefined, UNKNOWN)));
    expect(sorted(options.query.keys)).toEqual(optionsOf(() => world.overlapSphere([0, 0, 0], 1, UNKNOWN)));
  });

  it('of worlds', async () => {
    const error = await World.create(UNKNOWN).catch((refused) => refused);
    expect(sorted(options.worldOptions.keys)).toEqual(
      optionsOf(() => {
        throw error;
      }),
    );
  });
});

/** The types that are named when one is refused: '…; expected one of "a", "b".' */
function typesOf(act) {
  try {
    act();
  } catch (error) {
    return sorted([...error.message.matchAll(/"(\w+)"/g)].map(([, name]) => name).slice(1));
  }
  throw new Error('an unknown type was taken');
}

/** The public members of the classes: the reviewed list that tests/publicApi.test.ts keeps. */
const PUBLIC = readFileSync(new URL('../../tests/publicApi.txt', import.meta.url), 'utf8').split('\n');
const membersOf = (name) =>
  PUBLIC.filter((line) => line.startsWith(`  ${name}.`)).map((line) => line.slice(`  ${name}.`.length));

/** Getters that tell a number or a view and can hardly fail; the oracles read most of them after every call. */
const READ = {
  World: [
    'colliders',
    'clamps',
    'sleepSpeed',
    'sleepAfter',
    'maxSpeed',
    'backend',
    'threads',
    'bodies',
    'particleCount',
    'clusterCount',
    'membershipCount',
    'positions',
    'velocities',
    'validate',
    'clamps',
    'colliders',
    'forceFields',
    'picks',
    'frame',
    'time',
    'create',
  ],
  Body: [
    'asleep',
    'active',
    'particleCount',
    'clusterCount',
    'positions',
    'velocities',
    'previousPositions',
    'material',
    'pinnedCount',
    'alive',
    'builtPositions',
    'clustering',
    'firstCluster',
    'firstParticle',
    'fracture',
    'handle',
    'name',
    'reclustering',
    'restPositions',
    'size',
    'spacing',
    'topologyVersion',
    'warnings',
  ],
};

describe('the fuzzers make every call', () => {
  const code = Object.values(CALLS)
    .map((call) => call.code)
    .join('\n');

  it.each(['World', 'Body'])('of a %s', (name) => {
    const unknown = membersOf(name).filter(
      (member) => !READ[name].includes(member) && !new RegExp(`\\.${member}\\b`).test(code),
    );
    expect(unknown).toEqual([]);
  });

  it('of the engine that fills an array or checks something', () => {
    const functions = EXPORTS.filter(([, value]) => typeof value === 'function' && !/^class/.test(String(value))).map(
      ([name]) => name,
    );
    const others = [
      'refuse',
      'random',
      'hashData',
      'cluster',
      'connectedComponents',
      'overlapParts',
      'samplingParts',
      'explicitClusters',
      'interpolateVertices',
      'meshSolid',
      'isSheet',
      'shell',
      'estimateVolume',
      'volumeOf',
      // As `world.addBodyAsync`, which the fuzzers call.
      'buildBodyAsync',
    ];
    expect(functions.filter((name) => !others.includes(name) && !code.includes(`pliant.${name}`))).toEqual([]);
  });
});
