import { loadBackend } from 'virtual:three-backends';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { normalWorldGeometry } from 'three/tsl';
import {
  type DirectionalLight,
  MathUtils,
  NeutralToneMapping,
  type Node,
  PCFShadowMap,
  PerspectiveCamera,
  Plane,
  Raycaster,
  Scene,
  Spherical,
  Vector2,
  Vector3,
  WebGPURenderer,
} from 'three/webgpu';
import { backdrop, Environment, SUN, setEnvironment } from './environment.js';
import { fade, sunOnGround } from './ground.js';
import { detail, sunshine } from './materials.js';
import type { Occlusion } from './occlusion.js';
import { LEVELS, type Level, Quality, SLOW_IN_SOFTWARE } from './quality.js';
import { aimSun, makeSun, softness } from './shadows.js';

export interface CameraPlace {
  position: readonly [number, number, number];
  target: readonly [number, number, number];
  fov: number;
}

/** Time (ms) without a change after which the picture is drawn once more, in full quality. */
const STILL = 350;

/** Aspect ratio (width by height) of the free area below which the view zooms out. */
const NARROW = 1.2;
/** Smallest size of the free area (CSS pixels): a window of a few pixels is no reason to zoom out for ever. */
const LEAST = 120;
/** Most that the view zooms out for bodies that begin outside it; some come flying from afar. */
const FARTHEST = 0.55;
/** Most that the view of an area narrower than NARROW comes closer to bodies that do not fill it at the start. */
const NEAREST = 1.4;
/** Share of the free area that bodies may fill at the start. */
const FILL = 0.94;
/** Most that the view zooms out for obstacles: bodies matter more. */
const FARTHEST_FOR_OBSTACLES = 0.72;

/** Widths of the strips at the edges of the canvas that other parts of the page cover (CSS pixels). */
export interface Insets {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Renderer, camera and light. It has no knowledge of bodies. */
export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(40, 1, 0.01, 500);
  readonly controls: OrbitControls;
  /** A second scene, drawn right of the first and seen from the same place. */
  beside: Scene | undefined;
  /** Draws also unchanged frames, for recordings. */
  restless = false;
  /** Suns of the scene, and of the one beside it. */
  private readonly suns = [makeSun()];
  private readonly environment = new Environment();
  private readonly ray = new Raycaster();
  readonly quality: Quality;
  /** The level that the canvas was last drawn at. */
  drawn: Level = LEVELS[0];
  private last = 0;
  /** Milliseconds since anything changed. */
  private still = 0;
  private occlusion: Occlusion | undefined;
  private isOcclusionComing = false;
  private insets: Insets = { left: 0, top: 0, right: 0, bottom: 0 };
  /** Factor by which the view is zoomed out so that all bodies are in it at the start. */
  private fit = 1;
  /** Points that shall be in view, until the user moves the view: x y z and a fourth number each. */
  private shown: Float32Array | undefined;
  /** Corners of obstacles that shall be in view as well, if that makes bodies little smaller. */
  private around: Float32Array = new Float32Array(0);
  /** Whether the canvas is out of date. */
  private stale = true;
  private isDark = false;
  /** Middle and size (m) of the surroundings that the light is directed at. */
  private lit = { centre: new Vector3(), size: 1 };

  private constructor(
    readonly renderer: WebGPURenderer,
    readonly canvas: HTMLCanvasElement,
    /** Pictures, and what stands still, are drawn with everything also without a graphics card, however long that takes. */
    private readonly full: boolean,
    private readonly software: boolean,
  ) {
    // Without a graphics card it begins low and leaves out occlusion while things move.
    this.quality = software ? new Quality(4, 1, SLOW_IN_SOFTWARE) : new Quality(1, 0);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.controls.dampingFactor = 0.12;
    this.controls.addEventListener('change', () => {
      this.stale = true;
    });
    this.controls.addEventListener('start', () => {
      this.shown = undefined;
    });
    this.light(this.scene, this.suns[0]);
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFShadowMap;
    // Keeps the colours that bodies are given, and has room for lamps.
    renderer.toneMapping = NeutralToneMapping;
    this.resize();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
  }

  /** WebGPU where the browser has it, WebGL2 otherwise or when asked for. */
  static async create(canvas: HTMLCanvasElement, forceWebGL: boolean, full: boolean): Promise<Stage> {
    const software = isSoftware();
    const gpu = !forceWebGL && (await hasWebGPU());
    const Backend = await loadBackend(gpu);
    const options = { canvas, antialias: full || !software, forceWebGL: !gpu, Backend };
    const renderer = new WebGPURenderer(options);
    await renderer.init();
    const stage = new Stage(renderer, canvas, full, software);
    if (full) await stage.loadOcclusion();
    return stage;
  }

  get backend(): 'WebGPU' | 'WebGL2' {
    return (this.renderer.backend as { isWebGPUBackend?: boolean }).isWebGPUBackend ? 'WebGPU' : 'WebGL2';
  }

  get dark(): boolean {
    return this.isDark;
  }

  setTheme(dark: boolean): void {
    this.isDark = dark;
    this.stale = true;
    const strength = setEnvironment(dark);
    for (const sun of this.suns) sun.intensity = strength;
    sunshine.value = strength / Math.PI;
    sunOnGround.value = (strength * SUN.y) / Math.PI;
  }

  /** Directs the light at the surroundings of a point, up to `size`. */
  aim(centre: Vector3, size: number): void {
    this.stale = true;
    this.lit = { centre: centre.clone(), size };
    for (const sun of this.suns) aimSun(sun, centre, size);
  }

  look({ position, target, fov }: CameraPlace): void {
    this.camera.position.set(...position);
    this.camera.fov = fov;
    this.fit = 1;
    this.shown = undefined;
    this.frame();
    this.controls.target.set(...target);
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = distance / 200;
    this.camera.far = distance * 60;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    if (this.occlusion) this.occlusion.radius = 0.07 * distance;
    fade.near.value = 1.2 * distance;
    fade.far.value = Math.min(9 * distance, 250);
    this.aim(this.controls.target, MathUtils.clamp(0.62 * distance, 0.5, 40));
  }

  /** Rotates the view about its target (radians: to the left, upwards). */
  turn(left: number, up: number): void {
    const { camera, controls } = this;
    this.shown = undefined;
    const place = new Spherical().setFromVector3(camera.position.clone().sub(controls.target));
    place.theta += left;
    place.phi += up;
    camera.position.setFromSpherical(place.makeSafe()).add(controls.target);
    controls.update();
  }

  /** Scales the distance of the eye from its target. */
  approach(factor: number): void {
    const { camera, controls } = this;
    this.shown = undefined;
    camera.position.sub(controls.target).multiplyScalar(factor).add(controls.target);
    controls.update();
  }

  /** Moves eye and target, in shares of their distance, to the right and upwards. */
  shift(right: number, up: number): void {
    const { camera, controls } = this;
    this.shown = undefined;
    const far = camera.position.distanceTo(controls.target);
    const by = this.across(far * right, far * up);
    camera.position.add(by);
    controls.target.add(by);
    controls.update();
  }

  /** A displacement to the right and upwards as seen by the eye (m). */
  across(right: number, up: number): Vector3 {
    return new Vector3(right, up, 0).applyQuaternion(this.camera.quaternion);
  }

  /** The middle of the free area in page coordinates; of the left one if there are two. */
  get middle(): { x: number; y: number } {
    const box = this.canvas.getBoundingClientRect();
    const { left, top, right, bottom } = this.insets;
    return { x: box.left + (left + this.width - right) / 2, y: box.top + (top + this.height - bottom) / 2 };
  }

  /** The page covers other strips of the canvas: the view moves to the middle of the rest, and fits into it. */
  setInsets(insets: Insets): void {
    this.insets = insets;
    this.fitAgain();
  }

  /** Zooms until all points (x y z and a fourth number each) are in the free area, within limits, and those `around` them within closer ones. They stay in it when the area changes, until the user moves the view. */
  fitPoints(points: Float32Array, around: Float32Array): void {
    this.shown = points.slice();
    this.around = around;
    this.fitAgain();
  }

  private fitAgain(): void {
    const { shown: points } = this;
    if (points) this.fit = 1;
    this.frame();
    if (!points) return;
    const { width, height } = this.free();
    // An area narrowed by a panel shows nothing larger than it was without.
    const own = Math.min(NEAREST, Math.max(1, (NARROW * height) / width), this.zoomFor(points));
    const factor = Math.min(own, Math.max(FARTHEST_FOR_OBSTACLES, this.zoomFor(this.around)));
    this.fit = Math.max(FARTHEST, factor);
    this.frame();
  }

  /** Factor by which the view has to be zoomed until points are in the free area. */
  private zoomFor(points: Float32Array): number {
    const { camera } = this;
    const { width, height } = this.free();
    camera.updateMatrixWorld();
    const at = new Vector3();
    const [x0, y0] = camera.view ? [-camera.view.offsetX, camera.view.offsetY] : [0, 0];
    let factor = Number.POSITIVE_INFINITY;
    for (let o = 0; o < points.length; o += 4 * Math.ceil(points.length / 8000)) {
      at.set(points[o], points[o + 1], points[o + 2]).project(camera);
      if (at.z > 1) continue;
      const [x, y] = [0.5 * at.x * this.width - x0, 0.5 * at.y * this.height - y0];
      factor = Math.min(factor, (0.5 * FILL * width) / Math.abs(x), (0.5 * FILL * height) / Math.abs(y));
    }
    return factor;
  }

  /** Whether two scenes lie above one another instead of side by side: on a portrait screen each then has more room. */
  get isStacked(): boolean {
    return this.beside !== undefined && innerWidth < innerHeight;
  }

  /** Size of the canvas, or of a half of it (CSS pixels). */
  get width(): number {
    return this.beside && !this.isStacked ? Math.floor(this.canvas.clientWidth / 2) : this.canvas.clientWidth;
  }

  get height(): number {
    return this.isStacked ? Math.floor(this.canvas.clientHeight / 2) : this.canvas.clientHeight;
  }

  /** Whether a point of the page lies in the second of two scenes. */
  isBeside(x: number, y: number): boolean {
    if (!this.beside) return false;
    const box = this.canvas.getBoundingClientRect();
    return this.isStacked ? y - box.top > this.height : x - box.left > this.width;
  }

  private free(): { width: number; height: number } {
    const { left, top, right, bottom } = this.insets;
    return {
      width: Math.max(LEAST, this.width - left - right),
      height: Math.max(LEAST, this.height - top - bottom),
    };
  }

  /**
   * Projects so that the target of the view is in the middle of the free area, and that everything that a camera of the
   * scene shows of it is inside. A narrow area shows more above and below and not less at the sides.
   */
  private frame(): void {
    const { camera, width, height } = this;
    if (width === 0 || height === 0) return;
    const free = this.free();
    const { left, top, right, bottom } = this.insets;
    this.stale = true;
    camera.aspect = width / height;
    camera.zoom = this.fit * Math.min(free.height / height, free.width / (NARROW * height));
    camera.setViewOffset(width, height, (right - left) / 2, (bottom - top) / 2, width, height);
  }

  /** The ray from the eye through a point of the page. */
  rayAt(x: number, y: number): { origin: Vector3; direction: Vector3 } {
    const box = this.canvas.getBoundingClientRect();
    const { width, height } = this;
    const isBeside = this.isBeside(x, y);
    const [left, top] = [x - box.left, y - box.top];
    const place = new Vector2(
      (2 * (isBeside && !this.isStacked ? left - width : left)) / width - 1,
      1 - (2 * (isBeside && this.isStacked ? top - height : top)) / height,
    );
    this.camera.updateMatrixWorld();
    this.ray.setFromCamera(place, this.camera);
    return { origin: this.ray.ray.origin.clone(), direction: this.ray.ray.direction.clone() };
  }

  /** Intersection of the ray through a point of the page with the plane through another point that faces the eye. */
  pointAt(x: number, y: number, through: Vector3): Vector3 {
    const { origin, direction } = this.rayAt(x, y);
    const facing = this.camera.getWorldDirection(new Vector3());
    const plane = new Plane().setFromNormalAndCoplanarPoint(facing, through);
    const away = (plane.normal.dot(through) - plane.normal.dot(origin)) / plane.normal.dot(direction);
    return origin.addScaledVector(direction, away);
  }

  /** Distance of a point along the camera's view. */
  depthOf(point: Vector3): number {
    return point.clone().sub(this.camera.position).dot(this.camera.getWorldDirection(new Vector3()));
  }

  /**
   * Draws, unless the canvas is up to date: a scene that stands still, waits or is being built costs nothing.
   * `changed`: the scenes have changed.
   */
  draw(changed: boolean): void {
    this.controls.update();
    const took = performance.now() - this.last;
    this.last += took;
    const moves = changed || this.stale || this.restless;
    this.still = moves ? 0 : this.still + took;
    if (!moves && !this.wasMoving) this.quality.rest(took);
    if (moves) {
      if (this.wasMoving) this.quality.note(took);
      this.show(this.quality.now);
    } else if (this.still > STILL && this.drawn !== this.best) this.show(this.best);
    this.wasMoving = moves;
  }
  private wasMoving = false;

  /** The level of a picture that stands still. Occlusion takes a second without a graphics card. */
  get best(): Level {
    return this.software && !this.full ? LEVELS[1] : LEVELS[0];
  }

  private show(level: Level): void {
    this.use(level);
    this.render();
    this.stale = false;
  }

  private use(level: Level): void {
    this.drawn = level;
    const ratio = level.density * Math.min(devicePixelRatio, 2);
    if (this.renderer.getPixelRatio() !== ratio) this.renderer.setPixelRatio(ratio);
    softness.value = level.shadows;
    for (const sun of this.suns) sun.shadow.autoUpdate = level.shadows > 0;
    detail.value = level.detail ? 1 : 0;
    if (level.occlusion) void this.loadOcclusion();
  }

  /** The part that draws ambient occlusion comes when it is first wanted. The picture without it is shown meanwhile. */
  async loadOcclusion(): Promise<void> {
    if (this.isOcclusionComing) return;
    this.isOcclusionComing = true;
    const { Occlusion } = await import('./occlusion.js');
    this.occlusion = new Occlusion(this.renderer, this.scene, this.camera);
    this.occlusion.radius = 0.07 * this.camera.position.distanceTo(this.controls.target);
    this.stale = true;
  }

  private render(): void {
    const { renderer, scene, beside, camera, occlusion } = this;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!beside) {
      renderer.setScissorTest(false);
      renderer.setViewport(0, 0, width, height);
      if (this.drawn.occlusion && occlusion) occlusion.render();
      else renderer.render(scene, camera);
      return;
    }
    renderer.setScissorTest(true);
    [scene, beside].forEach((one, k) => {
      const [left, top] = this.isStacked ? [0, k * this.height] : [k * this.width, 0];
      renderer.setViewport(left, top, this.width, this.height);
      renderer.setScissor(left, top, this.width, this.height);
      renderer.render(one, camera);
    });
  }

  /** The present view as an image in full size. */
  picture(type: string, quality?: number, before: () => void = () => {}): Promise<Blob> {
    before();
    this.use(this.best);
    this.renderer.setPixelRatio(1);
    this.render();
    return new Promise((resolve, reject) => {
      // In the same task as the drawing: afterwards the canvas is empty. Another size would empty it at once.
      this.canvas.toBlob(
        (blob) => {
          this.stale = true;
          if (blob) resolve(blob);
          else reject(new Error('The picture could not be made.'));
        },
        type,
        quality,
      );
    });
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement!;
    if (width === 0 || height === 0) return;
    this.stale = true;
    this.renderer.setSize(width, height, false);
    this.fitAgain();
  }

  /** A second scene beside the first, or none. */
  setBeside(scene: Scene | undefined): void {
    this.beside = scene;
    this.suns.length = 1;
    if (scene) {
      const sun = makeSun();
      this.suns.push(sun);
      this.light(scene, sun);
      aimSun(sun, this.lit.centre, this.lit.size);
    }
    this.setTheme(this.isDark);
    this.resize();
  }

  private light(scene: Scene, sun: DirectionalLight): void {
    scene.add(sun, sun.target);
    scene.environmentNode = this.environment;
    scene.backgroundNode = backdrop(
      normalWorldGeometry as unknown as Node<'vec3'>,
    ) as unknown as typeof scene.backgroundNode;
  }
}

/** Whether the browser draws without a graphics card. */
function isSoftware(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  const info = context?.getExtension('WEBGL_debug_renderer_info');
  const name = info ? String(context!.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}

/** Whether the browser draws by WebGPU here. The same question as three's own. */
async function hasWebGPU(): Promise<boolean> {
  const { gpu } = navigator as { gpu?: { requestAdapter(options: object): Promise<unknown> } };
  return (await gpu?.requestAdapter({ featureLevel: 'compatibility' }).catch(() => null)) != null;
}
