import type { Solid } from '../sample/solid.js';

/**
 * A body's rest shape as distances on a grid, in the coordinates in which it was sampled: negative inside, and linear between
 * the nodes. Contact asks it how far a particle is from the surface and which way that looks; it knows edges and hollows that
 * particles half a spacing below the surface can only guess at.
 */
export interface DistanceField {
  /** The first node (m), and the distance between nodes (m). */
  origin: [number, number, number];
  cell: number;
  /** Nodes along x, y, z; x fastest in `values`. */
  size: [number, number, number];
  values: Float32Array;
}

/** Distance of nodes in spacings of the particles. */
const CELL = 0.75;
/** How far beyond the body the field goes, in spacings: what touches it is nearer. */
const AROUND = 2.5;
/** Distances above this many spacings are not worth knowing exactly. */
const FAR = 4;
/** Nodes at most (16 MB); beyond, they are set farther apart. */
const MOST_NODES = 2 ** 22;

export function buildField(solid: Solid, spacing: number): DistanceField {
  const around = AROUND * spacing;
  const extent = [0, 1, 2].map((a) => solid.max[a] - solid.min[a] + 2 * around);
  let cell = CELL * spacing;
  const nodes = () => extent.map((e) => Math.ceil(e / cell) + 1) as [number, number, number];
  while (nodes().reduce((product, n) => product * n, 1) > MOST_NODES) cell *= 1.25;
  const size = nodes();
  const origin = [0, 1, 2].map((a) => solid.min[a] - around) as [number, number, number];
  const values = new Float32Array(size[0] * size[1] * size[2]);
  const far = FAR * spacing;
  let at = 0;
  for (let k = 0; k < size[2]; k++)
    for (let j = 0; j < size[1]; j++) {
      let [sign, clear] = [0, 0];
      for (let i = 0; i < size[0]; i++) {
        const [x, y, z] = [origin[0] + i * cell, origin[1] + j * cell, origin[2] + k * cell];
        const d = Math.min(far, solid.distance(x, y, z, far));
        // The sign can only change where the surface is nearer than the last node, or where an open mesh has none.
        if (clear <= cell || solid.clearance) sign = solid.inside(x, y, z) ? -1 : 1;
        clear = d;
        values[at++] = sign * d;
      }
    }
  return { origin, cell, size, values };
}
