import type { World } from 'pliant';
import type { Colouring } from '../protocol.js';
import { originOf } from './origin.js';
import { bodyColour, clusterColour, rampColour } from './palette.js';

/** Colours every particle; says what the ends of the ramp stand for, where there is one. */
export function paintParticles(
  world: World,
  /** Names of the bodies that the scene began with: pieces have the colour of what they come from. */
  origins: readonly string[],
  by: Colouring,
  into: Uint32Array,
): { low: number; high: number } | undefined {
  if (by === 'material') {
    for (const { rows, name } of world.bodies)
      into.fill(bodyColour(originOf(name, origins)), rows.particleStart, rows.particleEnd);
    return undefined;
  }
  if (by === 'cluster') {
    const nearest = scratch(world.particleCount);
    heaviest(world, nearest);
    for (let i = 0; i < into.length; i++) into[i] = clusterColour(nearest[i]);
    return undefined;
  }
  const values = valuesOf(world, by);
  let high = 0;
  for (let i = 0; i < into.length; i++) if (values[i] < Infinity && values[i] > high) high = values[i];
  const scale = high > 0 ? 1 / high : 0;
  for (let i = 0; i < into.length; i++) into[i] = rampColour(Math.min(1, values[i] * scale));
  return { low: 0, high };
}

export function paintClusters(world: World, into: Uint8Array): void {
  const colours = new Uint32Array(into.buffer, into.byteOffset, world.clusterCount);
  for (let c = 0; c < colours.length; c++) colours[c] = clusterColour(c);
}

let room = new Float32Array(0);
function scratch(length: number): Float32Array {
  if (room.length < length) room = new Float32Array(Math.ceil(1.5 * length));
  return room;
}

function valuesOf(world: World, by: Colouring): Float32Array {
  const values = scratch(world.particleCount);
  const { v, toughness, plasticStrain, linkStart, linkCluster } = world.state.views;
  const count = world.particleCount;
  if (by === 'speed') for (let i = 0; i < count; i++) values[i] = Math.hypot(v[4 * i], v[4 * i + 1], v[4 * i + 2]);
  if (by === 'toughness') for (let i = 0; i < count; i++) values[i] = toughness[i];
  if (by === 'plastic strain')
    for (let i = 0; i < count; i++) {
      let sum = 0;
      for (let k = linkStart[i]; k < linkStart[i + 1]; k++) sum += plasticStrain[linkCluster[k]];
      values[i] = sum / Math.max(1, linkStart[i + 1] - linkStart[i]);
    }
  return values;
}

function heaviest(world: World, into: Float32Array): void {
  const { linkStart, linkCluster, link } = world.state.views;
  for (let i = 0; i < world.particleCount; i++) {
    let most = -1;
    for (let k = linkStart[i]; k < linkStart[i + 1]; k++)
      if (link[4 * k + 3] > most) {
        most = link[4 * k + 3];
        into[i] = linkCluster[k];
      }
  }
}
