import { describe, expect, it } from 'vitest';
import type { MeshData } from '../mesh/index.js';
import { World } from '../world.js';
import { NO_SOURCE } from './renderSkin.js';

/** A box as two triangles a side, each side with vertices of its own: 24, as files have them. */
function boxMesh(size: number): MeshData {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const [a, b, c] of [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
  ])
    for (const side of [-1, 1]) {
      const first = positions.length / 3;
      for (const [u, v] of [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ]) {
        const p = [0, 0, 0];
        [p[a], p[b], p[c]] = [(side * size) / 2, (u * size) / 2, (v * size) / 2];
        positions.push(...p);
      }
      const around = side > 0 ? [0, 1, 2, 0, 2, 3] : [0, 2, 1, 0, 3, 2];
      indices.push(...around.map((k) => first + k));
    }
  return { positions, indices, source: true };
}

async function boxWorld(options: object = {}) {
  const world = await World.create({ backend: 'ts', gravity: [0, 0, 0] });
  const mesh = boxMesh(1);
  const body = world.addBody({ mesh, sampling: { method: 'grid', count: 125 }, material: { young: 1e5 }, ...options });
  return { world, mesh, body };
}

/** The places in the file that the corners of a skin name, against where the skin has them at rest. */
function largestMiss(mesh: MeshData, skin: ReturnType<Awaited<ReturnType<typeof boxWorld>>['body']['getSkin']>) {
  const { triangles, weights } = skin.source!;
  const { positions } = skin.atRest();
  let most = 0;
  for (let k = 0; k < skin.indices.length; k++) {
    const t = triangles[Math.floor(k / 3)];
    if (t === NO_SOURCE) continue;
    for (let a = 0; a < 3; a++) {
      let place = 0;
      for (let c = 0; c < 3; c++) place += weights[3 * k + c] * mesh.positions[3 * mesh.indices![3 * t + c] + a];
      most = Math.max(most, Math.abs(place - positions[3 * skin.indices[k] + a]));
    }
  }
  return most;
}

describe('the source of a skin', () => {
  it('names for every corner the place in the file where it lies, though edges were halved', async () => {
    const { mesh, body } = await boxWorld();
    const skin = body.getSkin();
    expect(skin.indices.length).toBeGreaterThan(4 * mesh.indices!.length);
    expect(new Set(skin.source!.triangles).size).toBe(12);
    expect(largestMiss(mesh, skin)).toBeLessThan(1e-6);
  });

  it('is left out unless the mesh asks for it', async () => {
    const { world, mesh } = await boxWorld();
    const body = world.addBody({ mesh: { ...mesh, source: false }, sampling: { count: 60 } });
    expect(body.getSkin().source).toBeUndefined();
    expect(() => world.addBody({ mesh: { ...mesh, source: 1 as never }, sampling: { count: 60 } })).toThrow(
      'body.mesh.source',
    );
  });

  it('goes along with cuts, whose faces have none, and with snapshots', async () => {
    const { world, mesh, body } = await boxWorld();
    body.getSkin();
    const { bodies } = world.cut(body, { point: [0.03, 0, 0], normal: [1, 0.2, 0.1] });
    expect(bodies).toHaveLength(2);
    for (const part of bodies) {
      const skin = part.getSkin();
      expect(largestMiss(mesh, skin)).toBeLessThan(1e-5);
      const inner = skin.groups.find(({ kind }) => kind === 'inner')!;
      const faces = skin.source!.triangles;
      expect(inner.count).toBeGreaterThan(0);
      expect(faces.subarray(inner.start / 3, (inner.start + inner.count) / 3).every((t) => t === NO_SOURCE)).toBe(true);
      expect(faces.subarray(0, inner.start / 3).every((t) => t < 12)).toBe(true);
    }
    const other = await World.create({ backend: 'ts' });
    other.restore(world.save());
    expect(other.bodies[1].getSkin().source).toEqual(bodies[1].getSkin().source);
  });
});

describe('a skin between two steps', () => {
  it('is at the share of the way that it is asked for, and its bounds are around it', async () => {
    const { world, body } = await boxWorld({ velocity: [6, 0, 0], angularVelocity: [0, 0, 1] });
    const skin = body.getSkin();
    skin.update();
    const before = skin.positions.slice();
    world.step();
    const hash = body.positions.slice();
    skin.update();
    const after = skin.positions.slice();
    for (const alpha of [0, 0.25, 1]) {
      skin.update(alpha);
      for (let k = 0; k < after.length; k++)
        expect(skin.positions[k]).toBeCloseTo(before[k] + alpha * (after[k] - before[k]), 5);
      for (let a = 0; a < 3; a++) {
        const along = Array.from(skin.positions).filter((_, k) => k % 3 === a);
        expect(skin.bounds.min[a]).toBe(Math.min(...along));
        expect(skin.bounds.max[a]).toBe(Math.max(...along));
      }
    }
    expect(body.positions).toEqual(hash);
    expect(() => skin.update(1.5)).toThrow('alpha');
  });

  it('has normals at rest that do not turn with the body', async () => {
    const { world, body } = await boxWorld({ angularVelocity: [0, 3, 0] });
    const skin = body.getSkin();
    const rest = skin.atRest();
    for (let n = 0; n < 20; n++) world.step();
    skin.update();
    const now = skin.positions.slice();
    expect(skin.atRest()).toEqual(rest);
    expect(skin.positions).toEqual(now);
    expect(rest.normals).not.toEqual(skin.normals);
    for (let o = 0; o < rest.normals.length; o += 3)
      expect(Math.max(...rest.normals.subarray(o, o + 3).map(Math.abs))).toBeCloseTo(1, 5);
  });
});
