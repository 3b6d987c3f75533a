import type { Body, World } from 'pliant';
import type { CutDescription } from './description.js';

/**
 * Carries out a scene's cuts at their times. A cut names a body as the scene does: it cuts that body and everything
 * that was cut off it. Call `due()` before every step.
 */
export class Cuts {
  private next = 0;
  /** The present bodies that came of each body of the scene, by its name. */
  private readonly parts = new Map<string, Set<Body>>();

  constructor(
    private readonly world: World,
    private readonly list: readonly CutDescription[],
  ) {
    for (const body of world.bodies) this.parts.set(body.name, new Set([body]));
  }

  /** To be called after the world was restored to another time: earlier cuts count as done, later ones wait again. */
  rewind(): void {
    const { time, dt } = this.world;
    this.next = this.list.filter(({ at }) => at <= time - dt / 2).length;
  }

  /** Makes the cuts that are due; returns how many met something. */
  due(): number {
    const { world, list } = this;
    let met = 0;
    // Times are sums of steps: half a step of tolerance.
    for (; this.next < list.length && list[this.next].at <= world.time + world.dt / 2; this.next++) {
      const { body: name, options } = list[this.next];
      this.adopt();
      for (const [root, bodies] of this.parts) {
        if (name !== undefined && name !== root) continue;
        for (const body of Array.from(bodies)) {
          // A removed body may come back with a snapshot.
          if (!body.alive) continue;
          const result = world.cut(body, options);
          if (result.met) met++;
          for (const part of result.bodies) bodies.add(part);
        }
      }
    }
    return met;
  }

  /**
   * Finds bodies that came off others without a cut of this object: by `separate`, or before a snapshot of another
   * world. A piece has the name of its whole with a number appended.
   */
  private adopt(): void {
    for (const body of this.world.bodies) {
      let root = body.name;
      while (!this.parts.has(root) && LAST_NUMBER.test(root)) root = root.replace(LAST_NUMBER, '');
      this.parts.get(root)?.add(body);
    }
  }
}

const LAST_NUMBER = / \d+$/;
