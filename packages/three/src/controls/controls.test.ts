import { World } from 'pliant';
import { type EventDispatcher, Object3D, OrthographicCamera, PerspectiveCamera } from 'three';
import { describe, expect, it } from 'vitest';
import { Cutter } from './cutter.js';
import { Grab } from './grab.js';

/** An element of 100 × 100 pixels that events can be sent to. */
function fakeElement() {
  const target = new EventTarget() as EventTarget & Record<string, unknown>;
  target['style'] = {};
  target['getBoundingClientRect'] = () => ({ left: 0, top: 0, width: 100, height: 100 });
  const send = (type: string, x: number, y: number, more: object = {}) =>
    target.dispatchEvent(Object.assign(new Event(type), { pointerId: 1, button: 0, clientX: x, clientY: y, ...more }));
  return { element: target as unknown as HTMLElement, send };
}

function eyeAt(z: number): PerspectiveCamera {
  const camera = new PerspectiveCamera(60, 1, 0.1, 100);
  camera.position.set(0, 0, z);
  camera.updateMatrixWorld();
  camera.updateProjectionMatrix();
  return camera;
}

async function boxWorld() {
  const world = await World.create({ backend: 'ts', gravity: [0, 0, 0] });
  const body = world.addBody({
    shape: { type: 'box', size: [1, 1, 1] },
    sampling: { method: 'grid', count: 125 },
    material: { young: 1e5 },
  });
  return { world, body };
}
const soon = () => new Promise((resolve) => setTimeout(resolve, 0));

describe('grab', () => {
  it('pulls a body in the plane that faces the camera, and lets go', async () => {
    const { world, body } = await boxWorld();
    const { element, send } = fakeElement();
    const controls = { enabled: true };
    const grab = new Grab(world, eyeAt(4), element, { controls });
    const heard: string[] = [];
    grab.addEventListener('grab', ({ type }) => heard.push(type));
    grab.addEventListener('release', ({ type }) => heard.push(type));
    send('pointerdown', 50, 50);
    await soon();
    expect([world.picks.length, controls.enabled, grab.holding]).toEqual([1, false, true]);
    send('onpointerrawupdate' in globalThis ? 'pointerrawupdate' : 'pointermove', 100, 50);
    // The front of the box is 3.5 m away: half the picture is 3.5 tan 30° wide.
    expect(world.picks[0].target[0]).toBeCloseTo(3.5 * Math.tan(Math.PI / 6), 1);
    for (let n = 0; n < 60; n++) world.step();
    expect(body.centreOfMass[0]).toBeGreaterThan(1);
    send('pointerup', 100, 50);
    expect([world.picks.length, controls.enabled, heard]).toEqual([0, true, ['grab', 'release']]);
  });

  it('leaves a drag that hits nothing to the camera, and nothing held when the button came up first', async () => {
    const { world } = await boxWorld();
    const { element, send } = fakeElement();
    const controls = { enabled: true };
    const grab = new Grab(world, eyeAt(4), element, { controls });
    send('pointerdown', 2, 2);
    await soon();
    expect([world.picks.length, controls.enabled]).toEqual([0, true]);
    send('pointerup', 2, 2);
    send('pointerdown', 50, 50);
    send('pointerup', 50, 50);
    await soon();
    expect([world.picks.length, controls.enabled]).toEqual([0, true]);
    grab.dispose();
    send('pointerdown', 50, 50);
    await soon();
    expect(world.picks).toHaveLength(0);
  });

  it('holds along the ray of a controller', async () => {
    const { world } = await boxWorld();
    const grab = new Grab(world, eyeAt(4), fakeElement().element);
    const controller = new Object3D();
    controller.position.set(0, 0, 2);
    grab.addController(controller);
    const button = controller as unknown as EventDispatcher<Record<string, object>>;
    button.dispatchEvent({ type: 'selectstart' });
    await soon();
    controller.position.set(0, 1, 2);
    grab.update();
    expect(world.picks[0].target.map((c) => Math.round(10 * c) / 10)).toEqual([0, 1, 0.5]);
    button.dispatchEvent({ type: 'selectend' });
    expect(world.picks).toHaveLength(0);
  });
});

describe('cutter', () => {
  it.each([
    ['perspective', eyeAt(4)],
    ['orthographic', new OrthographicCamera(-2, 2, 2, -2, 0.1, 10)],
  ])('cuts what a stroke crosses, seen by a %s camera', async (_, camera) => {
    const { world } = await boxWorld();
    camera.position.z = 4;
    camera.updateMatrixWorld();
    const { element, send } = fakeElement();
    const cutter = new Cutter(world, camera, element);
    const parts: number[] = [];
    cutter.addEventListener('cut', ({ bodies }) => parts.push(bodies.length));
    send('pointerdown', 52, 2);
    send('pointermove', 52, 50);
    expect(cutter.line.visible).toBe(true);
    send('pointerup', 52, 98);
    await soon();
    expect([parts, world.bodies.length, cutter.line.visible]).toEqual([[2], 2, false]);
    // Upright: the parts are beside each other.
    const [a, b] = world.bodies.map((body) => body.centreOfMass);
    expect(Math.abs(a[0] - b[0])).toBeGreaterThan(0.4);
    expect(Math.abs(a[1] - b[1])).toBeLessThan(0.05);
    send('pointerdown', 2, 2);
    send('pointerup', 4, 4);
    await soon();
    expect(world.bodies).toHaveLength(2);
  });
});
