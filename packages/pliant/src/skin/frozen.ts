import { Row } from '../state/fields.js';
import type { Views } from '../state/layout.js';
import type { Rows } from '../state/rows.js';
import type { Pieces } from '../topology/pieces.js';

/** Arrays of the state that tearing and binding a render mesh read. */
const CLUSTER_ARRAYS = [
  'restShift',
  'width',
  'fromRest',
  'clusterMass',
  'softness',
  'bendAxes',
  'bendRest',
  'bendInverse',
] as const;

/**
 * Particles and clusters of one body at one topology, copied out of the state, so that a render mesh can be torn and
 * bound by them while the body goes on to break. Rows count from 0.
 */
export interface Frozen {
  readonly topologyVersion: number;
  readonly s: Views;
  readonly rows: Rows;
  readonly pieces: Pieces;
}

export function freeze(s: Views, rows: Rows, topologyVersion: number, pieces: Pieces): Frozen {
  const { particleStart, particleEnd, clusterStart, clusterEnd } = rows;
  const particles = particleEnd - particleStart;
  const clusters = clusterEnd - clusterStart;
  const [firstLink, lastLink] = [s.linkStart[particleStart], s.linkStart[particleEnd]];
  const [firstMember, lastMember] = [s.memberStart[clusterStart], s.memberStart[clusterEnd]];
  const copy: Partial<Record<keyof Views, unknown>> = {
    x: s.x.slice(Row.x * particleStart, Row.x * particleEnd),
    builtMass: s.builtMass.slice(particleStart, particleEnd),
    ancestor: s.ancestor.slice(particleStart, particleEnd),
    gatherRank: lowered(s.gatherRank, particleStart, particleEnd, particleStart),
    linkStart: lowered(s.linkStart, particleStart, particleEnd + 1, firstLink),
    linkCluster: lowered(s.linkCluster, firstLink, lastLink, clusterStart),
    link: s.link.slice(Row.link * firstLink, Row.link * lastLink),
    memberStart: lowered(s.memberStart, clusterStart, clusterEnd + 1, firstMember),
    memberParticle: lowered(s.memberParticle, firstMember, lastMember, particleStart),
    member: s.member.slice(Row.member * firstMember, Row.member * lastMember),
  };
  for (const name of CLUSTER_ARRAYS) copy[name] = s[name].slice(Row[name] * clusterStart, Row[name] * clusterEnd);
  return {
    topologyVersion,
    s: copy as Views,
    rows: {
      ...rows,
      particleStart: 0,
      particleEnd: particles,
      clusterStart: 0,
      clusterEnd: clusters,
    },
    pieces,
  };
}

/** Whether the body still has the frozen particles, under the same numbers; it may have more. */
export function stillHas(s: Views, { particleStart, particleEnd }: Rows, frozen: Frozen): boolean {
  const { ancestor } = frozen.s;
  if (particleEnd - particleStart < ancestor.length) return false;
  for (let i = 0; i < ancestor.length; i++) if (s.ancestor[particleStart + i] !== ancestor[i]) return false;
  return true;
}

/** Moves the frozen particles to where they are now. */
export function moveFrozen(frozen: Frozen, { x }: Views, { particleStart }: Rows): void {
  const into = frozen.s.x;
  const from = Row.x * particleStart;
  for (let o = 0; o < into.length; o++) into[o] = x[from + o];
}

function lowered(list: Uint32Array, start: number, end: number, by: number): Uint32Array {
  const out = list.slice(start, end);
  for (let n = 0; n < out.length; n++) out[n] -= by;
  return out;
}
