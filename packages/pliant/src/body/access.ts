import { checkInteger, PliantError } from '../check.js';
import type { Body } from './body.js';

/** Refuses a body that was removed. */
export function checkAlive({ core, name, handle }: Body): void {
  if (core.removed)
    throw new PliantError(
      'body',
      `body ${JSON.stringify(name)} (handle ${handle}) was removed, or its world disposed.`,
    );
}

/** Rows of all particles of a body, or of the one with this number. */
export function rangeOf(body: Body, particle?: number): [number, number] {
  checkAlive(body);
  const { particleStart, particleEnd } = body.rows;
  if (particle === undefined) return [particleStart, particleEnd];
  checkInteger('particle', particle, { min: 0, below: particleEnd - particleStart });
  return [particleStart + particle, particleStart + particle + 1];
}

/** The part of an array of four numbers a particle that is the body's. */
export function viewOf(body: Body, name: 'x' | 'v' | 'xOld'): Float32Array {
  checkAlive(body);
  return body.core.state.views[name].subarray(4 * body.rows.particleStart, 4 * body.rows.particleEnd);
}
