import type { Body } from '../body/body.js';
import { groupsMeet } from '../groups.js';
import { beyondBoxes } from '../proxy/contactShape.js';
import type { World } from '../world.js';

/**
 * Sweep and prune: finds pairs of bodies whose boxes meet. Bodies stay sorted along the axis on which they are spread most. Few bodies
 * change places from step to step, so insertion sort needs about one comparison for each body. Only boxes that overlap along that axis are
 * compared.
 */
export class BodySweep {
  count = 0;
  /** The pairs, as indices into world.bodies; the lower one first. */
  first: Uint32Array = new Uint32Array(64);
  second: Uint32Array = new Uint32Array(64);
  private order = new Uint32Array(0);
  private bodies: readonly Body[] = [];

  find({ bodies, state }: World): void {
    if (this.bodies !== bodies || this.order.length !== bodies.length) {
      this.bodies = bodies;
      this.order = Uint32Array.from(bodies.keys());
    }
    const { treeBox: b } = state.views;
    const axis = widestAxis(b, bodies);
    this.sort(b, axis);
    this.count = 0;
    const { order } = this;
    let most = 0;
    for (let k = 0; k < bodies.length; k++) most = Math.max(most, beyondOf(bodies[k]));
    for (let m = 0; m < order.length; m++) {
      const p = bodies[order[m]];
      if (!meetsOthers(p)) continue;
      const i = 16 * p.rows.clusterStart;
      for (let n = m + 1; n < order.length; n++) {
        const q = bodies[order[n]];
        const j = 16 * q.rows.clusterStart;
        if (b[j + axis] > b[i + 4 + axis] + 2 * most) break;
        if (!meetsOthers(q) || (p.asleep && q.asleep) || !groupsMeet(p.groups, q.groups)) continue;
        const beyond = most > 0 ? beyondOf(p) + beyondOf(q) : 0;
        if (
          b[i] <= b[j + 4] + beyond &&
          b[i + 1] <= b[j + 5] + beyond &&
          b[i + 2] <= b[j + 6] + beyond &&
          b[j] <= b[i + 4] + beyond &&
          b[j + 1] <= b[i + 5] + beyond &&
          b[j + 2] <= b[i + 6] + beyond
        )
          this.add(order[m], order[n]);
      }
    }
  }

  /**
   * For snapshots: the order of the bodies; empty if the list of bodies has changed since the order was found. The order is saved because
   * bodies whose boxes begin at the same coordinate keep their previous order.
   */
  save(bodies: readonly Body[]): Uint32Array {
    return this.bodies === bodies && this.order.length === bodies.length ? this.order.slice() : new Uint32Array(0);
  }

  load(bodies: readonly Body[], order: Uint32Array): void {
    this.bodies = bodies;
    this.order = order.slice();
  }

  private sort(b: Float32Array, axis: number): void {
    const { order, bodies } = this;
    const low = (k: number) => b[16 * bodies[k].rows.clusterStart + axis];
    for (let m = 1; m < order.length; m++) {
      const k = order[m];
      let n = m;
      // The negated comparison moves past NaN. With `>` a NaN box (of a body that is to be quarantined, or was) would block the sort of the
      // others.
      for (; n > 0 && !(low(order[n - 1]) <= low(k)); n--) order[n] = order[n - 1];
      order[n] = k;
    }
  }

  private add(a: number, b: number): void {
    if (this.count === this.first.length)
      for (const name of ['first', 'second'] as const) {
        const wider = new Uint32Array(2 * this.count);
        wider.set(this[name]);
        this[name] = wider;
      }
    this.first[this.count] = Math.min(a, b);
    this.second[this.count++] = Math.max(a, b);
  }
}

const meetsOthers = ({ core: { contact }, enabled }: Body) => enabled && contact.settings.mode !== 'none';

/** How far the surface of a body lies beyond its box (m). The box of a body with the exits 'planes' holds its particles alone. */
const beyondOf = ({ core: { contact } }: Body) => beyondBoxes(contact);

/** The axis with the largest variance of box centres. */
function widestAxis(b: Float32Array, bodies: readonly Body[]): number {
  let [x, y, z, xx, yy, zz] = [0, 0, 0, 0, 0, 0];
  for (let k = 0; k < bodies.length; k++) {
    const o = 16 * bodies[k].rows.clusterStart;
    const mx = b[o] + b[o + 4];
    const my = b[o + 1] + b[o + 5];
    const mz = b[o + 2] + b[o + 6];
    x += mx;
    y += my;
    z += mz;
    xx += mx * mx;
    yy += my * my;
    zz += mz * mz;
  }
  const count = bodies.length;
  let [best, most] = [0, -1];
  const look = (axis: number, variance: number) => {
    if (variance > most) [best, most] = [axis, variance];
  };
  look(0, xx - (x * x) / count);
  look(1, yy - (y * y) / count);
  look(2, zz - (z * z) / count);
  return best;
}
