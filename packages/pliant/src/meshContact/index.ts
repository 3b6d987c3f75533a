export {
  collideSurfacePairs,
  collideSurfaces,
  detectSurfaces,
  newSurfacePair,
  resolveSurfaceContact,
  SURFACE_CONTACT_DEFAULTS,
  type SurfaceContactOptions,
  type SurfaceContactReport,
  type SurfacePair,
} from './collideSurfaces.js';
export { bindContactMesh, type ContactMesh, type ContactMeshBody, type ContactMeshOptions } from './contactMesh.js';
export { hasFolded } from './fold.js';
export type { SurfaceTouch } from './touch.js';
export { FEEBLE } from './touch.js';
export { updateContactMesh } from './update.js';
