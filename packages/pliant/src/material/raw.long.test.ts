import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { BACKENDS } from '../kernels/kernels.js';
import { BLOCK, worldWith } from '../testing/bodies.js';
import { refusal } from '../testing/refusal.js';
import { World } from '../world.js';
import { MATERIAL_DEFAULTS, type MaterialOptions } from './material.js';
import { RAW_DEFAULTS, RAW_KEYS } from './raw.js';

const POINTS: Record<string, number[]> = {
  'one point': [0, 1, 0],
  'points in one place': [0, 1, 0, 0, 1, 0, 0, 1, 0],
  'two points': [0, 1, 0, 0.2, 1, 0],
  'points on a line': [0, 1, 0, 0.1, 1, 0, 0.2, 1, 0],
  'points on a plane': Array.from({ length: 25 }, (_, k) => [0.1 * (k % 5), 1, 0.1 * Math.floor(k / 5)]).flat(),
  'points 1 nm apart': [0, 1, 0, 1e-9, 1, 0, 0, 1 + 1e-9, 0, 0, 1, 1e-9],
};

describe('the elastic law', () => {
  it.each<[string, BodyOptions]>([
    ['no material', {}],
    ['an empty material', { material: {} }],
    ['a material of other settings', { material: { density: 500, friction: 1, yield: 0.1, toughness: 0.5 } }],
  ])('is what a body with %s has', async (_, options) => {
    const { body } = await worldWith({ ...BLOCK, ...options });
    const { poisson, dampingRatio } = MATERIAL_DEFAULTS;
    expect(body.material.law).toMatchObject({ poisson, dampingRatio });
    // ρ g L/(2 · 5 %), L the longest side.
    const density = (options.material?.density as number) ?? 1000;
    expect(body.young).toBeCloseTo((density * 9.81 * 0.9) / 0.1, 0);
    expect(body.core.contact.settings.obstacles).toBe('surface');
    expect(body.warnings).toEqual([]);
  });

  it.each(BACKENDS)('of a body that says nothing lets its weight shorten it by a twentieth (%s)', async (backend) => {
    const world = await World.create({ backend });
    world.addCollider({ type: 'plane', normal: [0, 1, 0], friction: 0 });
    const body = world.addBody({
      shape: { type: 'box', size: [1, 1, 1] },
      sampling: { method: 'grid', spacing: 0.1 },
      position: [0, 0.5, 0],
    });
    for (let n = 0; n < 600 && !body.asleep; n++) world.step();
    expect(body.asleep).toBe(true);
    const height = (layer: number) => {
      let [sum, count] = [0, 0];
      for (let i = 0; i < body.particleCount; i++)
        if (Math.abs(body.restPositions[3 * i + 1] - layer) < 0.01)
          [sum, count] = [sum + body.positions[4 * i + 1], count + 1];
      return sum / count;
    };
    const sag = 1 - (height(0.95) - height(0.05)) / 0.9;
    expect(sag).toBeGreaterThan(0.045);
    expect(sag).toBeLessThan(0.055);
  });

  it.each(BACKENDS.flatMap((backend) => Object.keys(POINTS).map((name) => [name, backend] as const)))(
    'holds for %s, which fall and come to rest on the floor (%s)',
    async (name, backend) => {
      const world = await World.create({ backend });
      world.addCollider({ type: 'plane', normal: [0, 1, 0] });
      const body = world.addBody({ points: POINTS[name] });
      for (let n = 0; n < 300; n++) world.step();
      expect(body.enabled).toBe(true);
      expect(body.positions.every(Number.isFinite) && body.velocities.every(Number.isFinite)).toBe(true);
      expect(body.asleep).toBe(true);
      for (let i = 0; i < body.particleCount; i++) expect(Math.abs(body.positions[4 * i + 1])).toBeLessThan(1e-3);
      expect(world.validate()).toEqual([]);
      const bytes = world.save();
      world.restore(bytes);
      world.step();
    },
  );
});

describe('raw', () => {
  it('gives a body per-step parameters and no law, with their own defaults', async () => {
    const { body, world } = await worldWith({ ...BLOCK, material: { raw: {} } });
    expect([body.young, body.maxYoung, body.material.law]).toEqual([undefined, undefined, undefined]);
    const { stiffness, ...settings } = RAW_DEFAULTS;
    expect(body.material).toMatchObject(settings);
    expect(world.state.views.stiffness[0]).toBe(Math.fround(stiffness));
    expect(body.core.contact.settings.obstacles).toBe('points');
    world.step();
    expect(world.h).toBe(world.dt);
  });

  const refused = async (options: BodyOptions) => {
    const world = await World.create();
    return refusal(() => world.addBody({ ...BLOCK, ...options }));
  };

  it.each([
    [{ young: 1e5, raw: {} }, 'body.material.young is 100000; expected nothing beside raw, whose per-step'],
    [{ poisson: 0.4, raw: { damping: 0.1 } }, 'body.material.poisson is 0.4; expected nothing beside raw'],
    [{ dampingRatio: 1, raw: {} }, 'body.material.dampingRatio is 1; expected nothing beside raw'],
    [{ raw: 3 as never }, 'body.material.raw is 3; expected an object'],
    [{ raw: null as never }, 'body.material.raw is null; expected an object'],
    [{ raw: { stifness: 1 } as never }, 'body.material.raw.stifness is not an option'],
    [{ raw: { young: 1 } as never }, 'body.material.raw.young is not an option'],
  ] as [MaterialOptions, string][])('refuses %j', async (material, message) => {
    expect(await refused({ material })).toContain(message);
  });

  it.each(RAW_KEYS.filter((key) => key !== 'hardening'))('is where %s belongs', async (key) => {
    const material = { [key]: RAW_DEFAULTS[key] } as MaterialOptions;
    const { body } = await worldWith(BLOCK);
    for (const message of [await refused({ material }), refusal(() => body.setMaterial(material))]) {
      expect(message).toContain(`material.${key} is `);
      expect(message).toContain('expected nothing here: per-step parameters belong in ');
    }
  });

  it('stays as a body was built, with or without', async () => {
    const { body: lawful } = await worldWith(BLOCK);
    expect(refusal(() => lawful.setMaterial({ raw: {} }))).toBe(
      'material.raw is an object with no keys; expected nothing: the body was built without raw, and has an elastic law.',
    );
    lawful.setMaterial({ young: 2e5 });
    expect(lawful.young).toBeCloseTo(2e5, -1);
    const { body } = await worldWith({ ...BLOCK, material: { raw: { damping: 0.3 } } });
    for (const change of [{ young: 1e5 }, { poisson: 0.1 }, { dampingRatio: 0.1 }])
      expect(refusal(() => body.setMaterial(change))).toContain('expected nothing: the body was built with raw.');
    body.setMaterial({ friction: 0.9, raw: { bodyDamping: 0.1 } });
    expect(body.material).toMatchObject({ law: undefined, friction: 0.9, damping: 0.3, bodyDamping: 0.1 });
    body.setMaterial({ restitution: 0.2 });
    expect(body.material).toMatchObject({ law: undefined, restitution: 0.2, damping: 0.3 });
  });

  it('is what levels need', async () => {
    expect(await refused({ levels: {} })).toBe(
      'body.levels is an object with no keys; expected nothing without material.raw: levels count in steps; young makes a body stiff, by substeps.',
    );
    const { body } = await worldWith({ ...BLOCK, levels: { count: 2 }, material: { raw: {} } });
    expect(body.levels).toHaveLength(2);
  });
});
