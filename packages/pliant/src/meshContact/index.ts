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
export { hasFolded } from './fold.js';
export { bindSkin, type Skin, type SkinBody, type SkinOptions } from './skin.js';
export type { SurfaceTouch } from './touch.js';
export { FEEBLE } from './touch.js';
export { updateSkin } from './update.js';
