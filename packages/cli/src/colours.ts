import { clusterColour } from '@pliant/scene';
import { heaviestClustersInto, NO_CLUSTER, type World } from 'pliant';

/** The cluster in which each particle of the world has its largest weight, counted over all bodies; 0 for debris. */
export function heaviestClusters(world: World): Uint32Array {
  const heaviest = new Uint32Array(world.particleCount);
  for (const body of world.bodies) {
    const own = heaviest.subarray(body.firstParticle, body.firstParticle + body.particleCount);
    heaviestClustersInto(own, world, body);
    for (let i = 0; i < own.length; i++) own[i] = own[i] === NO_CLUSTER ? 0 : body.firstCluster + own[i];
  }
  return heaviest;
}

/** Three bytes a particle: the colour of its heaviest cluster. */
export function particleColours(world: World): Uint8Array {
  return Uint8Array.from([...heaviestClusters(world)].flatMap(clusterColour));
}
