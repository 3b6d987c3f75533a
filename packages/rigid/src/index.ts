export {
  type Attachment,
  type AttachOptions,
  Coupling,
  type CouplingEvent,
  type CouplingOptions,
  type Pinned,
} from './coupling.js';
export type { Pose, RigidBody, RigidShape, RigidWorld } from './rigid.js';
