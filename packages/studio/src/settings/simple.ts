import { MATERIALS } from 'pliant';
import type { SceneJson } from '../sceneDocument.js';
import type { Change } from './editor.js';
import { isRaw, materialOf } from './parts.js';

/** A property of a material in everyday words: a slider from 0 to 1 over one or two settings of the scene file. */
export interface Simple {
  id: string;
  label: string;
  /** Words at the two ends of the slider. */
  ends: readonly [string, string];
  /** The settings behind it, for those who know the papers. */
  help: string;
  read(json: SceneJson, body: number): Reading;
  write(json: SceneJson, body: number, share: number): Change[];
}

/** Where a slider stands, and its value in words. */
export interface Reading {
  /** Undefined if there is no one value: it differs from place to place, or follows from others. */
  share: number | undefined;
  text: string;
}

type Material = Record<string, unknown>;

/** The value of a setting of a body's material: its own, or that of its preset. `raw` has no presets. */
function saidOf(json: SceneJson, body: number, ...path: string[]): unknown {
  const own = path.reduce<unknown>((at, key) => (at as Material | undefined)?.[key], materialOf(json, body));
  return own ?? presetOf(json, body)?.[path[0]];
}

function presetOf(json: SceneJson, body: number) {
  const name = materialOf(json, body)['preset'] as keyof typeof MATERIALS | undefined;
  return name && (MATERIALS[name]?.material as Material | undefined);
}

const place = (...path: string[]) => ({ part: 'material' as const, path });
const digits = (value: number, count = 2) => Number(value.toPrecision(count));
const clamp = (share: number) => Math.min(1, Math.max(0, share));

/** A logarithmic slider. `from` may be larger than `to`. */
const shareOf = (value: number, from: number, to: number) => clamp(Math.log(value / from) / Math.log(to / from));
const valueAt = (share: number, from: number, to: number) => digits(from * (to / from) ** share);

const MIXED: Reading = { share: undefined, text: 'differs from place to place' };

/** A reading of a value that may vary over the body, or be left to the engine. */
function reading(value: unknown, unsaid: Reading, of: (value: number) => Reading): Reading {
  if (typeof value === 'number') return of(value);
  return value === undefined ? unsaid : MIXED;
}

/** Young's moduli (Pa) up to which a body is about as stiff as a thing that everybody knows. */
const AS_STIFF_AS: readonly (readonly [number, string])[] = [
  [5e3, 'like pudding'],
  [3e4, 'like jelly'],
  [2e5, 'like flesh'],
  [3e6, 'like soft rubber'],
  [5e7, 'like a tyre'],
  [5e8, 'like chocolate'],
  [2e10, 'like wood'],
  [Number.POSITIVE_INFINITY, 'like glass'],
];
/** Young's moduli of the hardest and the softest body (Pa). */
const YOUNG = [1e10, 1e3] as const;

const softness: Simple = {
  id: 'softness',
  label: 'Softness',
  ends: ['hard', 'soft'],
  help: 'Young’s modulus E: stress per strain of a bar that is pulled. In bodies with the papers’ per-step parameters the stiffness α.',
  read(json, body) {
    if (isRaw(json, body))
      return reading(saidOf(json, body, 'raw', 'stiffness') ?? 0.8, MIXED, (stiffness) => ({
        share: clamp(1 - stiffness),
        text: `springs back ${digits(100 * stiffness)} % a step`,
      }));
    const auto = { share: undefined, text: 'as firm as its weight asks for' };
    return reading(saidOf(json, body, 'young'), auto, (young) => ({
      share: shareOf(young, ...YOUNG),
      text: AS_STIFF_AS.find(([most]) => young <= most)![1],
    }));
  },
  write(json, body, share) {
    if (isRaw(json, body))
      return [{ where: place('raw', 'stiffness'), value: digits(Math.max(0.01, 1 - share)), preset: 0.8 }];
    return [{ where: place('young'), value: valueAt(share, ...YOUNG) }];
  },
};

/** Damping ratios ζ of the dullest and the bounciest body; and losses a step k_d of bodies with per-step parameters. */
const ZETA = [1, 0.01] as const;
const LOSS = [1, 0.003] as const;
/** Largest share of the approaching speed that contact of two bodies gives back. */
const LIVELY = 0.6;

const bounciness: Simple = {
  id: 'bounciness',
  label: 'Bounciness',
  ends: ['dull', 'bouncy'],
  help: 'Damping ratio ζ of its swings, and the restitution of its contact with other bodies. In bodies with the papers’ per-step parameters the damping k_d.',
  read(json, body) {
    const raw = isRaw(json, body);
    const damping = (raw ? saidOf(json, body, 'raw', 'damping') : saidOf(json, body, 'dampingRatio')) as number;
    const share = raw ? shareOf(damping ?? 0.02, ...LOSS) : shareOf(damping ?? 0.1, ...ZETA);
    return { share, text: ['dead', 'dull', 'springy', 'bouncy', 'rings on'][Math.min(4, Math.floor(5 * share))] };
  },
  write(json, body, share) {
    const restitution = { where: place('restitution'), value: digits(LIVELY * share) || 0, preset: 0 };
    if (isRaw(json, body))
      return [{ where: place('raw', 'damping'), value: valueAt(share, ...LOSS), preset: 0.02 }, restitution];
    return [{ where: place('dampingRatio'), value: valueAt(share, ...ZETA), preset: 0.1 }, restitution];
  },
};

/** A strain that no body reaches: "never", for a material whose preset says otherwise. */
const NEVER = 1000;
/** Share of a slider that means "never". */
const END = 0.03;

/** "Never" at one end of a slider: no value, or one that is never reached if the preset has one. */
function never(json: SceneJson, body: number, key: 'yield' | 'toughness'): Change {
  const isSaid = presetOf(json, body)?.[key] !== undefined;
  return { where: place(key), value: isSaid ? NEVER : undefined };
}

/** Strains at which the hardest and the softest body that dents does. */
const YIELD = [0.5, 0.002] as const;

const dents: Simple = {
  id: 'dents',
  label: 'Dents',
  ends: ['never', 'at a touch'],
  help: 'Plastic yield λ: the strain beyond which the body keeps its new shape.',
  read: (json, body) =>
    reading(saidOf(json, body, 'yield'), { share: 0, text: 'never' }, (strain) =>
      strain >= NEVER
        ? { share: 0, text: 'never' }
        : {
            share: strain === 0 ? 1 : END + (1 - END) * shareOf(strain, ...YIELD),
            text: strain === 0 ? 'keeps no shape' : `from a strain of ${digits(100 * strain)} %`,
          },
    ),
  write: (json, body, share) =>
    share < END
      ? [never(json, body, 'yield')]
      : [{ where: place('yield'), value: valueAt((share - END) / (1 - END), ...YIELD) }],
};

/** Stretches at which the frailest and the toughest body that breaks does. */
const BREAK = [0.005, 3] as const;

const breaks: Simple = {
  id: 'breaks',
  label: 'Breaks at',
  ends: ['a touch', 'never'],
  help: 'Toughness τ: it breaks where it is stretched by more than this.',
  read: (json, body) =>
    reading(saidOf(json, body, 'toughness'), { share: 1, text: 'never' }, (stretch) =>
      stretch >= NEVER
        ? { share: 1, text: 'never' }
        : {
            share: stretch === 0 ? 0 : (1 - END) * shareOf(stretch, ...BREAK),
            text: `a stretch of ${digits(100 * stretch)} %`,
          },
    ),
  write: (json, body, share) =>
    share > 1 - END
      ? [never(json, body, 'toughness')]
      : [{ where: place('toughness'), value: valueAt(share / (1 - END), ...BREAK) }],
};

const DENSITY = [20, 8000] as const;
const MASS = [0.01, 10_000] as const;
const PARTICLE = [1e-4, 10] as const;

const weight: Simple = {
  id: 'weight',
  label: 'Weight',
  ends: ['light', 'heavy'],
  help: 'Density, or the mass of the body or of each particle where the scene gives that. Changing it builds the body anew.',
  read(json, body) {
    const { mass, particleMass } = materialOf(json, body);
    if (typeof mass === 'number') return { share: shareOf(mass, ...MASS), text: `${digits(mass, 3)} kg` };
    if (typeof particleMass === 'number')
      return { share: shareOf(particleMass, ...PARTICLE), text: `${digits(particleMass)} kg a particle` };
    return reading(saidOf(json, body, 'density') ?? 1000, MIXED, (density) => ({
      share: shareOf(density, ...DENSITY),
      text: `${digits(density, 3)} kg/m³${density === 1000 ? ', as water' : ''}`,
    }));
  },
  write(json, body, share) {
    const { mass, particleMass } = materialOf(json, body);
    if (typeof mass === 'number') return [{ where: place('mass'), value: valueAt(share, ...MASS) }];
    if (typeof particleMass === 'number') return [{ where: place('particleMass'), value: valueAt(share, ...PARTICLE) }];
    return [{ where: place('density'), value: valueAt(share, ...DENSITY), preset: 1000 }];
  },
};

export const SIMPLE: readonly Simple[] = [softness, bounciness, dents, breaks, weight];

/** Names of the presets, in plain words. */
export const PRESETS = Object.keys(MATERIALS).map((name) => ({
  name,
  words: name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
}));

/** All that a preset says, and what cannot stand beside it. */
const REPLACED = [
  'raw',
  'density',
  'mass',
  'particleMass',
  'young',
  'poisson',
  'dampingRatio',
  'friction',
  'restitution',
  'yield',
  'flowTime',
  'hardening',
  'toughness',
];

/** The changes that make a body's material a preset and nothing else. */
export function takePreset(json: SceneJson, body: number, name: string): Change[] {
  const own = materialOf(json, body);
  const removed = REPLACED.filter((key) => key in own).map((key) => ({ where: place(key), value: undefined }));
  // Levels belong to bodies with per-step parameters.
  const levels = json.bodies[body]?.['levels']
    ? [{ where: { part: 'levels' as const, path: [] }, value: undefined }]
    : [];
  return [...removed, ...levels, { where: place('preset'), value: name }];
}
