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

/** The golden section of the circle: consecutive clusters, often neighbours, get hues far apart. */
const GOLDEN = 0.618033988749895;

/** r, g, b in 0..255 of a cluster's colour: any hue, lightness in three steps, never garish. */
export function clusterColour(cluster: number): [number, number, number] {
  const hue = (cluster * GOLDEN + 0.58) % 1;
  const lightness = 0.56 + 0.07 * ((cluster % 3) - 1);
  const saturation = 0.62;
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number) => {
    const k = (n + 12 * hue) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

/** Three bytes a particle: the colour of its heaviest cluster. */
export function particleColours(world: World): Uint8Array {
  return Uint8Array.from([...heaviestClusters(world)].flatMap(clusterColour));
}
