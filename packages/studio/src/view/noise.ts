import { dot, Fn, float, floor, fract, mix, vec3 } from 'three/tsl';
import type { Node } from 'three/webgpu';

type Vec = Node<'vec3'>;
type Float = Node<'float'>;

/** Random numbers, 0 to 1, by a lattice point. */
const hash = (p: Vec): Float => {
  const q = fract(p.mul(0.1031)) as unknown as Vec;
  const r = q.add(dot(q, q.yzx.add(33.33))) as unknown as Vec;
  return fract(r.x.add(r.y).mul(r.z)) as unknown as Float;
};

/** Smooth noise between 0 and 1, whose features are about a unit wide. */
export const noise = Fn(([place]: [Vec]) => {
  const cell = floor(place);
  const f = fract(place);
  const u = f.mul(f).mul(f.mul(-2).add(3));
  const at = (x: number, y: number, z: number) => hash(cell.add(vec3(x, y, z)) as unknown as Vec);
  const low = mix(mix(at(0, 0, 0), at(1, 0, 0), u.x), mix(at(0, 1, 0), at(1, 1, 0), u.x), u.y);
  const high = mix(mix(at(0, 0, 1), at(1, 0, 1), u.x), mix(at(0, 1, 1), at(1, 1, 1), u.x), u.y);
  return mix(low, high, u.z);
}) as unknown as (place: Vec) => Float;

/** Two octaves. */
export const rough = (place: Vec): Float =>
  noise(place)
    .mul(0.65)
    .add(noise(place.mul(2.3).add(float(7.1)) as unknown as Vec).mul(0.35)) as unknown as Float;
