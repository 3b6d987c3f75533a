import {
  BoxGeometry,
  ConeGeometry,
  CylinderGeometry,
  EdgesGeometry,
  Group,
  LineBasicNodeMaterial,
  LineSegments,
  Mesh,
  MeshStandardNodeMaterial,
  TorusGeometry,
  Vector3,
} from 'three/webgpu';
import type { ClampData, FieldData } from '../protocol.js';

const ACCENT = 0xe8772e;

const JAW = new MeshStandardNodeMaterial({
  ...{ color: 0x5c6a78, roughness: 0.35, metalness: 0.6, transparent: true, opacity: 0.34, depthWrite: false },
});
const EDGE = new LineBasicNodeMaterial({ color: ACCENT });
const ARROW = new MeshStandardNodeMaterial({ color: ACCENT, roughness: 0.5 });
const FORCE = new MeshStandardNodeMaterial({
  color: 0x2f8fd0,
  roughness: 0.5,
  transparent: true,
  opacity: 0.5,
  depthWrite: false,
});

/** The clamps and the force fields of a scene: whatever moves bodies without being seen in them. */
export class Holds {
  readonly group = new Group();
  private clamps: { data: ClampData; group: Group }[] = [];
  private fields: { data: FieldData; group: Group }[] = [];

  learn(clamps: readonly ClampData[], fields: readonly FieldData[]): void {
    this.clear();
    this.clamps = clamps.map((data) => ({ data, group: drawClamp(data) }));
    this.fields = fields.map((data) => ({ data, group: drawField(data) }));
    for (const { group } of [...this.clamps, ...this.fields]) this.group.add(group);
    this.place(0);
  }

  clear(): void {
    this.group.traverse((one) => (one as Mesh).geometry?.dispose());
    this.group.clear();
    this.clamps = [];
    this.fields = [];
  }

  /** Where they are at a time of the world (s). Clamps that have let go and fields that are gone are not drawn. */
  place(time: number): void {
    for (const { data, group } of this.clamps) {
      const { velocity, angularVelocity, centre, lifetime } = data;
      group.visible = time <= lifetime;
      const spin = new Vector3(...angularVelocity);
      const angle = spin.length() * time;
      group.quaternion.setFromAxisAngle(angle === 0 ? UP : spin.normalize(), angle);
      // It turns about its centre, and moves.
      const offset = new Vector3(...centre).negate().applyQuaternion(group.quaternion);
      group.position
        .set(...centre)
        .add(offset)
        .addScaledVector(new Vector3(...velocity), time);
    }
    for (const { data, group } of this.fields) group.visible = time < data.lifetime;
  }
}

/** A translucent jaw around the held part, with an arrow along its motion or a ring about its axis. */
function drawClamp({ min, max, velocity, angularVelocity }: ClampData): Group {
  const group = new Group();
  const size = new Vector3(...max).sub(new Vector3(...min));
  const middle = new Vector3(...min).addScaledVector(size, 0.5);
  const most = Math.max(size.x, size.y, size.z);
  const margin = 0.04 * most;
  const box = new BoxGeometry(size.x + margin, size.y + margin, size.z + margin);
  const jaw = new Mesh(box, JAW);
  jaw.name = 'clamp';
  const edges = new LineSegments(new EdgesGeometry(box), EDGE);
  for (const one of [jaw, edges]) one.position.copy(middle);
  group.add(jaw, edges);
  const along = new Vector3(...velocity);
  if (along.length() > 0) {
    const direction = along.clone().normalize();
    const half = 0.5 * Math.abs(size.dot(new Vector3(...direction.toArray().map(Math.abs))));
    const from = middle.clone().addScaledVector(direction, half + 0.5 * margin + 0.04 * most);
    group.add(arrow(from, direction.multiplyScalar(0.2 * most), ARROW, 0.013 * most));
  }
  const axis = new Vector3(...angularVelocity);
  if (axis.length() > 0) group.add(turning(middle, axis.normalize(), 0.62 * most, 0.02 * most));
  return group;
}

/** Three quarters of a ring about an axis, with a head that shows the sense. */
function turning(middle: Vector3, axis: Vector3, radius: number, tube: number): Group {
  const group = new Group();
  const arc = 1.5 * Math.PI;
  group.add(new Mesh(new TorusGeometry(radius, tube, 10, 64, arc), ARROW));
  const head = new Mesh(new ConeGeometry(3 * tube, 8 * tube, 20), ARROW);
  head.position.set(radius * Math.cos(arc), radius * Math.sin(arc), 0);
  head.quaternion.setFromUnitVectors(UP, new Vector3(-Math.sin(arc), Math.cos(arc), 0));
  group.add(head);
  group.position.copy(middle);
  group.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), axis);
  return group;
}

function arrow(from: Vector3, along: Vector3, material: MeshStandardNodeMaterial, thick: number): Group {
  const group = new Group();
  const length = along.length();
  const head = Math.min(0.5 * length, 5 * thick);
  const shaft = new Mesh(new CylinderGeometry(thick, thick, length - head, 16), material);
  shaft.position.y = (length - head) / 2;
  const tip = new Mesh(new ConeGeometry(2.4 * thick, head, 20), material);
  tip.position.y = length - head / 2;
  group.add(shaft, tip);
  group.position.copy(from);
  group.quaternion.setFromUnitVectors(UP, along.clone().normalize());
  for (const one of [shaft, tip]) one.castShadow = material === ARROW;
  return group;
}

/** Arrows at the points at which the field was sampled; weak ones are left out. */
function drawField({ arrows }: FieldData): Group {
  const group = new Group();
  let most = 0;
  for (let o = 0; o < arrows.length; o += 6)
    most = Math.max(most, Math.hypot(arrows[o + 3], arrows[o + 4], arrows[o + 5]));
  for (let o = 0; o < arrows.length; o += 6) {
    const along = new Vector3(arrows[o + 3], arrows[o + 4], arrows[o + 5]);
    if (along.length() < 0.25 * most) continue;
    const from = new Vector3(arrows[o], arrows[o + 1], arrows[o + 2]);
    group.add(arrow(from, along, FORCE, 0.045 * most));
  }
  return group;
}

const UP = new Vector3(0, 1, 0);
