// The fast kernels. src/kernels/kernels.ts has the interface, src/kernels/ts the readable versions. Arithmetic over
// memberships is f32 SIMD, arithmetic per cluster f64: a cluster's sums and rotation take a few hundred operations, its
// members thousands. With f32 sums the rounding would add momentum to the body.
export { matchClusters, sumClusters } from './match';
export { blendClusters, blendCoarse, blendLevels, describeMotions, sumCoarse, sumLevels } from './levels';
export { advanceParticles, evenUrges, integrateParticles, urgeClusters, urgeParticles } from './integrate';
export { limitClusters, limitParticles } from './limit';
export { boundClusters, boundInner, boundLeaves, boundParticles, touchAcross, touchBody, touchWithin } from './touch';
export { keepTouches, measureRange, measureTouches, placeProxy } from './proxy';
export { bounceVelocities, describeContacts, solvePositions, solveVelocities } from './solveContacts';
export { describeSelf, keepSelf, listSelf, moveSelf, sweepSelf, weighSelf } from './selfContacts';
export { keepMotion, listMovedClusters, strainParticles, weighMotion } from './strain';
export { dampParticles, sumBody, sumMotion, sumPlaces, sumSpin, turnBack } from './damp';
export { meetPlane } from './meetPlane';
export { reachAlong } from './reach';
export { placeRigid, sumRigid } from './rigid';
export { flowClusters } from './flow';
export { brakeParticles, countNonFinite, sumSquaredWays, updateVelocities } from './velocity';
export { polar3, straighten, svd3 } from './polar';
export { cbrt, power } from './power';
