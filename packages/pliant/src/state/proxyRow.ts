import { PROXY_PLANES } from './layout.js';

/** Offsets of the four runs of PROXY_PLANES numbers in a row of `proxy` and `placedProxy`. */
export const NX = 0;
export const NY = PROXY_PLANES;
export const NZ = 2 * PROXY_PLANES;
export const REACH = 3 * PROXY_PLANES;
export const PROXY_ROW = 4 * PROXY_PLANES;
