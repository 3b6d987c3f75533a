import { LAYER } from '../constants.js';

/** Effect of a contact with an obstacle on a particle, along the normal: the way that it is moved (m), and the velocity with which it then leaves the obstacle (m/s; below 0 it still approaches). */
export interface Pressing {
  way: number;
  away: number;
}

/**
 * Contact of a particle whose body ends the distance d beyond it. Clusters have derivatives along the normal only between particles, so the layer between the particle and the surface is
 * a spring of its own, in series with them. The particle stands for the volume V = m/ρ, which is the share (s/2 + d) of its cell along the normal, with half a spacing s/2 on its inner side. So the
 * layer has the area V/(s/2 + d), the thickness d, and the stiffness k = E V/(d (s/2 + d)). No area is needed: k/m = (E/ρ)/(d (s/2 + d)).
 *
 * The layer is damped as the material is, by the force k τ u at the approaching velocity u, with τ = 2 ζ/ω of the body's first stretching mode. It never pulls. Both are integrated by implicit Euler, which is stable
 * for any k and τ and adds no energy. Without forces the depth at the end of the substep would be `moved`, and it is y = moved − h (a − u) with them, where a is `approach` and u the velocity that is left of it: a − u = h (k/m) (y + φ τ u). So
 * u = (a (1 + r) − r moved/h)/(1 + r + r φ τ/h), with r = k h²/m. φ is the share of the substep in which the particle is in contact: one that only just arrives is not damped on its way.
 * Nothing is kept from substep to substep. Depth that the particle's own motion of this substep does not explain, beyond the layer's limit, is taken away without
 * velocity; a layer at its limit is rigid, and ends the approach.
 *
 * `squared`: E/ρ · h² (m²). `approach`: velocity towards the obstacle (m/s). `tau`: τ (s). d → 0 is the rigid contact of a particle in the surface.
 */
export function pressLayer(
  out: Pressing,
  depth: number,
  d: number,
  half: number,
  squared: number,
  approach: number,
  h: number,
  tau: number,
): void {
  const most = LAYER.PRESSED * d;
  const ratio = squared / (d * (half + d));
  const moved = Math.min(depth, most + h * Math.max(0, approach));
  const share = moved < h * approach ? moved / (h * approach) : 1;
  const u = (approach * (1 + ratio) - (ratio * moved) / h) / (1 + ratio + (ratio * share * tau) / h);
  const left = Math.max(0, moved - h * Math.max(0, approach - u));
  if (left < most) {
    out.way = depth - left;
    out.away = (moved - left) / h - approach;
  } else {
    out.way = depth - most;
    out.away = Math.max((ratio * most) / h - approach, 0);
  }
}
