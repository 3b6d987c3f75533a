// The fast kernels. src/kernels/kernels.ts has the interface, src/kernels/ts the readable versions. Arithmetic over
// memberships is f32 SIMD, arithmetic per cluster f64: a cluster's sums and rotation take a few hundred operations, its
// members thousands. With f32 sums the rounding would add momentum to the body.
export { matchClusters, sumClusters } from './match';
export { blendClusters, blendCoarse, blendLevels, describeMotions, sumCoarse, sumLevels } from './levels';
export { advanceParticles, evenUrges, integrateParticles, urgeByLaw, urgeClusters, urgeParticles } from './integrate';
export { limitClusters, limitParticles } from './limit';
export { boundBody, boundClusters, boundInner, boundLeaves, boundParticles, boundRoot, boundRuns, hasShortLists, listPairs, markNearing, touchAcross, touchBody, touchListedPairs, touchMarked, touchWithin } from './touch';
export { keepTouches, measureRange, measureTouches, placeProxy } from './proxy';
export { bounceVelocities, describeContacts, solvePositions, solveVelocities } from './solveContacts';
export { describeSelf, keepSelf, listSelf, moveSelf, sweepSelf, weighSelf } from './selfContacts';
export { keepMotion, listMovedClusters, strainParticles, weighMotion } from './strain';
export { hasStray } from './strays';
export { dampParticles, sumBody, sumMotion, sumMotions, sumMovedSpin, sumMoves, sumPlaces, sumSpin, sumWays, turnBack } from './damp';
export { areFirstsNear, sumFirsts } from './calm';
export { addPlaneSums, meetPlane } from './meetPlane';
export { reachAlong } from './reach';
export { placeRigid, sumRigid } from './rigid';
export { flowClusters } from './flow';
export { addSquaredWays, brakeParticles, countNonFinite, keepStart, returnStart, squareWays, sumSquaredWays, updateVelocities } from './velocity';
export { polar3, straighten, svd3 } from './polar';
export { cbrt, power } from './power';
