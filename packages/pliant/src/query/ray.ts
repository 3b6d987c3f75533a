import type { Vec3 } from '../check.js';

/** A ray with a direction of length 1. */
export interface Ray {
  readonly origin: Vec3;
  readonly direction: Vec3;
}

export const pointOn = ({ origin, direction }: Ray, t: number): Vec3 => [
  origin[0] + t * direction[0],
  origin[1] + t * direction[1],
  origin[2] + t * direction[2],
];
