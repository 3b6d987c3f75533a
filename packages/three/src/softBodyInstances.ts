import { type Body, refuse } from 'pliant';
import { BufferAttribute, BufferGeometry, Group, InstancedMesh, type Material } from 'three';
import { attributeInto, drawnVertices } from './drawnVertices.js';
import { RigidPose } from './rigidPose.js';
import { SoftBodyMesh, type SoftBodyMeshOptions } from './softBodyMesh.js';

/** Options of `SoftBodyInstances`: those of a SoftBodyMesh. */
export interface SoftBodyInstancesOptions extends SoftBodyMeshOptions {
  /** Distance of a particle from the undeformed shape up to which a body is drawn undeformed (m). Default: a tenth of the spacing of its particles. */
  tolerance?: number;
}

interface Member {
  readonly body: Body;
  readonly pose: RigidPose;
  /** `topologyVersion` when it was added. */
  readonly topology: number;
  isRigid: boolean;
  wasAsleep: boolean;
  mesh: SoftBodyMesh<Body> | undefined;
}

/**
 * Draws many bodies that were built alike, such as the bricks of a wall. Bodies that are not deformed, beyond a tolerance, are drawn in one call as instances of one mesh; a deformed or broken
 * one by a `SoftBodyMesh` of its own, for as long as it is. Call `update(alpha)` once a frame.
 *
 * @example
 * const bricks = [0, 1, 2].map((n) => world.addBody({ shape: { type: 'box', size: [0.2, 0.1, 0.1] }, sampling: { count: 60 }, position: [0, 0.05 + 0.1 * n, 0] }));
 * const wall = new SoftBodyInstances(bricks);
 * scene.add(wall);
 * wall.update();
 */
export class SoftBodyInstances extends Group {
  /** The instances: one draw call for each material. `count` is the number of bodies drawn so. */
  readonly instances: InstancedMesh<BufferGeometry, Material[]>;
  private readonly members: Member[];
  private readonly options: SoftBodyMeshOptions;
  private readonly tolerance: number;
  private readonly first: SoftBodyMesh<Body>;

  constructor(bodies: readonly Body[], { tolerance, ...options }: SoftBodyInstancesOptions = {}) {
    super();
    if (bodies.length === 0) refuse('bodies', bodies, 'at least one body');
    const [first] = bodies;
    for (const [k, body] of bodies.entries())
      if (!isAlike(first, body))
        refuse(`bodies[${k}]`, body.name, `a body that was built like the first, "${first.name}"`);
    this.options = options;
    this.tolerance = tolerance ?? 0.1 * (first.spacing ?? 0.02 * first.size);
    this.first = new SoftBodyMesh(first, options);
    this.instances = new InstancedMesh(restGeometry(first, options), this.first.material, bodies.length);
    this.instances.castShadow = this.instances.receiveShadow = true;
    this.instances.frustumCulled = false;
    this.add(this.instances);
    const rest = first.restPositions;
    this.members = bodies.map((body) => ({
      body,
      pose: new RigidPose(rest, body.positions),
      topology: body.topologyVersion,
      isRigid: false,
      wasAsleep: false,
      mesh: body === first ? this.first : undefined,
    }));
    this.update();
  }

  /** Moves the instances and meshes to where their bodies are; see SoftBodyMesh. Bodies that are gone from the world are not drawn. */
  update(alpha = 1): void {
    let count = 0;
    for (const member of this.members) {
      const { body } = member;
      if (!body.alive) {
        this.hide(member);
        continue;
      }
      if (!(body.asleep && member.wasAsleep)) {
        const isWhole = body.topologyVersion === member.topology;
        member.isRigid = isWhole && member.pose.fit(body) <= this.tolerance;
        member.wasAsleep = body.asleep;
      }
      if (member.isRigid) {
        this.hide(member);
        this.instances.setMatrixAt(count++, member.pose.matrix);
      } else this.show(member, alpha);
    }
    this.instances.count = count;
    this.instances.instanceMatrix.needsUpdate = true;
  }

  /** Frees the GPU's buffers and the materials that were made here. */
  override dispose(): void {
    for (const { mesh } of this.members) mesh?.dispose();
    this.first.dispose();
    this.instances.geometry.dispose();
    this.instances.dispose();
    this.removeFromParent();
  }

  /** Vertices are in the world's coordinates, whatever the parents' transforms are. */
  override updateMatrixWorld(force?: boolean): void {
    this.matrixWorld.identity();
    for (const child of this.children) child.updateMatrixWorld(force);
  }

  private show(member: Member, alpha: number): void {
    if (!member.mesh) {
      // Inner faces of all bodies have the same material.
      const { material } = this.first;
      member.mesh = new SoftBodyMesh(member.body, {
        ...this.options,
        outer: material.slice(0, -1),
        inner: material.at(-1)!,
      });
    }
    if (!member.mesh.parent) this.add(member.mesh);
    member.mesh.update(alpha);
  }

  private hide({ mesh }: Member): void {
    if (mesh?.parent) this.remove(mesh);
  }
}

/** Whether two bodies have the same particles up to a rigid motion: as many, at the same distances from the first and the last of them. */
function isAlike(a: Body, b: Body): boolean {
  const [p, q] = [a.restPositions, b.restPositions];
  if (p.length !== q.length) return false;
  const near = 1e-4 * a.size;
  for (const from of [0, p.length - 3])
    for (let k = 0; k < p.length; k += 3)
      if (Math.abs(distance(p, from, k) - distance(q, from, k)) > near) return false;
  return true;
}

const distance = (p: ArrayLike<number>, j: number, k: number) =>
  Math.hypot(p[j] - p[k], p[j + 1] - p[k + 1], p[j + 2] - p[k + 2]);

/** The body's undeformed surface, where it was built. */
function restGeometry(body: Body, { source, outer }: SoftBodyMeshOptions): BufferGeometry {
  const skin = body.getSkin();
  const given = outer ?? source?.materials ?? [];
  const drawn = drawnVertices(skin, source, Math.max(1, 'length' in given ? given.length : 1));
  const { positions, normals } = skin.atRest();
  const geometry = new BufferGeometry().setIndex(new BufferAttribute(drawn.indices, 1));
  const add = (name: string, width: number, fill: (out: Float32Array) => void) => {
    const values = new Float32Array(width * drawn.count);
    fill(values);
    geometry.setAttribute(name, new BufferAttribute(values, width));
  };
  const gather = (from: Float32Array, width: number) => (out: Float32Array) => {
    for (let v = 0; v < drawn.count; v++)
      for (let a = 0; a < width; a++) out[width * v + a] = from[width * drawn.skinVertex[v] + a];
  };
  add('position', 3, gather(positions, 3));
  add('normal', 3, gather(normals, 3));
  if (source) {
    for (const [name, from] of source.attributes)
      if (name !== 'normal') add(name, from.width, (out) => attributeInto(out, from, drawn, skin, source));
  } else {
    if (skin.uvs) add('uv', 2, gather(skin.uvs, 2));
    if (skin.colours) add('color', 3, gather(skin.colours, 3));
  }
  for (const { start, count, materialIndex } of drawn.groups) geometry.addGroup(start, count, materialIndex);
  return geometry;
}
