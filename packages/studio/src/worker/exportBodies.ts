import type { World } from 'pliant';
import type { ExportedBody } from '../protocol.js';
import { bodyColour } from './palette.js';

/** Copies of the present shapes of all bodies. */
export function exportBodies(world: World): ExportedBody[] {
  return world.bodies.map((body) => {
    const skin = body.getSkin();
    skin.update();
    const particles = new Float32Array(3 * body.particleCount);
    body.positions.forEach((value, k) => {
      if (k % 4 < 3) particles[3 * (k >> 2) + (k % 4)] = value;
    });
    return {
      name: body.name,
      positions: skin.positions.slice(),
      normals: skin.normals.slice(),
      indices: skin.indices.slice(),
      groups: skin.groups.map((group) => ({ ...group })),
      uvs: skin.uvs?.slice(),
      colours: skin.colours?.slice(),
      colour: bytesOf(bodyColour(world.bodies.indexOf(body))),
      particles,
    };
  });
}

const bytesOf = (packed: number): [number, number, number] => [packed & 255, (packed >> 8) & 255, (packed >> 16) & 255];
