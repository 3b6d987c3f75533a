import { checkInteger, checkKeys } from './check.js';

/**
 * Which things meet, by 32 groups that are the bits of two numbers, as in Rapier. Two things a and b meet if each is in a group that the other one's
 * filter has: `a.membership & b.filter` and `b.membership & a.filter` are both not 0.
 *
 * Bodies and colliders have groups, and a query may have them. They do not affect contact of a body with itself.
 */
export interface Groups {
  /** The groups it is a member of: bit k stands for group k, 0 to 31. An integer in [0, 0xffffffff]. Default: all. */
  readonly membership: number;
  /** The groups it meets. An integer in [0, 0xffffffff]. Default: all. */
  readonly filter: number;
}

const EVERY = 0xffffffff;

/** The default groups: a member of all groups that meets all groups. */
export const ALL_GROUPS: Groups = Object.freeze({ membership: EVERY, filter: EVERY });

/** Checks groups given by a user; a number that is left out means all groups. */
export function resolveGroups(path: string, value: Partial<Groups> = ALL_GROUPS): Groups {
  checkKeys(path, value, ['membership', 'filter']);
  const { membership = EVERY, filter = EVERY } = value;
  const bits = { min: 0, max: EVERY };
  checkInteger(`${path}.membership`, membership, bits);
  checkInteger(`${path}.filter`, filter, bits);
  return membership === EVERY && filter === EVERY ? ALL_GROUPS : Object.freeze({ membership, filter });
}

/** Whether two things meet. */
export const groupsMeet = (a: Groups, b: Groups): boolean =>
  (a.membership & b.filter) !== 0 && (b.membership & a.filter) !== 0;

/** The groups in a record of a snapshot. The default is left out, so that snapshots without groups do not change. */
export const groupsRecord = (groups: Groups): { groups?: Groups } =>
  groups === ALL_GROUPS ? {} : { groups: { membership: groups.membership, filter: groups.filter } };
