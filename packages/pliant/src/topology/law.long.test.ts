import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/options.js';
import { hashOf } from '../snapshot/testing/bits.js';
import { describeElasticity } from '../state/elasticity.js';
import type { WorldOptions } from '../world/options.js';
import { World } from '../world.js';

/** Stiffer to the right, by a factor of e² over its length. */
const BAR: BodyOptions = {
  shape: { type: 'box', size: [0.8, 0.3, 0.3] },
  sampling: { method: 'grid', count: 400 },
  clustering: { count: 24 },
  material: { young: (x) => 1e5 * Math.exp(x / 0.4), poisson: 0.35 },
};

async function worldOf(options: BodyOptions, settings: WorldOptions = {}) {
  const world = await World.create(settings);
  const body = world.addBody(options);
  const { modulus } = world.state.views;
  return { world, body, built: modulus.slice(body.rows.particleStart, body.rows.particleEnd) };
}

/** Rows of `elasticity` are those of the clusters as they are now, and E/ρ of each particle is that of its ancestor. */
function expectRight({ state: { views } }: World, { rows }: Body, built: Float32Array): void {
  for (let c = rows.clusterStart; c < rows.clusterEnd; c++) {
    const before = views.elasticity.slice(12 * c, 12 * c + 12);
    expect(before[9]).toBeGreaterThan(0);
    describeElasticity(views, c);
    expect(views.elasticity.slice(12 * c, 12 * c + 12)).toEqual(before);
  }
  for (let i = rows.particleStart; i < rows.particleEnd; i++) expect(views.modulus[i]).toBe(built[views.ancestor[i]]);
}

describe('the elastic law after changes of topology', () => {
  it('of bodies that were cut apart', async () => {
    const { world, body, built } = await worldOf(BAR, { gravity: [0, 0, 0], maxSubsteps: 100 });
    world.cut(body, { point: [0.07, 0, 0], normal: [1, 0.3, 0.1] });
    expect(world.bodies).toHaveLength(2);
    for (const part of world.bodies) expectRight(world, part, built as Float32Array);
    // E goes from 0.37 to 2.7 times its middle.
    const [left, right] = [...world.bodies].sort((a, b) => a.centreOfMass[0] - b.centreOfMass[0]);
    // The mean is by mass: particles of cells that the surface cuts are lighter.
    const means = [left, right].map(({ restPositions: rest, positions }) => {
      let mass = 0;
      let sum = 0;
      for (let i = 0; i < rest.length / 3; i++) {
        mass += positions[4 * i + 3];
        sum += positions[4 * i + 3] * 1e5 * Math.exp(rest[3 * i] / 0.4);
      }
      return sum / mass;
    });
    expect(left.young! / means[0]).toBeCloseTo(1, 3);
    expect(right.young! / means[1]).toBeCloseTo(1, 3);
    world.dispose();
  });

  it('of a body that broke, with copies of particles', async () => {
    const { world, body, built } = await worldOf(
      { ...BAR, stretch: [1.3, 1, 1], material: { ...BAR.material, toughness: 0.1 } },
      { gravity: [0, 0, 0] },
    );
    for (let k = 0; k < 10; k++) world.step();
    expect(body.particleCount).toBeGreaterThan(built.length);
    expect(body.pieces.count).toBeGreaterThan(1);
    expectRight(world, body, built as Float32Array);
    world.separate(body);
    for (const part of world.bodies) expectRight(world, part, built as Float32Array);
    world.dispose();
  });

  it('of a body whose clusters are replaced; a run that goes on from a snapshot is the same as one that went on', async () => {
    const { world, body, built } = await worldOf({
      ...BAR,
      position: [0, 1.5, 0],
      material: { ...BAR.material, yield: 0.02 },
      reclustering: { threshold: 1.2, every: 1 / 60 },
    });
    world.addCollider({ type: 'plane', normal: [0, 1, 0] });
    let seen = 0;
    for (let k = 0; k < 70; k++) {
      world.step();
      if (!body.core.history.fading) continue;
      seen++;
      if (seen % 5 > 0) continue;
      expectRight(world, body, built as Float32Array);
      const moment = world.snapshot();
      world.step();
      const wentOn = hashOf(world);
      world.restore(moment);
      world.step();
      expect(hashOf(world)).toBe(wentOn);
    }
    expect(seen).toBeGreaterThan(10);
    world.dispose();
  });
});
