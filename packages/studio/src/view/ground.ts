import {
  cameraPosition,
  float,
  fwidth,
  length,
  max,
  mix,
  output,
  positionWorld,
  smoothstep,
  texture,
  uniform,
  vec2,
  vec3,
  vec4,
} from 'three/tsl';
import {
  ClampToEdgeWrapping,
  DataTexture,
  LinearFilter,
  Mesh,
  MeshLambertNodeMaterial,
  type Node,
  PlaneGeometry,
  RedFormat,
  UnsignedByteType,
  Vector2,
} from 'three/webgpu';
import { backdrop, seen } from './environment.js';

/** Drawn extent of the ground (m). */
const FAR = 600;
/** Cells along a side of the map of contact shadows. */
const CELLS = 128;
/**
 * Heights over a ground that carries nothing, relative to the bodies' size, between which it vanishes: bodies that
 * fall on would go through it. It is back when they are far below.
 */
const CLEAR = 0.26;
const NEAR = 0.06;
const DEEP = -3;
const LOST = -5;
/** Most that a ground sinks where nothing has weight, relative to the bodies' size. */
const DEEPEST = 8;
/** Share of the light on the open ground that comes from the sun; the rest comes from the sky. */
const SUNNY = 0.6;

/** Distances (m) from the eye between which the ground fades into the horizon. */
export const fade = { near: uniform(10), far: uniform(80) };
/** Light of the sun on an open horizontal ground of albedo 1. */
export const sunOnGround = uniform(0.6);

/**
 * The ground under a scene: pale, with lines that tell distances, fading into the horizon. Where bodies come near it
 * keeps back the light of the sky: their particles are spread over a map, which is blurred. That needs no further pass
 * of the graphics card, and is as soft as such shadows are. In a scene without a floor it is scenery that carries
 * nothing: it fades into the horizon while a body falls through it. Where nothing has weight it sinks before bodies that come near it instead.
 */
export class Ground {
  readonly mesh: Mesh;
  private readonly cover = new Float32Array(CELLS * CELLS);
  private readonly blurred = new Float32Array(CELLS * CELLS);
  private readonly map: DataTexture;
  /** Corner of the map (m: x, z), and one over its width. */
  private readonly corner = uniform(new Vector2());
  private readonly perMetre = uniform(1);
  private width = 4;
  private size = 1;
  /** Height at the start of the scene (m). */
  private height = 0;
  private sinks = false;
  /** Whether bodies can rest on it. */
  isFloor = false;
  /** Share of it that is lost in the horizon. */
  private readonly gone = uniform(0);

  constructor() {
    this.map = new DataTexture(new Uint8Array(CELLS * CELLS), CELLS, CELLS, RedFormat, UnsignedByteType);
    this.map.minFilter = this.map.magFilter = LinearFilter;
    this.map.wrapS = this.map.wrapT = ClampToEdgeWrapping;
    this.map.needsUpdate = true;
    this.mesh = new Mesh(new PlaneGeometry(FAR, FAR).rotateX(-Math.PI / 2), this.material());
    this.mesh.name = 'ground';
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
  }

  /** Puts the ground at a height, for bodies of about a size around a point. `sinks`: whether it gives way to bodies. */
  place(height: number, x: number, z: number, size: number, sinks: boolean): void {
    this.mesh.position.set(x, height, z);
    this.height = height;
    this.sinks = sinks;
    this.size = size;
    this.width = 6 * size;
    this.corner.value.set(x - this.width / 2, z - this.width / 2);
    this.perMetre.value = 1 / this.width;
    this.clear();
  }

  clear(): void {
    (this.map.image.data as Uint8Array).fill(0);
    this.map.needsUpdate = true;
  }

  /** Shows the ground below particles, x y z and radius each: darker under them, or vanishing before them. */
  show(particles: Float32Array, count: number): void {
    if (this.sinks && !this.isFloor) this.sink(particles, count);
    const { y } = this.mesh.position;
    let gone = 0;
    for (let i = 0; !this.isFloor && !this.sinks && i < count; i++) {
      const above = (particles[4 * i + 1] - y) / this.size;
      gone = Math.max(gone, Math.min(1, (CLEAR - above) / (CLEAR - NEAR), (above - LOST) / (DEEP - LOST)));
    }
    this.gone.value = gone;
    this.mesh.visible = gone < 1;
    if (this.mesh.visible) this.shade(particles, count);
  }

  /** Puts the ground below all particles, if it is not so at the height of the start. */
  private sink(particles: Float32Array, count: number): void {
    let lowest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < count; i++) lowest = Math.min(lowest, particles[4 * i + 1]);
    const { height, size } = this;
    this.mesh.position.y = Math.max(height - DEEPEST * size, Math.min(height, lowest - CLEAR * size));
  }

  private shade(particles: Float32Array, count: number): void {
    const { cover, blurred, corner, width } = this;
    const height = this.mesh.position.y;
    const cell = width / CELLS;
    // Height (m) over which the shadow of a particle fades.
    const reach = 0.05 * width;
    cover.fill(0);
    for (let i = 0; i < count; i++) {
      const above = particles[4 * i + 1] - height;
      if (above > 2 * reach || above < -reach) continue;
      const x = (particles[4 * i] - corner.value.x) / cell - 0.5;
      const z = (particles[4 * i + 2] - corner.value.y) / cell - 0.5;
      const [c, r] = [Math.floor(x), Math.floor(z)];
      if (!(c >= 0 && r >= 0 && c < CELLS - 1 && r < CELLS - 1)) continue;
      const near = Math.max(0, above) / reach;
      const radius = particles[4 * i + 3] / cell;
      const amount = 2.4 * radius * radius * (1 - 0.5 * near) ** 3;
      const [fx, fz] = [x - c, z - r];
      const at = r * CELLS + c;
      cover[at] += amount * (1 - fx) * (1 - fz);
      cover[at + 1] += amount * fx * (1 - fz);
      cover[at + CELLS] += amount * (1 - fx) * fz;
      cover[at + CELLS + 1] += amount * fx * fz;
    }
    // A body covers its place once, however many of its particles are above each other.
    for (let k = 0; k < cover.length; k++) cover[k] = 1 - Math.exp(-cover[k]);
    for (let pass = 0; pass < 3; pass++) {
      blur(cover, blurred, 1, CELLS);
      blur(blurred, cover, CELLS, 1);
    }
    const bytes = this.map.image.data as Uint8Array;
    for (let k = 0; k < bytes.length; k++) bytes[k] = 255 * Math.min(1, cover[k]);
    this.map.needsUpdate = true;
  }

  private material(): MeshLambertNodeMaterial {
    const material = new MeshLambertNodeMaterial();
    const at = vec2(positionWorld.x, positionWorld.z);
    const strength = grid(at);
    const albedo = mix(seen.floor, seen.lines, strength);
    const inMap = at.sub(this.corner).mul(this.perMetre);
    const covered = texture(this.map, inMap).r;
    const edge = smoothstep(
      float(0),
      float(0.08),
      inMap.x.min(inMap.y).min(inMap.x.oneMinus()).min(inMap.y.oneMinus()),
    );
    const open = float(1).sub(covered.mul(edge).mul(0.9));
    material.colorNode = vec4(albedo.mul(float(SUNNY).div(sunOnGround)).mul(open.mul(0.5).add(0.5)), 1);
    material.emissiveNode = albedo.mul(1 - SUNNY).mul(open);
    const away = length(vec2(positionWorld.x.sub(cameraPosition.x), positionWorld.z.sub(cameraPosition.z)));
    const share = smoothstep(fade.near, fade.far, away).max(this.gone);
    const behind = backdrop(vec3(0, 0, 1) as unknown as Node<'vec3'>);
    material.outputNode = vec4(mix(output.rgb, behind, share), 1);
    return material;
  }
}

/** Strength of the lines at a place of a plane (m): one every metre, and finer ones between. */
export const grid = (at: Node<'vec2'>) =>
  lines(at, 1, 0.005)
    .mul(0.55)
    .max(lines(at, 0.25, 0.003).mul(0.2));

/** Lines every so many metres, softened by the width of a pixel; gone where they would flicker. */
function lines(at: Node<'vec2'>, every: number, width: number) {
  const scaled = at.div(every);
  const distance = scaled.sub(scaled.round()).abs();
  const pixel = fwidth(scaled).max(1e-5);
  const shown = vec2(1, 1).sub(smoothstep(vec2(0, 0), pixel.mul(1.5), distance.sub(width)));
  const far = smoothstep(float(0.5), float(0.15), max(pixel.x, pixel.y));
  return max(shown.x, shown.y).mul(far);
}

/** Mean of five neighbours along one direction. */
function blur(from: Float32Array, to: Float32Array, step: number, other: number): void {
  for (let line = 0; line < CELLS; line++) {
    const start = line * other;
    for (let n = 0; n < CELLS; n++) {
      let sum = 0;
      for (let d = -2; d <= 2; d++) sum += from[start + Math.max(0, Math.min(CELLS - 1, n + d)) * step];
      to[start + n * step] = sum / 5;
    }
  }
}
