import type { State } from '../../state/state.js';
import type { Kernels } from '../kernels.js';
import { boundClusters, gatherCandidates, measureTouches, placeProxy, touchCandidates } from './contact.js';
import { flowClusters } from './flow.js';
import { integrateParticles } from './integrate.js';
import { limitClusters, limitParticles } from './limit.js';
import { matchClusters } from './match.js';
import { countNonFinite, settleParticles } from './settle.js';

/** The plain kernels: f64 arithmetic on the f32 state, written to be read. Tests hold the fast ones against them. */
export function createTsKernels(state: State): Kernels {
  return {
    backend: 'ts',
    matchClusters: (start, end, mode) => matchClusters(state.views, start, end, mode),
    integrateParticles: (start, end, p) => integrateParticles(state.views, start, end, p),
    limitClusters: (start, end) => limitClusters(state.views, start, end),
    limitParticles: (start, end, omega, conserving) => limitParticles(state.views, start, end, omega, conserving),
    settleParticles: (start, end, h) => settleParticles(state.views, start, end, h),
    flowClusters: (start, end, flowRate, hardening, dissipative) =>
      flowClusters(state.views, start, end, flowRate, hardening, dissipative),
    boundClusters: (start, end) => boundClusters(state.views, start, end),
    placeProxy: (cluster, h) => placeProxy(state.views, cluster, h),
    gatherCandidates: (source, target, margin, test, self, skip, count) =>
      gatherCandidates(state.views, source, target, margin, test, self, skip, count),
    touchCandidates: (target, count, touched, quick) => touchCandidates(state.views, target, count, touched, quick),
    measureTouches: (count) => measureTouches(state.views, count),
    countNonFinite: (start, end) => countNonFinite(state.views, start, end),
  };
}
