import { show } from '../show.js';
import type { Reader } from './reader.js';

/** Fields that are ignored here and in the original: one line each. */
export function unusedFields(scene: Reader): string[] {
  return scene.has('clusterOverlap')
    ? [`clusterOverlap is ${show(scene.raw('clusterOverlap'))}: read by nothing, in the original neither.`]
    : [];
}
