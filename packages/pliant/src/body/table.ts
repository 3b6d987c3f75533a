import { checkInteger, refuse } from '../check.js';
import type { Body } from './body.js';

/** A handle is slot + generation · 2²⁰: a million bodies at once, each slot reused four billion times. */
const SLOTS = 1 << 20;

/** The bodies of a world by handle. A handle is given out once, also if a restored snapshot removes bodies. */
export class BodyTable {
  /** In the order in which they were added. */
  list: Body[] = [];
  private readonly slots: { generation: number; body: Body | undefined }[] = [];

  /** The handle of the next body. */
  newHandle(): number {
    const slot = this.slots.findIndex((s) => s.body === undefined);
    if (slot >= 0) return slot + SLOTS * this.slots[slot].generation;
    return this.slots.push({ generation: 0, body: undefined }) - 1;
  }

  /** Puts a body into its slot. The world adds it to the list. */
  seat(body: Body): void {
    this.slots[body.handle % SLOTS].body = body;
  }

  get(handle: number): Body {
    checkInteger('handle', handle, { min: 0 });
    const slot = this.slots[handle % SLOTS];
    if (!slot?.body || slot.body.handle !== handle)
      refuse(
        'handle',
        handle,
        slot ? 'the handle of a body that was not removed' : 'a handle that this world gave out',
      );
    return slot.body;
  }

  remove(body: Body): void {
    this.list = this.list.filter((b) => b !== body);
    this.vacate(body);
  }

  /** Makes these the bodies of the world. Present ones that are not among them are removed. */
  replaceBodies(bodies: Body[]): void {
    for (const body of this.list) if (!bodies.includes(body)) this.vacate(body);
    for (const slot of this.slots) slot.body = undefined;
    for (const body of bodies) {
      const at = body.handle % SLOTS;
      while (this.slots.length <= at) this.slots.push({ generation: 0, body: undefined });
      const slot = this.slots[at];
      slot.body = body;
      slot.generation = Math.max(slot.generation, Math.floor(body.handle / SLOTS));
    }
    this.list = bodies;
  }

  private vacate(body: Body): void {
    const slot = this.slots[body.handle % SLOTS];
    slot.body = undefined;
    slot.generation++;
    body.core.removed = true;
  }
}
