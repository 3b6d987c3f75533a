import {
  cameraWorldMatrix,
  dot,
  float,
  int,
  ivec2,
  mix,
  normalize,
  positionGeometry,
  sqrt,
  sRGBTransferEOTF,
  textureLoad,
  uniform,
  varying,
  vec3,
  vec4,
} from 'three/tsl';
import {
  BufferAttribute,
  BufferGeometry,
  DataTexture,
  DoubleSide,
  FloatType,
  Mesh,
  MeshLambertNodeMaterial,
  type Node,
  RGBAFormat,
  UnsignedByteType,
} from 'three/webgpu';
import type { Moment } from '../simulation.js';

/** Particles in a row of the textures: every graphics card allows at least 2048 in both dimensions. */
const ROW = 1024;

/** The corners of a square, and its two triangles. */
const CORNERS = [-1, -1, 1, -1, 1, 1, -1, 1];
const TRIANGLES = [0, 1, 2, 0, 2, 3];

/**
 * Particles as balls: each is a square facing the eye (or, for shadows, the light), from which a disc is cut and lit
 * like a sphere. All squares are one constant mesh whose vertices have the number of their particle; textures hold the
 * last two positions of each particle. 125 000 particles are a quarter of a million triangles. An instanced mesh lost:
 * browsers without a graphics card draw every instance separately, which took a third of a second for 25 000.
 */
export class Particles {
  readonly mesh: Mesh;
  private readonly geometry = new BufferGeometry();
  private readonly material = new MeshLambertNodeMaterial({
    // By default back faces cast shadows: these squares have none towards the light.
    shadowSide: DoubleSide,
  });
  /** The last two moments, written alternately, and the colours of the newest. */
  private places: [DataTexture, DataTexture] | undefined;
  private colours: DataTexture | undefined;
  private turn = false;
  /** Share of the second of the two moments in the drawn position. */
  private readonly share = uniform(0);
  private room = 0;

  constructor() {
    this.mesh = new Mesh(this.geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
    this.mesh.visible = false;
  }

  write({ counts, arrays, jump }: Moment): void {
    const { particles: count } = counts;
    const isNew = count > this.room;
    if (isNew) this.grow(count);
    this.turn = !this.turn;
    const [a, b] = this.places!;
    fill(this.turn ? a : b, arrays.particles);
    if (jump || isNew) fill(this.turn ? b : a, arrays.particles);
    fill(this.colours!, arrays.particleColours);
    this.geometry.setDrawRange(0, 6 * count);
  }

  blend(t: number): void {
    this.share.value = this.turn ? 1 - t : t;
  }

  dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
    for (const texture of [...(this.places ?? []), this.colours]) texture?.dispose();
  }

  private grow(count: number): void {
    for (const texture of [...(this.places ?? []), this.colours]) texture?.dispose();
    this.geometry.dispose();
    const rows = Math.ceil((1.2 * count) / ROW);
    this.room = ROW * rows;
    const places = () => new DataTexture(new Float32Array(4 * this.room), ROW, rows, RGBAFormat, FloatType);
    this.places = [places(), places()];
    this.colours = new DataTexture(new Uint8Array(4 * this.room), ROW, rows, RGBAFormat, UnsignedByteType);
    this.geometry.setAttribute('position', new BufferAttribute(cornersOf(this.room), 3));
    this.geometry.setIndex(new BufferAttribute(trianglesOf(this.room), 1));
    this.shade(this.places, this.colours);
  }

  private shade([a, b]: [DataTexture, DataTexture], colours: DataTexture): void {
    const { material } = this;
    const particle = int(positionGeometry.z);
    const at = ivec2(particle.mod(ROW), particle.div(ROW));
    const place = mix(textureLoad(a, at), textureLoad(b, at), this.share);
    // Right and up of the viewer, which is the eye or the light.
    const right = cameraWorldMatrix.mul(vec4(1, 0, 0, 0)).xyz;
    const up = cameraWorldMatrix.mul(vec4(0, 1, 0, 0)).xyz;
    const corner = positionGeometry.xy;
    material.positionNode = place.xyz.add(right.mul(corner.x).add(up.mul(corner.y)).mul(place.w));
    const off = varying(corner);
    const beyond = dot(off, off);
    material.normalNode = normalize(vec3(off, sqrt(float(1).sub(beyond).max(0.001))));
    material.maskNode = beyond.lessThan(1);
    const painted = sRGBTransferEOTF(textureLoad(colours, at).rgb) as unknown as Node<'vec3'>;
    material.colorNode = vec4(varying(painted), 1);
    material.needsUpdate = true;
  }
}

function fill(texture: DataTexture, values: Float32Array | Uint8Array): void {
  (texture.image.data as unknown as Float32Array).set(values);
  texture.needsUpdate = true;
}

/** For every vertex its corner and its particle. */
function cornersOf(count: number): Float32Array {
  const corners = new Float32Array(12 * count);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < 4; k++) corners.set([CORNERS[2 * k], CORNERS[2 * k + 1], i], 12 * i + 3 * k);
  return corners;
}

function trianglesOf(count: number): Uint32Array {
  const indices = new Uint32Array(6 * count);
  for (let i = 0; i < count; i++) for (let k = 0; k < 6; k++) indices[6 * i + k] = 4 * i + TRIANGLES[k];
  return indices;
}
