import { float, fwidth, max, mix, positionWorld, smoothstep, uniform, vec3, vec4 } from 'three/tsl';
import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  Color,
  CylinderGeometry,
  DoubleSide,
  Group,
  Mesh,
  MeshStandardNodeMaterial,
  PlaneGeometry,
  Quaternion,
  SphereGeometry,
  Vector3,
} from 'three/webgpu';
import type { ObstacleData } from '../protocol.js';

/** Drawn extent of an endless plane, and largest drawn length of a cylinder (m). */
const FAR = 240;

/** The obstacles of a scene, moved as the world moves them. */
export class Obstacles {
  readonly group = new Group();
  private meshes: (Mesh | undefined)[] = [];
  private readonly solid = new MeshStandardNodeMaterial({ color: 0x8fa0ae, roughness: 0.8, side: DoubleSide });
  private readonly floor = floorMaterial();

  learn(obstacles: readonly ObstacleData[]): void {
    for (const mesh of this.meshes) mesh?.geometry.dispose();
    this.group.clear();
    this.meshes = obstacles.map((obstacle) => {
      if (obstacle.name === 'clamp') return undefined;
      const isPlane = obstacle.type === 'plane';
      const mesh = new Mesh(geometryOf(obstacle), isPlane ? this.floor : this.solid);
      mesh.receiveShadow = true;
      mesh.castShadow = !isPlane;
      this.group.add(mesh);
      return mesh;
    });
  }

  /** Sets the poses: seven numbers each, position and rotation. */
  place(poses: Float32Array): void {
    this.meshes.forEach((mesh, k) => {
      if (!mesh) return;
      const [x, y, z, qx, qy, qz, qw] = poses.subarray(7 * k, 7 * k + 7);
      mesh.visible = !Number.isNaN(x);
      mesh.position.set(x, y, z);
      mesh.quaternion.set(qx, qy, qz, qw);
    });
  }
}

const ground = uniform(new Color());
const lines = uniform(new Color());

/** Colours of the floor for the light and the dark theme, so that texts over it can be read. */
export function setFloor(dark: boolean): void {
  ground.value.copy(dark ? new Color(0.045, 0.055, 0.066) : new Color(0.66, 0.71, 0.75));
  lines.value.copy(dark ? new Color(0.13, 0.15, 0.175) : new Color(0.4, 0.46, 0.52));
}

/** A plane with lines every metre and finer ones between, which fade with distance. It is invisible from behind. */
function floorMaterial(): MeshStandardNodeMaterial {
  const material = new MeshStandardNodeMaterial({ roughness: 0.95 });
  const at = positionWorld;
  const line = (every: number, width: number) => {
    const scaled = at.div(every);
    const distance = scaled.sub(scaled.round()).abs();
    const soft = fwidth(scaled).max(1e-5);
    const near = smoothstep(vec3(0), soft.mul(1.5), distance.sub(width));
    // A line is drawn where a coordinate along the plane is near a whole number; the coordinate across the plane has no
    // slope.
    const flat = smoothstep(float(1e-4), float(2e-4), soft);
    const shown = vec3(1).sub(near).mul(flat);
    return max(shown.x, max(shown.y, shown.z));
  };
  const strength = line(1, 0.006).mul(0.5).max(line(0.25, 0.004).mul(0.16));
  material.colorNode = vec4(mix(ground, lines, strength), 1);
  return material;
}

function geometryOf({ type, direction, radius, half, size, positions, indices }: ObstacleData): BufferGeometry {
  switch (type) {
    case 'plane':
      return turned(new PlaneGeometry(FAR, FAR), Z, direction);
    case 'sphere':
      return new SphereGeometry(radius, 48, 32);
    case 'box':
      return new BoxGeometry(...size);
    case 'capsule':
      return turned(new CapsuleGeometry(radius, 2 * half, 12, 32), Y, direction);
    case 'cylinder':
      // Shortened, as an endless cylinder towards the eye would hide the scene.
      return turned(new CylinderGeometry(radius, radius, Math.min(FAR, 24 * radius), 48), Y, direction);
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
