// The fast kernels (src/kernels/kernels.ts has the interface, src/kernels/ts the same in plain words). f32 SIMD over the
// memberships, f64 per cluster: a cluster's sums and rotation are a few hundred operations against thousands for its
// members, and their rounding would otherwise show up as momentum from nowhere.
export { matchClusters, sumClusters } from './match';
export { blendLevels, sumLevels } from './levels';
export { integrateParticles } from './integrate';
export { limitClusters, limitParticles } from './limit';
export { boundClusters, boundParticles, touchAcross, touchWithin } from './touch';
export { measureTouches, placeProxy } from './proxy';
export { bounceVelocities, describeContacts, solvePositions, solveVelocities } from './solveContacts';
export { keepMotion, listMovedClusters, strainParticles, weighMotion } from './strain';
export { flowClusters } from './flow';
export { updateVelocities, countNonFinite } from './velocity';
export { polar3, straighten, svd3 } from './polar';
export { cbrt, power } from './power';
