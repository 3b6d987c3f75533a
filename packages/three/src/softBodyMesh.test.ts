import { type Body, PliantError, World } from 'pliant';
import {
  Box3,
  BoxGeometry,
  BufferAttribute,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  SphereGeometry,
  Vector3,
} from 'three';
import { describe, expect, it } from 'vitest';
import { SoftBodyMesh } from './softBodyMesh.js';

const emptyWorld = () => World.create({ backend: 'ts', gravity: [0, 0, 0] });

/** A box of 1 m with six materials, a second texture coordinate, colours with alpha and tangents. */
function richBox(): Mesh {
  const geometry = new BoxGeometry();
  geometry.setAttribute('uv1', new BufferAttribute(geometry.attributes.uv.array.map((c) => 1 - c) as Float32Array, 2));
  const count = geometry.attributes.position.count;
  const colour = new Float32Array(4 * count);
  const tangent = new Float32Array(4 * count);
  for (let v = 0; v < count; v++) {
    colour.set([v / count, 0.5, 1 - v / count, 0.25], 4 * v);
    const n = new Vector3().fromBufferAttribute(geometry.attributes.normal, v);
    // Across the side: any fixed direction in its plane will do for the test.
    tangent.set([n.y, n.z, n.x, v % 2 ? 1 : -1], 4 * v);
  }
  geometry.setAttribute('color', new BufferAttribute(colour, 4));
  geometry.setAttribute('tangent', new BufferAttribute(tangent, 4));
  const materials = Array.from({ length: 6 }, (_, k) => new MeshBasicMaterial({ name: `side ${k}` }));
  return new Mesh(geometry, materials);
}

const vertexOf = (mesh: Mesh, name: string, v: number) =>
  Array.from({ length: mesh.geometry.getAttribute(name).itemSize }, (_, a) =>
    mesh.geometry.getAttribute(name).getComponent(v, a),
  );

/** The side of a cube on which all corners of a triangle lie, as three.js numbers them: +x, −x, +y, … */
function sideOf(places: number[][], half: number): number {
  for (let a = 0; a < 3; a++)
    for (const [k, s] of [1, -1].entries()) if (places.every((p) => Math.abs(p[a] - s * half) < 1e-4)) return 2 * a + k;
  throw new Error('on no side');
}

describe('a mesh from an object', () => {
  it('keeps materials, texture coordinates, colours and tangents of the file, though edges are halved', async () => {
    const world = await emptyWorld();
    const object = richBox();
    const mesh = SoftBodyMesh.from(world, object, 'jelly', { sampling: { method: 'grid', count: 216 } });
    const { geometry } = mesh;
    expect(geometry.index!.count).toBeGreaterThan(4 * object.geometry.index!.count);
    expect(mesh.material.slice(0, 6)).toEqual(object.material);
    expect(geometry.groups).toHaveLength(6);
    for (const { start, count, materialIndex } of geometry.groups)
      for (let k = start; k < start + count; k += 3) {
        const corners = [0, 1, 2].map((c) => geometry.index!.getX(k + c));
        const places = corners.map((v) => vertexOf(mesh, 'position', v));
        expect(sideOf(places, 0.5)).toBe(materialIndex);
        for (const v of corners) {
          const [uv, uv1] = [vertexOf(mesh, 'uv', v), vertexOf(mesh, 'uv1', v)];
          expect(uv1[0]).toBeCloseTo(1 - uv[0], 5);
          const normal = vertexOf(mesh, 'normal', v);
          const tangent = vertexOf(mesh, 'tangent', v);
          expect(
            tangent
              .slice(0, 3)
              .map((c, a) => c - [normal[1], normal[2], normal[0]][a])
              .every((d) => Math.abs(d) < 1e-3),
          ).toBe(true);
          expect(vertexOf(mesh, 'color', v)[3]).toBeCloseTo(0.25, 5);
        }
      }
  });

  it('stands where the object stands, whatever its parents, and draws in the coordinates of the world', async () => {
    const world = await emptyWorld();
    const parent = new Group();
    parent.position.set(0, 2, 0);
    parent.scale.setScalar(2);
    parent.rotation.z = Math.PI / 2;
    parent.add(new Mesh(new BoxGeometry(1, 0.5, 0.5), new MeshStandardMaterial()));
    const mesh = SoftBodyMesh.from(world, parent, { young: 1e5 }, { sampling: { count: 100 } });
    const { min, max } = mesh.geometry.boundingBox!;
    expect([min.x, min.y, max.x, max.y].map((c) => Math.round(100 * c) / 100)).toEqual([-0.5, 1, 0.5, 3]);
    const moved = new Group();
    moved.position.set(7, 7, 7);
    moved.add(mesh);
    moved.updateMatrixWorld();
    expect(mesh.matrixWorld.elements[12]).toBe(0);
  });

  it('builds objects once that differ in where they stand, and puts each where it stands', async () => {
    const world = await emptyWorld();
    // Bodies of one build have its lists in common.
    const clustersOf = ({ body }: SoftBodyMesh<Body>) => body.clustering.particle;
    const brick = (k: number, length = 0.4) => {
      // Each has a geometry of its own, as in React.
      const mesh = new Mesh(new BoxGeometry(length, 0.1, 0.2), new MeshStandardMaterial());
      mesh.position.set(0.3 * k, 0.1 + k, -k);
      mesh.rotation.set(0.3 * k, 0.7 * k, 0);
      return mesh;
    };
    const options = { sampling: { count: 60 } };
    const bricks = [0, 1, 2, 3].map((k) => SoftBodyMesh.from(world, brick(k), 'softRubber', options));
    bricks.push(await SoftBodyMesh.fromAsync(world, brick(4), 'softRubber', options));
    expect(new Set(bricks.map(clustersOf)).size).toBe(1);
    for (const [k, mesh] of bricks.entries()) {
      const expected = new Box3().setFromObject(brick(k), true);
      const { min, max } = mesh.geometry.boundingBox!;
      expect(min.distanceTo(expected.min)).toBeLessThan(1e-3);
      expect(max.distanceTo(expected.max)).toBeLessThan(1e-3);
    }
    const longer = SoftBodyMesh.from(world, brick(0, 0.5), 'softRubber', options);
    const stiffer = SoftBodyMesh.from(world, brick(0), 'wood', options);
    const moving = SoftBodyMesh.from(world, brick(0), 'softRubber', { ...options, velocity: [1, 0, 0], name: 'fast' });
    expect(new Set([bricks[0], longer, stiffer, moving].map(clustersOf)).size).toBe(3);
    expect([clustersOf(moving) === clustersOf(bricks[0]), moving.body.name]).toEqual([true, 'fast']);
    expect(world.measure(moving.body).momentum[0]).toBeGreaterThan(0);
    // Functions depend on the place: a build for each.
    const graded = [0, 1].map((k) => SoftBodyMesh.from(world, brick(k), { young: (_x, y) => 1e4 * (1 + y) }, options));
    expect(clustersOf(graded[0])).not.toBe(clustersOf(graded[1]));
    const several = await Promise.all(
      [5, 6, 7].map((k) => SoftBodyMesh.fromAsync(world, brick(k, 0.6), 'jelly', options)),
    );
    expect(new Set(several.map(clustersOf)).size).toBe(1);
    await expect(SoftBodyMesh.fromAsync(world, brick(0), { young: -1 }, options)).rejects.toThrow('young');
    await expect(SoftBodyMesh.fromAsync(world, brick(0), { young: -1 }, options)).rejects.toThrow('young');
  });

  it('keeps authored normals, and turns them with the surface', async () => {
    const world = await emptyWorld();
    // A box whose normals are those of a ball: no normal of a face.
    const geometry = new BoxGeometry(1, 1, 1, 2, 2, 2);
    const { position, normal } = geometry.attributes;
    const at = new Vector3();
    for (let v = 0; v < position.count; v++) {
      at.fromBufferAttribute(position, v).normalize();
      normal.setXYZ(v, at.x, at.y, at.z);
    }
    const mesh = SoftBodyMesh.from(world, new Mesh(geometry), 'jelly', { sampling: { method: 'grid', count: 216 } });
    const outwards = () => {
      let worst = 1;
      const centre = new Vector3(...(mesh.body as Body).centreOfMass);
      for (let v = 0; v < mesh.geometry.attributes.position.count; v++) {
        const n = new Vector3().fromBufferAttribute(mesh.geometry.attributes.normal, v);
        const out = new Vector3().fromBufferAttribute(mesh.geometry.attributes.position, v).sub(centre).normalize();
        worst = Math.min(worst, n.dot(out));
      }
      return worst;
    };
    // Between the file's vertices, normals are interpolated: some degrees off.
    const before = outwards();
    expect(before).toBeGreaterThan(0.98);
    mesh.body.setPose({ rotation: [0.5, 0.5, 0.5, 0.5], position: [3, 0, 0] });
    mesh.update();
    expect(outwards()).toBeGreaterThan(before - 1e-3);
  });

  it('refuses objects without a mesh and unknown materials', async () => {
    const world = await emptyWorld();
    expect(() => SoftBodyMesh.from(world, new Group(), 'jelly')).toThrow(PliantError);
    expect(() => SoftBodyMesh.from(world, new Mesh(new BoxGeometry()), 'granite' as never)).toThrow('"granite"');
    expect(world.bodies).toHaveLength(0);
  });
});

describe('a mesh that follows a body', () => {
  it('spreads the work of breaks over its updates', async () => {
    const world = await emptyWorld();
    const body = world.addBody({ shape: { type: 'box', size: [1, 1, 1] }, sampling: { count: 60 } });
    expect(body.getSkin().spread).toBe(false);
    new SoftBodyMesh(body);
    expect(body.getSkin().spread).toBe(true);
  });

  it('is between the steps where alpha says, with bounds around it', async () => {
    const world = await emptyWorld();
    const body = world.addBody({
      shape: { type: 'sphere', radius: 0.5 },
      sampling: { count: 60 },
      velocity: [6, 0, 0],
    });
    const mesh = new SoftBodyMesh(body);
    const right = mesh.geometry.boundingBox!.max.x;
    world.step();
    mesh.update(0);
    expect(mesh.geometry.boundingBox!.max.x).toBeCloseTo(right, 5);
    mesh.update(0.5);
    expect(mesh.geometry.boundingBox!.max.x).toBeCloseTo(right + 0.05, 4);
    mesh.update();
    expect(mesh.geometry.boundingSphere!.center.x).toBeCloseTo(0.1, 3);
  });

  it('writes into the same arrays as long as the triangles stay, and into longer ones after a cut', async () => {
    const world = await emptyWorld();
    const mesh = SoftBodyMesh.from(world, new Mesh(new SphereGeometry(0.5), new MeshBasicMaterial()), 'jelly', {
      sampling: { count: 200 },
    });
    const { geometry } = mesh;
    const { array, version } = geometry.attributes.position as BufferAttribute;
    world.step();
    mesh.update();
    expect((mesh.geometry.attributes.position as BufferAttribute).array).toBe(array);
    expect((mesh.geometry.attributes.position as BufferAttribute).version).toBeGreaterThan(version);
    let isFreed = false;
    geometry.addEventListener('dispose', () => {
      isFreed = true;
    });
    const { bodies } = world.cut(mesh.body, { point: [0.1, 0, 0], normal: [1, 0, 0] });
    mesh.update();
    const other = new SoftBodyMesh(bodies[1], { source: mesh.source, outer: mesh.material[0] });
    expect(isFreed || mesh.geometry === geometry).toBe(true);
    for (const part of [mesh, other]) {
      expect(part.geometry.groups.map(({ materialIndex }) => materialIndex)).toEqual([0, 1]);
      const [outer, inner] = part.geometry.groups;
      expect(part.geometry.drawRange.count).toBe(outer.count + inner.count);
      for (let k = inner.start; k < inner.start + inner.count; k++)
        expect(part.geometry.attributes.position.getX(part.geometry.index!.getX(k))).toBeCloseTo(0.1, 3);
    }
    expect(mesh.geometry.boundingBox!.max.x).toBeCloseTo(0.1, 2);
  });

  it('does nothing for a body that sleeps, until it is moved', async () => {
    const world = await emptyWorld();
    const body = world.addBody({ shape: { type: 'box', size: [1, 1, 1] }, sampling: { method: 'grid', count: 64 } });
    const mesh = new SoftBodyMesh(body);
    body.sleep();
    mesh.update();
    mesh.update();
    const { version } = mesh.geometry.attributes.position as BufferAttribute;
    mesh.update();
    expect((mesh.geometry.attributes.position as BufferAttribute).version).toBe(version);
    for (let o = 0; o < body.positions.length; o += 4) body.positions[o] += 1;
    mesh.update();
    expect(mesh.geometry.boundingBox!.max.x).toBeCloseTo(1.5, 2);
    world.removeBody(body);
    expect(() => mesh.update()).not.toThrow();
  });
});
