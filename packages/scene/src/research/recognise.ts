import { folderOf } from '../paths.js';

/**
 * Whether data are a scene of the papers' authors: it names its particle files at the top level, which ours never does.
 */
export const isResearchScene = (data: unknown): data is Record<string, unknown> =>
  typeof data === 'object' && data !== null && ('particleFiles' in data || 'movingParticleFiles' in data);

/**
 * Folder that the files of a research scene must lie in: the folder `inputFiles` that contains the scene, if there is
 * one, otherwise the scene's own.
 */
export function researchFolder(scene: string): string {
  const parts = folderOf(scene).split(/[/\\]/);
  const at = parts.lastIndexOf('inputFiles');
  return at < 0 ? folderOf(scene) : parts.slice(0, at + 1).join('/');
}
