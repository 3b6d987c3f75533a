import type { Vec3 } from 'pliant';
import { type Camera, type OrthographicCamera, Vector3 } from 'three';

/** A ray in the world: from the eye, or for an orthographic camera from its near plane. */
export interface Ray {
  readonly origin: Vector3;
  /** Of length 1. */
  readonly direction: Vector3;
}

/** The ray through a point of an element that a camera's picture fills, given in CSS pixels of the page. */
export function rayAt(element: HTMLElement, camera: Camera, x: number, y: number): Ray {
  const box = element.getBoundingClientRect();
  camera.updateWorldMatrix(true, false);
  const point = new Vector3((2 * (x - box.left)) / box.width - 1, 1 - (2 * (y - box.top)) / box.height, 0);
  if ((camera as OrthographicCamera).isOrthographicCamera) {
    const direction = new Vector3(0, 0, -1).transformDirection(camera.matrixWorld);
    return { origin: point.setZ(-1).unproject(camera), direction };
  }
  const origin = new Vector3().setFromMatrixPosition(camera.matrixWorld);
  return { origin, direction: point.setZ(0.5).unproject(camera).sub(origin).normalize() };
}

/** The point of a ray in the plane through `anchor` that faces the camera. */
export function pointInPlane({ origin, direction }: Ray, camera: Camera, anchor: Vector3): Vector3 {
  const facing = new Vector3(0, 0, -1).transformDirection(camera.matrixWorld);
  const depth = anchor.clone().sub(origin).dot(facing) / direction.dot(facing);
  return origin.clone().addScaledVector(direction, depth);
}

export const tuple = ({ x, y, z }: Vector3): Vec3 => [x, y, z];
