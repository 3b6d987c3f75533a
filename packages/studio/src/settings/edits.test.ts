import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SceneJson } from '../sceneDocument.js';
import { differences } from './differences.js';
import { commandsFor, readAt, writeAt } from './edits.js';
import { isOffered } from './parts.js';
import type { JsonSchema } from './schema.js';

const schema = JSON.parse(
  readFileSync(new URL('../../../../scenes/scene.schema.json', import.meta.url), 'utf8'),
) as JsonSchema;

const scene: SceneJson = {
  materials: { rubber: { raw: { stiffness: 0.9, limit: { gamma: 0.2 } } } },
  bodies: [
    { name: 'ball', material: 'rubber', sampling: { count: 100 }, copies: [{}, { name: 'egg' }] },
    { material: { density: 900, raw: {} }, levels: {}, sampling: { spacing: 0.1 } },
    { name: 'cube', material: 'rubber', levels: { stiffness: [1, 0.5] } },
  ],
};
const at = (body: number, part: Parameters<typeof readAt>[1]['part'], ...path: string[]) => ({ body, part, path });

describe('edits of a scene', () => {
  it('write a shared material where it lies, and leave the scene as it was', () => {
    const before = structuredClone(scene);
    const next = writeAt(scene, at(0, 'material', 'raw', 'limit', 'iterations'), 7);
    expect(next.materials).toEqual({ rubber: { raw: { stiffness: 0.9, limit: { gamma: 0.2, iterations: 7 } } } });
    expect(readAt(next, at(2, 'material', 'raw', 'limit', 'iterations'))).toBe(7);
    expect(scene).toEqual(before);
  });

  it('take away what cannot stand beside it', () => {
    expect(writeAt(scene, at(1, 'material', 'mass'), 3).bodies[1]['material']).toEqual({ mass: 3, raw: {} });
    expect(writeAt(scene, at(1, 'sampling', 'count'), 50).bodies[1]['sampling']).toEqual({ count: 50 });
  });

  it('leave out what says nothing, but neither levels, raw nor materials with names', () => {
    const bare = writeAt(writeAt(scene, at(1, 'fracture', 'boost'), 2), at(1, 'fracture', 'boost'), undefined);
    expect(bare).toEqual(scene);
    const on = writeAt(writeAt(scene, at(1, 'levels', 'count'), 2), at(1, 'levels', 'count'), undefined);
    expect(on.bodies[1]['levels']).toEqual({});
    let named = writeAt(scene, at(0, 'material', 'raw', 'limit', 'gamma'), undefined);
    expect(named.materials).toEqual({ rubber: { raw: { stiffness: 0.9 } } });
    named = writeAt(named, at(0, 'material', 'raw', 'stiffness'), undefined);
    expect(named.materials).toEqual({ rubber: { raw: {} } });
    expect(writeAt(scene, at(1, 'levels'), undefined).bodies[1]).not.toHaveProperty('levels');
  });
});

describe('what a running world is told', () => {
  it('of a shared material: every body that has it, and its copies', () => {
    const material = { raw: { limit: { gamma: 0.5 } } };
    expect(commandsFor(scene, at(0, 'material', 'raw', 'limit', 'gamma'), 0.5, 0.3)).toEqual(
      ['ball', 'ball 2', 'egg', 'cube'].map((body) => ({ type: 'material', body, material })),
    );
  });

  it('of a value that is taken away: the default', () => {
    const [yields] = commandsFor(scene, at(1, 'material', 'yield'), undefined, undefined)!;
    expect(yields).toEqual({ type: 'material', body: 'body 2', material: { yield: Number.POSITIVE_INFINITY } });
    const [damping] = commandsFor(scene, at(1, 'material', 'raw', 'damping'), undefined, 0.02)!;
    expect(damping).toMatchObject({ material: { raw: { damping: 0.02 } } });
    expect(commandsFor(scene, at(0, 'world', 'gravity'), undefined, [0, -9.81, 0])).toEqual([
      { type: 'gravity', gravity: [0, -9.81, 0] },
    ]);
  });

  it('nothing of masses, of what levels overrule and of how bodies are divided', () => {
    expect(commandsFor(scene, at(1, 'material', 'density'), 500, 1000)).toBeUndefined();
    expect(commandsFor(scene, at(0, 'material', 'raw', 'stiffness'), 0.5, 0.8)).toBeUndefined();
    expect(commandsFor(scene, at(0, 'clustering', 'count'), 9, undefined)).toBeUndefined();
    expect(commandsFor(scene, at(1, 'levels', 'radiusFactor'), 3, 2)).toBeUndefined();
    expect(commandsFor(scene, at(2, 'levels', 'stiffness'), undefined, undefined)).toBeUndefined();
    expect(commandsFor(scene, at(0, 'world', 'dt'), 0.01, 1 / 60)).toBeUndefined();
  });

  it('of the weights of levels', () => {
    const weights = { type: 'linear', to: 'fine' };
    const levels = (value: unknown) => commandsFor(scene, at(1, 'levels', 'weights'), value, 'uniform');
    expect(levels(weights)).toEqual([{ type: 'levels', body: 'body 2', levels: { weights } }]);
    expect(levels(undefined)).toEqual([{ type: 'levels', body: 'body 2', levels: { weights: 'uniform' } }]);
  });
});

describe('materials with the elastic law', () => {
  const lawful: SceneJson = {
    materials: { soft: { preset: 'jelly' } },
    bodies: [{ material: 'soft' }, { material: { young: 1e5 } }, { material: { raw: { stiffness: 0.4 } } }, {}],
  };

  it('offer its settings and no per-step parameters; others the other way round', () => {
    const keys = ['preset', 'young', 'poisson', 'dampingRatio', 'raw', 'friction', 'yield'];
    const offered = (body: number) => keys.filter((key) => isOffered(lawful, body, 'material', key));
    for (const body of [0, 1, 3])
      expect(offered(body)).toEqual(['preset', 'young', 'poisson', 'dampingRatio', 'friction', 'yield']);
    expect(offered(2)).toEqual(['raw', 'friction', 'yield']);
    expect(isOffered(lawful, 0, 'contact', 'margin')).toBe(true);
  });

  it('change while a world runs, but for their preset and what falls back to it', () => {
    expect(commandsFor(lawful, at(1, 'material', 'young'), 2e5, undefined)).toEqual([
      { type: 'material', body: 'body 2', material: { young: 2e5 } },
    ]);
    for (const [body, key] of [
      [0, 'preset'],
      [0, 'friction'],
      [1, 'young'],
    ] as const)
      expect([key, commandsFor(lawful, at(body, 'material', key), undefined, 0.3)]).toEqual([key, undefined]);
    expect(commandsFor(lawful, at(1, 'material', 'poisson'), undefined, 0.3)).toEqual([
      { type: 'material', body: 'body 2', material: { poisson: 0.3 } },
    ]);
    expect(commandsFor(lawful, at(0, 'material', 'preset'), 'clay', undefined)).toBeUndefined();
  });
});

describe('differences of two variants', () => {
  it('name what differs, once, with defaults where one says nothing', () => {
    let right = writeAt(scene, at(0, 'material', 'raw', 'stiffness'), 0.3);
    right = writeAt(right, at(1, 'clustering', 'count'), 12);
    right = writeAt(right, at(1, 'levels'), undefined);
    right = writeAt(right, at(0, 'world', 'gravity'), [0, 0, 0]);
    expect(differences(scene, right, schema)).toEqual([
      { name: 'rubber: raw stiffness', left: '0.9', right: '0.3' },
      { name: 'body 2: clustering count', left: 'automatic', right: '12' },
      { name: 'body 2: levels', left: 'on', right: 'off' },
      { name: 'gravity', left: '0, -9.81, 0', right: '0, 0, 0' },
    ]);
    expect(differences(scene, structuredClone(scene), schema)).toEqual([]);
  });
});
