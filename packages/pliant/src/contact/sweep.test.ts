import { beforeEach, describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/options.js';
import { random } from '../math/random.js';
import { boxPad } from '../proxy/contactShape.js';
import { testSeed } from '../testing/seed.js';
import { World } from '../world.js';
import { boundBodies, perturb } from './testing/clouds.js';

/** The pairs that the world's sweep finds, as `lower higher`. */
function found(world: World): string[] {
  world.core.sweep.find(world);
  const { first, second, count } = world.core.sweep;
  return Array.from({ length: count }, (_, n) => `${first[n]} ${second[n]}`).sort();
}

const takesPart = ({ core: { contact }, enabled }: Body) => enabled && contact.settings.mode !== 'none';

/** Every body against every other. */
function expected({ bodies, state: { views } }: World): string[] {
  const { treeBox: b } = views;
  const pairs: string[] = [];
  for (let m = 0; m < bodies.length; m++)
    for (let n = m + 1; n < bodies.length; n++) {
      const [p, q] = [bodies[m], bodies[n]];
      if (!takesPart(p) || !takesPart(q) || (p.asleep && q.asleep)) continue;
      const [i, j] = [16 * p.rows.clusterStart, 16 * q.rows.clusterStart];
      if ([0, 1, 2].every((a) => b[i + a] <= b[j + 4 + a] && b[j + a] <= b[i + 4 + a])) pairs.push(`${m} ${n}`);
    }
  return pairs.sort();
}

/** Four points in a box of up to `size`, somewhere in a space of these lengths. */
function randomBody(next: () => number, space: number[], size = 0.6): BodyOptions {
  const lengths = [0, 1, 2].map(() => size * next());
  return {
    points: Array.from({ length: 12 }, (_, k) => lengths[k % 3] * next()),
    clustering: { count: 1 + Math.floor(2 * next()) },
    position: [space[0] * next(), space[1] * next(), space[2] * next()],
  };
}

describe('the pairs of bodies whose boxes meet', () => {
  let world: World;
  beforeEach(async () => {
    world = await World.create({ backend: 'ts' });
  });

  it('are found while they move and bodies come and go, none twice', () => {
    const next = random(testSeed('sweep'));
    const pick = () => world.bodies[Math.floor(world.bodies.length * next())];
    let [pairs, all] = [0, 0];
    for (let step = 0; step < 120; step++) {
      // Long in x, then in y, then in z: the axis along which they are sorted changes.
      const space = [1, 1, 1];
      space[Math.floor(step / 40)] = 12;
      while (world.bodies.length < 30 || next() < 0.3) world.addBody(randomBody(next, space));
      while (world.bodies.length > 45 || next() < 0.3) world.removeBody(pick());
      // Most drift, some leap to the other end.
      perturb(world, next, 0.3);
      const { x, xOld } = world.state.views;
      const { rows } = pick();
      for (let o = 4 * rows.particleStart; o < 4 * rows.particleEnd; o += 4)
        x[o + (step % 3)] = xOld[o + (step % 3)] = 12 * next();
      boundBodies(world);
      const right = expected(world);
      expect(found(world)).toEqual(right);
      // Asked again without a move, it says the same.
      expect(found(world)).toEqual(right);
      pairs += right.length;
      all += (world.bodies.length * (world.bodies.length - 1)) / 2;
    }
    expect(pairs).toBeGreaterThan(1000);
    expect(all - pairs).toBeGreaterThan(10_000);
  });

  it('are as many as there are, of bodies that are all in one place', () => {
    const next = random(testSeed('crowd'));
    for (let k = 0; k < 40; k++) world.addBody({ points: [0, 0, 0, 1, 1, 1, next(), next(), next()] });
    boundBodies(world);
    expect(found(world).length).toBe((40 * 39) / 2);
    expect(new Set(found(world)).size).toBe((40 * 39) / 2);
  });

  it('meet where their borders do', () => {
    for (let k = 0; k < 2; k++) world.addBody({ points: [k, 0, 0] });
    const { treeBox } = world.state.views;
    const [first, second] = world.bodies.map(({ rows }) => 16 * rows.clusterStart);
    for (let axis = 0; axis < 3; axis++)
      for (const side of [-1, 1])
        for (const shift of [0, 9])
          for (const gap of [0, 2 ** -20]) {
            // Two beams beside each other, shifted along another axis or not: they are sorted along that one if they are.
            const low = [0, 0, 0];
            low[axis] = side * (1 + gap);
            low[(axis + 1) % 3] = shift;
            const size = [1, 1, 1];
            size[(axis + 1) % 3] = 10;
            treeBox.set([0, 0, 0, 0, ...size, 0], first);
            treeBox.set([...low, 0, ...low.map((v, a) => v + size[a]), 0], second);
            expect(found(world)).toEqual(gap === 0 ? ['0 1'] : []);
          }
  });

  it('leave out those that both sleep, are switched off, or meet none', () => {
    const next = random(testSeed('left out'));
    for (let k = 0; k < 40; k++)
      world.addBody({ ...randomBody(next, [2, 2, 2], 1.5), contact: { mode: next() < 0.2 ? 'none' : 'proxies' } });
    boundBodies(world);
    const awake = expected(world);
    for (const body of world.bodies) {
      if (next() < 0.5) body.sleep();
      if (next() < 0.1) body.enabled = false;
    }
    const some = expected(world);
    expect(found(world)).toEqual(some);
    expect(some.length).toBeLessThan(awake.length);
    // One of two may sleep.
    const asleep = (pair: string) => pair.split(' ').filter((k) => world.bodies[Number(k)].asleep).length;
    expect(new Set(some.map(asleep))).toEqual(new Set([0, 1]));
    for (const body of world.bodies) body.sleep();
    expect(found(world)).toEqual([]);
  });

  it('are found where only the surface of a body whose box holds its particles comes to another', () => {
    const box: BodyOptions = {
      shape: { type: 'box', size: [0.5, 0.5, 0.5] },
      sampling: { method: 'grid', spacing: 0.1 },
      clustering: { count: 4 },
    };
    const one = world.addBody({ ...box, contact: { exits: 'planes', fraction: 0 } });
    const { pad: reach } = one.core.contact;
    expect([boxPad(one.core.contact), reach > 0.04]).toEqual([0, true]);
    const pairsAt = (gap: number) => {
      const other = world.addBody({ ...box, position: [0.4 + gap, 0, 0] });
      boundBodies(world);
      const pairs = found(world);
      world.removeBody(other);
      return pairs.length;
    };
    // The outermost particles are 0.2 m from the centres.
    expect(pairsAt(1.9 * reach)).toBe(1);
    expect(pairsAt(2.1 * reach)).toBe(0);
  });

  it('are not hidden by a body whose box is no longer finite', () => {
    const next = random(testSeed('not finite'));
    for (let k = 0; k < 30; k++) world.addBody(randomBody(next, [6, 1, 1]));
    for (let step = 0; step < 10; step++) {
      perturb(world, next, 2);
      boundBodies(world);
      for (const [k, value] of [Number.NaN, Number.POSITIVE_INFINITY, Number.NaN].entries()) {
        const o = 16 * world.bodies[10 * k + step].rows.clusterStart;
        world.state.views.treeBox.fill(value, o, o + 8);
      }
      const right = expected(world);
      expect(found(world)).toEqual(right);
      expect(right.length).toBeGreaterThan(5);
    }
  });
});
