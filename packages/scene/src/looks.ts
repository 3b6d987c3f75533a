import type { MATERIALS } from 'pliant';

/** Patterns of a surface, computed at the rest position so that they move with the body. */
export type Pattern = 'none' | 'grain' | 'speckle' | 'pores' | 'crumb' | 'marbling' | 'fibres';

/** How the faces look that cuts and cracks laid open. */
export interface InnerLook {
  /** Colour, '#rrggbb'. Without one it is that of the outside, mixed with `pale`. */
  readonly colour?: string;
  /** Share of a pale cream in the outer colour, 0 to 1, where there is no `colour` of its own. */
  readonly pale?: number;
  /** Roughness for light, 0 (mirror) to 1 (chalk). */
  readonly roughness: number;
  /** Its pattern, and how strongly it changes colour and relief, 0 to 1. */
  readonly pattern: Pattern;
  /** Strength of the pattern, 0 to 1. */
  readonly strength: number;
}

/** How a body looks: plain numbers, which a renderer interprets as it can. */
export interface Look {
  /** Colour of the first body that has it, '#rrggbb'. */
  readonly colour: string;
  /** How the colours of several such bodies differ: 'hue' for things that are dyed, 'tone' for what has its colour by nature. */
  readonly varies: 'hue' | 'tone';
  /** Roughness for light, 0 (mirror) to 1 (chalk). */
  readonly roughness: number;
  /** Share of a clear coat over the surface, 0 to 1. */
  readonly coat: number;
  /** Share of light that comes through thin parts and softens shadows, 0 to 1. */
  readonly translucency: number;
  /** Share of the light from behind that is held back when looking straight at it, 0 to 1. */
  readonly opacity: number;
  /** Pattern of the outside, and its strength. */
  readonly pattern: Pattern;
  /** Strength of the pattern, 0 to 1. */
  readonly strength: number;
  /** The faces that cuts and cracks laid open. */
  readonly inner: InnerLook;
}

const look = (
  colour: string,
  varies: Look['varies'],
  roughness: number,
  inner: InnerLook,
  others: Partial<Look> = {},
): Look => ({
  ...{ colour, varies, roughness, inner },
  ...{ coat: 0, translucency: 0, opacity: 1, pattern: 'none', strength: 0 },
  ...others,
});

/** The looks that a scene file may name. */
export const LOOKS = {
  /** Silicone and latex: satin, dyed through and through. */
  rubber: look('#e8623c', 'hue', 0.42, { pale: 0.25, roughness: 0.7, pattern: 'speckle', strength: 0.15 }),
  /** Tyres and soles. */
  darkRubber: look('#3d3f45', 'tone', 0.5, { pale: 0.05, roughness: 0.8, pattern: 'speckle', strength: 0.3 }),
  /** Gelatine: wet, and lit through. */
  jelly: look(
    '#e0284f',
    'hue',
    0.12,
    { pale: 0.05, roughness: 0.2, pattern: 'none', strength: 0 },
    { coat: 1, translucency: 1, opacity: 0.9 },
  ),
  /** Hard sweets and lacquer: glossy, dyed. */
  candy: look(
    '#d92f4b',
    'hue',
    0.28,
    { pale: 0.72, roughness: 0.45, pattern: 'speckle', strength: 0.2 },
    { coat: 0.8, translucency: 0.25 },
  ),
  /** Upholstery foam and sponges. */
  foam: look(
    '#efd65c',
    'hue',
    0.95,
    { pale: 0.25, roughness: 1, pattern: 'pores', strength: 0.6 },
    { pattern: 'pores', strength: 0.5, translucency: 0.15 },
  ),
  /** Modelling clay, unfired. */
  clay: look(
    '#b4623c',
    'tone',
    0.88,
    { pale: 0.12, roughness: 0.95, pattern: 'speckle', strength: 0.3 },
    { pattern: 'speckle', strength: 0.12 },
  ),
  /** Glazier's putty. */
  putty: look('#cfc5a5', 'tone', 0.7, { pale: 0.1, roughness: 0.8, pattern: 'speckle', strength: 0.15 }),
  /** Dough and taffy: soft, matt, a little light comes through. */
  dough: look(
    '#f0dcb0',
    'tone',
    0.75,
    { pale: 0.3, roughness: 0.9, pattern: 'crumb', strength: 0.35 },
    { translucency: 0.3 },
  ),
  /** A loaf: brown crust, pale crumb. */
  bread: look(
    '#b9712f',
    'tone',
    0.8,
    { colour: '#f3e3c0', roughness: 1, pattern: 'crumb', strength: 0.9 },
    { pattern: 'speckle', strength: 0.16 },
  ),
  /** Tempered chocolate: a satin skin, matt where it broke. */
  chocolate: look(
    '#4a2615',
    'tone',
    0.34,
    { colour: '#6b3d24', roughness: 0.85, pattern: 'pores', strength: 0.3 },
    { coat: 0.25 },
  ),
  /** A cheese with a waxy rind. */
  cheese: look(
    '#f2b632',
    'tone',
    0.5,
    { colour: '#ffdf86', roughness: 0.6, pattern: 'pores', strength: 0.2 },
    { translucency: 0.4, coat: 0.2 },
  ),
  /** Window glass: seen through, with bright rims. */
  glass: look(
    '#a9dbe0',
    'hue',
    0.04,
    { pale: 0.3, roughness: 0.1, pattern: 'none', strength: 0 },
    { coat: 1, translucency: 0.5, opacity: 0.22 },
  ),
  /** Glazed earthenware: shining outside, dull biscuit within. */
  ceramic: look(
    '#f1ede4',
    'hue',
    0.22,
    { colour: '#d9b48c', roughness: 0.95, pattern: 'speckle', strength: 0.35 },
    { coat: 0.9 },
  ),
  /** Granite. */
  stone: look(
    '#8f8d89',
    'tone',
    0.85,
    { colour: '#a5a19a', roughness: 0.95, pattern: 'speckle', strength: 0.9 },
    { pattern: 'speckle', strength: 0.7 },
  ),
  /** Planed softwood with year rings. */
  wood: look(
    '#c8975a',
    'tone',
    0.62,
    { colour: '#e3bf86', roughness: 0.95, pattern: 'fibres', strength: 0.8 },
    { pattern: 'grain', strength: 0.6 },
  ),
  /** Skin, and meat with fat in it. */
  flesh: look(
    '#e2a48e',
    'tone',
    0.48,
    { colour: '#a82f2f', roughness: 0.4, pattern: 'marbling', strength: 0.8 },
    { translucency: 0.55, pattern: 'speckle', strength: 0.06 },
  ),
  /** Painted metal. */
  metal: look('#9aa6b2', 'hue', 0.3, { pale: 0.1, roughness: 0.45, pattern: 'fibres', strength: 0.25 }, { coat: 0.4 }),
} as const satisfies Record<string, Look>;

/** Name of a look. */
export type LookName = keyof typeof LOOKS;

/** The names of all looks. */
export const LOOK_NAMES = Object.keys(LOOKS) as LookName[];

/** The look of each preset of `material.preset`. */
export const PRESET_LOOKS: Readonly<Record<keyof typeof MATERIALS, LookName>> = {
  jelly: 'jelly',
  softRubber: 'rubber',
  hardRubber: 'darkRubber',
  foam: 'foam',
  clay: 'clay',
  putty: 'putty',
  dough: 'dough',
  chocolate: 'chocolate',
  glass: 'glass',
  ceramic: 'ceramic',
  wood: 'wood',
  flesh: 'flesh',
};

/** How a body of a scene looks: its look, and its colour if the scene names one. */
export interface BodyLook {
  /** Name of the look. */
  readonly look: LookName;
  /** '#rrggbb'. Without one it is the look's colour, or another for bodies after the first. */
  readonly colour?: string;
}

/** The look of a body: the one that it names, else that of its material's preset, else rubber. */
export function lookOf(
  named: LookName | undefined,
  preset: keyof typeof MATERIALS | undefined,
  colour: string | undefined,
): BodyLook {
  return { look: named ?? (preset && PRESET_LOOKS[preset]) ?? 'rubber', ...(colour && { colour }) };
}

/** Colours of bodies with a look that varies in hue, after the first. */
const HUES = [
  '#2e7fd1',
  '#3aa56a',
  '#f0b22c',
  '#8d5ccf',
  '#20a5a8',
  '#e2609a',
  '#f0853a',
  '#5a6ad8',
  '#9cbd3c',
  '#d64545',
];

/** A colour that has been read: r, g, b, 0 to 255, in sRGB. */
export type Rgb = readonly [number, number, number];

const rgbOf = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;

/** The colours of a scene's bodies, in their order: those that they name, else those of their looks, varied where several bodies have the same. */
export function bodyColours(looks: readonly (BodyLook | undefined)[]): { outer: Rgb; inner: Rgb }[] {
  const met = new Map<LookName, number>();
  return looks.map((body) => {
    const name = body?.look ?? 'rubber';
    const look: Look = LOOKS[name];
    const n = met.get(name) ?? 0;
    if (!body?.colour) met.set(name, n + 1);
    const outer = body?.colour ? rgbOf(body.colour) : variant(look, n);
    const { colour, pale = 0 } = look.inner;
    return { outer, inner: colour ? rgbOf(colour) : mix(outer, CREAM, pale) };
  });
}
const CREAM: Rgb = [246, 230, 205];

function variant({ colour, varies }: Look, n: number): Rgb {
  if (n === 0) return rgbOf(colour);
  if (varies === 'hue') return rgbOf(HUES[(n - 1) % HUES.length]);
  // Steps of the golden section: neighbours differ, and none repeats.
  const shade = ((n * 0.618) % 1) - 0.5;
  return mix(rgbOf(colour), shade < 0 ? [0, 0, 0] : [255, 244, 225], 0.32 * Math.abs(shade));
}

const mix = (a: Rgb, b: Rgb, share: number): Rgb =>
  a.map((value, k) => Math.round(value + share * (b[k] - value))) as unknown as Rgb;
