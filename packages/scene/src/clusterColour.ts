/** The golden section of the circle: consecutive clusters, often neighbours, get very different hues. */
const GOLDEN = 0.618033988749895;

/** r, g, b in 0..255 of a cluster's colour: any hue, three steps of lightness, moderate saturation. */
export function clusterColour(cluster: number): [number, number, number] {
  const hue = (cluster * GOLDEN + 0.58) % 1;
  const lightness = 0.56 + 0.07 * ((cluster % 3) - 1);
  const saturation = 0.62;
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (n: number) => {
    const k = (n + 12 * hue) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}
