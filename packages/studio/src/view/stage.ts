import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import {
  Color,
  DirectionalLight,
  Fog,
  HemisphereLight,
  MathUtils,
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

export interface CameraPlace {
  position: readonly [number, number, number];
  target: readonly [number, number, number];
  fov: number;
}

const THEMES = {
  light: { sky: 0xdfe7ee, sun: 2.6, fill: 1.5 },
  dark: { sky: 0x14181d, sun: 2.4, fill: 0.9 },
};

/** Frames slower than SLOW (ms, smoothed) reduce the resolution, frames faster than FAST raise it. */
const SLOW = 30;
const FAST = 18;
/** Least share of the pixel density; below it nothing is recognisable. */
const COARSEST = 0.33;

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

/** Widths of the strips at the edges of the canvas that other parts of the page cover (CSS pixels). */
export interface Insets {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Distance (m) at which fog hides everything: less than the extent of floors. */
const HORIZON = 115;

/** Renderer, camera and light. It has no knowledge of bodies. */
export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(40, 1, 0.01, 500);
  readonly controls: OrbitControls;
  /** A second scene, drawn right of the first and seen from the same place. */
  beside: Scene | undefined;
  /** Draws also unchanged frames, for recordings. */
  restless = false;
  private readonly sun = new DirectionalLight(0xffffff, 2.6);
  private readonly fill = new HemisphereLight(0xffffff, 0x8a9299, 1.5);
  /** Lights of the scene, and of the one beside it. */
  private readonly lights = [{ sun: this.sun, fill: this.fill }];
  private readonly ray = new Raycaster();
  private density = 1;
  private smoothed = 16;
  private last = 0;
  private insets: Insets = { left: 0, top: 0, right: 0, bottom: 0 };
  /** Factor by which the view is zoomed out so that all bodies are in it at the start. */
  private fit = 1;
  /** Whether the canvas is out of date. */
  private stale = true;
  private isDark = false;

  private constructor(
    readonly renderer: WebGPURenderer,
    readonly canvas: HTMLCanvasElement,
    /** Draws in full quality, however long that takes. */
    private readonly full: boolean,
  ) {
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = !matchMedia('(prefers-reduced-motion: reduce)').matches;
    this.controls.dampingFactor = 0.12;
    this.controls.addEventListener('change', () => {
      this.stale = true;
    });
    this.light(this.scene, this.sun, this.fill);
    renderer.shadowMap.enabled = true;
    renderer.shadowMap.type = PCFShadowMap;
    this.resize();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement!);
  }

  /** WebGPU where the browser has it, WebGL2 otherwise or when asked for. */
  static async create(canvas: HTMLCanvasElement, forceWebGL: boolean, full: boolean): Promise<Stage> {
    const renderer = new WebGPURenderer({ canvas, antialias: full || !isSoftware(), forceWebGL });
    await renderer.init();
    return new Stage(renderer, canvas, full);
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
    const theme = dark ? THEMES.dark : THEMES.light;
    for (const scene of [this.scene, this.beside]) {
      if (!scene) continue;
      scene.background = new Color(theme.sky);
      const { near, far } = (scene.fog as Fog | null) ?? { near: 12, far: 60 };
      scene.fog = new Fog(theme.sky, near, far);
    }
    for (const { sun, fill } of this.lights) {
      sun.intensity = theme.sun;
      fill.intensity = theme.fill;
    }
  }

  /** Directs the light at the surroundings of a point, up to `size`. */
  aim(centre: Vector3, size: number): void {
    this.stale = true;
    for (const { sun } of this.lights) aimAt(sun, centre, size);
  }

  look({ position, target, fov }: CameraPlace): void {
    this.camera.position.set(...position);
    this.camera.fov = fov;
    this.fit = 1;
    this.frame();
    this.controls.target.set(...target);
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = distance / 200;
    this.camera.far = distance * 60;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    for (const scene of [this.scene, this.beside])
      if (scene) scene.fog = new Fog(scene.background as Color, 3 * distance, Math.min(14 * distance, HORIZON));
    this.aim(this.controls.target, MathUtils.clamp(0.62 * distance, 0.5, 40));
  }

  /** Rotates the view about its target (radians: to the left, upwards). */
  turn(left: number, up: number): void {
    const { camera, controls } = this;
    const place = new Spherical().setFromVector3(camera.position.clone().sub(controls.target));
    place.theta += left;
    place.phi += up;
    camera.position.setFromSpherical(place.makeSafe()).add(controls.target);
    controls.update();
  }

  /** Scales the distance of the eye from its target. */
  approach(factor: number): void {
    const { camera, controls } = this;
    camera.position.sub(controls.target).multiplyScalar(factor).add(controls.target);
    controls.update();
  }

  /** Moves eye and target, in shares of their distance, to the right and upwards. */
  shift(right: number, up: number): void {
    const { camera, controls } = this;
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
    this.frame();
  }

  /** Zooms until all points (x y z and a fourth number each) are in the free area, within limits. */
  fitPoints(points: Float32Array): void {
    this.fit = 1;
    this.frame();
    const { camera } = this;
    const { width, height } = this.free();
    camera.updateMatrixWorld();
    const at = new Vector3();
    const [x0, y0] = camera.view ? [-camera.view.offsetX, camera.view.offsetY] : [0, 0];
    const full = { width: this.width, height: this.height };
    let factor = width < NARROW * height ? NEAREST : 1;
    for (let o = 0; o < points.length; o += 4 * Math.ceil(points.length / 8000)) {
      at.set(points[o], points[o + 1], points[o + 2]).project(camera);
      if (at.z > 1) continue;
      const [x, y] = [0.5 * at.x * full.width - x0, 0.5 * at.y * full.height - y0];
      factor = Math.min(factor, (0.5 * FILL * width) / Math.abs(x), (0.5 * FILL * height) / Math.abs(y));
    }
    this.fit = Math.max(FARTHEST, factor);
    this.frame();
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
    if (!changed && !this.stale && !this.restless) return;
    this.adapt(took);
    this.render();
    this.stale = false;
  }

  private render(): void {
    const { renderer, scene, beside, camera } = this;
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!beside) {
      renderer.setScissorTest(false);
      renderer.setViewport(0, 0, width, height);
      renderer.render(scene, camera);
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
    this.stale = true;
    const ratio = this.renderer.getPixelRatio();
    this.renderer.setPixelRatio(1);
    this.render();
    return new Promise((resolve, reject) => {
      // In the same task as the drawing: afterwards the canvas is empty. Another size would empty it at once.
      this.canvas.toBlob(
        (blob) => {
          this.renderer.setPixelRatio(ratio);
          this.stale = true;
          if (blob) resolve(blob);
          else reject(new Error('The picture could not be made.'));
        },
        type,
        quality,
      );
    });
  }

  /**
   * Lowers the resolution on slow machines, so that tools stay responsive. `took`: milliseconds since the last call of
   * `draw`.
   */
  private adapt(took: number): void {
    if (this.full || took > 2000) return;
    this.smoothed += 0.15 * (took - this.smoothed);
    if (this.smoothed > SLOW) {
      // Shadows cost most without a graphics card. They are switched off if a lower resolution does not help.
      if (this.density <= COARSEST) this.setShadows(false);
      this.density = Math.max(COARSEST, this.density * 0.85);
    } else if (this.smoothed < FAST) this.density = Math.min(1, this.density * 1.02);
    const ratio = this.density * Math.min(devicePixelRatio, 2);
    // In large steps: every change of size costs a frame.
    const changes =
      Math.abs(ratio - this.applied) > 0.1 * this.applied || (this.density === 1 && ratio !== this.applied);
    if (!changes) return;
    this.applied = ratio;
    this.smoothed = 0.5 * (SLOW + FAST);
    this.renderer.setPixelRatio(ratio);
  }
  private applied = 0;

  private setShadows(cast: boolean): void {
    for (const scene of [this.scene, this.beside])
      scene?.traverse((one) => {
        if ((one as DirectionalLight).isDirectionalLight) one.castShadow = cast;
      });
  }

  resize(): void {
    const { clientWidth: width, clientHeight: height } = this.canvas.parentElement!;
    if (width === 0 || height === 0) return;
    this.stale = true;
    this.renderer.setPixelRatio(this.density * Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.frame();
  }

  /** A second scene beside the first, or none. */
  setBeside(scene: Scene | undefined): void {
    this.beside = scene;
    this.lights.length = 1;
    if (scene) {
      const lights = { sun: this.sun.clone(), fill: this.fill.clone() };
      this.lights.push(lights);
      this.light(scene, lights.sun, lights.fill);
    }
    this.setTheme(this.isDark);
    this.resize();
  }

  private light(scene: Scene, sun: DirectionalLight, fill: HemisphereLight): void {
    sun.castShadow = true;
    sun.shadow.mapSize.set(1024, 1024);
    scene.add(sun, sun.target, fill);
  }
}

function aimAt(sun: DirectionalLight, centre: Vector3, size: number): void {
  sun.position.copy(centre).add(new Vector3(0.55, 1.25, 0.7).multiplyScalar(1.6 * size));
  sun.target.position.copy(centre);
  const { camera } = sun.shadow;
  camera.left = camera.bottom = -1.3 * size;
  camera.right = camera.top = 1.3 * size;
  camera.near = 0.1 * size;
  camera.far = 6 * size;
  camera.updateProjectionMatrix();
  sun.shadow.normalBias = 0.01 * size;
  sun.shadow.bias = -0.0008;
}

/** Whether the browser draws without a graphics card. */
function isSoftware(): boolean {
  const context = document.createElement('canvas').getContext('webgl2');
  const info = context?.getExtension('WEBGL_debug_renderer_info');
  const name = info ? String(context!.getParameter(info.UNMASKED_RENDERER_WEBGL)) : '';
  context?.getExtension('WEBGL_lose_context')?.loseContext();
  return /swiftshader|llvmpipe|software/i.test(name);
}
