import { cameraWorldMatrix, dot, float, normalize, positionGeometry, sqrt, varying, vec3, vec4 } from 'three/tsl';
import {
  DoubleSide,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  MeshStandardNodeMaterial,
  PlaneGeometry,
} from 'three/webgpu';
import type { Moment } from '../simulation.js';
import { Blended, blendedNode } from './blend.js';
import { paintedColour } from './colour.js';

/**
 * Particles as balls that are really squares facing the eye (or, for shadows, the light): a disc is cut out of each and lit as if it bulged.
 * Two triangles a particle: 125 000 of them are a quarter of a million triangles.
 */
export class Particles {
  readonly mesh: Mesh;
  private readonly geometry = new InstancedBufferGeometry();
  private places: Blended | undefined;
  private colours: InstancedBufferAttribute | undefined;
  private turn = false;
  private readonly share;
  private room = 0;

  constructor() {
    const square = new PlaneGeometry(2, 2);
    this.geometry.index = square.index;
    this.geometry.setAttribute('position', square.getAttribute('position'));
    this.geometry.instanceCount = 0;
    const { share, node } = blendedNode('place');
    this.share = share;
    // Shadows are made by backs, unless told otherwise: these squares have none towards the light.
    const material = new MeshStandardNodeMaterial({ roughness: 0.75, metalness: 0, shadowSide: DoubleSide });
    // Whoever looks, eye or light: its right and its up.
    const right = cameraWorldMatrix.mul(vec4(1, 0, 0, 0)).xyz;
    const up = cameraWorldMatrix.mul(vec4(0, 1, 0, 0)).xyz;
    const corner = positionGeometry.xy;
    material.positionNode = node.xyz.add(right.mul(corner.x).add(up.mul(corner.y)).mul(node.w));
    const at = varying(corner);
    const beyond = dot(at, at);
    material.normalNode = normalize(vec3(at, sqrt(float(1).sub(beyond).max(0.001))));
    material.maskNode = beyond.lessThan(1);
    material.colorNode = vec4(paintedColour(), 1);
    this.mesh = new Mesh(this.geometry, material);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
    this.mesh.visible = false;
  }

  write({ counts, arrays, jump }: Moment): void {
    const { particles: count } = counts;
    const isNew = count > this.room || !this.places;
    if (isNew) this.grow(count);
    this.turn = !this.turn;
    this.places!.write(arrays.particles, jump || isNew, this.turn);
    (this.colours!.array as Uint8Array).set(arrays.particleColours);
    this.colours!.needsUpdate = true;
    this.geometry.instanceCount = count;
  }

  blend(t: number): void {
    this.share.value = this.turn ? 1 - t : t;
  }

  dispose(): void {
    this.geometry.dispose();
    (this.mesh.material as MeshStandardNodeMaterial).dispose();
  }

  private grow(count: number): void {
    this.geometry.dispose();
    this.room = Math.ceil(1.2 * count) + 16;
    this.places = new Blended(4 * this.room, 4, true);
    this.colours = new InstancedBufferAttribute(new Uint8Array(4 * this.room), 4, true);
    this.geometry.setAttribute('placeA', this.places.a);
    this.geometry.setAttribute('placeB', this.places.b);
    this.geometry.setAttribute('colour', this.colours);
  }
}
