// Kernels of building a body, over a memory of their own (src/spatial/wasm). The plain forms stay beside them, in src, and give the same bits.
export { boundPoints, listPlaces, sortPoints, takeEvaluations } from './grid';
export { assignAll, listAround, listUnsure, searchUnsure, sumNearest, sumOwners } from './kmeans';
export { gatherWeighed, invertSums, listNear, markStale, moveCentres, normaliseWeights, sameWords, writePlaces } from './fuzzy';
export { meetClusters, weighClusters } from './overlaps';
export { listNeighbours } from './neighbours';
export { growTree } from './tree';
export { shareBeyond } from './beyond';
export { hasAhead, sumAlike, sumAway } from './outward';
export { linkNear, linkWithin, nearestDistances, nearestOthers } from './parts';
export { boundMembers, curveKeys, extentsAlong, fillMembers, layLinks, layMembers, layParticles, sortMembers } from './members';
export { shareVolumes } from './shares';
export { beginNoise, sampleCount, searchBlock } from './noise';
export { beginVolume, countBoxes, disagreementCount, fillBlocks, surfaceHeights } from './field';
