import {
  clusterMatricesInto,
  goalsInto,
  PROXY_PLANES,
  proxyPlaneCount,
  proxyPlanesInto,
  proxySpheresInto,
  type World,
} from 'pliant';

/** Radius of the disc that shows a plane of a proxy, as a share of the proxy's radius. */
const DISC = 0.6;

const planes = new Float32Array(4 * PROXY_PLANES);

export function countPlanes(world: World): number {
  let count = 0;
  for (const body of world.bodies) for (let c = 0; c < body.clusterCount; c++) count += proxyPlaneCount(world, body, c);
  return count;
}

/** Matrices that map unit balls to the deformed spheres of clusters. */
export function placeClusters(world: World, into: Float32Array): void {
  for (const body of world.bodies)
    clusterMatricesInto(
      into.subarray(16 * body.firstCluster, 16 * (body.firstCluster + body.clusterCount)),
      world,
      body,
    );
}

/**
 * For each plane of each proxy: the projection of the cluster's centre on it, its normal, and the radius of its disc.
 */
export function placePlanes(world: World, into: Float32Array): void {
  let at = 0;
  for (const body of world.bodies) {
    if (spheres.length < 4 * body.clusterCount) spheres = new Float32Array(6 * body.clusterCount);
    proxySpheresInto(spheres, world, body);
    for (let c = 0; c < body.clusterCount; c++) {
      const count = proxyPlanesInto(planes, world, body, c);
      const [x, y, z, radius] = spheres.subarray(4 * c, 4 * c + 4);
      for (let k = 0; k < count; k++, at += 7) {
        const [nx, ny, nz, reach] = planes.subarray(4 * k, 4 * k + 4);
        const length = Math.hypot(nx, ny, nz) || 1;
        const way = (reach - nx * x - ny * y - nz * z) / (length * length);
        into.set([x + way * nx, y + way * ny, z + way * nz, nx / length, ny / length, nz / length, DISC * radius], at);
      }
    }
  }
}
let spheres = new Float32Array(0);

/** The goals of the particles: lines are drawn from there to the particles. */
export function placeGoals(world: World, into: Float32Array): void {
  for (const body of world.bodies)
    goalsInto(into.subarray(3 * body.firstParticle, 3 * (body.firstParticle + body.particleCount)), world, body);
}
