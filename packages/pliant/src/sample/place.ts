import type { Vec3 } from '../check.js';
import type { Quaternion } from '../spatial/pose.js';
import { movedForm, turnedForm } from './form.js';
import { placedMiddle } from './middle.js';
import type { SignedSolid } from './primitives.js';

/** A solid displaced by a vector. */
export function moved(solid: SignedSolid, [px, py, pz]: Vec3): SignedSolid {
  const box = {
    min: [solid.min[0] + px, solid.min[1] + py, solid.min[2] + pz] as Vec3,
    max: [solid.max[0] + px, solid.max[1] + py, solid.max[2] + pz] as Vec3,
  };
  return {
    ...solid,
    ...box,
    form: movedForm(solid.form, [px, py, pz], box),
    inside: (x, y, z) => solid.inside(x - px, y - py, z - pz),
    signed: (x, y, z, limit) => solid.signed(x - px, y - py, z - pz, limit),
    outer: solid.outer && ((x, y, z, upper) => solid.outer!(x - px, y - py, z - pz, upper)),
    middle:
      solid.middle &&
      placedMiddle(solid.middle, (p, o) => {
        p[o] += px;
        p[o + 1] += py;
        p[o + 2] += pz;
      }),
  };
}

/** A solid rotated about its origin by a quaternion of length 1. Its box is the one around its rotated old box. */
export function turned(solid: SignedSolid, [x, y, z, w]: Quaternion): SignedSolid {
  // By rows.
  const m = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
    [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
    [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
  ];
  const { min, max } = solid;
  const corner = (pick: (a: number, b: number) => number) =>
    m.map((row) => row.reduce((sum, c, axis) => sum + pick(c * min[axis], c * max[axis]), 0)) as unknown as Vec3;
  /** Calls `ask` with a point of the rotated solid mapped back to the original. */
  const back =
    <L, T>(ask: (x: number, y: number, z: number, limit?: L) => T) =>
    (px: number, py: number, pz: number, limit?: L) =>
      ask(
        m[0][0] * px + m[1][0] * py + m[2][0] * pz,
        m[0][1] * px + m[1][1] * py + m[2][1] * pz,
        m[0][2] * px + m[1][2] * py + m[2][2] * pz,
        limit,
      );
  const box = { min: corner(Math.min), max: corner(Math.max) };
  return {
    ...solid,
    ...box,
    form: turnedForm(solid.form, m.flat(), box),
    inside: back(solid.inside),
    signed: back(solid.signed),
    outer: solid.outer && back(solid.outer),
    middle:
      solid.middle &&
      placedMiddle(solid.middle, (p, o) => {
        const [a, b, c] = [p[o], p[o + 1], p[o + 2]];
        for (let row = 0; row < 3; row++) p[o + row] = m[row][0] * a + m[row][1] * b + m[row][2] * c;
      }),
  };
}
