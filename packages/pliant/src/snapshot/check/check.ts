import { PliantError, refuse } from '../../check.js';
import { validate } from '../../validate.js';
import type { World } from '../../world.js';
import { FORMAT } from '../format/format.js';
import type { Snapshot } from '../snapshot.js';
import { checkArrays } from './arrays.js';
import { checkBodies } from './bodies.js';
import { checkRows } from './checkRows.js';
import { checkHolders } from './holders.js';
import { snapshotRecord } from './records.js';

/**
 * Refuses a value that is no snapshot. It checks types, lengths, ranges and then all references, so that each check can
 * rely on those before it. With a value that passes, no loop leaves its arrays or runs for ever, whatever its numbers
 * are.
 */
export function checkSnapshot(snapshot: unknown): asserts snapshot is Snapshot {
  const given = snapshot as Snapshot | null | undefined;
  if (typeof given !== 'object' || given?.format !== FORMAT)
    refuse('snapshot', snapshot, `what world.snapshot() returned (${FORMAT})`);
  checkArrays(given);
  snapshotRecord('snapshot', given);
  checkRows(given);
  checkBodies(given);
  checkHolders(given);
}

/** Refuses a snapshot in which `world.validate()` would find a fault. `checkSnapshot` must have passed. */
export function checkSound(snapshot: Snapshot): void {
  const { arrays, counts, bodies } = snapshot;
  // The parts of a world that validate reads.
  const standIn = {
    state: { views: arrays, count: counts, capacity: counts },
    bodies: bodies.map(({ rows, restPositions, parts, scalars, levelStrengths }) => ({
      rows,
      restPositions,
      name: parts.name,
      clustering: parts.clustering,
      core: { history: { broken: scalars.hasBroken }, levelCount: levelStrengths?.weights.length ?? 1 },
    })),
  };
  const faults = validate(standIn as unknown as World);
  if (faults.length > 0)
    throw new PliantError(
      'snapshot',
      `snapshot is not a sound state; expected one that world.validate() finds nothing wrong with: ${faults[0]}${faults.length > 1 ? ` (and ${faults.length - 1} more)` : ''}.`,
    );
}
