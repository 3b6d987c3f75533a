import { PliantError } from 'pliant';
import { describe, expect, it } from 'vitest';
import { MESH_EXTENSIONS, readMesh } from './readMesh.js';
import {
  cubeObj,
  cubePlyBinary,
  cubePlyText,
  cubeStlBinary,
  cubeStlText,
  glb,
  gltf,
  signedVolume,
} from './testing/cube.js';

describe('readMesh', () => {
  it.each([
    ['cube.obj', cubeObj()],
    ['text.ply', cubePlyText()],
    ['little.ply', cubePlyBinary(true)],
    ['big.ply', cubePlyBinary(false)],
    ['text.stl', cubeStlText()],
    ['binary.stl', cubeStlBinary()],
    ['cube.gltf', gltf()],
    ['cube.glb', glb()],
    ['SHOUTED.OBJ', cubeObj()],
    ['folder.with.dots/cube.tar.Ply', cubePlyText()],
  ])('gives the same cube from %s', async (name, bytes) => {
    const mesh = await readMesh(bytes, name);
    expect(mesh.kind).toBe('mesh');
    expect(mesh.indices).toHaveLength(36);
    expect(signedVolume(mesh)).toBe(1);
    const corners = new Set(
      Array.from({ length: mesh.positions.length / 3 }, (_, k) => mesh.positions.slice(k * 3, k * 3 + 3).join()),
    );
    expect(corners.size).toBe(8);
  });

  it.each([
    ['cube.fbx', 'cube.fbx: the file\'s ending is ".fbx"; expected .obj, .ply, .stl, .gltf, .glb.'],
    ['a.b/cube', "a.b/cube: the file's ending is missing; expected .obj, .ply, .stl, .gltf, .glb."],
    ['', ": the file's ending is missing; expected .obj, .ply, .stl, .gltf, .glb."],
  ])('refuses %j', async (name, message) => {
    await expect(readMesh(cubeObj(), name)).rejects.toThrow(new PliantError(name, message));
  });

  it('lists the endings that it knows', () => {
    expect(MESH_EXTENSIONS).toEqual(['.obj', '.ply', '.stl', '.gltf', '.glb']);
  });
});
