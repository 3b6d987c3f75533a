import { deflateRawSync } from 'node:zlib';

/** Positions of all frames in 16 bits each: x = min + scale · number. */
export interface Quantised {
  particles: number;
  frames: number;
  min: number[];
  scale: number[];
  /**
   * Packed positions: frame after frame, and within a frame all x, all y, all z; each frame as differences from the one
   * before.
   */
  positions: string;
}

/** Bytes as text for a page: deflated, then base64. The page undoes both with DecompressionStream. */
export const pack = (bytes: Uint8Array): string => deflateRawSync(bytes, { level: 9 }).toString('base64');

const STEPS = 65535;

/**
 * Rounds to 1/65535 of the box over all frames: a twentieth of a millimetre for a scene of three metres. Positions that
 * are not finite are shown at the corner. Neighbouring frames are similar, so their differences (modulo 2^16) are small
 * and compress well. Low and high bytes are stored separately for the same reason.
 */
export function quantise(frames: readonly Float32Array[]): Quantised {
  const count = frames[0].length / 3;
  const min = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const max = min.map((v) => -v);
  for (const frame of frames)
    for (let k = 0; k < frame.length; k++) {
      if (frame[k] < min[k % 3]) min[k % 3] = frame[k];
      if (frame[k] > max[k % 3]) max[k % 3] = frame[k];
    }
  const scale = max.map((high, a) => (high - min[a] || 1e-6) / STEPS);
  const bytes = new Uint8Array(frames.length * count * 6);
  let before = new Uint16Array(3 * count);
  frames.forEach((frame, f) => {
    const now = new Uint16Array(3 * count);
    for (let i = 0; i < count; i++)
      for (let a = 0; a < 3; a++) now[a * count + i] = Math.round((frame[3 * i + a] - min[a]) / scale[a]);
    const at = f * count * 6;
    for (let k = 0; k < now.length; k++) {
      const difference = (now[k] - before[k]) & 0xffff;
      bytes[at + k] = difference & 0xff;
      bytes[at + 3 * count + k] = difference >> 8;
    }
    before = now;
  });
  return { particles: count, frames: frames.length, min, scale, positions: pack(bytes) };
}
