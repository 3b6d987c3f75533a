import { show } from '../show.js';
import type { Reader } from './reader.js';

/**
 * What a research scene asks for and this engine does not have: one line each that names the field, its value and what will
 * not happen. A value that cannot be meant (minClusters: [2]) is said here too: nothing depends on it.
 */
export function missingFeatures(scene: Reader): string[] {
  return [...reclustering(scene), ...unused(scene)];
}

/** "toughness is 0.12: no cluster will break." for those of the keys that are given. */
function given(
  scene: Reader,
  keys: readonly string[],
  consequence: string,
  wrong = (v: unknown) => typeof v !== 'number',
): string[] {
  return keys
    .filter((key) => scene.has(key))
    .map((key) => {
      const value = scene.raw(key);
      const flaw = wrong(value) ? ', which is not a number (the original refuses it)' : '';
      return `${key} is ${show(value)}${flaw}: ${consequence}.`;
    });
}

function reclustering(scene: Reader): string[] {
  const threshold = given(
    scene,
    ['clusterFpThreshold'],
    'clusters will not be replaced, the engine has no reclustering yet',
  );
  const details = given(scene, ['clusterFadeIn', 'clusterFadeOut', 'minClusters'], 'not used without reclustering');
  const value = scene.raw('clusterFpThreshold');
  return typeof value === 'number' && value < 0 ? [] : [...threshold, ...details];
}

function unused(scene: Reader): string[] {
  return given(scene, ['clusterOverlap'], 'read by nothing, in the original neither');
}
