import { attribute, mix, uniform } from 'three/tsl';
import { BufferAttribute, DynamicDrawUsage } from 'three/webgpu';

/**
 * Two copies of an attribute, written alternately, and the share of the second in the drawn value: the graphics card
 * interpolates between the last two moments, and each moment is uploaded once.
 */
export class Blended {
  readonly a: BufferAttribute;
  readonly b: BufferAttribute;
  constructor(length: number, width: number) {
    const make = () => new BufferAttribute(new Float32Array(length), width).setUsage(DynamicDrawUsage);
    this.a = make();
    this.b = make();
  }

  /** Writes the newest values to copy A or B; to both if there is nothing to interpolate with. */
  write(values: Float32Array, jump: boolean, intoA: boolean): void {
    for (const [copy, isA] of [
      [this.a, true],
      [this.b, false],
    ] as const) {
      if (isA !== intoA && !jump) continue;
      (copy.array as Float32Array).set(values);
      copy.needsUpdate = true;
    }
  }
}

/** The interpolated value in a shader, of four numbers, for attributes named `${name}A` and `${name}B`. */
export function blendedNode(name: string) {
  const share = uniform(0);
  return { share, node: mix(attribute(`${name}A`, 'vec4'), attribute(`${name}B`, 'vec4'), share) };
}
