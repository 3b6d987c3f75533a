import type { Body } from '../body/body.js';
import { invertInertiaInto } from '../math/inertia.js';
import { Flag } from '../state/flags.js';
import type { World } from '../world.js';

const inertia = new Float64Array(6);
const inverse = new Float64Array(6);

/**
 * Damping of the body as a whole: every particle loses a share of its velocity relative to the body's rigid motion
 * v̄ + ω × r, which conserves both momenta. The damping of clusters (SPEC M7) does the same relative to each cluster's
 * motion, and hardly damps oscillations that are wider than a cluster. Without this stage a block that was dropped
 * oscillates on the floor for ten seconds.
 */
export function dampBody({ state: { views: s } }: World, { rows, material, core: { law, history } }: Body): void {
  // Pieces of a broken body have no common motion.
  const share = law ? (history.broken ? 0 : law.bodyDamping) : material.bodyDamping;
  if (share === 0) return;
  const { x, v } = s;
  const [first, last] = [4 * rows.particleStart, 4 * rows.particleEnd];
  let [mass, cx, cy, cz, vx, vy, vz] = [0, 0, 0, 0, 0, 0, 0];
  // Sums are relative to the first particle, so that bodies far from the origin lose no precision.
  const [ox, oy, oz] = [x[first], x[first + 1], x[first + 2]];
  for (let o = first; o < last; o += 4) {
    const m = x[o + 3];
    mass += m;
    cx += m * (x[o] - ox);
    cy += m * (x[o + 1] - oy);
    cz += m * (x[o + 2] - oz);
    vx += m * v[o];
    vy += m * v[o + 1];
    vz += m * v[o + 2];
  }
  cx = ox + cx / mass;
  cy = oy + cy / mass;
  cz = oz + cz / mass;
  vx /= mass;
  vy /= mass;
  vz /= mass;
  inertia.fill(0);
  let [lx, ly, lz] = [0, 0, 0];
  for (let o = first; o < last; o += 4) {
    const m = x[o + 3];
    const [rx, ry, rz] = [x[o] - cx, x[o + 1] - cy, x[o + 2] - cz];
    const [ux, uy, uz] = [v[o] - vx, v[o + 1] - vy, v[o + 2] - vz];
    lx += m * (ry * uz - rz * uy);
    ly += m * (rz * ux - rx * uz);
    lz += m * (rx * uy - ry * ux);
    inertia[0] += m * (ry * ry + rz * rz);
    inertia[1] += m * (rx * rx + rz * rz);
    inertia[2] += m * (rx * rx + ry * ry);
    inertia[3] -= m * rx * ry;
    inertia[4] -= m * rx * rz;
    inertia[5] -= m * ry * rz;
  }
  invertInertiaInto(inverse, 0, inertia);
  const wx = inverse[0] * lx + inverse[3] * ly + inverse[4] * lz;
  const wy = inverse[3] * lx + inverse[1] * ly + inverse[5] * lz;
  const wz = inverse[4] * lx + inverse[5] * ly + inverse[2] * lz;
  for (let o = first; o < last; o += 4) {
    if (s.flags[o / 4] & Flag.HELD) continue;
    const [rx, ry, rz] = [x[o] - cx, x[o + 1] - cy, x[o + 2] - cz];
    v[o] += share * (vx + wy * rz - wz * ry - v[o]);
    v[o + 1] += share * (vy + wz * rx - wx * rz - v[o + 1]);
    v[o + 2] += share * (vz + wx * ry - wy * rx - v[o + 2]);
  }
}
