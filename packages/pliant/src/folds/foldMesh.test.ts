import { afterAll, describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import { World } from '../world.js';
import { buildFoldMesh, type FoldMesh } from './foldMesh.js';

const world = await World.create({ gravity: [0, 0, 0] });
afterAll(() => world.dispose());

function meshOf(options: BodyOptions): FoldMesh {
  const body = world.addBody(options);
  return buildFoldMesh(world.state.views, body, body.core.thin!)!;
}

function areaOf({ triangles, rest }: FoldMesh): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((axis) => rest[3 * triangles[t + k] + axis]));
    const [u, v] = [b, c].map((p) => p.map((x, axis) => x - a[axis]));
    sum += Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2;
  }
  return sum;
}

describe('the middle of', () => {
  it('a sheet is a triangulation of its particles, with its area and its hem', () => {
    const mesh = meshOf({
      shape: { type: 'sheet', size: [1, 0.8], thickness: 0.01 },
      sampling: { spacing: 0.05 },
      rotation: [0.3, 0.5, -0.2, 0.7],
    });
    // Four particles on a circle may be joined both ways: two triangles too many, one edge. Without them Euler's number of a disc is 1.
    const twice = areaOf(mesh) / 0.8 - 1;
    expect(twice).toBeGreaterThan(-1e-6);
    expect(twice).toBeLessThan(0.01);
    expect(Math.abs(mesh.nodes - mesh.edges.length / 2 + mesh.triangles.length / 3 - 1)).toBeLessThan(4);
    let hem = 0;
    for (let e = 0; e < 2 * mesh.rims; e += 2)
      hem += Math.hypot(
        ...[0, 1, 2].map((a) => mesh.rest[3 * mesh.edges[e] + a] - mesh.rest[3 * mesh.edges[e + 1] + a]),
      );
    expect(hem).toBeCloseTo(3.6, 4);
    expect(mesh.apart).toBeCloseTo(0.01 + 0.2 * 0.05, 6);
  });

  it('a bent mesh covers it, and a hole stays open', () => {
    // Half of a tube of radius 0.3 and length 1, with a hole of 0.4 by 0.38 in the middle.
    const [positions, indices]: [number[], number[]] = [[], []];
    const [n, m] = [20, 20];
    for (let k = 0; k <= m; k++)
      for (let i = 0; i <= n; i++) {
        const angle = (Math.PI * i) / n;
        positions.push(0.3 * Math.cos(angle), 0.3 * Math.sin(angle), k / m);
      }
    for (let k = 0; k < m; k++)
      for (let i = 0; i < n; i++) {
        if (k >= 6 && k < 14 && i >= 6 && i < 14) continue;
        const a = k * (n + 1) + i;
        indices.push(a, a + 1, a + n + 1, a + 1, a + n + 2, a + n + 1);
      }
    const mesh = meshOf({ mesh: { positions, indices }, thickness: 0.01, sampling: { spacing: 0.04 } });
    const area = Math.PI * 0.3 * (1 - 0.4 * 0.4);
    expect(areaOf(mesh) / area).toBeGreaterThan(0.97);
    expect(areaOf(mesh) / area).toBeLessThan(1.03);
    // A ring: a disc with a hole.
    expect(Math.abs(mesh.nodes - mesh.edges.length / 2 + mesh.triangles.length / 3)).toBeLessThan(3);
  });

  it('a cord is the line through its sections', () => {
    const mesh = meshOf({
      shape: { type: 'cord', path: [[0, 0, 0], [1, 0, 0], [1, 1, 0]], radius: 0.02 }, // biome-ignore format: a line
      sampling: { spacing: 0.05 },
    });
    expect(mesh.nodes).toBe(41);
    expect(mesh.edges.length / 2).toBe(40);
    expect(mesh.apart).toBeCloseTo(0.041, 3);
    expect(Math.hypot(mesh.rest[60] - 1, mesh.rest[61], mesh.rest[62])).toBeLessThan(1e-6);
  });

  it('a sheet that was cut does not reach across the cut', async () => {
    const own = await World.create({ gravity: [0, 0, 0] });
    const body = own.addBody({
      shape: { type: 'sheet', size: [1, 0.8], thickness: 0.01 },
      sampling: { spacing: 0.05 },
      material: { young: 1e4 },
    });
    own.cut(body, { point: [0.013, 0, 0], normal: [1, 0, 0] });
    const mesh = buildFoldMesh(own.state.views, body, 'sheet')!;
    let across = 0;
    for (let t = 0; t < mesh.triangles.length; t += 3) {
      const sides = [0, 1, 2].map((k) => mesh.rest[3 * mesh.triangles[t + k]] > 0.013);
      if (sides.some((side) => side !== sides[0])) across++;
    }
    expect(across).toBe(0);
    // 200 cells of 0.05 m fill half of it; the cut leaves a gap.
    expect(mesh.triangles.length / 3).toBeGreaterThan(170);
    own.dispose();
  });
});
