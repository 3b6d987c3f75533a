import type { World } from 'pliant';
import type { ExportedBody } from '../protocol.js';
import type { Appearance } from './appearance.js';

/** Copies of the present shapes of all bodies. */
export function exportBodies(world: World, appearance: Appearance): ExportedBody[] {
  return world.bodies.map((body) => {
    const skin = body.getSkin();
    // As the body is now, also while the picture is behind.
    skin.spread = false;
    skin.update();
    const particles = new Float32Array(3 * body.particleCount);
    body.positions.forEach((value, k) => {
      if (k % 4 < 3) particles[3 * (k >> 2) + (k % 4)] = value;
    });
    return {
      name: body.name,
      positions: skin.positions.slice(),
      normals: skin.normals.slice(),
      ...appearance.sorted(body, skin),
      uvs: skin.uvs?.slice(),
      origin: appearance.origin(body),
      colours: appearance.coloursOf(body, skin),
      colour: bytesOf(appearance.colour(body)),
      innerColour: bytesOf(appearance.innerColour(body)),
      roughness: appearance.roughness(body),
      particles,
    };
  });
}

const bytesOf = (packed: number): [number, number, number] => [packed & 255, (packed >> 8) & 255, (packed >> 16) & 255];
