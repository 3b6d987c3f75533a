import { clusterMatricesInto, goalsInto, PROXY_PLANES, proxyPlanesInto, type World } from 'pliant';

/** A disc that shows a plane of a proxy is as large as this share of the proxy's ball. */
const DISC = 0.6;

const planes = new Float32Array(4 * PROXY_PLANES);

export function countPlanes({ state: { views }, clusterCount }: World): number {
  let count = 0;
  for (let c = 0; c < clusterCount; c++) count += views.proxyPlanes[c];
  return count;
}

/** Matrices that make unit balls the clusters' spheres as they are deformed. */
export function placeClusters(world: World, into: Float32Array): void {
  for (const body of world.bodies)
    clusterMatricesInto(into.subarray(16 * body.rows.clusterStart, 16 * body.rows.clusterEnd), world, body);
}

/** For each plane of each proxy: where the cluster's centre falls on it, its normal, and the radius of the disc that shows it. */
export function placePlanes(world: World, into: Float32Array): void {
  const { frame, proxyRadius } = world.state.views;
  let at = 0;
  for (const body of world.bodies)
    for (let c = 0; c < body.clusterCount; c++) {
      const count = proxyPlanesInto(planes, world, body, c);
      const row = body.rows.clusterStart + c;
      for (let k = 0; k < count; k++, at += 7) {
        const [nx, ny, nz, reach] = planes.subarray(4 * k, 4 * k + 4);
        const length = Math.hypot(nx, ny, nz) || 1;
        const [x, y, z] = frame.subarray(20 * row + 12, 20 * row + 15);
        const way = (reach - nx * x - ny * y - nz * z) / (length * length);
        into.set(
          [x + way * nx, y + way * ny, z + way * nz, nx / length, ny / length, nz / length, DISC * proxyRadius[row]],
          at,
        );
      }
    }
}

/** Where the clusters want each particle: lines are drawn from there to where it is. */
export function placeGoals(world: World, into: Float32Array): void {
  for (const body of world.bodies)
    goalsInto(into.subarray(3 * body.rows.particleStart, 3 * body.rows.particleEnd), world, body);
}
