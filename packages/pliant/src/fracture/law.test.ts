import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import { BACKENDS } from '../kernels/kernels.js';
import { largestEigenvalue } from '../math/symmetric.js';
import { worldWith } from '../testing/bodies.js';
import type { World } from '../world.js';
import type { FractureOptions } from './options.js';

const BOX = {
  shape: { type: 'box', size: [1, 0.6, 0.4] },
  sampling: { method: 'grid', spacing: 0.08 },
  contact: { mode: 'none' },
} as const;

describe('fracture.length', () => {
  it('is by default the cube root of a twentieth of the volume, and stays in parts that come off', async () => {
    const { world, body } = await worldWith({ ...BOX, material: { young: 1e5, toughness: 0.1 } });
    const expected = Math.cbrt((1 * 0.6 * 0.4) / 20);
    expect(body.fracture.length / expected).toBeGreaterThan(0.9);
    expect(body.fracture.length / expected).toBeLessThan(1.1);
    world.cut(body, { point: [0, 0, 0], normal: [1, 0, 0] });
    world.separate(body);
    expect(world.bodies.length).toBe(2);
    for (const each of world.bodies) expect(each.fracture.length).toBe(body.fracture.length);
  });

  it('needs an elastic law', async () => {
    const { body } = await worldWith({ ...BOX, material: { toughness: 0.1, raw: {} } });
    expect(body.fracture.length).toBe(0);
    const message = await worldWith({ ...BOX, material: { raw: {} }, fracture: { length: 0.1 } }).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message).toContain('fracture.length is 0.1; expected nothing without young');
  });
});

describe('a narrow band that is stretched by more than twice the toughness', () => {
  const TOUGHNESS = 0.1;

  /** Splits in the first step of a body whose middle is pulled apart by `way` m within 0.1 m; `cracked`: its clusters have split before. */
  async function splitsOf(way: number, cracked: boolean): Promise<number> {
    const { world, body } = await worldWith({
      ...BOX,
      sampling: { method: 'grid', spacing: 0.04 },
      material: { young: 1e4, toughness: TOUGHNESS },
      fracture: { length: 1 },
    });
    const { views: s } = world.state;
    for (let i = 0; i < body.particleCount; i++)
      body.positions[4 * i] += (way / 2) * Math.max(-1, Math.min(1, body.restPositions[3 * i] / 0.05));
    if (cracked) s.sinceSplit.fill(1, body.rows.clusterStart, body.rows.clusterEnd);
    world.step();
    let most = 0;
    for (let c = body.rows.clusterStart; c < body.rows.clusterEnd; c++)
      most = Math.max(most, largestEigenvalue(s.elastic, 6 * c) - 1);
    expect(most).toBeGreaterThan(2 * TOUGHNESS);
    return world.drainEvents().filter((event) => event.type === 'fracture').length;
  }

  it('breaks beside a crack, and elsewhere only if the mean over the length is beyond the toughness', async () => {
    expect(await splitsOf(0.04, false)).toBe(0);
    expect(await splitsOf(0.04, true)).toBeGreaterThan(0);
    expect(await splitsOf(0.3, false)).toBeGreaterThan(0);
  });
});

/** A particle that belongs to several clusters. */
function sharedParticle({ state: { views: s } }: World, { rows, particleCount }: Body): number {
  for (let i = 0; i < particleCount; i++) {
    const rank = s.gatherRank[rows.particleStart + i];
    if (s.linkStart[rank + 1] - s.linkStart[rank] > 1) return i;
  }
  throw new Error('no particle is shared');
}

describe.each(BACKENDS)('a particle that is pulled out of its clusters (%s)', (backend) => {
  const make = (fracture: FractureOptions) =>
    worldWith({ ...BOX, material: { young: 2e6, toughness: 0.05 }, fracture }, { backend });

  /** Moves a shared particle by so many spacings; returns whether it was copied within two steps. */
  function pull(world: World, body: Body, spacings: number): boolean {
    const i = sharedParticle(world, body);
    body.positions[4 * i + 2] += spacings * body.spacing!;
    world.drainEvents();
    world.step();
    world.step();
    expect(world.validate()).toEqual([]);
    return world.drainEvents().some((event) => event.type === 'fracture' && event.copies.includes(i));
  }

  /** Breaks the box: its halves part at 12 m/s. Its clusters are three times as tough after that, so that a particle that is pulled does not break them. */
  function part(world: World, body: Body): void {
    for (let i = 0; i < body.particleCount; i++)
      body.velocities[4 * i] = 6 * Math.sign(body.restPositions[3 * i] - 0.01);
    for (let n = 0; n < 6; n++) world.step();
    body.scaleToughness(new Array(body.clusterCount).fill(3));
    expect(body.pieces.count).toBeGreaterThan(1);
  }

  it('leaves them with a copy of its own once the body has broken', async () => {
    for (const [outliers, spacings, leaves] of [
      [2, 0.5, false],
      // Clusters draw it back before it is looked at.
      [2, 3, true],
      [8, 3, false],
      [Number.POSITIVE_INFINITY, 3, false],
    ] as const) {
      const { world, body } = await make({ outliers });
      part(world, body);
      const { mass, momentum } = world.measure();
      expect(pull(world, body, spacings), `${spacings} spacings of ${outliers}`).toBe(leaves);
      const after = world.measure();
      expect(Math.abs(after.mass / mass - 1)).toBeLessThan(1e-6);
      for (let a = 0; a < 3; a++) expect(Math.abs(after.momentum[a] - momentum[a]) / mass).toBeLessThan(1e-4);
    }
  });
});
