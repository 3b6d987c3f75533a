import { dot, exp, float, mix, smoothstep, uniform, vec3 } from 'three/tsl';
import { Color, Node, type NodeBuilder, Vector3 } from 'three/webgpu';

/** Direction towards the sun, which is also that of the brightest lamp. */
export const SUN = new Vector3(0.5, 1.15, 0.62).normalize();

/**
 * Colours of the surroundings, linear. Sky, horizon and ground light the bodies; `back` is what is seen behind them at
 * the horizon and above, in the colour of the page.
 */
const THEMES = {
  light: {
    sky: [0.34, 0.39, 0.46],
    horizon: [0.36, 0.38, 0.4],
    ground: [0.24, 0.23, 0.22],
    lamps: 1,
    sun: 1.9,
    back: [0.775, 0.83, 0.89],
    above: [0.58, 0.7, 0.84],
    floor: [0.7, 0.735, 0.775],
    lines: [0.52, 0.57, 0.63],
  },
  dark: {
    sky: [0.13, 0.16, 0.22],
    horizon: [0.12, 0.13, 0.16],
    ground: [0.04, 0.04, 0.045],
    lamps: 1.2,
    sun: 2.2,
    back: [0.034, 0.042, 0.054],
    above: [0.012, 0.016, 0.024],
    floor: [0.05, 0.057, 0.068],
    lines: [0.1, 0.115, 0.135],
  },
} as const;

const colour = () => uniform(new Color());
const sky = colour();
const horizon = colour();
const ground = colour();
const lamps = uniform(1);
/** Colours of what is seen: the horizon, above it, the floor and its lines. */
export const seen = { back: colour(), above: colour(), floor: colour(), lines: colour() };

/** Sets the light of the theme. Returns the strength of the sun. */
export function setEnvironment(dark: boolean): number {
  const theme = dark ? THEMES.dark : THEMES.light;
  for (const [node, value] of [
    [sky, theme.sky],
    [horizon, theme.horizon],
    [ground, theme.ground],
    [seen.back, theme.back],
    [seen.above, theme.above],
    [seen.floor, theme.floor],
    [seen.lines, theme.lines],
  ] as const)
    node.value.setRGB(value[0], value[1], value[2]);
  lamps.value = theme.lamps;
  return theme.sun;
}

type Vec = Node<'vec3'>;
type Float = Node<'float'>;

/** A soft lamp: direction, sharpness of its edge (larger is smaller), and radiance. */
const LAMPS = [
  // Key, left of the sun; cool window at the left; warm rim behind on the right.
  { at: [-0.25, 0.85, 0.65], sharpness: 90, radiance: [16, 15.2, 14] },
  { at: [-0.95, 0.3, 0.2], sharpness: 40, radiance: [3.6, 4.6, 6] },
  { at: [0.75, 0.3, -0.75], sharpness: 50, radiance: [9, 7, 5.2] },
] as const;

/**
 * Radiance of the surroundings in a direction, blurred as a surface of that roughness sees it: a sky, a horizon and a
 * ground whose borders widen, and lamps that are spherical Gaussians, whose blur by another Gaussian is one again. It
 * is computed at every pixel: there is no map to be made at the start and none to be read, and mirrors see no texels.
 */
export function radiance(direction: Vec, roughness: Float): Vec {
  const y = direction.y;
  const width = roughness.mul(0.85).add(0.06);
  const above = smoothstep(float(0), float(1), y);
  const upper = mix(horizon, sky, above.mul(above));
  let sum = mix(ground, upper, smoothstep(width.negate(), width, y)) as unknown as Vec;
  const alpha = roughness.mul(roughness).add(1e-3);
  // Sharpness of the lobe in which a surface gathers light; at roughness 1 it is about that of a cosine.
  const lobe = float(0.7).div(alpha.mul(alpha)).add(1.4);
  for (const {
    at,
    sharpness,
    radiance: [r, g, b],
  } of LAMPS) {
    const to = new Vector3(...at).normalize();
    const blurred = lobe.mul(sharpness).div(lobe.add(sharpness));
    const cosine = dot(direction, vec3(to.x, to.y, to.z));
    const strength = exp(blurred.mul(cosine.sub(1)))
      .mul(blurred.div(sharpness))
      .mul(lamps);
    sum = sum.add(vec3(r, g, b).mul(strength)) as unknown as Vec;
  }
  return sum;
}

interface Context {
  getUV(node: Node, builder: NodeBuilder): Vec;
  getTextureLevel(node: Node): Float;
}

/** The surroundings as `scene.environmentNode`: the renderer asks for them by direction and roughness. */
export class Environment extends Node<'vec3'> {
  static get type(): string {
    return 'StudioEnvironment';
  }

  constructor() {
    super('vec3');
  }

  override setup(builder: NodeBuilder): Node {
    const { getUV, getTextureLevel } = builder.context as unknown as Context;
    return radiance(getUV(this, builder), getTextureLevel(this));
  }
}

/** Seen behind everything: the horizon, paler than what is above it. */
export function backdrop(direction: Vec): Vec {
  return mix(seen.back, seen.above, smoothstep(float(0.02), float(0.85), direction.y)) as unknown as Vec;
}
