/** A seeded stream of numbers in [0, 1). The same seed gives the same stream on every machine. */
export type Random = () => number;

/**
 * A generator of random numbers in [0, 1). The same seed, any finite number, gives the same numbers on every machine. The algorithm is sfc32 (Chris
 * Doty-Humphrey): 128 bits of state, integer arithmetic only.
 */
export function random(seed: number): Random {
  const bits = new Float64Array([seed]);
  const words = new Uint32Array(bits.buffer);
  let a = words[0] | 0;
  let b = words[1] | 0;
  let c = 0x9e3779b9 | 0;
  let d = 1;
  const next = () => {
    const t = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + t) | 0;
    return (t >>> 0) / 4294967296;
  };
  for (let k = 0; k < 12; k++) next();
  return next;
}
