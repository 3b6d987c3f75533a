import type { RenderSkin } from 'pliant';

/** Updates a skin and tells it how long that took, so that the shares of work that it spreads are no longer than a frame can wait for. */
export function updateInTime(
  skin: Pick<RenderSkin, 'update'> & Partial<Pick<RenderSkin, 'took'>>,
  alpha?: number,
): void {
  const began = performance.now();
  skin.update(alpha);
  skin.took?.(performance.now() - began);
}
