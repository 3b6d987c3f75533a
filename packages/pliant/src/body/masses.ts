import { checkNumber, refuse } from '../check.js';
import { evaluateField, MATERIAL_DEFAULTS, type MaterialOptions, STIFFNESS_RANGE } from '../material/material.js';
import type { Particles } from './particles.js';

/** The masses of particles: an equal share of `mass`, `particleMass` each, or by density. */
export function makeMasses(path: string, material: MaterialOptions, particles: Particles): Float64Array {
  const n = particles.positions.length / 3;
  const { mass, particleMass, density } = material;
  if (mass !== undefined) return new Float64Array(n).fill(checkNumber(`${path}.material.mass`, mass, { above: 0 }) / n);
  if (particleMass !== undefined || (particles.volume === undefined && density === undefined))
    return new Float64Array(n).fill(
      checkNumber(`${path}.material.particleMass`, particleMass ?? MATERIAL_DEFAULTS.particleMass, { above: 0 }),
    );
  if (particles.volume === undefined)
    refuse(
      `${path}.material.density`,
      density,
      'mass or particleMass for a body given as points, whose volume is unknown',
    );
  const values = evaluateField(
    `${path}.material.density`,
    density ?? MATERIAL_DEFAULTS.density,
    particles.positions,
    { above: 0 },
    particles.fromVertices,
  );
  return values.map((rho) => (rho * particles.volume!) / n);
}

/** What the material says of each particle. */
export interface ParticleFields {
  stiffness: Float64Array;
  yieldLimit: Float64Array;
  toughness: Float64Array;
}

/** Evaluates the material's fields at the placed particles. */
export function makeFields(path: string, values: MaterialOptions, particles: Particles): ParticleFields {
  const { positions } = particles;
  const evaluate = (name: 'stiffness' | 'yield' | 'toughness', range: { min: number; below?: number }) =>
    evaluateField(
      `${path}.material.${name}`,
      values[name] ?? MATERIAL_DEFAULTS[name],
      positions,
      range,
      particles.fromVertices,
    );
  const stiffness = evaluate('stiffness', STIFFNESS_RANGE as { min: number; below: number });
  const yieldLimit = evaluate('yield', { min: 0 });
  const toughness = evaluate('toughness', { min: 0 });
  return { stiffness, yieldLimit, toughness };
}
