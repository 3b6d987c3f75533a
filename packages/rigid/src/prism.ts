import type { MeshData } from 'pliant';

/** Number of sides of the prism that stands for a cylinder or cone: its sides lie within 0.5 % of the round. */
const SIDES = 32;

/** A cylinder along y, or a cone where `top` is 0, as a closed mesh. */
export function prism(bottom: number, top: number, halfHeight: number): MeshData {
  const positions: number[] = [0, -halfHeight, 0, 0, halfHeight, 0];
  const indices: number[] = [];
  for (let k = 0; k < SIDES; k++) {
    const angle = (2 * Math.PI * k) / SIDES;
    for (const [radius, y] of [
      [bottom, -halfHeight],
      [top, halfHeight],
    ])
      positions.push(radius * Math.cos(angle), y, radius * Math.sin(angle));
    const [a, b] = [2 + 2 * k, 2 + 2 * ((k + 1) % SIDES)];
    indices.push(0, a, b, 1, b + 1, a + 1, a, a + 1, b, b, a + 1, b + 1);
  }
  return { positions, indices };
}
