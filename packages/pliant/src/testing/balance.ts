import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/options.js';
import { World } from '../world.js';

/**
 * Drops a body onto a floor and waits until it sleeps. Returns after how many seconds it does, and by how much of its size (root mean square) it then moves: in a second in
 * which it is awake and not braked, and in ten seconds in which it is woken once and may fall asleep again.
 */
export async function stayedIn({ hz, body: options, limit = 10 }: { hz: number; body: BodyOptions; limit?: number }) {
  const world = await World.create({ threads: 1, dt: 1 / hz });
  world.addCollider({ type: 'plane', normal: [0, 1, 0], friction: 0.7 });
  const body = world.addBody(options);
  let steps = 0;
  for (; steps < limit * hz && !body.asleep; steps++) world.step();
  const asleep = body.positions.slice();
  const saved = world.save();
  body.wake();
  for (let k = 0; k < 10 * hz; k++) world.step();
  const left = movedFrom(body, asleep);
  world.restore(saved);
  (world.core.settings as { sleepSpeed: number }).sleepSpeed = 0;
  const [again] = world.bodies;
  again.wake();
  for (let k = 0; k < hz; k++) world.step();
  const awake = movedFrom(again, asleep);
  world.dispose();
  return { seconds: steps / hz, awake, left };
}

function movedFrom({ positions, size, particleCount }: Body, from: Float32Array): number {
  let sum = 0;
  for (let o = 0; o < positions.length; o += 4)
    for (let a = 0; a < 3; a++) sum += (positions[o + a] - from[o + a]) ** 2;
  return Math.sqrt(sum / particleCount) / size;
}
