import type { Body } from '../body/body.js';
import type { Near } from '../skin/blend.js';
import { type SkinMesh, someTriangles } from '../skin/skinMesh.js';
import type { Views } from '../state/layout.js';
import { Finder } from './carry.js';
import type { Parts } from './parts.js';

/**
 * Gives each of the bodies that one was cut into its part of the surface, whose vertices are at `now`. Components go as a whole to the body
 * that their vertices follow. One whose vertices follow several, because the body had broken before, is divided by triangles and left open.
 */
export function dress(
  s: Views,
  bodies: readonly Body[],
  mesh: SkinMesh,
  now: Float64Array,
  { ofVertex, count }: Parts,
  size: number,
): void {
  if (bodies.length === 1) {
    bodies[0].wear(mesh, now, size);
    return;
  }
  const owner = ownersOf(s, bodies, mesh);
  const bodyOf = new Int32Array(count).fill(-1);
  for (let v = 0; v < owner.length; v++)
    if (ofVertex[v] >= 0) {
      const k = ofVertex[v];
      bodyOf[k] = bodyOf[k] === -1 || bodyOf[k] === owner[v] ? owner[v] : SEVERAL;
    }
  const triangles: number[][] = bodies.map(() => []);
  for (let t = 0; t < mesh.indices.length / 3; t++) {
    const [a, b, c] = mesh.indices.subarray(3 * t, 3 * t + 3);
    const whole = bodyOf[ofVertex[a]];
    const most = owner[b] === owner[c] ? owner[b] : owner[a];
    triangles[whole === SEVERAL ? most : whole].push(t);
  }
  bodies.forEach((body, n) => {
    const used: number[] = [];
    const own = someTriangles(mesh, triangles[n], used);
    const places = new Float64Array(3 * used.length);
    used.forEach((v, k) => {
      places.set(now.subarray(3 * v, 3 * v + 3), 3 * k);
    });
    body.wear({ ...own, near: ownNear(s, body, own) }, places, size);
  });
}

/** A component that belongs to more than one body. */
const SEVERAL = -2;

/** The body that each vertex follows, by the nearest of its particles. */
function ownersOf({ ancestor }: Views, bodies: readonly Body[], { near, positions }: SkinMesh): Int32Array {
  const { start, particle, kernel } = near!;
  const bodyOf = new Int32Array(bodies[0].builtPositions.length / 3);
  bodies.forEach(({ rows }, n) => {
    for (let i = rows.particleStart; i < rows.particleEnd; i++) bodyOf[ancestor[i]] = n;
  });
  return Int32Array.from({ length: positions.length / 3 }, (_, v) => {
    let best = start[v];
    for (let k = best + 1; k < start[v + 1]; k++) if (kernel[k] > kernel[best]) best = k;
    return start[v] < start[v + 1] ? bodyOf[particle[best]] : -1;
  });
}

/** What vertices follow, without what is not in the body. Those that are left with nothing take what is nearest. */
function ownNear(s: Views, body: Body, { near, positions }: SkinMesh): Near {
  const { start, particle, kernel } = near!;
  const finder = new Finder(s, body);
  if (particle.every((i) => finder.first[i] >= 0)) return near!;
  const own = { start: new Uint32Array(start.length), particle: [] as number[], kernel: [] as number[] };
  for (let v = 0; v + 1 < start.length; v++) {
    for (let k = start[v]; k < start[v + 1]; k++)
      if (finder.first[particle[k]] >= 0) {
        own.particle.push(particle[k]);
        own.kernel.push(kernel[k]);
      }
    if (own.particle.length === own.start[v]) finder.find(positions, v, () => true, own);
    own.start[v + 1] = own.particle.length;
  }
  return { start: own.start, particle: Uint32Array.from(own.particle), kernel: Float64Array.from(own.kernel) };
}
