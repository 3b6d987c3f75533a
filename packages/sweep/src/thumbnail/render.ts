import { clusterColour } from '@pliant/scene';
import { type Body, type Collider, heaviestClustersInto, NO_CLUSTER, type Vec3, type World } from 'pliant';
import type { Run } from '../measure/named.js';
import type { Image } from './png.js';

/** Size of a picture. */
export interface Picture {
  /** Width (pixels). */
  width: number;
  /** Height (pixels). */
  height: number;
}

type Triple = [number, number, number];

const dot = (a: ArrayLike<number>, b: ArrayLike<number>) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a: Vec3, b: Vec3): Triple => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const cross = (a: Vec3, b: Vec3): Triple => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
function unit(a: Vec3): Triple {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}

/** Towards the light. */
const LIGHT = unit([0.45, 1, 0.6]);
const SKY: Triple = [223, 231, 238];
const OBSTACLE: Triple = [188, 197, 205];
/** Vertical angle of view (degrees) of scenes without a camera, and its direction. */
const [DEFAULT_FOV, DEFAULT_VIEW] = [40, unit([0.45, 0.4, 1])];
/** Radius of a particle's ball, in spacings: neighbours overlap, so that a body looks closed. */
const BALL = 0.68;
/** Pixels of the sides of the map of shadows. */
const SHADOW = 192;

/** A view: where the eye is, its axes (right, up, backwards), the pixels of a length of 1 m at a distance of 1 m, and how far away the target is (m). */
interface View {
  eye: Vec3;
  axes: [Triple, Triple, Triple];
  focus: number;
  distance: number;
}

/** A picture of the world now: particles as balls in the colours of their clusters, and colliders, from the scene's first camera. */
export function renderWorld(run: Run, { width, height }: Picture): Image {
  const view = viewOf(run, height);
  const image: Image = { width, height, rgb: new Uint8Array(3 * width * height) };
  const depth = new Float32Array(width * height).fill(Number.POSITIVE_INFINITY);
  const shadow = new ShadowMap(run.world);
  drawObstacles(run.world, view, image, depth, shadow);
  for (const body of run.world.bodies) drawBalls(run.world, body, view, image, depth);
  return image;
}

function viewOf({ scene, world }: Run, height: number): View {
  const [camera] = scene.cameras;
  let [eye, target, fov]: [Vec3, Vec3, number] = [[0, 0, 0], [0, 0, 0], DEFAULT_FOV];
  if (camera) ({ position: eye, target, fov } = camera);
  else {
    // Around the bodies as built, so that all runs of a sweep are seen from the same place.
    const [low, high] = [
      [Infinity, Infinity, Infinity],
      [-Infinity, -Infinity, -Infinity],
    ];
    for (const { builtPositions: x } of world.bodies)
      for (let k = 0; k < x.length; k++) {
        low[k % 3] = Math.min(low[k % 3], x[k]);
        high[k % 3] = Math.max(high[k % 3], x[k]);
      }
    target = [0, 1, 2].map((a) => (low[a] + high[a]) / 2) as Triple;
    const reach = (0.75 * Math.hypot(...low.map((l, a) => high[a] - l)) || 1) / Math.tan((fov * Math.PI) / 360);
    eye = [0, 1, 2].map((a) => target[a] + reach * DEFAULT_VIEW[a]) as Triple;
  }
  const back = unit(minus(eye, target));
  const right = unit(cross(Math.abs(back[1]) > 0.999 ? [0, 0, 1] : [0, 1, 0], back));
  return {
    eye,
    axes: [right, cross(back, right), back],
    focus: height / 2 / Math.tan((fov * Math.PI) / 360),
    distance: Math.hypot(...minus(eye, target)) || 1,
  };
}

/** Sets a pixel to a colour times a brightness. */
function paint({ rgb }: Image, at: number, colour: ArrayLike<number>, light: number): void {
  for (let c = 0; c < 3; c++) rgb[3 * at + c] = Math.min(255, Math.round(colour[c] * light));
}

const brightness = (normal: ArrayLike<number>): number =>
  0.55 + 0.45 * Math.max(0, dot(normal, LIGHT)) + 0.06 * normal[1];

function radiusOf(body: Body): number {
  if (body.spacing !== undefined) return BALL * body.spacing;
  const { min, max } = body.bounds;
  const volume = (max[0] - min[0]) * (max[1] - min[1]) * (max[2] - min[2]);
  return BALL * Math.cbrt(volume / body.particleCount) || 0.02;
}

function drawBalls(world: World, body: Body, { eye, axes, focus }: View, image: Image, depth: Float32Array): void {
  const { width, height } = image;
  const heaviest = new Uint32Array(body.particleCount);
  heaviestClustersInto(heaviest, world, body);
  const radius = radiusOf(body);
  const x = body.positions;
  const normal = [0, 0, 0];
  for (let i = 0; i < body.particleCount; i++) {
    const from = minus([x[4 * i], x[4 * i + 1], x[4 * i + 2]], eye);
    const away = -dot(from, axes[2]);
    if (!(away > 2 * radius)) continue;
    const [cx, cy] = [
      width / 2 + (focus * dot(from, axes[0])) / away,
      height / 2 - (focus * dot(from, axes[1])) / away,
    ];
    // A pixel at least: distant particles stay visible.
    const size = Math.max(0.75, (focus * radius) / away);
    const colour = heaviest[i] === NO_CLUSTER ? [150, 150, 150] : clusterColour(body.firstCluster + heaviest[i]);
    const [top, bottom] = [Math.max(0, Math.ceil(cy - size)), Math.min(height - 1, Math.floor(cy + size))];
    const [left, right] = [Math.max(0, Math.ceil(cx - size)), Math.min(width - 1, Math.floor(cx + size))];
    for (let py = top; py <= bottom; py++)
      for (let px = left; px <= right; px++) {
        const [u, v] = [(px - cx) / size, (cy - py) / size];
        const square = u * u + v * v;
        if (square > 1) continue;
        const w = Math.sqrt(1 - square);
        const at = py * width + px;
        const near = away - radius * w;
        if (near >= depth[at]) continue;
        depth[at] = near;
        for (let a = 0; a < 3; a++) normal[a] = u * axes[0][a] + v * axes[1][a] + w * axes[2][a];
        paint(image, at, colour, brightness(normal));
      }
  }
}

/** Fills the picture with sky and colliders. Planes are drawn at every pixel, other colliders in blocks of 2 × 2, by the engine's own rays. */
function drawObstacles(world: World, view: View, image: Image, depth: Float32Array, shadow: ShadowMap): void {
  const { width, height } = image;
  // The planes of moving clamps would hide the body that they hold.
  const seen = world.colliders.filter((collider) => collider.enabled && collider.except === undefined);
  const planes = seen.filter(({ type }) => type === 'plane');
  const hasOthers = seen.length > planes.length;
  for (let py = 0; py < height; py++)
    for (let px = 0; px < width; px++) {
      const at = py * width + px;
      const ray = rayOf(view, px, py, width, height);
      let hit = { distance: Number.POSITIVE_INFINITY, normal: [0, 1, 0] as ArrayLike<number> };
      if (hasOthers) {
        if (px % 2 === 1 || py % 2 === 1) {
          const from = (py - (py % 2)) * width + px - (px % 2);
          depth[at] = depth[from];
          paint(image, at, image.rgb.subarray(3 * from, 3 * from + 3), 1);
          continue;
        }
        const found = world.castRay(view.eye, ray, { obstacles: true, bodies: [] });
        if (found && found.collider?.except === undefined && found.distance > 0) hit = found;
      } else for (const plane of planes) hit = nearer(hit, plane, view.eye, ray);
      paint(image, at, SKY, 1 - 0.1 * (py / height));
      if (!(hit.distance < 1e4)) continue;
      const point = [0, 1, 2].map((a) => view.eye[a] + hit.distance * ray[a]) as Triple;
      depth[at] = -hit.distance * dot(ray, view.axes[2]);
      // Fades into the sky, so that a plane has no hard horizon.
      const near = 1 / (1 + (depth[at] / view.distance) ** 2 / 9);
      const light = brightness(hit.normal) * (shadow.covers(point) ? 0.72 : 1);
      paint(
        image,
        at,
        [0, 1, 2].map((c) => near * OBSTACLE[c] * light + (1 - near) * SKY[c]),
        1,
      );
    }
}

function rayOf({ axes, focus }: View, px: number, py: number, width: number, height: number): Triple {
  const [u, v] = [(px - width / 2) / focus, (height / 2 - py) / focus];
  return unit([0, 1, 2].map((a) => u * axes[0][a] + v * axes[1][a] - axes[2][a]) as Triple);
}

/** The nearer of a hit and of a plane, seen from its front. */
function nearer<T extends { distance: number; normal: ArrayLike<number> }>(
  hit: T,
  plane: Collider,
  eye: Vec3,
  ray: Triple,
) {
  const normal = turned(plane.direction, plane.rotation);
  const down = dot(ray, normal);
  if (!(down < 0)) return hit;
  const distance = -dot(minus(eye, plane.position), normal) / down;
  return distance > 0 && distance < hit.distance ? { distance, normal } : hit;
}

/** A vector turned by a quaternion: v + 2 q × (q × v + w v). */
function turned(v: Vec3, q: readonly number[]): Triple {
  const axis: Triple = [q[0], q[1], q[2]];
  const across = cross(axis, v).map((c, a) => c + q[3] * v[a]) as Triple;
  const more = cross(axis, across);
  return [v[0] + 2 * more[0], v[1] + 2 * more[1], v[2] + 2 * more[2]];
}

/** Whether a point lies in the shadow of the particles: a map of them as seen from the light. */
class ShadowMap {
  private readonly right = unit(cross([0, 0, 1], LIGHT));
  private readonly up = cross(LIGHT, this.right);
  private readonly low = [Infinity, Infinity];
  private readonly scale: number;
  /** Largest distance towards the light of the particles over each cell. */
  private readonly top = new Float32Array(SHADOW * SHADOW).fill(Number.NEGATIVE_INFINITY);

  constructor(world: World) {
    const high = [-Infinity, -Infinity];
    const place = (x: ArrayLike<number>, o: number): [number, number] => [
      x[o] * this.right[0] + x[o + 1] * this.right[1] + x[o + 2] * this.right[2],
      x[o] * this.up[0] + x[o + 1] * this.up[1] + x[o + 2] * this.up[2],
    ];
    const x = world.positions;
    for (let i = 0; i < world.particleCount; i++)
      place(x, 4 * i).forEach((value, a) => {
        this.low[a] = Math.min(this.low[a], value);
        high[a] = Math.max(high[a], value);
      });
    const { bboxMin, bboxMax } = world.measure();
    const reach = Math.hypot(...bboxMin.map((l, a) => bboxMax[a] - l)) || 1;
    const margin = 0.1 * reach;
    this.low = this.low.map((l) => l - margin);
    this.scale = SHADOW / (Math.max(...high.map((h, a) => h - this.low[a])) + margin);
    for (const body of world.bodies) {
      const positions = body.positions;
      const radius = Math.max(1, radiusOf(body) * this.scale);
      for (let i = 0; i < body.particleCount; i++) {
        const [u, v] = place(positions, 4 * i).map((value, a) => (value - this.low[a]) * this.scale);
        const height = dot(positions.subarray(4 * i, 4 * i + 3), LIGHT);
        for (let r = Math.floor(v - radius); r <= v + radius; r++)
          for (let c = Math.floor(u - radius); c <= u + radius; c++)
            if (r >= 0 && c >= 0 && r < SHADOW && c < SHADOW)
              this.top[r * SHADOW + c] = Math.max(this.top[r * SHADOW + c], height);
      }
    }
  }

  covers(point: Triple): boolean {
    const c = Math.floor((dot(point, this.right) - this.low[0]) * this.scale);
    const r = Math.floor((dot(point, this.up) - this.low[1]) * this.scale);
    return r >= 0 && c >= 0 && r < SHADOW && c < SHADOW && this.top[r * SHADOW + c] > dot(point, LIGHT);
  }
}
