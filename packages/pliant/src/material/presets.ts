import type { MaterialOptions } from './material.js';

/** A material by name: what a body takes, and a colour to draw it in. */
export interface MaterialPreset {
  /** Options for `addBody({ material })`; spread them to change some. */
  readonly material: Readonly<MaterialOptions>;
  /** Colour as a number, 0xrrggbb. */
  readonly colour: number;
}

/**
 * Materials with an elastic law in SI units: `addBody({ …, material: MATERIALS.jelly.material })`. Stiff ones reach less than their modulus at usual time steps; `body.warnings`
 * then tells how much. Poisson's ratio is at most 0.45, though that of rubber and of what is mostly water is near 0.5: the nearer, the less of the modulus is reached. Where a material breaks, `toughness` is larger than the strain at which it does in nature, so that a body that is softer than asked for carries its own weight.
 */
export const MATERIALS = freeze({
  /** Firm gelatine, as of fruit jelly: a dessert has some kPa, fruit gums a hundred; mostly water. At 1 m softer ones do not stand. */
  jelly: {
    material: { density: 1050, young: 3e4, poisson: 0.45, dampingRatio: 0.08, friction: 0.3, restitution: 0 },
    colour: 0xd9415d,
  },
  /** Silicone or latex of Shore 20 to 30 A. */
  softRubber: {
    material: { density: 1100, young: 1e6, poisson: 0.45, dampingRatio: 0.08, friction: 0.9, restitution: 0.5 },
    colour: 0xe07a3f,
  },
  /** Tyre tread and soles, Shore 70 to 80 A. */
  hardRubber: {
    material: { density: 1150, young: 1e7, poisson: 0.45, dampingRatio: 0.05, friction: 0.8, restitution: 0.6 },
    colour: 0x3d3f45,
  },
  /** Upholstery foam of polyurethane; its cells give way sideways less than a solid does. */
  foam: {
    material: { density: 60, young: 5e4, poisson: 0.2, dampingRatio: 0.3, friction: 0.6, restitution: 0.1 },
    colour: 0xe8d36b,
  },
  /** Modelling clay; it flows at some ten kPa, a strain of one to two hundredths. */
  clay: {
    material: {
      density: 1800,
      young: 2e6,
      poisson: 0.4,
      dampingRatio: 0.5,
      friction: 0.7,
      restitution: 0,
      yield: 0.02,
    },
    colour: 0xa8623f,
  },
  /** Glazier's putty: softer than clay, flows at a few kPa. */
  putty: {
    material: {
      density: 1700,
      young: 2e5,
      poisson: 0.45,
      dampingRatio: 0.6,
      friction: 0.8,
      restitution: 0,
      yield: 0.02,
    },
    colour: 0xc9c2a8,
  },
  /** Bread dough: some ten kPa; part of a large strain comes back. */
  dough: {
    material: {
      density: 1100,
      young: 2e4,
      poisson: 0.45,
      dampingRatio: 0.5,
      friction: 0.6,
      restitution: 0,
      yield: 0.1,
    },
    colour: 0xe9d3a6,
  },
  /** A tempered bar at room temperature; breaks at a strain of about 0.01. */
  chocolate: {
    material: {
      density: 1300,
      young: 3e8,
      poisson: 0.35,
      dampingRatio: 0.2,
      friction: 0.4,
      restitution: 0.1,
      toughness: 0.05,
    },
    colour: 0x5a3420,
  },
  /** Window glass; breaks at a strain of about 0.001. */
  glass: {
    material: {
      density: 2500,
      young: 7e10,
      poisson: 0.22,
      dampingRatio: 0.01,
      friction: 0.3,
      restitution: 0.6,
      toughness: 0.03,
    },
    colour: 0x9fd4d9,
  },
  /** Fired earthenware and porcelain; breaks at a strain of about 0.001. */
  ceramic: {
    material: {
      density: 2300,
      young: 6e10,
      poisson: 0.2,
      dampingRatio: 0.02,
      friction: 0.5,
      restitution: 0.4,
      toughness: 0.03,
    },
    colour: 0xe6e1d6,
  },
  /** Pine or spruce along the grain; here alike in all directions. */
  wood: {
    material: { density: 550, young: 1e10, poisson: 0.35, dampingRatio: 0.05, friction: 0.5, restitution: 0.4 },
    colour: 0xb98a4e,
  },
  /** Relaxed muscle under skin. */
  flesh: {
    material: { density: 1060, young: 3e4, poisson: 0.45, dampingRatio: 0.3, friction: 0.6, restitution: 0 },
    colour: 0xd99a86,
  },
} as const satisfies Record<string, MaterialPreset>);

function freeze<T extends Record<string, MaterialPreset>>(presets: T): T {
  for (const preset of Object.values(presets)) {
    Object.freeze(preset.material);
    Object.freeze(preset);
  }
  return Object.freeze(presets) as T;
}
