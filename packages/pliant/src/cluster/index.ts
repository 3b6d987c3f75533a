export { type Clustering, type ClusterReport, cluster } from './cluster.js';
export { type Connection, connectedComponents, overlapParts, type Parts, samplingParts } from './connect.js';
export { type ExplicitCluster, explicitClusters } from './explicit.js';
export { CLUSTER_DEFAULTS, type ClusterAlgorithm, type ClusterOptions } from './options.js';
export { KERNELS, type Kernel } from './weightKernel.js';
