import { Flag } from '../state/flags.js';
import { rangeOf } from './access.js';
import type { Body } from './body.js';

/** Holds a particle where it is. */
export function pin(body: Body, particle: number): void {
  const [i] = rangeOf(body, particle);
  body.wake();
  const { pinned, state } = body.core;
  pinned.add(particle);
  state.views.flags[i] |= Flag.HELD | Flag.FIRM;
  state.views.v.fill(0, 4 * i, 4 * i + 3);
}

export function unpin(body: Body, particle: number): void {
  const [i] = rangeOf(body, particle);
  body.wake();
  const { pinned, state } = body.core;
  pinned.delete(particle);
  state.views.flags[i] &= ~(Flag.HELD | Flag.FIRM);
}

export function isPinned(body: Body, particle: number): boolean {
  rangeOf(body, particle);
  return body.core.pinned.has(particle);
}
