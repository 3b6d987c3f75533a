import { clusterColour } from '@pliant/scene';
import type { World } from 'pliant';

/** The cluster in which each particle has its largest weight; the lowest-numbered of equals. */
export function heaviestClusters(world: World): Uint32Array {
  const { memberStart, memberParticle, member } = world.state.views;
  const heaviest = new Uint32Array(world.particleCount);
  const most = new Float32Array(world.particleCount);
  for (let c = 0; c < world.clusterCount; c++)
    for (let k = memberStart[c]; k < memberStart[c + 1]; k++) {
      // A member's m·w: the mass is the particle's own, so among its clusters the largest m·w is the largest w.
      const [i, share] = [memberParticle[k], member[4 * k + 3]];
      if (share <= most[i]) continue;
      most[i] = share;
      heaviest[i] = c;
    }
  return heaviest;
}

/** Three bytes a particle: the colour of its heaviest cluster. */
export function particleColours(world: World): Uint8Array {
  return Uint8Array.from([...heaviestClusters(world)].flatMap(clusterColour));
}
