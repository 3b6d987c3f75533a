import type { State } from '../../state/state.js';
import { type Kernels, SINGLE } from '../kernels.js';
import { areFirstsNear, sumFirsts } from './calm.js';
import {
  dampParticles,
  sumBody,
  sumMotion,
  sumMotions,
  sumMovedSpin,
  sumMoves,
  sumPlaces,
  sumSpin,
  sumWays,
  turnBack,
} from './damp.js';
import { flowClusters } from './flow.js';
import { integrateParticles } from './integrate.js';
import { blendLevels, sumLevels } from './levels.js';
import { limitClusters, limitParticles } from './limit.js';
import { matchClusters, sumClusters } from './match.js';
import { meetPlane } from './meetPlane.js';
import { measureTouches, placeProxy } from './proxy.js';
import { reachAlong } from './reach.js';
import { placeRigid, sumRigid } from './rigid.js';
import { describeSelf, keepSelf, listSelf, moveSelf, sweepSelf, weighSelf } from './selfContacts.js';
import { bounceVelocities, describeContacts, solvePositions, solveVelocities } from './solveContacts.js';
import { keepMotion, listMovedClusters, strainParticles, weighMotion } from './strain.js';
import { hasStray } from './strays.js';
import { boundBody, boundClusters, boundParticles, touchAcross, touchWithin } from './touch.js';
import {
  brakeParticles,
  countNonFinite,
  keepStart,
  returnStart,
  sumSquaredWays,
  updateVelocities,
} from './velocity.js';

/** The plain kernels: f64 arithmetic on the f32 state, written to be read. Tests compare the fast ones with them. */
export function createTsKernels(state: State): Kernels {
  return {
    backend: 'ts',
    threads: SINGLE,
    open: () => {},
    close: (touched = 0) => touched,
    matchClusters: (start, end, mode) => matchClusters(state.views, start, end, mode),
    sumClusters: (start, end) => sumClusters(state.views, start, end),
    sumLevels: (rows, mode) => sumLevels(state.views, rows, mode),
    blendLevels: (rows, mode, pull, drag) => blendLevels(state.views, rows, mode, pull, drag),
    sumBody: (out, start, end) => sumBody(state.views, out, start, end),
    sumMotions: (out, start, end, first) => sumMotions(state.views, out, start, end, first),
    sumMotion: (out, start, end) => sumMotion(state.views, out, start, end),
    sumSpin: (out, start, end, motion) => sumSpin(state.views, out, start, end, motion),
    sumMovedSpin: (out, count, motion) => sumMovedSpin(state.views, out, count, motion),
    sumWays: (out, start, end, every) => sumWays(state.views, out, start, end, every),
    sumMoves: (out, start, end, every) => sumMoves(state.views, out, start, end, every),
    dampParticles: (start, end, share, motion) => dampParticles(state.views, start, end, share, motion),
    sumPlaces: (out, start, end) => sumPlaces(state.views, out, start, end),
    turnBack: (start, end, centre, spin) => turnBack(state.views, start, end, centre, spin),
    sumRigid: (out, cluster, motion) => sumRigid(state.views, out, cluster, motion),
    placeRigid: (cluster, motion) => placeRigid(state.views, cluster, motion),
    integrateParticles: (start, end, p) => integrateParticles(state.views, start, end, p),
    limitClusters: (start, end, _, bent) => limitClusters(state.views, start, end, bent),
    limitParticles: (start, end, omega, conserving, _, bent) =>
      limitParticles(state.views, start, end, omega, conserving, bent),
    updateVelocities: (start, end, h) => updateVelocities(state.views, start, end, h),
    flowClusters: (start, end, flowRate, hardening, dissipative, lawful = false) =>
      flowClusters(state.views, start, end, flowRate, hardening, dissipative, lawful),
    boundBody: (first, last, start, pad) => boundBody(state.views, first, last, start, pad),
    boundParticles: (first, last) => boundParticles(state.views, first, last),
    boundClusters: (start, end, pad) => boundClusters(state.views, start, end, pad),
    placeProxy: (cluster, h) => placeProxy(state.views, cluster, h),
    touchAcross: (...p) => touchAcross(state.views, ...p),
    touchWithin: (start, end, _first, _last, ...p) => touchWithin(state.views, start, end, ...p),
    measureTouches: (count, deepest) => measureTouches(state.views, count, deepest),
    describeContacts: (count) => describeContacts(state.views, count),
    solveVelocities: (count, slow) => solveVelocities(state.views, count, slow),
    solvePositions: (count, h) => solvePositions(state.views, count, h),
    bounceVelocities: (count) => bounceVelocities(state.views, count),
    listSelf: (room, first, last) => listSelf(state.views, room, first, last),
    describeSelf: (room, first, last, by) => describeSelf(state.views, room, first, last, by),
    sweepSelf,
    weighSelf: (out, room, moved, h) => weighSelf(state.views, out, room, moved, h),
    keepSelf,
    moveSelf: (room, moved, h) => moveSelf(state.views, room, moved, h),
    keepMotion: (count) => keepMotion(state.views, count),
    listMovedClusters: (count, clusters) => listMovedClusters(state.views, count, clusters),
    strainParticles: (count, before) => strainParticles(state.views, count, before),
    weighMotion: (count, h) => weighMotion(state.views, count, h),
    meetPlane: (out, start, end, plane) => meetPlane(state.views, out, start, end, plane),
    reachAlong: (particle, nx, ny, nz, far) => reachAlong(state.views, particle, nx, ny, nz, far),
    sumFirsts: (out, start, end, mean) => sumFirsts(state.views, out, start, end, mean),
    areFirstsNear: (...p) => areFirstsNear(state.views, ...p),
    hasStray: (...p) => hasStray(state.views, ...p),
    countNonFinite: (start, end) => countNonFinite(state.views, start, end),
    sumSquaredWays: (start, end) => sumSquaredWays(state.views, start, end),
    keepStart: (start, end) => keepStart(state.views, start, end),
    returnStart: (start, end) => returnStart(state.views, start, end),
    brakeParticles: (start, end, keep) => brakeParticles(state.views, start, end, keep),
  };
}
