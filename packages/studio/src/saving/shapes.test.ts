import { readMesh, type SceneDescription } from '@pliant/scene';
import { meshSolid, World } from 'pliant';
import { beforeAll, expect, test } from 'vitest';
import type { ExportedBody } from '../protocol.js';
import { Appearance } from '../worker/appearance.js';
import { exportBodies } from '../worker/exportBodies.js';
import { writeGlb } from './glb.js';
import { writeParticles, writeSurfaces } from './ply.js';

/** Two bodies that have fallen for a while: one with creases, one smooth. */
let bodies: ExportedBody[];
let particles = 0;
beforeAll(async () => {
  const world = await World.create({ backend: 'ts' });
  const sampling = { count: 150 };
  world.addBody({ name: 'box', shape: { type: 'box', size: [0.4, 0.3, 0.2] }, sampling, position: [0, 1, 0] });
  world.addBody({ name: 'ball', shape: { type: 'sphere', radius: 0.2 }, sampling, position: [1, 1, 0] });
  for (let n = 0; n < 10; n++) world.step();
  const scene = { bodies: world.bodies.map(({ name }) => ({ options: { name }, look: { look: 'clay' } })) };
  const appearance = new Appearance(scene as unknown as SceneDescription, [], world.bodies);
  bodies = exportBodies(world, appearance);
  particles = world.particleCount;
  world.dispose();
});

/** By the divergence theorem, in doubles from what was exported. */
function volumeOf({ positions: x, indices }: Pick<ExportedBody, 'positions' | 'indices'>): number {
  let sum = 0;
  for (let k = 0; k < indices.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map((n) => x.subarray(3 * indices[k + n], 3 * indices[k + n] + 3));
    sum += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return sum / 6;
}

test('bodies as GLB are read back: the same vertices, closed, of the same volume', async () => {
  const mesh = await readMesh(await writeGlb(bodies), 'x.glb');
  expect(Array.from(mesh.positions)).toEqual(bodies.flatMap(({ positions }) => Array.from(positions)));
  const solid = meshSolid(mesh);
  expect(solid.warnings).toEqual([]);
  expect(solid.surface.orientation.flipped).toBe(0);
  // Welding moves vertices by 1e-6 of the box at most.
  expect(solid.volume).toBeCloseTo(volumeOf(bodies[0]) + volumeOf(bodies[1]), 5);
  expect(solid.volume).toBeGreaterThan(0.05);
});

test('what cuts laid open is a primitive with a material of its own, over the same vertices', async () => {
  const [box] = bodies;
  const third = 3 * Math.floor(box.indices.length / 9);
  const groups: ExportedBody['groups'] = [
    { start: 0, count: third, kind: 'outer', surface: 0 },
    { start: third, count: third, kind: 'inner', surface: 0 },
    { start: 2 * third, count: box.indices.length - 2 * third, kind: 'outer', surface: 0 },
  ];
  const uvs = Float32Array.from({ length: (2 * box.positions.length) / 3 }, (_, k) => (k % 7) / 8);
  const glb = await writeGlb([{ ...box, groups, uvs }]);
  const view = new DataView(glb.buffer, glb.byteOffset);
  const json = JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + view.getUint32(12, true))));
  expect(json.nodes.map(({ name }: { name: string }) => name)).toEqual(['box']);
  const [outer, inner] = json.meshes[0].primitives;
  expect(json.materials.map(({ name }: { name: string }) => name)).toEqual(['box outer', 'box inner']);
  expect(json.accessors[inner.indices].count).toBe(third);
  expect(json.accessors[outer.indices].count).toBe(box.indices.length - third);
  expect(outer.attributes).toEqual(inner.attributes);
  expect(Object.keys(outer.attributes).sort()).toEqual(['NORMAL', 'POSITION', 'TEXCOORD_0']);
  expect(meshSolid(await readMesh(glb, 'x.glb')).warnings).toEqual([]);
});

test('bodies as PLY are read back: the same vertices, closed, of the same volume, in their colours', async () => {
  const mesh = await readMesh(writeSurfaces(bodies), 'x.ply');
  expect(mesh.kind).toBe('mesh');
  expect(Array.from(mesh.positions)).toEqual(bodies.flatMap(({ positions }) => Array.from(positions)));
  const solid = meshSolid(mesh);
  expect(solid.warnings).toEqual([]);
  expect(solid.volume).toBeCloseTo(volumeOf(bodies[0]) + volumeOf(bodies[1]), 5);
  const last = Array.from(mesh.colours!.subarray(-3), (c) => Math.round(255 * c));
  expect(last).toEqual(bodies[1].colour);
});

test('particles as PLY are points', async () => {
  const cloud = await readMesh(writeParticles(bodies), 'x.ply');
  expect(cloud.kind).toBe('points');
  expect(cloud.positions.length).toBe(3 * particles);
  expect(Array.from(cloud.positions.subarray(0, 3))).toEqual(Array.from(bodies[0].particles.subarray(0, 3)));
});
