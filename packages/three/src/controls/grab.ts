import type { PickOptions, Vec3 } from 'pliant';
import { type Camera, EventDispatcher, type Object3D, Vector3 } from 'three';
import { pointInPlane, type Ray, rayAt, tuple } from './pointerRay.js';

/** A pick of a `World` or `WorkerWorld`. */
export interface Held {
  /** Sets the target (m). */
  moveTo(point: Vec3): unknown;
}

type Maybe<T> = T | Promise<T>;

/** The calls of a `World` or `WorkerWorld` that a hand needs. */
// biome-ignore lint/suspicious/noExplicitAny: bodies and picks of the two kinds of world are different classes; each world takes back what it gave.
export interface GrabWorld<B = any, P extends Held = any> {
  castRay(origin: Vec3, direction: Vec3): Maybe<{ body?: B; point: Vec3 } | undefined>;
  addPick(options: Omit<PickOptions, 'body'> & { body: B }): Maybe<P>;
  removePick(pick: P): unknown;
}

/** Settings of a `Grab`. */
export interface GrabOptions extends Pick<PickOptions, 'stiffness' | 'damping' | 'maxAcceleration' | 'radius'> {
  /** Controls of the camera: their `enabled` is false while a body is held. */
  controls?: { enabled: boolean };
}

/** Events of a `Grab`. */
export interface GrabEvents {
  /** A body was grabbed. */
  grab: { body: unknown; point: Vec3 };
  /** It was let go. */
  release: { body: unknown };
}

interface Hold {
  pick: Held | undefined;
  body: unknown;
  anchor: Vector3;
  ray: Ray;
  /** Of a controller: distance of the held place along its ray (m). */
  reach: number;
  controller: Object3D | undefined;
  isOver: boolean;
}

/** The event for moves: 'pointerrawupdate' reports every move at once, without waiting for a frame. */
const MOVES = 'onpointerrawupdate' in globalThis ? 'pointerrawupdate' : 'pointermove';

/**
 * Grabs bodies by mouse, touch, pen and XR controllers. A drag that begins on a body pulls it in the plane that faces the camera; the wheel moves it nearer and farther.
 * Several fingers hold several places. Controllers of WebXR are added with `addController`.
 *
 * @example
 * const grab = new Grab(world, camera, renderer.domElement, { controls: orbitControls });
 * grab.addController(renderer.xr.getController(0));
 */
export class Grab extends EventDispatcher<GrabEvents> {
  /** Whether drags grab. Setting it to false lets go. */
  get enabled(): boolean {
    return this.on;
  }
  set enabled(value: boolean) {
    this.on = value;
    if (!value) for (const key of [...this.holds.keys()]) this.end(key);
  }

  private on = true;
  private readonly holds = new Map<number | Object3D, Hold>();
  private readonly controllers = new Map<Object3D, () => void>();
  private readonly stop = new AbortController();

  constructor(
    private readonly world: GrabWorld,
    /** The camera whose picture fills `element`. */
    public camera: Camera,
    private readonly element: HTMLElement,
    private readonly options: GrabOptions = {},
  ) {
    super();
    const { signal } = this.stop;
    const listen = <K extends keyof HTMLElementEventMap>(
      name: K,
      hear: (event: HTMLElementEventMap[K]) => void,
      how: AddEventListenerOptions = {},
    ) => element.addEventListener(name, hear, { signal, ...how });
    // Captured, so that controls of the camera that listen to the same element are switched off first.
    listen('pointerdown', (event) => this.down(event), { capture: true });
    element.addEventListener(MOVES, (event) => this.move(event as PointerEvent), { signal });
    listen('pointerup', (event) => this.end(event.pointerId));
    listen('pointercancel', (event) => this.end(event.pointerId));
    listen('wheel', (event) => this.wheel(event), { capture: true, passive: false });
    element.style.touchAction = 'none';
  }

  /** Whether anything is held. */
  get holding(): boolean {
    return [...this.holds.values()].some(({ pick }) => pick !== undefined);
  }

  /** Adds a controller of WebXR (`renderer.xr.getController(n)`): its select button grabs along its ray. Call `update()` once a frame then. */
  addController(controller: Object3D): void {
    const begin = () => void this.begin(controller, this.controllerRay(controller), controller);
    const end = () => this.end(controller);
    const target = controller as unknown as EventDispatcher<Record<string, object>>;
    target.addEventListener('selectstart', begin);
    target.addEventListener('selectend', end);
    this.controllers.set(controller, () => {
      target.removeEventListener('selectstart', begin);
      target.removeEventListener('selectend', end);
    });
  }

  /** Moves the places that controllers hold. Not needed without controllers. */
  update(): void {
    for (const hold of this.holds.values()) {
      if (!hold.controller) continue;
      hold.ray = this.controllerRay(hold.controller);
      this.aim(hold);
    }
  }

  /** Lets go of everything and stops listening. */
  dispose(): void {
    this.enabled = false;
    this.stop.abort();
    for (const forget of this.controllers.values()) forget();
    this.controllers.clear();
  }

  private down(event: PointerEvent): void {
    if (!this.on || event.button !== 0) return;
    const { controls } = this.options;
    // Until it is known whether a body was hit, the camera must not turn. A World answers before the listeners of the controls are called.
    const ray = rayAt(this.element, this.camera, event.clientX, event.clientY);
    const before = controls?.enabled;
    if (controls) controls.enabled = false;
    this.element.setPointerCapture?.(event.pointerId);
    void this.begin(event.pointerId, ray, undefined).then((hit) => {
      if (!hit && controls && before && !this.holding) controls.enabled = true;
    });
  }

  private async begin(key: number | Object3D, ray: Ray, controller: Object3D | undefined): Promise<boolean> {
    if (!this.on) return false;
    const { stiffness, damping, maxAcceleration, radius } = this.options;
    const hold: Hold = {
      pick: undefined,
      body: undefined,
      anchor: ray.origin,
      ray,
      reach: 0,
      controller,
      isOver: false,
    };
    this.holds.set(key, hold);
    const found = await this.world.castRay(tuple(ray.origin), tuple(ray.direction));
    const hit = found?.body === undefined ? undefined : found;
    const wanted = Object.entries({ stiffness, damping, maxAcceleration, radius }).filter(
      ([, value]) => value !== undefined,
    );
    const pick =
      hit &&
      !hold.isOver &&
      (await this.world.addPick({ body: hit.body, point: hit.point, ...Object.fromEntries(wanted) }));
    if (!hit || !pick) {
      if (this.holds.get(key) === hold) this.holds.delete(key);
      return false;
    }
    // The button came up while a worker answered.
    if (hold.isOver) {
      this.letGo(pick);
      return true;
    }
    hold.pick = pick;
    hold.body = hit.body;
    hold.anchor = new Vector3(...hit.point);
    hold.reach = hold.anchor.distanceTo(ray.origin);
    this.dispatchEvent({ type: 'grab', body: hit.body, point: hit.point });
    this.aim(hold);
    return true;
  }

  private move(event: PointerEvent): void {
    const hold = this.holds.get(event.pointerId);
    if (!hold) return;
    hold.ray = rayAt(this.element, this.camera, event.clientX, event.clientY);
    this.aim(hold);
  }

  private aim({ pick, ray, anchor, reach, controller }: Hold): void {
    if (!pick) return;
    const to = controller
      ? ray.origin.clone().addScaledVector(ray.direction, reach)
      : pointInPlane(ray, this.camera, anchor);
    pick.moveTo(tuple(to));
  }

  private wheel(event: WheelEvent): void {
    for (const hold of this.holds.values()) {
      if (!hold.pick || hold.controller) continue;
      event.preventDefault();
      event.stopImmediatePropagation();
      const away = hold.anchor.clone().sub(hold.ray.origin);
      hold.anchor.copy(hold.ray.origin).addScaledVector(away, 1 - NOTCH * Math.sign(event.deltaY));
      this.aim(hold);
    }
  }

  private end(key: number | Object3D): void {
    const hold = this.holds.get(key);
    if (!hold) return;
    hold.isOver = true;
    this.holds.delete(key);
    if (hold.pick) {
      this.letGo(hold.pick);
      this.dispatchEvent({ type: 'release', body: hold.body });
    }
    const { controls } = this.options;
    if (controls && this.holds.size === 0) controls.enabled = true;
  }

  /** Removes a pick, which may be gone already with its body or its world. */
  private letGo(pick: Held): void {
    try {
      const done = this.world.removePick(pick);
      if (done instanceof Promise) done.catch(() => {});
    } catch {}
  }

  private controllerRay(controller: Object3D): Ray {
    controller.updateWorldMatrix(true, false);
    return {
      origin: new Vector3().setFromMatrixPosition(controller.matrixWorld),
      direction: new Vector3(0, 0, -1).transformDirection(controller.matrixWorld),
    };
  }
}

/** Share of the distance to a held place that one notch of the wheel adds or subtracts. */
const NOTCH = 0.06;
