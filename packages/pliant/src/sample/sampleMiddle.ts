import { refuse } from '../check.js';
import { checkParticleCount, MAX_PARTICLES } from '../limits.js';
import type { Middle, ThinSampling } from './middle.js';
import { meetsCount } from './searchSpacing.js';

/** Trials of a spacing for a wanted count, and the factor by which the last ones draw particles together. */
const TRIALS = 16;
const CLOSER = 0.97;

export interface MiddleSampling extends ThinSampling {
  spacing: number;
}

/** How a middle is sampled. Exactly one of `spacing` and `count` is given. */
export interface Wanted {
  spacing: number | undefined;
  count: number | undefined;
  seed: number;
  method: 'grid' | 'blue-noise';
}

/**
 * Particles along the middle of a thin body. Undefined where they would lie nearer than the body is thick, and where fewer are wanted than its middle takes: such a body is filled like any
 * other.
 */
export function sampleMiddle(middle: Middle, wanted: Wanted, path: string): MiddleSampling | undefined {
  const { count, seed, method } = wanted;
  const spacing = wanted.spacing === undefined ? undefined : Math.min(wanted.spacing, middle.to);
  if (spacing !== undefined && spacing < middle.from) return undefined;
  if (method === 'grid' && !middle.hasGrid) refuse(`${path}.method`, method, "'blue-noise' for a sheet made of a mesh");
  if (spacing !== undefined) {
    checkParticleCount(`${path}.spacing`, middle.expect(spacing));
    return { ...middle.sample(spacing, seed, method), spacing };
  }
  return byCount(middle, count!, seed, method);
}

function byCount(middle: Middle, count: number, seed: number, method: Wanted['method']): MiddleSampling | undefined {
  // The number falls with the spacing s as a/s² or a/s: steps by the root find either.
  let spacing = middle.from;
  const expected = (s: number) => Math.min(middle.expect(s), MAX_PARTICLES);
  if (expected(spacing) < 0.9 * count) return undefined;
  if (middle.kind === 'cord' && expected(middle.to) > count + 1) return undefined;
  for (let k = 0; k < 64; k++) spacing = Math.min(middle.to, spacing * Math.sqrt(expected(spacing) / count));
  let found = middle.sample(spacing, seed, method);
  for (let trial = 0; trial < TRIALS && !meetsCount(found.shares.length, count); trial++) {
    spacing = Math.min(middle.to, spacing * Math.sqrt(found.shares.length / count));
    found = middle.sample(spacing, seed, method);
  }
  if (meetsCount(found.shares.length, count)) return spacing < middle.from ? undefined : { ...found, spacing };
  // Small numbers jump: those that are too many fill the smallest gaps, and are left out.
  for (let trial = 0; trial < TRIALS && found.shares.length < count; trial++)
    found = middle.sample((spacing *= CLOSER), seed, method);
  if (found.shares.length < count || spacing < middle.from) return undefined;
  return { positions: found.positions.slice(0, 3 * count), shares: found.shares.slice(0, count), spacing };
}
