import { MATERIALS } from 'pliant';
import { describe, expect, it } from 'vitest';
import type { SceneJson } from '../sceneDocument.js';
import type { Change } from './editor.js';
import { writeAt } from './edits.js';
import { SIMPLE, takePreset } from './simple.js';

const scene: SceneJson = {
  bodies: [
    { material: { young: 1e5 } },
    { material: { preset: 'clay' } },
    { material: { raw: { stiffness: 0.9 } }, levels: {} },
    { material: { mass: 3, toughness: { along: 'x', values: [0, 1] } } },
  ],
};
const apply = (json: SceneJson, body: number, changes: readonly Change[]) =>
  changes.reduce((now, { where, value }) => writeAt(now, { ...where, body }, value), json);
const simple = (id: string) => SIMPLE.find((one) => one.id === id)!;

describe('materials in everyday words', () => {
  it.each(SIMPLE.map(({ id }) => id))('%s reads back where its slider was put, in every kind of material', (id) => {
    const { read, write } = simple(id);
    for (const body of scene.bodies.keys())
      for (const share of [0, 0.25, 0.5, 0.8, 1]) {
        const there = read(apply(scene, body, write(scene, body, share)), body);
        expect(Math.abs(there.share! - share), `${body} ${share}: ${there.text}`).toBeLessThan(0.05);
      }
  });

  it('begin with what the preset says', () => {
    expect(simple('dents').read(scene, 1).text).toBe('from a strain of 2 %');
    expect(simple('breaks').read(scene, 1)).toEqual({ share: 1, text: 'never' });
    expect(simple('softness').read(scene, 1).text).toBe('like soft rubber');
  });

  it('say never, and mean it, also where the preset dents', () => {
    const { read, write } = simple('dents');
    const plain = apply(scene, 0, write(scene, 0, 0));
    expect(plain.bodies[0]['material']).toEqual({ young: 1e5 });
    const clay = apply(scene, 1, write(scene, 1, 0));
    expect(read(clay, 1)).toEqual({ share: 0, text: 'never' });
    expect((clay.bodies[1]['material'] as { yield: number }).yield).toBeGreaterThan(100);
  });

  it('say so where a value differs from place to place, or the engine chooses it', () => {
    expect(simple('breaks').read(scene, 3)).toEqual({ share: undefined, text: 'differs from place to place' });
    expect(simple('softness').read({ bodies: [{}] }, 0).share).toBeUndefined();
  });

  it('become a preset and nothing else', () => {
    for (const body of scene.bodies.keys()) {
      const next = apply(scene, body, takePreset(scene, body, 'jelly')).bodies[body];
      expect(next).toEqual({ material: { preset: 'jelly' } });
    }
    for (const { read } of SIMPLE)
      for (const preset of Object.keys(MATERIALS))
        expect(read({ bodies: [{ material: { preset } }] }, 0).share, preset).toBeDefined();
  });
});
