import { clusterColour as colourOf } from '@pliant/scene';

/** Colours in a frame: r, g, b, a in the bytes of one number, lowest first. */
export const pack = (r: number, g: number, b: number): number => (r | (g << 8) | (b << 16) | (255 << 24)) >>> 0;

/** Colour of a cluster. */
export const clusterColour = (cluster: number): number => pack(...colourOf(cluster));

/** From low to high: dark blue over green to yellow, in even steps of lightness, also for colour-blind users. */
const RAMP = [
  [68, 20, 90],
  [62, 74, 137],
  [38, 130, 142],
  [53, 183, 121],
  [170, 220, 50],
  [253, 231, 37],
] as const;
const SHADES = 256;
const ramp = Uint32Array.from({ length: SHADES }, (_, n) => {
  const at = (n / (SHADES - 1)) * (RAMP.length - 1);
  const k = Math.min(RAMP.length - 2, Math.floor(at));
  const [a, b] = [RAMP[k], RAMP[k + 1]];
  const mix = (c: 0 | 1 | 2) => Math.round(a[c] + (at - k) * (b[c] - a[c]));
  return pack(mix(0), mix(1), mix(2));
});

/** Colour of a value between 0 and 1. */
export const rampColour = (share: number): number =>
  ramp[Math.max(0, Math.min(SHADES - 1, Math.round(share * (SHADES - 1))))];

/** The ramp as a CSS gradient, for the legend. */
export const RAMP_CSS = `linear-gradient(to right, ${RAMP.map((c) => `rgb(${c.join(' ')})`).join(', ')})`;
