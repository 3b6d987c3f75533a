import { Vector3 } from 'three';

/** Lets the pointer pull at bodies. */
export function grabWith(canvas, camera, world) {
  let held;
  const ray = ({ clientX, clientY }) => {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const point = new Vector3((2 * (clientX - left)) / width - 1, 1 - (2 * (clientY - top)) / height, 0.5);
    const direction = point.unproject(camera).sub(camera.position).normalize().toArray();
    return { origin: camera.position.toArray(), direction };
  };
  canvas.addEventListener('pointerdown', (event) => {
    const { origin, direction } = ray(event);
    const hit = world.castRay(origin, direction);
    if (!hit?.body) return;
    canvas.setPointerCapture(event.pointerId);
    held = { pick: world.addPick({ body: hit.body, point: hit.point }), distance: hit.distance };
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!held) return;
    const { origin, direction } = ray(event);
    held.pick.moveTo(origin.map((value, a) => value + held.distance * direction[a]));
  });
  canvas.addEventListener('pointerup', () => {
    if (held) world.removePick(held.pick);
    held = undefined;
  });
}
