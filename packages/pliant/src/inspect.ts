import type { Body } from './body/body.js';
import { checkInteger, PliantError, refuse } from './check.js';
import { Match } from './kernels/kernels.js';
import { bendInto } from './kernels/ts/integrate.js';
import { levels } from './levels/levels.js';
import { lawEnergy } from './match/lawEnergy.js';
import { goalsOf, match } from './match/match.js';
import { shareOf } from './material/elasticLaw.js';
import { squared } from './math/elementary.js';
import { determinant, multiplyInto } from './math/mat3.js';
import { polarInto } from './math/polar.js';
import { largestEigenvalue, smallestEigenvalue } from './math/symmetric.js';
import { Flag } from './state/flags.js';
import type { Views } from './state/layout.js';
import { PROXY_PLANES } from './state/layout.js';
import type { World } from './world.js';

/**
 * Quantities of a body to display beside its particles (SPEC V), between steps. Each function fills a caller's array
 * and allocates nothing. Numbers of particles and clusters count from the body's first. The functions write only to
 * scratch of the state, so that the simulation is not affected.
 */

/** Value of `nearestClustersInto` and `heaviestClustersInto` for debris, which is in no cluster. */
export const NO_CLUSTER = 0xffffffff;

/** For each particle: the cluster whose centre is nearest at rest; NO_CLUSTER for debris. Fills `out`, one number a particle. */
export function nearestClustersInto(out: Uint32Array, world: World, body: Body): void {
  checkOwn(world, body);
  const { views: s } = world.state;
  checkRoom(out, body.particleCount);
  const { particleStart, particleEnd, clusterStart } = body.rows;
  for (let n = particleStart; n < particleEnd; n++) {
    let [best, least] = [NO_CLUSTER, Number.POSITIVE_INFINITY];
    for (let k = s.linkStart[n]; k < s.linkStart[n + 1]; k++) {
      const d = squared(s.link[4 * k]) + squared(s.link[4 * k + 1]) + squared(s.link[4 * k + 2]);
      if (d < least) [best, least] = [s.linkCluster[k] - clusterStart, d];
    }
    out[s.gatherOrder[n] - particleStart] = best;
  }
}

/** For each particle: the cluster in which its weight is largest, the first of equals; NO_CLUSTER for debris. Fills `out`, one number a particle. */
export function heaviestClustersInto(out: Uint32Array, world: World, body: Body): void {
  checkOwn(world, body);
  const { views: s } = world.state;
  checkRoom(out, body.particleCount);
  const { particleStart, particleEnd, clusterStart } = body.rows;
  for (let n = particleStart; n < particleEnd; n++) {
    let [best, most] = [NO_CLUSTER, 0];
    for (let k = s.linkStart[n]; k < s.linkStart[n + 1]; k++) {
      const cluster = s.linkCluster[k] - clusterStart;
      const weight = s.link[4 * k + 3];
      if (weight > most || (weight === most && cluster < best)) [best, most] = [cluster, weight];
    }
    out[s.gatherOrder[n] - particleStart] = best;
  }
}

/**
 * For each particle: its number in `body.builtPositions`; for a particle that was copied when the body broke, the number of the original. Fills
 * `out`, one number a particle.
 */
export function ancestorsInto(out: Uint32Array, world: World, body: Body): void {
  checkOwn(world, body);
  checkRoom(out, body.particleCount);
  out.set(world.state.views.ancestor.subarray(body.rows.particleStart, body.rows.particleEnd));
}

/** For each particle: 1 if a clamp or a pin holds it, else 0. Fills `out`, one number a particle. */
export function heldInto(out: Uint8Array, world: World, body: Body): void {
  checkOwn(world, body);
  checkRoom(out, body.particleCount);
  const { flags } = world.state.views;
  const { particleStart, particleEnd } = body.rows;
  for (let i = particleStart; i < particleEnd; i++) out[i - particleStart] = flags[i] & Flag.HELD ? 1 : 0;
}

/** For each cluster: the centre x, y, z of its collision proxy as of the last step, and its radius (m). Fills `out`, four numbers a cluster. */
export function proxySpheresInto(out: Float32Array, world: World, body: Body): void {
  checkOwn(world, body);
  checkRoom(out, 4 * body.clusterCount);
  const { proxyFrame, proxyRadius } = world.state.views;
  for (let c = 0; c < body.clusterCount; c++) {
    const row = body.rows.clusterStart + c;
    // Contact places proxies only where bodies are near each other.
    world.kernels.placeProxy(row, world.h);
    for (let a = 0; a < 3; a++) out[4 * c + a] = proxyFrame[20 * row + 12 + a];
    out[4 * c + 3] = proxyRadius[row];
  }
}

/** Number of half-spaces that bound the collision proxy of a cluster, at most PROXY_PLANES. */
export function proxyPlaneCount(world: World, body: Body, cluster: number): number {
  checkOwn(world, body);
  checkInteger('cluster', cluster, { min: 0, below: body.clusterCount });
  return world.state.views.proxyPlanes[body.rows.clusterStart + cluster];
}

/**
 * For each particle: the largest elastic stretch or compression of its clusters, |σ − 1|, as a mean by weight. 0 without stress, 0.2 if stretched by
 * a fifth. Fills `out`, one number a particle.
 */
export function stressInto(out: Float32Array, world: World, body: Body): void {
  checkOwn(world, body);
  checkRoom(out, body.particleCount);
  const { clusterStart, clusterEnd } = body.rows;
  world.kernels.matchClusters(clusterStart, clusterEnd, goalsOf(body) | Match.ELASTIC);
  const { elastic } = world.state.views;
  const stress = takeRoom(clusterEnd - clusterStart);
  for (let c = clusterStart; c < clusterEnd; c++)
    stress[c - clusterStart] = Math.max(largestEigenvalue(elastic, 6 * c) - 1, 1 - smallestEigenvalue(elastic, 6 * c));
  blendInto(out, world.state.views, body, stress, 0);
}

/** For each particle: how far the rest shapes of its clusters have flowed, ‖F^p − I‖, as a mean by weight. Fills `out`, one number a particle. */
export function plasticStrainInto(out: Float32Array, world: World, body: Body): void {
  checkOwn(world, body);
  const { views } = world.state;
  checkRoom(out, body.particleCount);
  blendInto(out, views, body, views.plasticStrain, body.rows.clusterStart);
}

/** For each particle: its stiffness. Fills `out`, one number a particle. */
export function stiffnessInto(out: Float32Array, world: World, body: Body): void {
  checkOwn(world, body);
  checkRoom(out, body.particleCount);
  out.set(world.state.views.stiffness.subarray(body.rows.particleStart, body.rows.particleEnd));
}

/** For each particle: its toughness; infinite if it never breaks. Fills `out`, one number a particle. */
export function toughnessInto(out: Float32Array, world: World, body: Body): void {
  checkOwn(world, body);
  const { views } = world.state;
  checkRoom(out, body.particleCount);
  for (let i = 0; i < body.particleCount; i++) out[i] = views.toughness[body.rows.particleStart + i];
}

/** For each particle: its speed (m/s). Fills `out`, one number a particle. */
export function speedInto(out: Float32Array, world: World, body: Body): void {
  checkOwn(world, body);
  const { views } = world.state;
  checkRoom(out, body.particleCount);
  const { v } = views;
  for (let i = 0, o = 4 * body.rows.particleStart; i < body.particleCount; i++, o += 4)
    out[i] = Math.sqrt(v[o] * v[o] + v[o + 1] * v[o + 1] + v[o + 2] * v[o + 2]);
}

/** For each particle: its goal x, y, z (m), where the clusters of all levels pull it; its own position for debris. Fills `out`, three numbers a particle. */
export function goalsInto(out: Float32Array, world: World, body: Body): void {
  checkOwn(world, body);
  checkRoom(out, 3 * body.particleCount);
  match(world, body);
  levels(world, body);
  const { views: s } = world.state;
  const { particleStart, particleEnd } = body.rows;
  const bent = body.material.mode === 'quadratic';
  for (let n = particleStart; n < particleEnd; n++) {
    const i = s.gatherOrder[n];
    const free = s.linkStart[n] === s.linkStart[n + 1];
    for (let a = 0; a < 3; a++) goal[a] = free ? s.x[4 * i + a] : 0;
    for (let k = s.linkStart[n]; k < s.linkStart[n + 1]; k++) addGoal(s, k, bent);
    for (let a = 0; a < 3; a++) out[3 * (i - particleStart) + a] = goal[a];
  }
}

function addGoal(s: Views, k: number, isBent: boolean): void {
  const { link, transform } = s;
  const c = s.linkCluster[k];
  const t = 20 * c;
  bend.fill(0);
  if (isBent) bendInto(bend, s, c, link[4 * k], link[4 * k + 1], link[4 * k + 2]);
  for (let a = 0; a < 3; a++)
    goal[a] +=
      link[4 * k + 3] *
      (transform[t + 16 + a] +
        transform[t + 12 + a] +
        transform[t + a] * link[4 * k] +
        transform[t + 4 + a] * link[4 * k + 1] +
        transform[t + 8 + a] * link[4 * k + 2] +
        bend[a]);
}

/**
 * For each cluster: a 4×4 matrix in column order, as three.js takes it, which maps the unit ball to the ball of the cluster, deformed as its members
 * are or only rotated. Its first three columns are the deformation or the rotation times the radius, the fourth is the centre (m). Fills `out`, 16
 * numbers a cluster.
 */
export function clusterMatricesInto(
  out: Float32Array,
  world: World,
  body: Body,
  as: 'deformed' | 'turned' = 'deformed',
): void {
  checkOwn(world, body);
  checkRoom(out, 16 * body.clusterCount);
  const { views: s } = world.state;
  for (let n = 0; n < body.clusterCount; n++) {
    const c = body.rows.clusterStart + n;
    fitCluster(s, c, as === 'turned');
    for (let j = 0; j < 3; j++) {
      for (let a = 0; a < 3; a++) out[16 * n + 4 * j + a] = F[3 * j + a] * s.width[c];
      out[16 * n + 4 * j + 3] = 0;
    }
    for (let a = 0; a < 3; a++) out[16 * n + 12 + a] = middle[a];
    out[16 * n + 15] = 1;
  }
}

/** For each cluster: how far its members reach from its centre at rest (m). Fills `out`, one number a cluster. */
export function clusterRadiiInto(out: Float32Array, world: World, body: Body): void {
  checkOwn(world, body);
  const { views } = world.state;
  checkRoom(out, body.clusterCount);
  for (let n = 0; n < body.clusterCount; n++) out[n] = views.width[body.rows.clusterStart + n];
}

/**
 * The half-spaces n·x < d that bound the collision proxy of a cluster where it is now, in the world. Fills `out` with n and d, four numbers each, and
 * returns how many there are; `out` needs room for PROXY_PLANES of them. They cut the proxy's ball, which is deformed with the cluster.
 */
export function proxyPlanesInto(out: Float32Array, world: World, body: Body, cluster: number): number {
  checkOwn(world, body);
  checkRoom(out, 4 * PROXY_PLANES);
  checkInteger('cluster', cluster, { min: 0, below: body.clusterCount });
  const { views: s } = world.state;
  const c = body.rows.clusterStart + cluster;
  world.kernels.placeProxy(c, world.h);
  const row = 4 * PROXY_PLANES * c;
  for (let k = 0; k < s.proxyPlanes[c]; k++) {
    let reach = s.placedProxy[row + 3 * PROXY_PLANES + k];
    for (let a = 0; a < 3; a++) {
      out[4 * k + a] = s.placedProxy[row + a * PROXY_PLANES + k];
      reach += out[4 * k + a] * s.proxyFrame[20 * c + 12 + a];
    }
    out[4 * k + 3] = reach;
  }
  return s.proxyPlanes[c];
}

/** Volume of a body relative to its volume as built: the determinant of its clusters' deformation, as a mean by mass. Negative if the body is inside out. */
export function volumeShare(world: World, body: Body): number {
  checkOwn(world, body);
  const { views: s } = world.state;
  let [sum, mass] = [0, 0];
  for (let c = body.rows.clusterStart; c < body.rows.clusterEnd; c++) {
    fitCluster(s, c, false);
    sum += s.clusterMass[c] * determinant(F);
    mass += s.clusterMass[c];
  }
  return sum / mass;
}

/**
 * Elastic energy of a body (J).
 *
 * With an elastic law it is that of the law (docs/design/elasticity.md), which is the potential of its forces at any time step, and of a body that has flowed that of its present rest shape. Clusters that are softer
 * than asked for count with what they have. For clusters that are pressed flat or inside out it is a bound.
 *
 * Otherwise Φ = Σ α m w |x − g|² / 2 h² over all memberships, where x is the particle, g its goal, α the stiffness, w the weight
 * and h the time step. It depends on the time step, as the stiffness does, and does not contain what strain limiting holds back.
 *
 * For rigid goals of one level, with the rotation 'covariance' and the same stiffness for all particles, it is exactly the potential of the forces:
 * an undamped step keeps ½ Σ m v² + Φ − (h/2) Σ v·∇Φ (contact/energy.ts). For other modes, for bodies that flowed and for levels it is a lower bound.
 */
export function strainEnergy(world: World, body: Body): number {
  checkOwn(world, body);
  if (body.core.law) {
    let sum = 0;
    for (let c = body.rows.clusterStart; c < body.rows.clusterEnd; c++)
      sum += lawEnergy(world.state.views, c, shareOf(world.state.views.elasticity, c, world.h));
    return sum / (world.h * world.h);
  }
  match(world, body);
  levels(world, body);
  const { views: s } = world.state;
  const bent = body.material.mode === 'quadratic';
  let sum = 0;
  for (let n = body.rows.particleStart; n < body.rows.particleEnd; n++) {
    const o = 4 * s.gatherOrder[n];
    let square = 0;
    for (let k = s.linkStart[n]; k < s.linkStart[n + 1]; k++) square += s.link[4 * k + 3] * pullSquared(s, k, o, bent);
    sum += s.stiffness[o / 4] * s.x[o + 3] * square;
  }
  return (0.5 * sum) / (world.h * world.h);
}

/** Squared distance of the particle at `o` in x from its goal by membership k (m²). */
function pullSquared(s: Views, k: number, o: number, isBent: boolean): number {
  const { x, link, transform } = s;
  const c = s.linkCluster[k];
  const t = 20 * c;
  bend.fill(0);
  if (isBent) bendInto(bend, s, c, link[4 * k], link[4 * k + 1], link[4 * k + 2]);
  let sum = 0;
  for (let a = 0; a < 3; a++) {
    const turned =
      transform[t + a] * link[4 * k] + transform[t + 4 + a] * link[4 * k + 1] + transform[t + 8 + a] * link[4 * k + 2];
    // This order of the sum avoids cancellation far from the origin, where coordinates are large and their difference
    // is small.
    const pull = transform[t + 16 + a] - x[o + a] + (transform[t + 12 + a] + turned + bend[a]);
    sum += pull * pull;
  }
  return sum;
}

// Scratch: matrices by columns, a cluster's centre, a goal and its quadratic part.
const A = new Float64Array(9);
const F = new Float64Array(9);
const R = new Float64Array(9);
const inverse = new Float64Array(9);
const moment = new Float64Array(9);
const middle = new Float64Array(3);
const goal = new Float64Array(3);
const bend = new Float64Array(3);

/**
 * F = A_xr A_rr⁻¹ and the centre of a cluster, or its rotation in place of F. Directions without extent (a sheet's
 * thickness) are rotated.
 */
function fitCluster(s: Views, c: number, turned: boolean): void {
  const { x, member, memberParticle } = s;
  const first = s.memberStart[c];
  const o = 4 * memberParticle[first];
  A.fill(0);
  middle.fill(0);
  for (let k = first; k < s.memberStart[c + 1]; k++)
    for (let a = 0; a < 3; a++) {
      const y = member[4 * k + 3] * (x[4 * memberParticle[k] + a] - x[o + a]);
      middle[a] += y;
      for (let j = 0; j < 3; j++) A[3 * j + a] += y * (member[4 * k + j] - s.restShift[3 * c + j]);
    }
  for (let a = 0; a < 3; a++) middle[a] = x[o + a] + middle[a] / s.clusterMass[c];
  for (let k = 0; k < 9; k++) inverse[k] = s.restInverse[9 * c + k];
  multiplyInto(F, A, inverse);
  polarInto(R, F);
  if (turned) F.set(R);
  else addFlat(s, c);
}

/** F += R (1 − A_rr⁻¹ A_rr): completes F in directions without extent. */
function addFlat({ restMoment: m }: Views, c: number): void {
  for (let a = 0; a < 3; a++) moment[4 * a] = m[6 * c + a];
  moment[1] = moment[3] = m[6 * c + 3];
  moment[2] = moment[6] = m[6 * c + 4];
  moment[5] = moment[7] = m[6 * c + 5];
  multiplyInto(A, inverse, moment);
  for (let k = 0; k < 9; k++) A[k] = (k % 4 === 0 ? 1 : 0) - A[k];
  multiplyInto(moment, R, A);
  for (let k = 0; k < 9; k++) F[k] += moment[k];
}

/** out := the mean by weight of a value of the clusters (from values[first] on) at each particle; 0 for debris. */
function blendInto(out: Float32Array, s: Views, { rows }: Body, values: ArrayLike<number>, first: number): void {
  for (let n = rows.particleStart; n < rows.particleEnd; n++) {
    let sum = 0;
    for (let k = s.linkStart[n]; k < s.linkStart[n + 1]; k++)
      sum += s.link[4 * k + 3] * values[first + s.linkCluster[k] - rows.clusterStart];
    out[s.gatherOrder[n] - rows.particleStart] = sum;
  }
}

/** Scratch: numbers per cluster of one body. It grows with the largest body. */
let room = new Float64Array(256);
function takeRoom(length: number): Float64Array {
  if (room.length < length) room = new Float64Array(2 * length);
  return room;
}

function checkOwn(world: World, body: Body): void {
  if (typeof (world as World | undefined)?.core?.ownBody !== 'function') refuse('world', world, 'a world');
  world.core.ownBody(body);
}

function checkRoom(out: { length: number }, numbers: number): void {
  if (!(out?.length >= numbers))
    throw new PliantError('out', `out has room for ${out?.length} numbers; expected at least ${numbers}.`);
}
