import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/options.js';
import { random } from '../math/random.js';
import type { Views } from '../state/layout.js';
import { disturb, worldWith } from '../testing/bodies.js';
import { rigidFit } from '../testing/rigidFit.js';
import { testSeed } from '../testing/seed.js';
import { Embedding } from './embedding.js';

const BAR: BodyOptions = {
  shape: { type: 'box', size: [1.2, 0.4, 0.4] },
  sampling: { method: 'grid', spacing: 0.1 },
  clustering: { count: 12, radius: 0.3 },
};

/** All of a body in one patch. */
function patchOf(s: Views, body: Body): Embedding {
  const embedding = new Embedding();
  embedding.begin(body.rows);
  for (let i = body.rows.particleStart; i < body.rows.particleEnd; i++) embedding.takeAround(s, i);
  return embedding;
}

/** Puts the body where the patch lies, to be measured there. */
function place(body: Body, { e, particle, particles }: Embedding): void {
  for (let n = 0; n < particles; n++)
    for (let a = 0; a < 3; a++) body.positions[4 * (particle[n] - body.rows.particleStart) + a] = e[3 * n + a];
}

describe('the embedding of a body', () => {
  it('that has not flowed is its rest shape, however it is bent, stretched and turned', async () => {
    const next = random(testSeed('embedding'));
    for (let round = 0; round < 5; round++) {
      const { world, body } = await worldWith(BAR);
      const [kx, sx, angle] = [0.3 + 0.7 * next(), 0.6 + 0.9 * next(), 6 * next()];
      const x = body.positions;
      for (let o = 0; o < x.length; o += 4) {
        // Bent about z by up to 1 rad a metre, stretched along x, turned about y.
        const [px, py, pz] = [sx * x[o], x[o + 1] + 0.5 * kx * x[o] ** 2, x[o + 2]];
        x[o] = Math.cos(angle) * px + Math.sin(angle) * pz;
        x[o + 1] = py;
        x[o + 2] = Math.cos(angle) * pz - Math.sin(angle) * px;
      }
      disturb(world, round, 0.01, 0);
      const before = rigidFit(body).rms;
      const embedding = patchOf(world.state.views, body);
      expect(embedding.particles).toBe(body.particleCount);
      embedding.embed(200, true);
      // Positions and offsets are f32; what is left is what 200 iterations leave.
      const left = embedding.residual();
      expect(left).toBeGreaterThan(0);
      for (let i = 0; i < body.particleCount; i += 50)
        expect(embedding.disagreement(world.state.views, body.rows.particleStart + i)).toBeLessThan(1e-4);
      place(body, embedding);
      expect(rigidFit(body).rms).toBeLessThan(1e-3);
      expect(before).toBeGreaterThan(0.02);
    }
  });

  it('of a part is that of its clusters and their neighbours, and no more', async () => {
    const { world, body } = await worldWith({
      ...BAR,
      shape: { type: 'box', size: [4, 0.4, 0.4] },
      clustering: { count: 40, radius: 0.3 },
    });
    const { views: s } = world.state;
    const embedding = new Embedding();
    embedding.begin(body.rows);
    embedding.takeAround(s, 7);
    const own = new Set<number>();
    const links = (i: number) =>
      Array.from(s.linkCluster.subarray(s.linkStart[s.gatherRank[i]], s.linkStart[s.gatherRank[i] + 1]));
    for (const c of links(7))
      for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++)
        for (const d of links(s.memberParticle[k])) own.add(d);
    expect(Array.from(embedding.cluster.subarray(0, embedding.clusters)).sort()).toEqual([...own].sort());
    expect(own.size).toBeLessThan(30);
    const held = new Set<number>();
    for (const c of own) for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) held.add(s.memberParticle[k]);
    expect(embedding.particles).toBe(held.size);
  });

  it('takes 20 iterations to come within a tenth of the way, across all of a bar', async () => {
    const { world, body } = await worldWith({ ...BAR, stretch: [0.7, 1.2, 1.2] });
    const residual = (n: number) => {
      const embedding = patchOf(world.state.views, body);
      embedding.embed(n, true);
      place(body, embedding);
      const { rms } = rigidFit(body);
      for (let i = 0; i < body.particleCount; i++)
        for (let a = 0; a < 3; a++) body.positions[4 * i + a] = [0.7, 1.2, 1.2][a] * body.restPositions[3 * i + a];
      return rms;
    };
    const start = rigidFit(body).rms;
    expect(residual(20)).toBeLessThan(0.1 * start);
  });
});
