import type { Body } from '../body/body.js';
import type { Kernels } from '../kernels/kernels.js';
import { OUTERMOST } from '../proxy/outward.js';
import { FIELDS, Row } from '../state/fields.js';
import { Flag } from '../state/flags.js';
import type { Views } from '../state/layout.js';

/**
 * How far the surface of a body extends beyond its particles, towards an obstacle. The array `reach` has the distance to the nearest
 * place of the surface, whatever its direction. Beside an edge that is too little: with it, cubes of blue noise sank by up to 40 mm at
 * their edges. Bodies as built, with an elastic law, follow the direction through their distance field instead.
 */
export class SurfaceReach {
  /** No surface extends farther than this beyond a particle (m). */
  far = 0;
  /** Whether `along` follows the distance field. */
  directed = false;
  /** Half a spacing (m) if the layer beyond outermost particles gives way, 0 if it is rigid; and the share of its modulus that the body reaches. */
  half = 0;
  reached = 1;
  /** Time of relaxation (s) by which the layer is damped: 2 ζ/ω of the body's first stretching mode. */
  tau = 0;
  private s!: Views;
  private kernels?: Kernels;

  /** Prepares for one body. */
  take(s: Views, kernels: Kernels, body: Body): this {
    const { core, rows, spacing = 0 } = body;
    const { law, history } = core;
    this.s = s;
    this.kernels = kernels;
    const isSolid =
      law !== undefined && s.distanceGrid[Row.distanceGrid * rows.clusterStart + FIELDS.distanceGrid.NX] > 0;
    this.directed = isSolid && !core.isPart && !history.lost && !history.broken && !history.flowed;
    // Particles of sheets and cords lie in their middle, and are a spacing apart however thin these are. Splinters without clusters would bounce, and a body should meet obstacles alike before and after it breaks.
    const isSoft = isSolid && !core.thin && !core.breaks && !history.lost && !history.broken;
    this.half = isSoft ? spacing / 2 : 0;
    this.reached = law?.reached ?? 1;
    this.tau = law?.relaxation ?? 0;
    this.far = this.directed ? Math.max(OUTERMOST * spacing, core.contact.pad) : core.contact.pad;
    return this;
  }

  /** Lets go of the body. */
  forget(): void {
    this.kernels = undefined;
  }

  /** The reach of particle i (m) towards an obstacle with the normal n, which points away from the obstacle. */
  along(i: number, nx: number, ny: number, nz: number): number {
    const { s, kernels } = this;
    if (!this.directed || !kernels || s.flags[i] & Flag.INNER) return s.reach[i];
    return kernels.reachAlong(i, nx, ny, nz, this.far);
  }
}
