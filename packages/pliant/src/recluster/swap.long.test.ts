import { describe, expect, it } from 'vitest';
import { report } from '../testing/report.js';
import type { ReclusterSpace } from './options.js';
import { drawn, step } from './testing/bars.js';

describe('where new clusters are laid out', () => {
  /** In how far the first swap of a bar that is drawn and turned moves it, as a share of its speed a step later, against a twin without one. */
  async function swap(space: ReclusterSpace): Promise<{ jump: number; added: number; removed: number }> {
    const options = { threshold: 1.6, every: 8 / 60, space };
    const [own, twin] = [await drawn(options, 0.2, 4), await drawn(options, 0.2, 4)];
    Object.assign(twin.body.reclustering, { every: 1e9 });
    let n = 0;
    let { added, removed } = step(own.world);
    twin.world.step();
    for (; added === 0; n++) {
      expect(n).toBeLessThan(100);
      added = step(own.world).added;
      twin.world.step();
    }
    step(own.world);
    twin.world.step();
    const [v, u] = [own.body.velocities, twin.body.velocities];
    let [off, speed] = [0, 0];
    for (let o = 0; o < v.length; o++) {
      off += (v[o] - u[o]) ** 2;
      speed += u[o] ** 2;
    }
    for (n = 0; n < 120; n++) {
      const more = step(own.world);
      added += more.added;
      removed += more.removed;
      expect(own.world.validate()).toEqual([]);
    }
    expect(own.body.enabled).toBe(true);
    expect(own.world.positions.every(Number.isFinite)).toBe(true);
    return { jump: Math.sqrt(off / speed), added, removed };
  }

  it('tells in what moves: without rotations twice as much as with them, in world space three times', async () => {
    const [embedded, linear, world] = [await swap('embedded'), await swap('linear'), await swap('world')];
    report('jump at a swap as a share of the rms speed, clusters that came and went', { embedded, linear, world }, '');
    for (const { added, removed } of [embedded, linear, world]) {
      expect(added).toBeGreaterThan(20);
      expect(removed).toBeGreaterThan(20);
    }
    expect(embedded.jump).toBeLessThan(0.01);
    expect(linear.jump).toBeGreaterThan(1.3 * embedded.jump);
    expect(world.jump).toBeGreaterThan(2.2 * embedded.jump);
  });
});
