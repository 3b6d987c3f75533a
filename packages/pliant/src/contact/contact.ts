import type { Rows } from '../state/edit.js';
import { Flag } from '../state/flags.js';
import { UNTOUCHED, type Views } from '../state/layout.js';
import type { World } from '../world.js';
import { PairList, pairsAcross, pairsWithin } from './pairs.js';
import { reportContacts } from './report.js';
import { ownerOf, solveContacts } from './solve.js';
import { meetSurfaces } from './surfaces.js';
import { meet } from './tree.js';

const pairs = new PairList();
/** Spacings that two bodies may come nearer in a step for their surfaces alone to be tested. */
const FAST = 0.5;

/**
 * Bodies against each other and themselves (SPEC K2). Boxes of the clusters are fitted, pairs of clusters whose boxes meet and
 * that share no particle are found by the bodies' trees, particles are tested against the proxies, and all contacts
 * resolved together.
 */
export function contact(world: World): void {
  const { views: s } = world.state;
  findPairs(world);
  const count = pairs.count > 0 ? world.kernels.measureTouches(findContacts(world)) : 0;
  // What falling for one step adds to the speed of a resting particle; twice that is not a bounce.
  const [gx, gy, gz] = world.gravity;
  const slow = 2 * Math.sqrt(gx * gx + gy * gy + gz * gz) * world.dt;
  if (count > 0) {
    for (let k = 0; k < count; k++) wakeByTouch(world, s, s.touching[k]);
    solveContacts(world, count, slow);
    reportContacts(world, s, count);
    for (let k = 0; k < count; k++) s.touchCluster[s.touching[k]] = UNTOUCHED;
  }
  meetSurfaces(world, slow);
  world.pairs.close(world);
}

function findPairs({ bodies, kernels, state }: World): void {
  pairs.clear();
  for (const body of bodies) {
    const { rows, contact } = body;
    if (contact.settings.mode === 'none' || !body.active) continue;
    body.stride = strideOf(state.views, rows);
    kernels.boundClusters(rows.clusterStart, rows.clusterEnd);
    contact.tree.refit(state.views, rows, contact.pad);
  }
  for (let a = 0; a < bodies.length; a++) {
    const p = bodies[a];
    if (p.contact.settings.mode === 'none' || !p.enabled) continue;
    for (let b = a + 1; b < bodies.length; b++) {
      const q = bodies[b];
      if (q.contact.settings.mode === 'none' || !q.enabled || (p.asleep && q.asleep)) continue;
      if (p.surface && q.surface) continue;
      if (meet(p.contact.tree.bounds, 0, q.contact.tree.bounds, 0))
        pairsAcross(p.contact.tree, p.rows.clusterStart, q.contact.tree, q.rows.clusterStart, pairs);
    }
    if (p.contact.settings.self && !p.asleep && !p.surface)
      pairsWithin(state.views, p.contact, p.rows.clusterStart, pairs);
  }
}

/** A body that is not about to fall asleep itself wakes the one it touches. */
function wakeByTouch({ bodies }: World, s: Views, i: number): void {
  const a = bodies[ownerOf(s, i)];
  const b = bodies[s.owner[s.touchCluster[i]]];
  if (a.asleep && b.calmFor === 0) a.wake();
  if (b.asleep && a.calmFor === 0) b.wake();
}

/** How far a body's particles went in this step (m), root mean square of a few of them. */
function strideOf({ x, xOld }: Views, { particleStart, particleEnd }: Rows): number {
  const step = Math.ceil((particleEnd - particleStart) / SAMPLE);
  let [sum, count] = [0, 0];
  for (let o = 4 * particleStart; o < 4 * particleEnd; o += 4 * step) {
    sum += (x[o] - xOld[o]) ** 2 + (x[o + 1] - xOld[o + 1]) ** 2 + (x[o + 2] - xOld[o + 2]) ** 2;
    count++;
  }
  return Math.sqrt(sum / count);
}
const SAMPLE = 64;

let test = 0;

/** Particles of the sources against the proxy of every target; returns how many touch one. */
function findContacts(world: World): number {
  const { state, kernels, bodies, dt } = world;
  const s = state.views;
  pairs.sortByTarget(world.clusterCount);
  let touched = 0;
  for (let target = 0; target < world.clusterCount; target++) {
    const [from, to] = [pairs.start[target], pairs.start[target + 1]];
    if (from === to) continue;
    const owner = s.owner[target];
    const { contact, rows } = bodies[owner];
    test = nextTest(world);
    s.near[target] = test;
    const { start, cluster } = contact.overlap;
    const own = target - rows.clusterStart;
    for (let k = start[own]; k < start[own + 1]; k++) s.near[rows.clusterStart + cluster[k]] = test;
    let count = 0;
    let quick = s.skin[2 * target] > 0;
    for (let k = from; k < to; k++) {
      const source = pairs.sorted[k];
      const mover = bodies[s.owner[source]];
      const pad = contact.pad + mover.contact.pad;
      const fast = mover.stride + bodies[owner].stride > FAST * s.proxySpacing[target];
      const skip = fast || s.skin[2 * target] === 0 ? 0 : Flag.INNER;
      quick &&= !fast;
      count = kernels.gatherCandidates(source, target, pad, test, s.owner[source] === owner, skip, count);
    }
    if (count === 0) continue;
    kernels.placeProxy(target, dt);
    touched = kernels.touchCandidates(target, count, touched, quick);
  }
  return touched;
}

/** Numbers of proxy tests; when they run out all marks are wiped. */
function nextTest({ state: { views } }: World): number {
  if (test === 0xffffffff) {
    test = 0;
    views.tested.fill(0);
    views.near.fill(0);
  }
  return test + 1;
}
