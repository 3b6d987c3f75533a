import type { State } from '../../state/state.js';
import { RUN } from '../constants.js';
import { type Kernels, NO_DRAG, SINGLE } from '../kernels.js';
import type { Exports } from './exports.js';
import { compileKernels } from './module.js';
import { planeInto, SCRATCH, type ScratchRegion } from './scratchMap.js';
import { ThreadedKernels, type ThreadsWanted, withThreads } from './threaded.js';

export type { Exports } from './exports.js';

/** Instantiates the module over a memory, for the calling thread. */
export async function instantiate(memory: WebAssembly.Memory, isShared = false): Promise<Exports> {
  const module = await compileKernels(isShared);
  const instance = await WebAssembly.instantiate(module, { env: { memory, scratchShift: 0 } });
  return instance.exports as unknown as Exports;
}

/** The kernels of a world: with threads if its memory is shared. */
export async function createWasmKernels(state: State, wanted?: ThreadsWanted): Promise<Kernels> {
  const memory = state.memory as WebAssembly.Memory;
  const wasm = await instantiate(memory, wanted !== undefined);
  const alone = createAlone(wasm, memory);
  if (!wanted) return alone;
  return withThreads(alone, new ThreadedKernels(state, wasm, alone, await compileKernels(true), wanted));
}

/** Kernels that run on the calling thread. */
function createAlone(wasm: Exports, memory: WebAssembly.Memory): Kernels {
  // Growing replaces the buffer of a memory that is not shared.
  const numbersAt = ({ at, bytes }: ScratchRegion) => new Float64Array(memory.buffer, at, bytes / 8);
  let [sums, moved] = [numbersAt(SCRATCH.DAMP_SUMS), numbersAt(SCRATCH.DAMP_MOTION)];
  let [rigidSums, rigidMotion] = [numbersAt(SCRATCH.RIGID_SUMS), numbersAt(SCRATCH.RIGID_MOTION)];
  let [selfSums, planeSums] = [numbersAt(SCRATCH.SELF_SUMS), numbersAt(SCRATCH.PLANE_SUMS)];
  let planeGiven = numbersAt(SCRATCH.PLANE_GIVEN);
  const look = () => {
    // Arrays over a buffer that was replaced are empty. Asking the memory for its buffer takes longer than a sum.
    if (sums.length > 0) return;
    sums = numbersAt(SCRATCH.DAMP_SUMS);
    moved = numbersAt(SCRATCH.DAMP_MOTION);
    rigidSums = numbersAt(SCRATCH.RIGID_SUMS);
    rigidMotion = numbersAt(SCRATCH.RIGID_MOTION);
    selfSums = numbersAt(SCRATCH.SELF_SUMS);
    planeSums = numbersAt(SCRATCH.PLANE_SUMS);
    planeGiven = numbersAt(SCRATCH.PLANE_GIVEN);
  };
  return {
    backend: 'wasm',
    threads: SINGLE,
    open: () => {},
    close: (touched = 0) => touched,
    matchClusters: wasm.matchClusters,
    sumClusters: wasm.sumClusters,
    sumLevels: ({ coarseStart, coarseEnd, clusterStart, clusterEnd, tieStart }, mode) =>
      wasm.sumLevels(coarseStart, coarseEnd, clusterStart, clusterEnd, tieStart, mode),
    blendLevels: ({ coarseStart, coarseEnd, clusterStart, clusterEnd, tieStart }, mode, pull, drag) =>
      wasm.blendLevels(coarseStart, coarseEnd, clusterStart, clusterEnd, tieStart, mode, pull, drag),
    sumBody(out, start, end) {
      wasm.sumBody(start, end);
      look();
      out.set(sums);
    },
    sumMotions(out, start, end, first) {
      wasm.sumMotions(start, end, first);
      look();
      out.set(sums);
    },
    sumMotion(out, start, end) {
      wasm.sumMotion(start, end);
      look();
      for (let k = 0; k < 7; k++) out[k] = sums[k];
    },
    sumWays(out, start, end, every) {
      wasm.sumWays(start, end, every);
      look();
      for (let k = 0; k < 11; k++) out[k] = sums[k];
    },
    sumMoves(out, start, end, every) {
      wasm.sumMoves(start, end, every);
      look();
      out.set(sums);
    },
    sumFirsts(out, start, end, mean) {
      wasm.sumFirsts(start, end, mean[0], mean[1], mean[2]);
      look();
      out.set(sums);
    },
    areFirstsNear(start, end, m, c, a, farthest) {
      // biome-ignore format: one line a call
      return !!wasm.areFirstsNear(start, end, m[0], m[1], m[2], c[0], c[1], c[2], a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], farthest);
    },
    sumSpin(out, start, end, motion) {
      wasm.sumSpin(start, end, motion[0], motion[1], motion[2], motion[3], motion[4], motion[5]);
      look();
      for (let k = 0; k < 9; k++) out[k] = sums[k];
    },
    sumMovedSpin(out, count, motion) {
      wasm.sumMovedSpin(count, motion[0], motion[1], motion[2]);
      look();
      for (let k = 0; k < 9; k++) out[k] = sums[k];
    },
    dampParticles(start, end, share, motion) {
      look();
      moved.set(motion);
      wasm.dampParticles(start, end, share, SCRATCH.DAMP_MOTION.at);
    },
    sumPlaces(out, start, end) {
      const held = wasm.sumPlaces(start, end);
      if (held !== 0) return held;
      look();
      for (let k = 0; k < 4; k++) out[k] = sums[k];
      return held;
    },
    turnBack: (start, end, c, w) => wasm.turnBack(start, end, c[0], c[1], c[2], w[0], w[1], w[2]),
    sumRigid(out, cluster, motion) {
      wasm.sumRigid(cluster, motion[0], motion[1], motion[2], motion[3], motion[4], motion[5]);
      look();
      out.set(rigidSums);
    },
    placeRigid(cluster, motion) {
      look();
      rigidMotion.set(motion);
      wasm.placeRigid(cluster, SCRATCH.RIGID_MOTION.at);
    },
    integrateParticles(start, end, p) {
      const { share, motion, stand } = p.drag ?? NO_DRAG;
      wasm.integrateParticles(
        start,
        end,
        p.h,
        p.gravityX,
        p.gravityY,
        p.gravityZ,
        p.damping,
        p.rigid,
        p.maxSpeed,
        p.forces,
        p.bent,
        p.lawful,
        p.clusterStart,
        p.clusterEnd,
        share,
        motion[0],
        motion[1],
        motion[2],
        motion[3],
        motion[4],
        motion[5],
        stand[0],
        stand[1],
        stand[2],
      );
    },
    limitClusters: wasm.limitClusters,
    limitParticles: wasm.limitParticles,
    updateVelocities: wasm.updateVelocities,
    flowClusters: (start, end, flowRate, hardening, dissipative, lawful = false) =>
      wasm.flowClusters(start, end, flowRate, hardening, dissipative, lawful),
    boundBody: wasm.boundBody,
    boundParticles: wasm.boundParticles,
    boundClusters: wasm.boundClusters,
    placeProxy: wasm.placeProxy,
    touchAcross: wasm.touchAcross,
    touchWithin: wasm.touchWithin,
    measureTouches: wasm.measureTouches,
    describeContacts: (count) => wasm.describeContacts(0, count),
    solveVelocities: wasm.solveVelocities,
    solvePositions: wasm.solvePositions,
    bounceVelocities: wasm.bounceVelocities,
    listSelf: ({ changes }, first, last) => wasm.listSelf(changes.byteOffset, first, last),
    describeSelf: ({ rows, changes }, first, last, { h, slow, friction, restitution }) =>
      wasm.describeSelf(rows.byteOffset, changes.byteOffset, first, last, h, slow, friction, restitution),
    sweepSelf: ({ rows, changes }, count) => wasm.sweepSelf(rows.byteOffset, changes.byteOffset, count),
    weighSelf(out, { changes }, moved, h) {
      wasm.weighSelf(changes.byteOffset, moved, h);
      look();
      out.set(selfSums);
    },
    keepSelf: ({ changes }, moved) => wasm.keepSelf(changes.byteOffset, moved),
    moveSelf: ({ changes }, moved, h) => wasm.moveSelf(changes.byteOffset, moved, h),
    keepMotion: wasm.keepMotion,
    listMovedClusters: wasm.listMovedClusters,
    strainParticles: (count, before) => wasm.strainParticles(0, count, before),
    weighMotion: (count, h) => wasm.weighMotion(0, count, h),
    meetPlane(out, start, end, p) {
      look();
      const runs = end - start >= 2 * RUN.PARTICLES;
      const count = wasm.meetPlane(start, end, planeInto(planeGiven, p), SCRATCH.PLANE_GIVEN.at, runs);
      if (count === 0) return 0;
      if (runs) wasm.addPlaneSums(start, end);
      out.set(planeSums);
      return count;
    },
    reachAlong: wasm.reachAlong,
    hasStray: (...p) => !!wasm.hasStray(...p),
    countNonFinite: wasm.countNonFinite,
    sumSquaredWays: wasm.sumSquaredWays,
    keepStart: wasm.keepStart,
    returnStart: wasm.returnStart,
    brakeParticles: wasm.brakeParticles,
  };
}
