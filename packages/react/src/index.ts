export { useBeforeStep, useSoftEvents, useSoftWorld } from './context.js';
export { useCutter, useGrab } from './controls.js';
export { SoftBody, type SoftBodyProps } from './softBody.js';
export { SoftCollider, type SoftColliderProps } from './softCollider.js';
export { SoftWorld, type SoftWorldProps } from './softWorld.js';
