import type { Body, Vec3, World } from 'pliant';
import { BufferGeometry, type Camera, EventDispatcher, Line, LineBasicMaterial, type Object3D, Vector3 } from 'three';
import type { RemoteBody } from '../worker/remote.js';
import type { RemoteWorld } from '../worker/remoteWorld.js';
import { cutStroke } from './cutStroke.js';
import { type Ray, rayAt, tuple } from './pointerRay.js';

/** Settings of a `Cutter`. */
export interface CutterOptions {
  /** Controls of the camera: their `enabled` is false during a stroke. */
  controls?: { enabled: boolean };
  /** Colour of the stroke. Default white. */
  colour?: string | number;
  /** Of a controller: length of its blade (m). Default 1. */
  reach?: number;
}

/** Events of a `Cutter`. */
export interface CutterEvents {
  /** A stroke cut something: the bodies that the cut ones have become. Make meshes for those that are new. */
  cut: { bodies: readonly (Body | RemoteBody)[] };
}

/** Strokes that are shorter than this (CSS pixels) cut nothing. */
const SHORTEST = 8;

/**
 * A knife for mouse, touch, pen and XR controllers: a straight stroke across bodies cuts them. A body that contains an end of the stroke is cut into, not through. Add the
 * cutter's `line` to the scene to see the stroke. A controller cuts with the surface that its ray sweeps between press and release of its select button.
 *
 * @example
 * const cutter = new Cutter(world, camera, renderer.domElement, { controls: orbitControls });
 * cutter.addEventListener('cut', ({ bodies }) => console.log(bodies.length));
 */
export class Cutter extends EventDispatcher<CutterEvents> {
  /** Whether drags cut. Default true. */
  enabled = true;
  /** The stroke while it is drawn. */
  readonly line: Line<BufferGeometry, LineBasicMaterial>;
  private readonly strokes = new Map<number | Object3D, { ray: Ray; x: number; y: number }>();
  private readonly controllers = new Map<Object3D, () => void>();
  private readonly stop = new AbortController();

  constructor(
    private readonly world: World | RemoteWorld,
    /** The camera whose picture fills `element`. */
    public camera: Camera,
    private readonly element: HTMLElement,
    private readonly options: CutterOptions = {},
  ) {
    super();
    const material = new LineBasicMaterial({ color: options.colour ?? 0xffffff, depthTest: false, toneMapped: false });
    this.line = new Line(new BufferGeometry().setFromPoints([new Vector3(), new Vector3()]), material);
    this.line.visible = this.line.frustumCulled = false;
    this.line.renderOrder = 1000;
    const how = { signal: this.stop.signal };
    element.addEventListener('pointerdown', (event) => this.down(event), { ...how, capture: true });
    element.addEventListener('pointermove', (event) => this.move(event), how);
    element.addEventListener('pointerup', (event) => void this.up(event), how);
    element.addEventListener('pointercancel', (event) => this.forget(event.pointerId), how);
    element.style.touchAction = 'none';
  }

  /** Adds a controller of WebXR (`renderer.xr.getController(n)`). */
  addController(controller: Object3D): void {
    const target = controller as unknown as EventDispatcher<Record<string, object>>;
    const begin = () => {
      if (this.enabled) this.strokes.set(controller, { ray: rayOf(controller), x: 0, y: 0 });
    };
    const end = () => {
      const stroke = this.strokes.get(controller);
      this.strokes.delete(controller);
      if (stroke) void this.sweep(stroke.ray, rayOf(controller));
    };
    target.addEventListener('selectstart', begin);
    target.addEventListener('selectend', end);
    this.controllers.set(controller, () => {
      target.removeEventListener('selectstart', begin);
      target.removeEventListener('selectend', end);
    });
  }

  /** Cuts by a stroke between two rays from one eye. Emits 'cut' if it met anything. */
  async cut(origin: Vec3, from: Vec3, to: Vec3): Promise<readonly (Body | RemoteBody)[]> {
    const { world } = this;
    const { met, bodies } =
      'cutStroke' in world ? await world.cutStroke(origin, from, to) : cutStroke(world, origin, from, to);
    if (met > 0) this.dispatchEvent({ type: 'cut', bodies });
    return bodies;
  }

  /** Stops listening. */
  dispose(): void {
    this.stop.abort();
    for (const forget of this.controllers.values()) forget();
    this.controllers.clear();
    this.line.geometry.dispose();
    this.line.material.dispose();
    this.line.removeFromParent();
  }

  private down(event: PointerEvent): void {
    if (!this.enabled || event.button !== 0) return;
    if (this.options.controls) this.options.controls.enabled = false;
    this.element.setPointerCapture?.(event.pointerId);
    const ray = rayAt(this.element, this.camera, event.clientX, event.clientY);
    this.strokes.set(event.pointerId, { ray, x: event.clientX, y: event.clientY });
  }

  private move(event: PointerEvent): void {
    const stroke = this.strokes.get(event.pointerId);
    if (!stroke) return;
    const now = rayAt(this.element, this.camera, event.clientX, event.clientY);
    const depth = nearOf(this.camera) * 1.5;
    const position = this.line.geometry.getAttribute('position');
    for (const [n, { origin, direction }] of [stroke.ray, now].entries()) {
      const at = origin.clone().addScaledVector(direction, depth);
      position.setXYZ(n, at.x, at.y, at.z);
    }
    position.needsUpdate = true;
    this.line.visible = true;
  }

  private async up(event: PointerEvent): Promise<void> {
    const stroke = this.strokes.get(event.pointerId);
    this.forget(event.pointerId);
    if (!stroke || Math.hypot(event.clientX - stroke.x, event.clientY - stroke.y) < SHORTEST) return;
    const ray = rayAt(this.element, this.camera, event.clientX, event.clientY);
    const { eye, from, to } = fromOneEye(stroke.ray, ray);
    await this.cut(tuple(eye), tuple(from), tuple(to));
  }

  private forget(pointer: number): void {
    if (!this.strokes.delete(pointer)) return;
    this.line.visible = false;
    if (this.options.controls && this.strokes.size === 0) this.options.controls.enabled = true;
  }

  /** A controller's stroke: the blade through the two rays, as long as its reach. */
  private async sweep(a: Ray, b: Ray): Promise<void> {
    const reach = this.options.reach ?? 1;
    const tip = b.origin.clone().addScaledVector(b.direction, reach);
    // The fan from where the hand was, through where the tip was and where it is.
    await this.cut(tuple(a.origin), tuple(a.direction), tuple(tip.sub(a.origin)));
  }
}

/** Depths of the eye that stands for parallel rays, in distances between them. */
const FAR_EYE = 100;

/** Two rays as rays from one eye, in the plane that they span: those of an orthographic camera are parallel. */
function fromOneEye(a: Ray, b: Ray): { eye: Vector3; from: Vector3; to: Vector3 } {
  const apart = a.origin.distanceTo(b.origin);
  if (apart < 1e-9) return { eye: a.origin, from: a.direction, to: b.direction };
  const eye = a.origin
    .clone()
    .lerp(b.origin, 0.5)
    .addScaledVector(a.direction, -FAR_EYE * apart);
  return { eye, from: a.origin.clone().sub(eye).normalize(), to: b.origin.clone().sub(eye).normalize() };
}

const nearOf = (camera: Camera) => (camera as Camera & { near?: number }).near ?? 0.1;

function rayOf(controller: Object3D): Ray {
  controller.updateWorldMatrix(true, false);
  return {
    origin: new Vector3().setFromMatrixPosition(controller.matrixWorld),
    direction: new Vector3(0, 0, -1).transformDirection(controller.matrixWorld),
  };
}
