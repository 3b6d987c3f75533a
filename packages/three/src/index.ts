export { cutStroke, type StrokeResult } from './controls/cutStroke.js';
export { Cutter, type CutterEvents, type CutterOptions } from './controls/cutter.js';
export { Grab, type GrabEvents, type GrabOptions, type GrabWorld, type Held } from './controls/grab.js';
export { DebugDraw } from './debugDraw.js';
export { addShared } from './sharedBuilds.js';
export type { DrawableBody, Skin } from './skin.js';
export { SoftBodyInstances, type SoftBodyInstancesOptions } from './softBodyInstances.js';
export {
  type FromOptions,
  type MaterialName,
  materialOptions,
  SoftBodyMesh,
  type SoftBodyMeshOptions,
} from './softBodyMesh.js';
export { readSource, type SourceAttribute, type SourceMesh } from './sourceMesh.js';
export type { HistoryOptions } from './worker/history.js';
export {
  type HostedWorld,
  type HostOptions,
  hostWorld,
  type Maker,
  type OwnCalls,
  type OwnFrame,
  type Port,
} from './worker/host.js';
export type { WatchOptions } from './worker/protocol.js';
export {
  type Remote,
  RemoteBody,
  RemoteClamp,
  type RemoteClampOptions,
  RemoteCollider,
  type RemoteColliderOptions,
  type RemoteContactPair,
  type RemoteCutResult,
  type RemoteEvent,
  RemoteForceField,
  type RemoteForceFieldOptions,
  type RemoteNearest,
  type RemoteOverlap,
  RemotePick,
  type RemotePickOptions,
  type RemoteRayHit,
  RemoteThing,
  type Wire,
} from './worker/remote.js';
export { RemoteWorld, type RemoteWorldOptions, type Watched } from './worker/remoteWorld.js';
export { WorkerWorld, type WorkerWorldOptions } from './worker/workerWorld.js';
