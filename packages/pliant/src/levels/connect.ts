import type { Hierarchy } from './hierarchy.js';

/** Lists of numbers: those of n are list[start[n]] … list[start[n + 1] − 1]. */
export interface Lists {
  start: Uint32Array;
  list: Uint32Array;
}

/** For each cluster: the clusters that share a particle with it, itself included. */
export function overlappingClusters(particles: number, start: Uint32Array, particle: ArrayLike<number>): Lists {
  const clusters = start.length - 1;
  const ownerOf = new Uint32Array(start[clusters]);
  for (let c = 0; c < clusters; c++) ownerOf.fill(c, start[c], start[c + 1]);
  const list = new Uint32Array(start[clusters]);
  for (let k = 0; k < list.length; k++) list[k] = particle[k];
  const held: Lists = { start, list };
  return across(held, listsBy(particles, held.list, ownerOf));
}

/**
 * Divides coarse clusters that would hold together what the clusters do not. Where the clusters that one holds fall
 * into parts that share no particle, it is divided into one coarse cluster for each part. So a body that comes apart is
 * apart in all levels, a crack can open, and every coarse cluster belongs to one piece. Weights stay: the holder of a
 * divided cluster holds each part with the same weight.
 */
export function divideByConnection(hierarchy: Hierarchy, clusters: Lists): Hierarchy {
  const level = Array.from(hierarchy.level);
  const [child, parent] = [Array.from(hierarchy.child), Array.from(hierarchy.parent)];
  const from = Array.from(child.keys());
  const highest = level.reduce((most, at) => Math.max(most, at), 0);
  let below = clusters;
  for (let at = 1; at <= highest; at++) {
    const held = tiesTo(at, level, parent);
    const children = listsBy(level.length, pick(parent, held), held);
    const whole = level.length;
    const parts = new Parts(below);
    for (let c = 0; c < whole; c++) {
      const mine = children.list.subarray(children.start[c], children.start[c + 1]);
      const more = parts.find(mine, child) - 1;
      if (more <= 0) continue;
      const above = Array.from(child.keys()).filter((t) => child[t] === c && level[parent[t]] === at + 1);
      for (const t of mine) {
        const part = parts.of[child[t]];
        if (part > 0) parent[t] = level.length + part - 1;
      }
      for (let n = 0; n < more; n++) {
        for (const t of above) {
          child.push(level.length);
          parent.push(parent[t]);
          from.push(from[t]);
        }
        level.push(at);
      }
    }
    if (at < highest) below = neighboursAbove(held, child, parent, below, level.length);
  }
  // Nearly always nothing was divided.
  return level.length === hierarchy.level.length ? hierarchy : renumber(hierarchy, level, child, parent, from);
}

/** The ties to clusters of one level, ascending. */
function tiesTo(at: number, level: number[], parent: number[]): Uint32Array {
  const ties = new Uint32Array(parent.length);
  let count = 0;
  for (let t = 0; t < parent.length; t++) if (level[parent[t]] === at) ties[count++] = t;
  return ties.slice(0, count);
}

/** Parts into which the clusters fall that one coarse cluster holds. */
class Parts {
  /** Part of each cluster held by the coarse cluster that was asked for last. Parts are numbered from 0 in the order of their first ties. */
  readonly of: Int32Array;
  private readonly waiting: Uint32Array;

  constructor(private readonly below: Lists) {
    this.of = new Int32Array(below.start.length - 1).fill(ELSEWHERE);
    this.waiting = new Uint32Array(this.of.length);
  }

  /** Finds the parts of what these ties hold, by connection in `below`; returns their number. */
  find(ties: Uint32Array, child: number[]): number {
    const { of, waiting, below } = this;
    for (const c of this.last) of[c] = ELSEWHERE;
    this.last = pick(child, ties);
    for (const c of this.last) of[c] = UNFOUND;
    let count = 0;
    for (const first of this.last) {
      if (of[first] !== UNFOUND) continue;
      waiting[0] = first;
      of[first] = count;
      for (let left = 1; left > 0; ) {
        const c = waiting[--left];
        const end = below.start[c + 1];
        for (let k = below.start[c]; k < end; k++) {
          const other = below.list[k];
          if (of[other] !== UNFOUND) continue;
          of[other] = count;
          waiting[left++] = other;
        }
      }
      count++;
    }
    return count;
  }

  private last: Uint32Array = new Uint32Array(0);
}

/** In `Parts.of`: held by another coarse cluster; held, and its part is not known yet. */
const ELSEWHERE = -2;
const UNFOUND = -1;

/** Those of the values that lie at the given places. */
function pick(values: ArrayLike<number>, places: Uint32Array): Uint32Array {
  const picked = new Uint32Array(places.length);
  for (let k = 0; k < places.length; k++) picked[k] = values[places[k]];
  return picked;
}

/** Coarse clusters of one level that hold the same child, or children that are next to each other. */
function neighboursAbove(ties: Uint32Array, child: number[], parent: number[], below: Lists, coarse: number): Lists {
  const [held, holder] = [pick(child, ties), pick(parent, ties)];
  const reach = across(listsBy(coarse, holder, held), below);
  return across(reach, listsBy(below.start.length - 1, held, holder));
}

/** Sorts coarse clusters by level, keeping their order within a level, and renumbers ties accordingly. */
function renumber(old: Hierarchy, level: number[], child: number[], parent: number[], from: number[]): Hierarchy {
  const order = Array.from(level.keys()).sort((a, b) => level[a] - level[b] || a - b);
  const number = new Uint32Array(level.length);
  order.forEach((c, n) => {
    number[c] = n;
  });
  const rest = new Float64Array(12 * from.length);
  from.forEach((t, n) => {
    rest.set(old.rest.subarray(12 * t, 12 * t + 12), 12 * n);
  });
  return {
    level: Uint32Array.from(order, (c) => level[c]),
    child: Uint32Array.from(child, (c, t) => (level[parent[t]] === 1 ? c : number[c])),
    parent: Uint32Array.from(parent, (c) => number[c]),
    weight: Float64Array.from(from, (t) => old.weight[t]),
    rest,
  };
}

/** Lists the values of each of `count` keys, in the order given. */
export function listsBy(count: number, key: ArrayLike<number>, value: ArrayLike<number>): Lists {
  const start = new Uint32Array(count + 1);
  for (let k = 0; k < key.length; k++) start[key[k] + 1]++;
  for (let n = 0; n < count; n++) start[n + 1] += start[n];
  const next = start.slice();
  const list = new Uint32Array(key.length);
  for (let k = 0; k < key.length; k++) list[next[key[k]]++] = value[k];
  return { start, list };
}

/** For each n: all numbers reached by a step in `a` followed by one in `b`, each once. */
function across(a: Lists, b: Lists): Lists {
  let most = 0;
  for (let k = 0; k < b.list.length; k++) most = Math.max(most, b.list[k]);
  const seenBy = new Int32Array(most + 1).fill(-1);
  const start = new Uint32Array(a.start.length);
  let list: Uint32Array = new Uint32Array(2 * a.list.length);
  let end = 0;
  for (let n = 0; n < a.start.length - 1; n++) {
    const past = a.start[n + 1];
    for (let k = a.start[n]; k < past; k++) {
      const last = b.start[a.list[k] + 1];
      for (let j = b.start[a.list[k]]; j < last; j++) {
        const other = b.list[j];
        if (seenBy[other] === n) continue;
        seenBy[other] = n;
        if (end === list.length) list = widened(list);
        list[end++] = other;
      }
    }
    start[n + 1] = end;
  }
  return { start, list: list.slice(0, end) };
}

function widened(list: Uint32Array): Uint32Array {
  const wider = new Uint32Array(2 * list.length + 16);
  wider.set(list);
  return wider;
}
