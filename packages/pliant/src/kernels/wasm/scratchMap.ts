import { POINTER_TABLE } from '../../state/layout.js';
import type { PlaneContact } from '../kernels.js';

/** A region of memory that kernels use within a call: byte address and length. */
export interface ScratchRegion {
  at: number;
  bytes: number;
}

/**
 * Byte address where the compiler puts its own data, and where scratch begins. The build fails if the data reach into
 * scratch.
 */
export const MEMORY_BASE = 1024;
export const SCRATCH_START = 24576;
/** Scratch ends where the pointer table begins. */
export const SCRATCH_END = POINTER_TABLE;

const MATRIX = 72;
const VECTOR = 24;
/** A 3×6 matrix of f64. */
const BEND = 144;

/**
 * All scratch regions of the WASM kernels, by the file that owns them. scripts/build-kernels.mjs generates the
 * addresses for AssemblyScript. It fails if two regions overlap or one is out of bounds. Regions begin at multiples of
 * 8; f64 matrices lie by columns.
 */
export const SCRATCH = {
  // polar.ts: U, V and B of svd3; P: V in order of the singular values; S: the three values.
  POLAR_U: { at: 24576, bytes: MATRIX },
  POLAR_V: { at: 24656, bytes: MATRIX },
  POLAR_B: { at: 24736, bytes: MATRIX },
  POLAR_P: { at: 24816, bytes: MATRIX },
  POLAR_S: { at: 24896, bytes: VECTOR },
  // fitTwo.ts: of two clusters the sums A_xr and x̄ − origin, interleaved; the sums of their motions.
  FIT_A: { at: 24928, bytes: 2 * MATRIX },
  FIT_CENTRE: { at: 25072, bytes: 2 * VECTOR },
  FIT_MOTION: { at: 25120, bytes: 2 * 192 },
  // fitTwo.ts: F of two clusters, interleaved.
  FIT_F: { at: 30464, bytes: 2 * MATRIX },
  // match.ts: the sums A_xr and x̄ − origin, which levels.ts, flow.ts, soften.ts and proxy.ts read; F, R, R F^p; singular values, U and V of the stretch.
  MATCH_A: { at: 25600, bytes: MATRIX },
  MATCH_F: { at: 25680, bytes: MATRIX },
  MATCH_R: { at: 25760, bytes: MATRIX },
  MATCH_CENTRE: { at: 25840, bytes: VECTOR },
  MATCH_SIGMA: { at: 25872, bytes: VECTOR },
  MATCH_U: { at: 25904, bytes: MATRIX },
  MATCH_V: { at: 25984, bytes: MATRIX },
  MATCH_T: { at: 26064, bytes: MATRIX },
  // proxy.ts: G = F⁻¹; U, V, Σ of a cluster that cannot be inverted.
  PROXY_G: { at: 26240, bytes: MATRIX },
  PROXY_U: { at: 26320, bytes: MATRIX },
  PROXY_V: { at: 26400, bytes: MATRIX },
  PROXY_SIGMA: { at: 26480, bytes: VECTOR },
  // damp.ts: sums over a body; the motion that the calling thread hands to all.
  DAMP_SUMS: { at: 27520, bytes: 128 },
  DAMP_MOTION: { at: 27648, bytes: 72 },
  // rigid.ts: sums over a rigid body; its motion.
  RIGID_SUMS: { at: 27776, bytes: 2 * MATRIX },
  RIGID_MOTION: { at: 27968, bytes: 2 * MATRIX },
  // selfContacts.ts: the velocity of a particle relative to its patch; the change of the friction impulse.
  SELF_REL: { at: 28160, bytes: VECTOR },
  SELF_SLIP: { at: 28192, bytes: VECTOR },
  // selfContacts.ts: the five sums of weighSelf.
  SELF_SUMS: { at: 28224, bytes: 40 },
  // meetPlane.ts: three sums of impulses; numbers of the plane, which the calling thread hands to all.
  PLANE_SUMS: { at: 28272, bytes: 3 * VECTOR },
  PLANE_GIVEN: { at: 26976, bytes: 15 * 8 },
  // flow.ts: 1, ½, ⅓ … up to the 41st, written once; two clusters that are queued: A_xr and R of both.
  FLOW_PARTS: { at: 26624, bytes: 41 * 8 },
  FLOW_QUEUE: { at: 27136, bytes: 4 * MATRIX },
  // flow.ts: Σ W D, M, Q, V; Σ and D; W; for two clusters at a time: nearly symmetric matrices, and six entries of
  // their stretches.
  FLOW_P: { at: 28672, bytes: MATRIX },
  FLOW_M: { at: 28752, bytes: MATRIX },
  FLOW_Q: { at: 28832, bytes: MATRIX },
  FLOW_V: { at: 28912, bytes: MATRIX },
  FLOW_SIGMA: { at: 28992, bytes: VECTOR },
  FLOW_D: { at: 29016, bytes: VECTOR },
  FLOW_W: { at: 29040, bytes: MATRIX },
  FLOW_TWO: { at: 29184, bytes: 2 * MATRIX },
  FLOW_STRETCHES: { at: 29328, bytes: 96 },
  // soften.ts: A, U, V, Σ; A_xb and B; W (or F^p W) and A times it.
  SOFTEN_G: { at: 29440, bytes: MATRIX },
  SOFTEN_U: { at: 29520, bytes: MATRIX },
  SOFTEN_V: { at: 29600, bytes: MATRIX },
  SOFTEN_SIGMA: { at: 29680, bytes: VECTOR },
  SOFTEN_X: { at: 29712, bytes: BEND },
  SOFTEN_B: { at: 29856, bytes: BEND },
  SOFTEN_M: { at: 30000, bytes: MATRIX },
  SOFTEN_Q: { at: 30080, bytes: MATRIX },
  // levels.ts: a matrix, a place, a row of coarseGoal.
  LEVELS_PART: { at: 30208, bytes: MATRIX },
  LEVELS_PLACE: { at: 30288, bytes: VECTOR },
  LEVELS_BLEND: { at: 30320, bytes: 144 },
  // touch.ts: the stack of a tree walk (src/kernels/ts/touch.ts states its depth).
  TOUCH_STACK: { at: 30720, bytes: 1792 },
  // solveContacts.ts: squared distances of the patch that is being found, and of four members.
  SOLVE_NEAREST: { at: 32512, bytes: 32 },
  SOLVE_FOUR: { at: 32544, bytes: 16 },
  // touch.ts, for four particles: squared distance of the entry from the middle, position of the entry on the path, and
  // particle number.
  TOUCH_OFF: { at: 32640, bytes: 16 },
  TOUCH_ENTERS: { at: 32656, bytes: 16 },
  TOUCH_WHICH: { at: 32672, bytes: 16 },
  // integrate.ts: the velocity that evens a body.
  INTEGRATE_EVEN: { at: 32688, bytes: 16 },
  // limit.ts: takes marks that count for nothing.
  LIMIT_NOWHERE: { at: 32704, bytes: 8 },
} as const satisfies Record<string, ScratchRegion>;

/** Writes what the kernel meetPlane reads of a plane, except `reach`, whose number it returns. */
export function planeInto(out: Float64Array, p: PlaneContact): number {
  const { nx, ny, nz, offset, far, px, py, pz, half, reached, tau, friction, restitution, restThreshold, h } = p;
  let at = 0;
  out[at++] = nx;
  out[at++] = ny;
  out[at++] = nz;
  out[at++] = offset;
  out[at++] = far;
  out[at++] = px;
  out[at++] = py;
  out[at++] = pz;
  out[at++] = half;
  out[at++] = reached;
  out[at++] = tau;
  out[at++] = friction;
  out[at++] = restitution;
  out[at++] = restThreshold;
  out[at++] = h;
  return p.reach === 'none' ? 0 : p.reach === 'given' ? 1 : 2;
}
