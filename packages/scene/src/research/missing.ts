import { show } from '../show.js';
import type { Reader } from './reader.js';

/**
 * What a research scene asks for and this engine does not have: one line each that names the field, its value and what will
 * not happen. A value that cannot be meant (minClusters: [2]) is said here too: nothing depends on it.
 */
export function missingFeatures(scene: Reader): string[] {
  return [...fracture(scene), ...reclustering(scene), ...unused(scene)];
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

function fracture(scene: Reader): string[] {
  const keys = ['toughness', 'toughnessBoost', 'toughnessFalloff', 'outlierThreshold'];
  const lines = given(scene, keys.slice(0, 1), 'no cluster will break, the engine has no fracture yet');
  const details = given(scene, keys.slice(1, 3), 'not used without fracture');
  details.push(...given(scene, ['delayRepeatedFracture'], 'not used without fracture', () => false));
  const outliers = given(scene, keys.slice(3), 'far members will not be split off, the engine has no fracture yet');
  // Anything but the text "off" leaves fracture on.
  if (scene.raw('fracture') === 'off') return [];
  const outlierDefault = 'fracture is not "off": members beyond outlierThreshold (default 2) will not be split off.';
  return [...lines, ...(scene.has('toughness') ? details : []), ...(outliers.length > 0 ? outliers : [outlierDefault])];
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
