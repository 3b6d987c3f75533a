import type { World } from '../world.js';

/** Views of one particle's links, found by particle and not by where they lie. */
export function linksOf(world: World, particle: number): { cluster: number; p: Float32Array; w: number }[] {
  const s = world.state.views;
  const n = s.gatherOrder.subarray(0, world.particleCount).indexOf(particle);
  const links = [];
  for (let k = s.linkStart[n]; k < s.linkStart[n + 1]; k++)
    links.push({ cluster: s.linkCluster[k], p: s.link.slice(4 * k, 4 * k + 3), w: s.link[4 * k + 3] });
  return links;
}
