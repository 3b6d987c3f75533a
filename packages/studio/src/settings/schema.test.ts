import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PARTS, settingsOfPart } from './parts.js';
import { NOTCHES, notchOf, trackOf, valueAt } from './ranges.js';
import { type Form, type JsonSchema, objection, presetText, type Setting } from './schema.js';

const schema = JSON.parse(
  readFileSync(new URL('../../../../scenes/scene.schema.json', import.meta.url), 'utf8'),
) as JsonSchema;

function leaves(settings: Setting[], way: string): [string, Setting][] {
  return settings.flatMap((setting): [string, Setting][] => {
    const name = `${way}.${setting.key}`;
    return setting.form.kind === 'group' ? leaves(setting.form.settings, name) : [[name, setting]];
  });
}
const all = new Map(PARTS.flatMap((part) => leaves(settingsOfPart(schema, part), part)));
const form = <K extends Form['kind']>(name: string, kind: K) => {
  const found = all.get(name)!.form;
  expect([name, found.kind]).toEqual([name, kind]);
  return found as Extract<Form, { kind: K }>;
};

describe('settings from the published schema', () => {
  it('are all that material, sampling, clustering, levels, fracture, reclustering and contact have', () => {
    for (const part of PARTS) {
      if (part === 'world') continue;
      const { properties } = schema.$defs![part[0].toUpperCase() + part.slice(1)];
      const shown = settingsOfPart(schema, part).map(({ key }) => key);
      expect(shown).toEqual(Object.keys(properties!));
    }
    expect([...all.keys()].filter((name) => name.startsWith('world'))).toEqual(['world.gravity', 'world.dt']);
    for (const name of ['material.raw.limit.gamma', 'material.raw.areaLimit.from', 'levels.weights'])
      expect(all.has(name)).toBe(true);
  });

  it('can all be edited, and say what they are', () => {
    for (const [
      name,
      {
        form: { kind },
        help,
        label,
      },
    ] of all) {
      expect([name, kind]).not.toEqual([name, 'other']);
      expect([name, help.length > 10, label.length > 0]).toEqual([name, true, true]);
    }
  });

  it('have the ranges of the schema', () => {
    expect(form('material.raw.stiffness', 'number')).toMatchObject({
      range: { min: 0, below: 2 },
      whole: false,
      mixed: true,
    });
    expect(form('material.raw.damping', 'number')).toMatchObject({ range: { min: 0, max: 1 }, mixed: false });
    expect(form('clustering.count', 'number')).toMatchObject({ range: { min: 1, max: undefined }, whole: true });
    expect(form('clustering.radius', 'number')).toMatchObject({ range: { above: 0 }, words: ['auto'], mixed: false });
    expect(form('material.raw.mode', 'choice').choices).toEqual(['rigid', 'linear', 'quadratic']);
    expect(form('levels.stiffness', 'numbers')).toMatchObject({ range: { min: 0, below: 2 }, length: undefined });
    expect(form('world.gravity', 'numbers').length).toBe(3);
    expect(form('fracture.delay', 'switch')).toBeDefined();
    const { variants } = form('levels.weights', 'variants');
    expect(variants.map(({ name }) => name)).toEqual(['uniform', 'linear', 'gaussian', 'polynomial', 'list']);
    expect(variants[3].settings.map(({ key, required }) => [key, required])).toEqual([
      ['to', true],
      ['b', false],
      ['c', false],
    ]);
  });

  it('have units, symbols and defaults', () => {
    const unit = (name: string) => all.get(name)!.unit;
    const units = ['material.density', 'material.mass', 'clustering.radius', 'clustering.epsilon', 'fracture.falloff'];
    expect(units.map(unit)).toEqual(['kg/m³', 'kg', 'm', 'm²', '1/s']);
    expect(['world.gravity', 'world.dt', 'contact.margin'].map(unit)).toEqual(['m/s²', 's', 'm']);
    expect(['material.raw.stiffness', 'material.raw.beta'].map(unit)).toEqual([undefined, undefined]);
    expect(unit('material.young')).toBe('Pa');
    const symbol = (name: string) => all.get(name)!.symbol;
    expect(
      ['material.raw.stiffness', 'material.raw.damping', 'material.raw.beta', 'material.raw.mode'].map(symbol),
    ).toEqual(['α', 'k_d', 'β', undefined]);
    const preset = (name: string) => presetText(all.get(name)!);
    expect(['material.raw.stiffness', 'material.toughness', 'clustering.count', 'world.dt'].map(preset)).toEqual([
      '0.8',
      'never',
      'automatic',
      '0.01667',
    ]);
  });

  it('are refused where the schema refuses them, with the range', () => {
    const stiffness = form('material.raw.stiffness', 'number');
    expect(objection(stiffness, 0)).toBeUndefined();
    expect(objection(stiffness, 2)).toBe('Expected a number in [0, 2).');
    expect(objection(stiffness, Number.NaN)).toBe('Expected a number in [0, 2).');
    expect(objection(form('clustering.count', 'number'), 2.5)).toBe('Expected an integer of at least 1.');
    const radius = form('clustering.radius', 'number');
    expect(objection(radius, 'auto')).toBeUndefined();
    expect(objection(radius, 0)).toBe('Expected a number above 0, or "auto".');
    const gravity = form('world.gravity', 'numbers');
    expect(objection(gravity, [0, -9.81, 0])).toBeUndefined();
    expect(objection(gravity, [0, -9.81])).toBe('Expected 3 numbers, with commas between them.');
  });
});

describe('sliders', () => {
  it('say only what the schema allows, from end to end, and come back to where they were', () => {
    let seen = 0;
    for (const [name, { form: f }] of all) {
      if (f.kind !== 'number') continue;
      const track = trackOf(name, f);
      if (!track) continue;
      seen++;
      for (let notch = 0; notch <= NOTCHES; notch++) {
        const value = valueAt(track, notch, f);
        if (objection(f, value)) throw new Error(`${name} at ${notch} says ${value}: ${objection(f, value)}`);
        // Rounded to three digits, or to a whole number: the notch is off by what that takes away.
        if (!f.whole && Math.abs(notchOf(track, value) - notch) > 6)
          throw new Error(`${name}: ${value} is at ${notchOf(track, value)}, not at ${notch}`);
      }
      expect([name, notchOf(track, track.low), notchOf(track, track.high)]).toEqual([name, 0, NOTCHES]);
    }
    expect(seen).toBeGreaterThan(35);
  });

  it("of toughness, yield and Young's modulus are logarithmic", () => {
    for (const name of ['material.toughness', 'material.yield', 'material.young'])
      expect(trackOf(name, form(name, 'number'))?.logarithmic).toBe(true);
  });

  it('have no default outside of them', () => {
    for (const [name, { form: f, preset }] of all) {
      const track = f.kind === 'number' ? trackOf(name, f) : undefined;
      if (!track || typeof preset !== 'number') continue;
      expect([name, preset >= track.low && preset <= track.high]).toEqual([name, true]);
    }
  });
});
