import { ARRAY_NAMES, type ArrayLayout, LAYOUT } from '../../state/layout.js';
import type { World } from '../../world.js';
import { KEPT, usedOf } from '../arrays.js';

/** The bits of all that lives from step to step, of the counts in use. */
export function bitsOf({ state }: World): Map<string, Uint8Array> {
  return new Map(
    KEPT.map((name) => {
      const used = state.views[name].slice(0, usedOf(LAYOUT[name], state.count));
      return [name, new Uint8Array(used.buffer)];
    }),
  );
}

/** Names of the arrays that differ. */
export function differences(a: Map<string, Uint8Array>, b: Map<string, Uint8Array>): string[] {
  return [...a.keys()].filter((name) => Buffer.compare(a.get(name)!, b.get(name)!) !== 0);
}

/** NaN in all scratch that no stage may count on: what reads it before it is written shows. */
export function spoilScratch({ state }: World): void {
  for (const name of ARRAY_NAMES) {
    const { kind, idle }: ArrayLayout = LAYOUT[name];
    const view = state.views[name];
    if (kind === 'scratch' && idle === undefined)
      new Uint8Array(view.buffer, view.byteOffset, view.byteLength).fill(0xff);
  }
}
