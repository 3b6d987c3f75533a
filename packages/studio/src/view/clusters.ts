import {
  Color,
  DoubleSide,
  DynamicDrawUsage,
  Group,
  IcosahedronGeometry,
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  MeshBasicNodeMaterial,
  MeshStandardNodeMaterial,
  Quaternion,
  RingGeometry,
  SRGBColorSpace,
  Vector3,
} from 'three/webgpu';
import type { Moment } from '../simulation.js';

const Z = new Vector3(0, 0, 1);
/** Width of an outline, as a share of the disc's radius. */
const LINE = 0.035;

/** Deformed cluster spheres, and the planes of collision proxies as outlines of discs. */
export class Clusters {
  readonly group = new Group();
  private balls: InstancedMesh | undefined;
  private discs: InstancedMesh | undefined;

  write({ counts, arrays }: Moment): void {
    this.writeBalls(counts.clusters, arrays.clusters, arrays.clusterColours);
    this.writeDiscs(counts.planes, arrays.planes);
  }

  private writeBalls(count: number, frames: Float32Array, colours: Uint8Array): void {
    if (count > 0 && (!this.balls || this.balls.instanceMatrix.count < count)) {
      const material = new MeshStandardNodeMaterial({
        transparent: true,
        opacity: 0.28,
        depthWrite: false,
        roughness: 0.4,
      });
      this.balls = this.replace(this.balls, new IcosahedronGeometry(1, 3), material, count);
      this.balls.instanceColor = new InstancedBufferAttribute(new Float32Array(3 * this.balls.instanceMatrix.count), 3);
    }
    if (!this.balls) return;
    this.balls.count = count;
    this.balls.visible = count > 0;
    (this.balls.instanceMatrix.array as Float32Array).set(frames);
    const tints = this.balls.instanceColor!.array;
    for (let c = 0; c < count; c++) {
      tint.setRGB(colours[4 * c] / 255, colours[4 * c + 1] / 255, colours[4 * c + 2] / 255, SRGBColorSpace);
      tint.toArray(tints, 3 * c);
    }
    this.balls.instanceMatrix.needsUpdate = true;
    this.balls.instanceColor!.needsUpdate = true;
  }

  private writeDiscs(count: number, planes: Float32Array): void {
    if (count > 0 && (!this.discs || this.discs.instanceMatrix.count < count)) {
      const material = new MeshBasicNodeMaterial({
        color: 0xe0662f,
        transparent: true,
        opacity: 0.75,
        // Outlines are seen through the surface, on which they lie.
        depthTest: false,
        depthWrite: false,
        side: DoubleSide,
      });
      this.discs = this.replace(this.discs, new RingGeometry(1 - LINE, 1, 32), material, count);
      this.discs.renderOrder = 1;
    }
    if (!this.discs) return;
    this.discs.count = count;
    this.discs.visible = count > 0;
    for (let n = 0; n < count; n++) {
      const [x, y, z, nx, ny, nz, radius] = planes.subarray(7 * n, 7 * n + 7);
      turn.setFromUnitVectors(Z, normal.set(nx, ny, nz));
      this.discs.setMatrixAt(n, matrix.compose(place.set(x, y, z), turn, size.set(radius, radius, radius)));
    }
    this.discs.instanceMatrix.needsUpdate = true;
  }

  private replace(
    old: InstancedMesh | undefined,
    geometry: IcosahedronGeometry | RingGeometry,
    material: MeshBasicNodeMaterial | MeshStandardNodeMaterial,
    count: number,
  ): InstancedMesh {
    if (old) {
      this.group.remove(old);
      old.dispose();
    }
    const mesh = new InstancedMesh(geometry, material, Math.ceil(1.2 * count) + 8);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    this.group.add(mesh);
    return mesh;
  }
}

const tint = new Color();
const matrix = new Matrix4();
const turn = new Quaternion();
const normal = new Vector3();
const place = new Vector3();
const size = new Vector3();
