import type { Vec3 } from '../check.js';
import { cos, sin } from '../math/elementary.js';
import { frames, lengthOf } from '../sample/cord.js';
import type { SkinMesh } from './skinMesh.js';
import { thicken } from './thicken.js';

/** Render meshes of sheets and cords. Both have texture coordinates, and bend smoothly between particles: their edges are shorter than those of other bodies, in spacings. */
const FINER = 0.6;

/** Vertices around a cord: a regular 16-gon has 2.6 % less area than the circle. */
const AROUND = 16;
/** Rings of the round end of a cord. */
const CAP = 3;

/** A flat sheet in the xz plane. Texture coordinates go from 0 to 1 along x and along −z, on both sides. */
export function sheetSkin([width, depth]: readonly [number, number], thickness: number, edge: number): SkinMesh {
  const [nx, nz] = [width, depth].map((side) => Math.max(1, Math.ceil(side / (FINER * edge) - 1e-9)));
  const positions = new Float64Array(3 * (nx + 1) * (nz + 1));
  const uv = new Float32Array(2 * (nx + 1) * (nz + 1));
  for (let k = 0, n = 0; k <= nz; k++)
    for (let i = 0; i <= nx; i++, n++) {
      positions[3 * n] = (i / nx - 0.5) * width;
      positions[3 * n + 2] = (k / nz - 0.5) * depth;
      uv[2 * n] = i / nx;
      uv[2 * n + 1] = 1 - k / nz;
    }
  const indices: number[] = [];
  for (let k = 0; k < nz; k++)
    for (let i = 0; i < nx; i++) {
      const a = k * (nx + 1) + i;
      const [b, c, d] = [a + 1, a + nx + 2, a + nx + 1];
      indices.push(a, d, b, b, d, c);
    }
  const flat = Uint32Array.from(indices);
  const thick = thicken(positions, flat, thickness);
  const uvs = new Float32Array(2 * thick.corners.length);
  thick.corners.forEach((corner, k) => {
    uvs[2 * k] = uv[2 * flat[corner]];
    uvs[2 * k + 1] = uv[2 * flat[corner] + 1];
  });
  return { positions: thick.positions, indices: thick.indices, uvs };
}

/** A cord with round ends. Texture coordinates: u once around, v along it, as far as u goes for the same length. */
export function cordSkin(path: readonly Vec3[], radius: number, edge: number): SkinMesh {
  const length = lengthOf(path);
  const parts = Math.max(path.length - 1, Math.ceil(length / (FINER * edge) - 1e-9));
  const line = frames(path, parts);
  const positions: number[] = [];
  const height: number[] = [];
  const ring = (frame: (typeof line)[number], lift: number, out: number, at: number) => {
    for (let k = 0; k < AROUND; k++) {
      const angle = (2 * Math.PI * k) / AROUND;
      const [x, y] = [out * cos(angle), out * sin(angle)];
      for (let a = 0; a < 3; a++) positions.push(frame.at[a] + lift * frame.along[a] + x * frame.u[a] + y * frame.v[a]);
      height.push(at / (2 * Math.PI * radius));
    }
  };
  const [first, last] = [line[0], line[line.length - 1]];
  for (let k = 1; k < CAP; k++) {
    const angle = (Math.PI / 2) * (1 - k / CAP);
    ring(first, -radius * sin(angle), radius * cos(angle), -radius * sin(angle));
  }
  line.forEach((frame, n) => {
    ring(frame, 0, radius, (length * n) / parts);
  });
  for (let k = 1; k < CAP; k++) {
    const angle = ((Math.PI / 2) * k) / CAP;
    ring(last, radius * sin(angle), radius * cos(angle), length + radius * sin(angle));
  }
  const rings = positions.length / 3 / AROUND;
  const poles = [first, last].map((frame, end) => {
    for (let a = 0; a < 3; a++) positions.push(frame.at[a] + (end ? radius : -radius) * frame.along[a]);
    height.push((end ? length + radius : -radius) / (2 * Math.PI * radius));
    return height.length - 1;
  });
  const [indices, uvs]: [number[], number[]] = [[], []];
  const corner = (vertex: number, turn: number) => {
    indices.push(vertex);
    uvs.push(turn / AROUND, height[vertex]);
  };
  for (let r = 0; r + 1 < rings; r++)
    for (let k = 0; k < AROUND; k++) {
      const [a, b] = [r * AROUND + k, r * AROUND + ((k + 1) % AROUND)];
      const [c, d] = [b + AROUND, a + AROUND];
      for (const [vertex, turn] of [[a, k], [b, k + 1], [c, k + 1], [a, k], [c, k + 1], [d, k]]) corner(vertex, turn); // biome-ignore format: two triangles
    }
  for (let k = 0; k < AROUND; k++) {
    const [a, b] = [k, (k + 1) % AROUND];
    const top = (rings - 1) * AROUND;
    for (const [vertex, turn] of [[poles[0], k + 0.5], [b, k + 1], [a, k]]) corner(vertex, turn); // biome-ignore format: a triangle
    for (const [vertex, turn] of [[poles[1], k + 0.5], [top + a, k], [top + b, k + 1]]) corner(vertex, turn); // biome-ignore format: a triangle
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices), uvs: Float32Array.from(uvs) };
}
