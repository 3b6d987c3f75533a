import { mix, uniform, uv, vec4 } from 'three/tsl';
import {
  Box3,
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshStandardNodeMaterial,
  type Node,
  PlaneGeometry,
  Quaternion,
  Raycaster,
  SphereGeometry,
  Vector3,
} from 'three/webgpu';
import type { ObstacleData } from '../protocol.js';
import { seen } from './environment.js';
import { grid } from './ground.js';

/** Drawn extent of an endless plane that is not the ground, relative to the scene's size. */
const FAR = 5;
/** Largest drawn length of a cylinder (m). */
const LONG = 240;

/** The obstacles of a scene, moved as the world moves them. Level planes are the ground's affair. */
export class Obstacles {
  readonly group = new Group();
  private meshes: (Mesh | undefined)[] = [];
  private endless: boolean[] = [];
  private readonly solid = new MeshStandardNodeMaterial({ color: 0x9aa7b4, roughness: 0.5, side: DoubleSide });
  private readonly slope = slopeMaterial();
  /** Upright walls would hide the scene: they are panes of glass, seen from within. */
  private readonly wall = new MeshStandardNodeMaterial({
    ...{ color: 0x9db4c8, roughness: 0.15, transparent: true, opacity: 0.07, depthWrite: false },
  });
  /** Size of the scene's bodies (m). */
  private size = 1;
  /** The obstacle that is being dragged, and how far. */
  private dragged: { at: number; by: Vector3 } | undefined;
  private poses: Float32Array = new Float32Array(0);

  setSize(size: number): void {
    this.size = size;
    slopeSize.value = FAR * size;
  }

  learn(obstacles: readonly ObstacleData[]): void {
    for (const mesh of this.meshes) mesh?.geometry.dispose();
    this.group.clear();
    this.dragged = undefined;
    this.endless = obstacles.map(({ type }) => type === 'plane' || type === 'cylinder');
    this.meshes = obstacles.map((obstacle) => {
      const { name, type, direction } = obstacle;
      if (name === 'clamp' || isLevel(obstacle)) return undefined;
      const material = type !== 'plane' ? this.solid : Math.abs(direction[1]) < 0.05 ? this.wall : this.slope;
      const mesh = new Mesh(geometryOf(obstacle, this.size), material);
      mesh.receiveShadow = material !== this.wall;
      mesh.castShadow = material === this.solid;
      this.group.add(mesh);
      return mesh;
    });
  }

  /** Sets the poses: seven numbers each, position and rotation. */
  place(poses: Float32Array): void {
    this.poses = poses;
    this.meshes.forEach((mesh, k) => {
      if (!mesh) return;
      const [x, y, z, qx, qy, qz, qw] = poses.subarray(7 * k, 7 * k + 7);
      mesh.visible = !Number.isNaN(x);
      mesh.position.set(x, y, z);
      if (this.dragged?.at === k) mesh.position.add(this.dragged.by);
      mesh.quaternion.set(qx, qy, qz, qw);
    });
  }

  /** Draws an obstacle elsewhere until the scene is built with it there; without `by` where it is. */
  drag(at: number, by: Vector3 | undefined): void {
    this.dragged = by && { at, by };
    this.place(this.poses);
  }

  /** Corners of the boxes around the obstacles that end somewhere: x y z and an unused number each. */
  corners(): Float32Array {
    const corners: number[] = [];
    for (const [k, mesh] of this.meshes.entries()) {
      if (!mesh?.visible || this.endless[k]) continue;
      mesh.updateMatrixWorld();
      const { min, max } = new Box3().setFromObject(mesh);
      for (const x of [min.x, max.x])
        for (const y of [min.y, max.y]) for (const z of [min.z, max.z]) corners.push(x, y, z, 0);
    }
    return Float32Array.from(corners);
  }

  /** The first obstacle that a ray hits, by its place in the list. Panes of glass are no obstacle to a hand. */
  hit(origin: Vector3, direction: Vector3): { at: number; point: Vector3; distance: number } | undefined {
    const solid = this.group.children.filter((mesh) => mesh.visible && (mesh as Mesh).material !== this.wall);
    this.group.updateMatrixWorld();
    const [first] = new Raycaster(origin, direction).intersectObjects(solid, false);
    return first && { at: this.meshes.indexOf(first.object as Mesh), point: first.point, distance: first.distance };
  }
}

/** Whether an obstacle carries bodies like a floor. */
export const isLevel = ({ type, direction }: ObstacleData): boolean => type === 'plane' && direction[1] > 0.999;

/** Width of the drawn part of planes (m). */
const slopeSize = uniform(FAR);

/** The colours of the ground, for planes that are not level. */
function slopeMaterial(): MeshStandardNodeMaterial {
  const material = new MeshStandardNodeMaterial({ roughness: 0.9 });
  const at = uv().mul(slopeSize) as unknown as Node<'vec2'>;
  material.colorNode = vec4(mix(seen.floor, seen.lines, grid(at)).mul(0.85), 1);
  return material;
}

function geometryOf(
  { type, direction, radius, half, size, positions, indices }: ObstacleData,
  around: number,
): BufferGeometry {
  switch (type) {
    case 'plane':
      return turned(new PlaneGeometry(FAR * around, FAR * around), Z, direction);
    case 'sphere':
      return new SphereGeometry(radius, 64, 40);
    case 'box':
      return new BoxGeometry(...size);
    case 'capsule':
      return turned(new CapsuleGeometry(radius, 2 * half, 16, 48), Y, direction);
    case 'cylinder':
      // Shortened, as an endless cylinder towards the eye would hide the scene.
      return turned(new CylinderGeometry(radius, radius, Math.min(LONG, 24 * radius), 64), Y, direction);
    case 'mesh': {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(positions!, 3));
      geometry.setIndex(new BufferAttribute(indices!, 1));
      const flat = geometry.toNonIndexed();
      flat.computeVertexNormals();
      return flat;
    }
  }
}

const Y = new Vector3(0, 1, 0);
const Z = new Vector3(0, 0, 1);

const turned = (geometry: BufferGeometry, from: Vector3, to: readonly [number, number, number]) =>
  geometry.applyQuaternion(new Quaternion().setFromUnitVectors(from, new Vector3(...to)));
