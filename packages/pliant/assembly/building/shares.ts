// The volumes of the particles of blue noise, as in src/body/volumeShares.ts, bit for bit.
import { real, setReal, setWord, word } from './grid';

/**
 * Writes the volume of each particle as a multiple of their mean. `shape`: the first node of a distance field and the distances of nodes; `size`: nodes along the axes; `values`: the distances, in f32. `places`: those in the ball
 * around a particle, `step` apart. `limits`: the least part of a ball, the volume of the body in balls, the least and the largest factor. `outermost`: room for a word a particle.
 */
export function shareVolumes(shape: usize, size: usize, values: usize, places: usize, inBall: i32, step: f64, positions: usize, height: usize, normal: usize, count: i32, outermost: usize, limits: usize, out: usize): void {
  const ox = real(shape, 0), oy = real(shape, 1), oz = real(shape, 2), cx = real(shape, 3), cy = real(shape, 4), cz = real(shape, 5);
  const nx = word(size, 0), ny = word(size, 1), nz = word(size, 2);
  const row = <usize>nx << 2, layer = <usize>(nx * ny) << 2;
  const least = real(limits, 0);
  let found = 0;
  let outer: f64 = 0;
  for (let i = 0; i < count; i++) {
    setReal(out, i, 1);
    if (!(real(height, i) > 0) && real(normal, 3 * i) === 0 && real(normal, 3 * i + 1) === 0 && real(normal, 3 * i + 2) === 0) continue;
    const px = real(positions, 3 * i), py = real(positions, 3 * i + 1), pz = real(positions, 3 * i + 2);
    let sum: f64 = 0;
    for (let k = 0; k < inBall; k++) {
      const fx = Math.min(Math.max((px + real(places, 3 * k) - ox) / cx, 0), <f64>(nx - 1));
      const fy = Math.min(Math.max((py + real(places, 3 * k + 1) - oy) / cy, 0), <f64>(ny - 1));
      const fz = Math.min(Math.max((pz + real(places, 3 * k + 2) - oz) / cz, 0), <f64>(nz - 1));
      const ix = min(<i32>fx, nx - 2), iy = min(<i32>fy, ny - 2), iz = min(<i32>fz, nz - 2);
      const u = fx - <f64>ix, v = fy - <f64>iy, w = fz - <f64>iz;
      const at = values + (<usize>((iz * ny + iy) * nx + ix) << 2);
      const a = along(at, u), b = along(at + layer, u);
      const low = a + v * (along(at + row, u) - a), high = b + v * (along(at + layer + row, u) - b);
      const distance = low + w * (high - low);
      sum += Math.min(Math.max(0.5 - distance / step, 0), 1);
    }
    const part = Math.max(least, sum / <f64>inBall);
    setReal(out, i, part);
    setWord(outermost, found++, i);
    outer += part;
  }
  const left = (real(limits, 1) - <f64>(count - found)) / outer;
  const factor = Math.min(Math.max(left, real(limits, 2)), real(limits, 3));
  for (let k = 0; k < found; k++) setReal(out, word(outermost, k), real(out, word(outermost, k)) * factor);
  let all: f64 = 0;
  for (let i = 0; i < count; i++) all += real(out, i);
  for (let i = 0; i < count; i++) setReal(out, i, (real(out, i) * <f64>count) / all);
}

// @ts-ignore: decorator
@inline function along(at: usize, u: f64): f64 {
  const first = <f64>load<f32>(at);
  return first + u * (<f64>load<f32>(at, 4) - first);
}
