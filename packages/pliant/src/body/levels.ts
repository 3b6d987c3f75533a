import { refuse } from '../check.js';
import type { Clustering, ClusterOptions } from '../cluster/index.js';
import { buildHierarchy } from '../levels/build.js';
import { type Hierarchy, levelsOf } from '../levels/hierarchy.js';
import { type LevelStrengths, resolveLevelStrengths, resolveLevels } from '../levels/options.js';
import { buildParticleLevels, type ParticleLevels } from '../levels/particles.js';
import { isRaw } from '../material/material.js';
import type { Work } from '../work.js';
import type { ParticleFields } from './masses.js';
import type { BodyOptions } from './options.js';

/** The coarser levels of a body, and the strength of each level. */
export interface MadeLevels {
  hierarchy?: Hierarchy;
  own?: ParticleLevels;
  levelStrengths: LevelStrengths;
}

/**
 * Builds the coarser levels above the clusters of a body, if it has any. If they give a stiffness, it is written to the
 * particles.
 */
export function makeLevels(
  path: string,
  options: BodyOptions,
  positions: Float64Array,
  masses: Float64Array,
  clustering: Clustering,
  wanted: ClusterOptions,
  { stiffness, yieldLimit, toughness }: ParticleFields,
  warnings: string[],
  work: Work,
): MadeLevels | undefined {
  work.begin('levels');
  if (options.levels === undefined) return undefined;
  if (!isRaw(options.material))
    refuse(
      `${path}.levels`,
      options.levels,
      'nothing without material.raw: levels count in steps; young makes a body stiff, by substeps',
    );
  const levels = buildLevels(path, options, positions, masses, clustering, wanted, warnings, work);
  if (levels.own) {
    checkLasting(`${path}.material.yield`, options.material?.yield, yieldLimit);
    checkLasting(`${path}.material.toughness`, options.material?.toughness, toughness);
  }
  if (levels.levelStrengths.stiffness !== undefined) stiffness.fill(levels.levelStrengths.stiffness);
  return levels;
}

function buildLevels(
  path: string,
  { levels = {}, material = {} }: BodyOptions,
  positions: Float64Array,
  masses: Float64Array,
  clustering: Clustering,
  wanted: ClusterOptions,
  warnings: string[],
  work: Work,
): MadeLevels {
  const settings = resolveLevels(`${path}.levels`, levels);
  for (const key of ['stiffness', 'damping'] as const)
    if (levels[key] !== undefined && material.raw?.[key] !== undefined)
      refuse(
        `${path}.material.raw.${key}`,
        material.raw[key],
        `nothing beside levels.${key}, which gives it for each level`,
      );
  const notes: string[] = [];
  const byParticle = settings.sums === 'particles';
  const given = [positions, masses, clustering, wanted, settings, `${path}.levels`, notes, work] as const;
  const hierarchy = byParticle ? undefined : buildHierarchy(...given);
  const own = byParticle ? buildParticleLevels(...given) : undefined;
  warnings.push(...notes.map((note) => `${path}.levels: ${note}`));
  const { weights, stiffness, damping } = levels;
  const levelStrengths = resolveLevelStrengths(
    `${path}.levels`,
    { weights, stiffness, damping },
    levelsOf((hierarchy ?? own)!),
  );
  return { hierarchy, own, levelStrengths };
}

/**
 * Refuses a finite yield or toughness: lists of particles follow neither a rest shape that flows, nor halves of
 * clusters and copies of particles. Nested levels do.
 */
export function checkLasting(path: string, value: unknown, values: Float64Array): void {
  if (values.some((limit) => limit < Number.POSITIVE_INFINITY))
    refuse(
      path,
      value,
      "nothing beside levels.sums: 'particles', which keep the rest shape and the clusters they were built with; 'nested' ones follow",
    );
}
