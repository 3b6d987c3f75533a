import { hostWorld, type Port } from '@pliant/three/host';
import type { SceneRequest, Tell } from '../protocol.js';
import { Session } from './session.js';

// The worker's side: one scene at a time, served by the library.
hostWorld(self as unknown as Port, {
  create: (_, { data, tell }) => Session.load(data as SceneRequest, tell as Tell),
});
