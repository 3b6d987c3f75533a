import type { Body } from '../body/body.js';
import { squared } from '../math/elementary.js';
import { FEEBLE, type SurfaceTouch } from '../meshContact/index.js';
import { CONTACT_ROW, ContactRow } from '../state/contactRow.js';
import type { Views } from '../state/layout.js';
import type { World } from '../world.js';

/** Two bodies that touched in the last step. The same object lasts as long as they touch; every step rewrites it. */
export interface ContactPair {
  /** One of the two. */
  readonly a: Body;
  /** The other. */
  readonly b: Body;
  /** Mean of the places of contact, weighted by impulse (m). */
  readonly position: [number, number, number];
  /** Mean direction from b to a, of length 1; 0 if the contacts cancel each other. */
  readonly normal: [number, number, number];
  /** Impulse that b gave a in the last step (N s); a gave b the opposite. */
  readonly impulse: [number, number, number];
  /** Number of particles in contact, or of vertices where surfaces meet. */
  count: number;
  /** World time (s) of the first step of this contact. */
  readonly since: number;
  /** World frame of the last step in which they touched. */
  frame: number;
  /** Sum of the lengths of the impulses on all particles (N s). */
  weight: number;
}

/** A pair in a snapshot, with handles in place of bodies. */
export type PairRecord = Omit<ContactPair, 'a' | 'b'> & { readonly a: number; readonly b: number };

/** All pairs of bodies in contact. A step allocates only when two bodies begin to touch. */
export class ContactPairs {
  readonly list: ContactPair[] = [];
  private readonly byBody = new Map<Body, Map<Body, ContactPair>>();

  /** The pair of two bodies. The first call in a step sets its sums to 0. */
  touch(world: World, a: Body, b: Body): ContactPair {
    let others = this.byBody.get(a);
    if (!others) this.byBody.set(a, (others = new Map()));
    let pair = others.get(b);
    if (!pair) {
      pair = {
        a,
        b,
        position: [0, 0, 0],
        normal: [0, 0, 0],
        impulse: [0, 0, 0],
        count: 0,
        since: world.time,
        frame: -1,
        weight: 0,
      };
      others.set(b, pair);
      this.list.push(pair);
    }
    if (pair.frame !== world.frame) {
      pair.frame = world.frame;
      pair.count = pair.weight = 0;
      pair.position.fill(0);
      pair.normal.fill(0);
      pair.impulse.fill(0);
    }
    return pair;
  }

  /**
   * Ends the contact stage: emits `touch` for new pairs, removes pairs that no longer touch and emits `part` for them. Pairs of sleeping
   * bodies stay.
   */
  close(world: World): void {
    // Bodies touch in a step if they touch in any of its substeps.
    if (world.core.substepsLeft > 1) return;
    let kept = 0;
    for (const pair of this.list) {
      const { a, b } = pair;
      const resting = a.alive && b.alive && !a.active && !b.active;
      if (pair.frame === world.frame && pair.weight > 0) finish(pair);
      if (pair.frame === world.frame || resting) {
        if (pair.since >= world.core.stepTime && pair.frame === world.frame) emitTouch(world, pair);
        this.list[kept++] = pair;
        continue;
      }
      this.byBody.get(a)?.delete(b);
      if (a.alive && b.alive) world.core.emit({ type: 'part', bodies: [a, b], time: world.time });
    }
    this.list.length = kept;
  }

  /** For snapshots. */
  save(): PairRecord[] {
    return this.list.map((pair) => ({ ...copyOf(pair), a: pair.a.handle, b: pair.b.handle }));
  }

  load(records: readonly PairRecord[], bodyOf: (handle: number) => Body): void {
    this.byBody.clear();
    this.list.length = 0;
    for (const record of records) {
      const pair: ContactPair = { ...copyOf(record), a: bodyOf(record.a), b: bodyOf(record.b) };
      this.list.push(pair);
      const others = this.byBody.get(pair.a) ?? new Map<Body, ContactPair>();
      this.byBody.set(pair.a, others.set(pair.b, pair));
    }
  }

  /** Removes all pairs of a body that was removed. */
  forget(body: Body): void {
    this.byBody.delete(body);
    for (const others of this.byBody.values()) others.delete(body);
    const rest = this.list.filter(({ a, b }) => a !== body && b !== body);
    this.list.splice(0, this.list.length, ...rest);
  }
}

const copyOf = <P extends ContactPair | PairRecord>(pair: P): P => ({
  ...pair,
  position: [...pair.position],
  normal: [...pair.normal],
  impulse: [...pair.impulse],
});

function emitTouch(world: World, { a, b, position, normal, impulse }: ContactPair): void {
  const copy = (v: readonly number[]) => [v[0], v[1], v[2]] as const;
  world.core.emit({
    type: 'touch',
    bodies: [a, b],
    position: copy(position),
    normal: copy(normal),
    impulse: copy(impulse),
    time: world.time,
  });
}

/** The pair of the bodies at two indices of world.bodies. Body a is the one that was added first. */
export function pairOf(world: World, one: number, other: number): ContactPair {
  const {
    bodies,
    core: { pairs },
  } = world;
  return pairs.touch(world, bodies[Math.min(one, other)], bodies[Math.max(one, other)]);
}

/**
 * Adds `count` contacts without impulse to a pair, by the sums of their positions and normals. `isA`: their particles belong to the pair's
 * body a.
 */
export function addTouches(pair: ContactPair, count: number, sums: Float64Array, isA: boolean): void {
  pair.count += count;
  pair.weight += FEEBLE * count;
  for (let a = 0; a < 3; a++) {
    pair.position[a] += FEEBLE * sums[a];
    pair.normal[a] += (isA ? FEEBLE : -FEEBLE) * sums[3 + a];
  }
}

/** Sums the contacts of `touching` from `from` to before `to` by pairs of bodies. A body's contacts with itself are left out. */
export function reportContacts(world: World, s: Views, from: number, to: number): void {
  for (let k = from; k < to; ) {
    const mine = s.bodyOf[s.touching[k]];
    const other = s.bodyOfCluster[s.touchCluster[s.touching[k]]];
    let last = k + 1;
    while (
      last < to &&
      s.bodyOf[s.touching[last]] === mine &&
      s.bodyOfCluster[s.touchCluster[s.touching[last]]] === other
    )
      last++;
    if (mine !== other) reportRun(world, s, k, last, mine, other);
    k = last;
  }
}

/** Adds a run of contacts between two bodies to their pair: sums are kept in local variables, which takes half the time. */
function reportRun(world: World, s: Views, from: number, to: number, mine: number, other: number): void {
  const { x, touch, touching, contactRow } = s;
  const sign = mine < other ? 1 : -1;
  let pair: ContactPair | undefined;
  let [count, weights] = [0, 0];
  let [px, py, pz, nx, ny, nz, jx, jy, jz] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (let k = from; k < to; k++) {
    const o = 4 * touching[k];
    const row = CONTACT_ROW * k;
    const along = contactRow[row + ContactRow.NORMAL_IMPULSE];
    // A contact of rigid bodies that was foreseen and did not come about.
    if (!(touch[o + 3] > 0) && along === 0) continue;
    if (!pair) {
      pair = pairOf(world, mine, other);
      ({ count, weight: weights } = pair);
      [px, py, pz] = pair.position;
      [nx, ny, nz] = pair.normal;
      [jx, jy, jz] = pair.impulse;
    }
    const gx = along * touch[o] + contactRow[row + ContactRow.FRICTION_IMPULSE];
    const gy = along * touch[o + 1] + contactRow[row + ContactRow.FRICTION_IMPULSE + 1];
    const gz = along * touch[o + 2] + contactRow[row + ContactRow.FRICTION_IMPULSE + 2];
    const weight = Math.sqrt(gx * gx + gy * gy + gz * gz) + FEEBLE;
    count++;
    px += weight * x[o];
    py += weight * x[o + 1];
    pz += weight * x[o + 2];
    nx += sign * weight * touch[o];
    ny += sign * weight * touch[o + 1];
    nz += sign * weight * touch[o + 2];
    jx += sign * gx;
    jy += sign * gy;
    jz += sign * gz;
    weights += weight;
  }
  if (!pair) return;
  pair.count = count;
  pair.weight = weights;
  pair.position[0] = px;
  pair.position[1] = py;
  pair.position[2] = pz;
  pair.normal[0] = nx;
  pair.normal[1] = ny;
  pair.normal[2] = nz;
  pair.impulse[0] = jx;
  pair.impulse[1] = jy;
  pair.impulse[2] = jz;
}

/** Adds the contacts of two bodies that met by their surfaces. Such a pair has no contacts by proxies. */
export function reportSurfaces(world: World, a: Body, b: Body, touch: SurfaceTouch): void {
  const pair = world.core.pairs.touch(world, a, b);
  pair.count += touch.count;
  pair.weight += touch.weight;
  for (let k = 0; k < 3; k++) {
    pair.position[k] += touch.position[k];
    pair.normal[k] += touch.normal[k];
    pair.impulse[k] += touch.impulse[k];
  }
}

/** Divides the sums over all substeps by the weight, and normalizes the normal. */
function finish(pair: ContactPair): void {
  const length = Math.sqrt(squared(pair.normal[0]) + squared(pair.normal[1]) + squared(pair.normal[2]));
  for (let a = 0; a < 3; a++) {
    pair.position[a] /= pair.weight;
    pair.normal[a] = length > 0 ? pair.normal[a] / length : 0;
  }
}
