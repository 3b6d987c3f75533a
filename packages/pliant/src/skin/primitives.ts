import type { Vec3 } from '../check.js';
import { cos, hypot, sin } from '../math/elementary.js';
import { type SkinMesh, SMOOTH } from './skinMesh.js';

/**
 * Render meshes of the simple shapes: closed, with vertices on the exact surface and edges of about `edge` (m), so that
 * flat sides have vertices to bend with.
 */

/** Least number of segments around a circle: a regular 28-gon has 0.8 % less area than the circle. */
const AROUND = 28;
/** Least number of segments along an edge of the icosahedron: such a ball has 1.0 % less volume. */
const EDGE_SEGMENTS = 7;

const steps = (length: number, edge: number) => Math.max(1, Math.ceil(length / edge - 1e-9));
const around = (radius: number, edge: number) => Math.max(AROUND, steps(2 * Math.PI * radius, edge));

class Builder {
  readonly positions: number[] = [];
  readonly indices: number[] = [];

  add(x: number, y: number, z: number): number {
    this.positions.push(x, y, z);
    return this.positions.length / 3 - 1;
  }

  triangle(a: number, b: number, c: number): void {
    this.indices.push(a, b, c);
  }

  /** Always along the same diagonal: all quads here are nearly rectangles, for which the shorter one matters little. */
  quad(a: number, b: number, c: number, d: number): void {
    this.indices.push(a, b, c, a, c, d);
  }

  finish(crease?: number): SkinMesh {
    return { positions: Float64Array.from(this.positions), indices: Uint32Array.from(this.indices), crease };
  }
}

/** A box about the origin; its faces are grids that share the vertices of the box's edges. */
export function boxSkin(size: Vec3, edge: number): SkinMesh {
  const n = size.map((s) => steps(s, edge));
  const mesh = new Builder();
  // Number of each grid node on the surface, in the order in which they are met.
  const numbers = new Map<number, number>();
  const vertex = (at: number[]) => {
    const key = (at[2] * (n[1] + 1) + at[1]) * (n[0] + 1) + at[0];
    let number = numbers.get(key);
    if (number === undefined) {
      const [x, y, z] = at.map((k, a) => (k / n[a] - 0.5) * size[a]);
      numbers.set(key, (number = mesh.add(x, y, z)));
    }
    return number;
  };
  for (let axis = 0; axis < 3; axis++) {
    const [u, w] = [(axis + 1) % 3, (axis + 2) % 3];
    for (const end of [0, n[axis]])
      for (let i = 0; i < n[u]; i++)
        for (let j = 0; j < n[w]; j++) {
          const corner = (p: number, q: number) => {
            const at = [0, 0, 0];
            at[axis] = end;
            at[u] = i + p;
            at[w] = j + q;
            return vertex(at);
          };
          const [a, b, c, d] = [corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)];
          if (end) mesh.quad(a, b, c, d);
          else mesh.quad(a, d, c, b);
        }
  }
  return mesh.finish();
}

const GOLDEN = (1 + Math.sqrt(5)) / 2;
const ICOSAHEDRON = {
  points: [
    [-1, GOLDEN, 0], [1, GOLDEN, 0], [-1, -GOLDEN, 0], [1, -GOLDEN, 0], [0, -1, GOLDEN], [0, 1, GOLDEN],
    [0, -1, -GOLDEN], [0, 1, -GOLDEN], [GOLDEN, 0, -1], [GOLDEN, 0, 1], [-GOLDEN, 0, -1], [-GOLDEN, 0, 1],
  ],
  faces: [
    [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11], [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8],
    [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9], [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
  ],
}; // biome-ignore format: one vertex or triangle per bracket

/** A ball or ellipsoid: an icosahedron whose edges are divided into n parts, projected onto the sphere and scaled. */
export function ellipsoidSkin(radii: Vec3, edge: number): SkinMesh {
  // An edge of the icosahedron spans 1.107 rad.
  const n = Math.max(EDGE_SEGMENTS, steps(1.107 * Math.max(...radii), edge));
  const mesh = new Builder();
  /** Vertices on edges of the icosahedron, by the corners they lie between and the share of the lower one. */
  const numbers = new Map<number, number>();
  const place = (face: readonly number[], shares: readonly number[]) => {
    const p = [0, 1, 2].map((a) => face.reduce((sum, c, k) => sum + shares[k] * ICOSAHEDRON.points[c][a], 0));
    const length = hypot(p[0], p[1], p[2]);
    return mesh.add((p[0] / length) * radii[0], (p[1] / length) * radii[1], (p[2] / length) * radii[2]);
  };
  const onEdge = (face: readonly number[], shares: readonly number[]) => {
    // A corner of the icosahedron, or the two ends of an edge, the lower first: the same key from either face.
    const ends = [0, 1, 2].filter((k) => shares[k] > 0).sort((k, l) => face[k] - face[l]);
    const [low, high] = [ends[0], ends[ends.length - 1]];
    const key = (12 * face[low] + face[high]) * (n + 1) + shares[low];
    let number = numbers.get(key);
    if (number === undefined) numbers.set(key, (number = place(face, shares)));
    return number;
  };
  for (const face of ICOSAHEDRON.faces) {
    // Row i holds the n − i + 1 vertices with the share i of the second corner.
    const rows = Array.from({ length: n + 1 }, (_, i) =>
      Array.from({ length: n - i + 1 }, (_, j) => {
        const shares = [n - i - j, i, j];
        return shares.includes(0) ? onEdge(face, shares) : place(face, shares);
      }),
    );
    for (let i = 0; i < n; i++)
      for (let j = 0; j < n - i; j++) {
        mesh.triangle(rows[i][j], rows[i + 1][j], rows[i][j + 1]);
        if (i + j < n - 1) mesh.triangle(rows[i + 1][j], rows[i + 1][j + 1], rows[i][j + 1]);
      }
  }
  return mesh.finish(SMOOTH);
}

/** A ring around the y axis. */
export function torusSkin(radius: number, tube: number, edge: number): SkinMesh {
  const m = around(radius + tube, edge);
  const n = around(tube, edge);
  const mesh = new Builder();
  for (let i = 0; i < m; i++)
    for (let j = 0; j < n; j++) {
      const [u, v] = [(2 * Math.PI * i) / m, (2 * Math.PI * j) / n];
      const r = radius + tube * cos(v);
      mesh.add(r * cos(u), tube * sin(v), r * sin(u));
      const at = (p: number, q: number) => ((i + p) % m) * n + ((j + q) % n);
      mesh.quad(at(0, 0), at(0, 1), at(1, 1), at(1, 0));
    }
  return mesh.finish(SMOOTH);
}

/** A cylinder along y with flat ends. */
export function cylinderSkin(radius: number, height: number, edge: number): SkinMesh {
  const caps = steps(radius, edge);
  const sides = steps(height, edge);
  const profile: [number, number][] = [];
  for (let k = 0; k < caps; k++) profile.push([(radius * k) / caps, -height / 2]);
  for (let k = 0; k <= sides; k++) profile.push([radius, (k / sides - 0.5) * height]);
  for (let k = caps - 1; k >= 0; k--) profile.push([(radius * k) / caps, height / 2]);
  return revolve(profile, radius, edge).finish();
}

/** A capsule along y; `height` is the distance between the centres of its half spheres. */
export function capsuleSkin(radius: number, height: number, edge: number): SkinMesh {
  const quarter = Math.max(EDGE_SEGMENTS, steps((Math.PI / 2) * radius, edge));
  const sides = steps(height, edge);
  const arc = (k: number) => (Math.PI / 2) * (k / quarter);
  const profile: [number, number][] = [];
  for (let k = 0; k < quarter; k++) profile.push([radius * sin(arc(k)), -height / 2 - radius * cos(arc(k))]);
  for (let k = 0; k <= sides; k++) profile.push([radius, (k / sides - 0.5) * height]);
  for (let k = quarter - 1; k >= 0; k--) profile.push([radius * sin(arc(k)), height / 2 + radius * cos(arc(k))]);
  return revolve(profile, radius, edge).finish(SMOOTH);
}

/**
 * The surface of revolution of a line of points (r, y), from pole to pole, about the y axis. The number of vertices of
 * a ring is proportional to its length, so a cap has fewer towards its middle.
 */
function revolve(profile: readonly [number, number][], radius: number, edge: number): Builder {
  const mesh = new Builder();
  const most = around(radius, edge);
  const rings = profile.map(([r, y]) => {
    const count = r === 0 ? 1 : Math.max(Math.min(6, most), Math.round((most * r) / radius));
    return Array.from({ length: count }, (_, k) => {
      const angle = (2 * Math.PI * k) / count;
      return mesh.add(r * cos(angle), y, r * sin(angle));
    });
  });
  for (let k = 1; k < rings.length; k++) stitch(mesh, rings[k - 1], rings[k]);
  return mesh;
}

/** Adds triangles between two rings, each advancing on the ring that lags behind. */
function stitch(mesh: Builder, low: readonly number[], high: readonly number[]): void {
  let [i, j] = [0, 0];
  const [m, n] = [low.length === 1 ? 0 : low.length, high.length === 1 ? 0 : high.length];
  while (i < m || j < n) {
    const [a, b] = [low[i % low.length], high[j % high.length]];
    if (j >= n || (i < m && (i + 0.5) * n <= (j + 0.5) * m)) {
      mesh.triangle(a, b, low[(i + 1) % low.length]);
      i++;
    } else {
      mesh.triangle(a, b, high[(j + 1) % high.length]);
      j++;
    }
  }
}
