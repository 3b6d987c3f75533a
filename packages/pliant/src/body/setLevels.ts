import { checkKeys, refuse } from '../check.js';
import { type LevelSettings, resolveLevelStrengths } from '../levels/options.js';
import { writeLevelStrengths } from '../levels/writeStrengths.js';
import { checkAlive } from './access.js';
import type { Body } from './body.js';

/** The levels of a body, the finest first: number of clusters and weight. */
export function describeLevels(body: Body): { clusters: number; weight: number }[] {
  checkAlive(body);
  const { core, rows } = body;
  const clusters = new Array<number>(core.levelCount).fill(0);
  clusters[0] = body.clusterCount;
  for (let c = rows.coarseStart; c < rows.coarseEnd; c++) clusters[core.state.views.coarseLevel[c]]++;
  for (const level of core.ownLevels?.level ?? []) clusters[level]++;
  return clusters.map((count, level) => ({ clusters: count, weight: core.levelStrengths?.weights[level] ?? 1 }));
}

export function setLevels(body: Body, options: LevelSettings): void {
  checkAlive(body);
  const { core } = body;
  checkKeys('levels', options, ['weights', 'stiffness', 'damping']);
  if (!core.levelStrengths) refuse('levels', options, 'nothing for a body that was built without levels');
  core.levelStrengths = resolveLevelStrengths('levels', options, core.levelCount, core.levelStrengths.settings);
  writeLevelStrengths(body);
  body.wake();
}
