import {
  type Body,
  NO_CLUSTER,
  nearestClustersInto,
  plasticStrainInto,
  speedInto,
  stressInto,
  toughnessInto,
  type World,
} from 'pliant';
import type { Colouring, Frame } from '../protocol.js';
import type { Appearance } from './appearance.js';
import { clusterColour, rampColour } from './palette.js';

const VALUES = {
  stress: stressInto,
  'plastic strain': plasticStrainInto,
  toughness: toughnessInto,
  speed: speedInto,
} as const satisfies Partial<Record<Colouring, (out: Float32Array, world: World, body: Body) => void>>;

/** Colours every particle. Returns the values at the ends of the colour ramp, if there is one. */
export function paintParticles(
  world: World,
  appearance: Appearance,
  by: Colouring,
  into: Uint32Array,
  /** Upper end of the ramp; by default the largest present value. */
  scale: number | undefined,
): Frame['range'] {
  if (by === 'material') paintBodies(world, appearance, into);
  else if (by === 'cluster') paintNearest(world, into);
  else return paintValues(world, VALUES[by], into, scale);
  return undefined;
}

export function paintClusters(world: World, into: Uint8Array): void {
  const colours = new Uint32Array(into.buffer, into.byteOffset, world.clusterCount);
  for (let c = 0; c < colours.length; c++) colours[c] = clusterColour(c);
}

function paintBodies({ bodies }: World, appearance: Appearance, into: Uint32Array): void {
  for (const body of bodies) {
    const { firstParticle, particleCount } = body;
    into.fill(appearance.colour(body), firstParticle, firstParticle + particleCount);
  }
}

function paintNearest(world: World, into: Uint32Array): void {
  for (const body of world.bodies) {
    const { firstParticle, firstCluster } = body;
    const out = into.subarray(firstParticle, firstParticle + body.particleCount);
    nearestClustersInto(out, world, body);
    for (let i = 0; i < out.length; i++)
      out[i] = out[i] === NO_CLUSTER ? clusterColour(0) : clusterColour(firstCluster + out[i]);
  }
}

let room = new Float32Array(0);

/**
 * Colours from 0 to the largest present value, or to `wanted`. Larger and infinite values (a toughness that never
 * breaks) are at the upper end.
 */
function paintValues(
  world: World,
  measure: (typeof VALUES)[keyof typeof VALUES],
  into: Uint32Array,
  wanted: number | undefined,
) {
  if (room.length < world.particleCount) room = new Float32Array(Math.ceil(1.5 * world.particleCount));
  for (const body of world.bodies)
    measure(room.subarray(body.firstParticle, body.firstParticle + body.particleCount), world, body);
  let most = 0;
  let endless = false;
  for (let i = 0; i < into.length; i++) {
    if (room[i] === Infinity) endless = true;
    else if (room[i] > most) most = room[i];
  }
  const high = wanted ?? most;
  const scale = high > 0 ? 1 / high : 0;
  for (let i = 0; i < into.length; i++) into[i] = rampColour(room[i] < Infinity ? room[i] * scale : 1);
  return { low: 0, high, most, endless };
}
