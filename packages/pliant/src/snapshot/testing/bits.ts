import { saveBody } from '../../body/save.js';
import { ARRAY_NAMES, type ArrayLayout, LAYOUT } from '../../state/layout.js';
import type { World } from '../../world.js';
import { hashArray, hashSnapshot } from '../content.js';
import { KEPT, usedOf } from '../format/arrays.js';
import { Hash } from '../hash.js';
import type { Snapshot } from '../snapshot.js';

/**
 * The bits of everything that is kept from step to step: the state up to the counts in use, and the records of bodies,
 * actors and contacts.
 */
export function bitsOf(world: World): Map<string, Uint8Array> {
  const {
    state,
    bodies,
    picks,
    core: { actors, pairs, sweep },
  } = world;
  const place = new Map(bodies.map(({ handle }, k) => [handle, k]));
  const text = (value: unknown) => new Uint8Array(Buffer.from(JSON.stringify(value)));
  const records: [string, Uint8Array][] = [
    // Handles and versions are never reused, not even in the same run.
    ['bodies', text(bodies.map((body) => ({ ...saveBody(body), handle: 0, topologyVersion: 0, parts: 0 })))],
    ['actors', text(actors.map((actor) => ({ ...actor.save(), grips: 0 })))],
    ['picks', text(picks.map((pick) => ({ ...pick.save(), body: place.get(pick.body.handle) })))],
    ['pairs', text(pairs.save().map((pair) => ({ ...pair, a: place.get(pair.a), b: place.get(pair.b) })))],
    ['order', text(sweep.save(bodies))],
  ];
  return new Map([
    ...records,
    ...KEPT.map((name): [string, Uint8Array] => {
      const used = state.views[name].slice(0, usedOf(LAYOUT[name], state.count));
      return [name, new Uint8Array(used.buffer)];
    }),
  ]);
}

/** One hash of the state itself, independent of what snapshots share, and of the other content of a snapshot. */
export function hashOf(world: World): string {
  const hash = new Hash();
  for (const name of KEPT) hash.bytes(world.state.views[name].subarray(0, usedOf(LAYOUT[name], world.state.count)));
  const snapshot = world.snapshot();
  // Versions are never reused, not even for the same topology.
  const bodies = snapshot.bodies.map((body) => ({ ...body, topologyVersion: 0 }));
  hash.text(hashSnapshot({ ...snapshot, bodies }, hashArray));
  return hash.toString();
}

/** Names of the arrays in which a snapshot just taken differs from the state: shared arrays must still be equal. */
export function staleArrays({ state }: World, { arrays }: Snapshot): string[] {
  const bytes = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => new Uint8Array(buffer, byteOffset, byteLength);
  return KEPT.filter((name) => {
    const used = state.views[name].subarray(0, usedOf(LAYOUT[name], state.count));
    return Buffer.compare(bytes(arrays[name]), bytes(used)) !== 0;
  });
}

/** Names of the arrays that differ. */
export function differences(a: Map<string, Uint8Array>, b: Map<string, Uint8Array>): string[] {
  return [...a.keys()].filter((name) => Buffer.compare(a.get(name)!, b.get(name)!) !== 0);
}

/**
 * Fills with NaN all scratch without an `idle` value, or all scratch if `all`: a stage that reads it before writing
 * shows.
 */
export function spoilScratch({ state }: World, all = false): void {
  for (const name of ARRAY_NAMES) {
    const { kind, idle }: ArrayLayout = LAYOUT[name];
    const view = state.views[name];
    if (kind === 'scratch' && (all || idle === undefined))
      new Uint8Array(view.buffer, view.byteOffset, view.byteLength).fill(0xff);
  }
}
