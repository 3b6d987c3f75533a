import { buildWorld, loadScene } from '@pliant/scene';
import { toughnessInto, type World } from 'pliant';
import plate from './rehearsal.json';

/** Steps of the rehearsal: its plate breaks in a dozen of them. */
export const REHEARSED_STEPS = 50;

/** Whether a body of a world can break: its toughness is finite somewhere. */
export const canBreak = (world: World): boolean =>
  world.bodies.some((body) => {
    const toughness = new Float32Array(body.particleCount);
    toughnessInto(toughness, world, body);
    return toughness.some(Number.isFinite);
  });

/**
 * Breaks a plate of 300 particles that nobody sees. A worker that has just begun has not compiled the code that tears render meshes: the first frames of a break would take three to five times as
 * long. It takes some 0.2 s, and changes nothing else.
 */
export async function rehearseBreak(): Promise<number> {
  const scene = await loadScene('rehearsal.json', async () => new TextEncoder().encode(JSON.stringify(plate)));
  const { world } = await buildWorld(scene, { threads: 1 });
  const [body] = world.bodies;
  const skin = body.getSkin();
  skin.spread = true;
  const { topologyVersion } = body;
  for (let n = 0; n < REHEARSED_STEPS; n++) {
    world.step();
    world.drainEvents();
    skin.update();
  }
  const breaks = body.topologyVersion - topologyVersion;
  world.dispose();
  return breaks;
}
