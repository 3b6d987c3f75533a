import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import { random } from '../math/random.js';
import { report } from '../testing/report.js';
import { testSeed } from '../testing/seed.js';
import type { World } from '../world.js';
import type { ReclusterSpace } from './options.js';
import { drawn, step, still } from './testing/bars.js';

/** The weight of a particle in each of its clusters. */
function weightsOf({ state: { views: s } }: World, i: number): Map<number, number> {
  const weights = new Map<number, number>();
  for (let l = s.linkStart[s.gatherRank[i]]; l < s.linkStart[s.gatherRank[i] + 1]; l++)
    weights.set(s.linkCluster[l], s.link[4 * l + 3]);
  return weights;
}

const membersOf = ({ state: { views: s } }: World, c: number) =>
  Array.from(s.memberParticle.subarray(s.memberStart[c], s.memberStart[c + 1]));

const smooth = (f: number) => f * f * (3 - 2 * f);

describe('where new clusters are laid out', () => {
  /** Of clusters that replaced all others of a bar at rest, in radii: the farthest member from its centre, and the nearest particle that is none. */
  async function reach(space: ReclusterSpace): Promise<{ farthest: number; nearest: number; clusters: number }> {
    const { world, body } = await still({ fadeOut: 8 / 60, fadeIn: 5 / 60, space });
    world.state.views.leaving.fill(1, 0, body.clusterCount);
    for (let n = 0; n < 20; n++) world.step();
    const { x, member, memberStart } = world.state.views;
    let [farthest, nearest] = [0, Number.POSITIVE_INFINITY];
    for (let c = 0; c < body.clusterCount; c++) {
      const members = membersOf(world, c);
      const centre = [0, 0, 0];
      let mass = 0;
      members.forEach((i, n) => {
        const mw = member[4 * (memberStart[c] + n) + 3];
        mass += mw;
        for (let a = 0; a < 3; a++) centre[a] += mw * x[4 * i + a];
      });
      for (let i = 0; i < body.particleCount; i++) {
        const distance = Math.hypot(...centre.map((sum, a) => x[4 * i + a] - sum / mass)) / body.clustering.radius;
        if (members.includes(i)) farthest = Math.max(farthest, distance);
        else nearest = Math.min(nearest, distance);
      }
    }
    return { farthest, nearest, clusters: body.clusterCount };
  }

  it('is about their own centres of mass: they hold what is within their radius of it; in world space about a particle', async () => {
    const [embedded, world] = [await reach('embedded'), await reach('world')];
    report('members up to, others from (radii); clusters', { embedded, world }, '');
    // Each knew of those before it; those after it took some of its weight, and its centre of mass a little farther.
    expect(embedded.farthest).toBeLessThan(1.12);
    expect(embedded.nearest).toBeGreaterThan(0.9);
    // About a particle near the surface they are lopsided, and it takes more of them.
    expect(world.nearest).toBeLessThan(0.85);
    expect(world.clusters).toBeGreaterThan(1.5 * embedded.clusters);
  });
});

describe('an embedding that fails', () => {
  /** Every cluster has flowed to twice its length, in one direction or each in its own; what has become of them after 30 steps. */
  async function replaced(direction: () => number[]) {
    const { world, body } = await still({ fadeOut: 8 / 60, fadeIn: 5 / 60 });
    const { plastic } = world.state.views;
    for (let c = 0; c < body.clusterCount; c++) {
      const n = direction();
      const [long, thin] = [2, Math.SQRT1_2];
      for (let k = 0; k < 9; k++)
        plastic[9 * c + k] = (long - thin) * n[k % 3] * n[Math.floor(k / 3)] + (k % 4 === 0 ? thin : 0);
    }
    const before = Array.from({ length: body.clusterCount }, (_, c) => membersOf(world, c));
    let [added, removed] = [0, 0];
    for (let n = 0; n < 30; n++) {
      const count = step(world);
      added += count.added;
      removed += count.removed;
      expect(world.validate()).toEqual([]);
    }
    expect(world.positions.every(Number.isFinite)).toBe(true);
    const after = Array.from({ length: body.clusterCount }, (_, c) => membersOf(world, c));
    const { leaving, fade } = world.state.views;
    const stays = after.filter((_, c) => !leaving[c] && fade[c] === 1).length;
    return { before, after, added, removed, stays, pieces: body.pieces.count };
  }

  it('keeps all clusters that there are, each with its members and at full weight (SPEC R2)', async () => {
    const next = random(testSeed('failed embedding'));
    const kept = await replaced(() => {
      const n = [next() - 0.5, next() - 0.5, next() - 0.5];
      return n.map((c) => c / Math.hypot(...n));
    });
    report('clusters that disagree', { before: kept.before.length, stay: kept.stays, came: kept.added }, '');
    expect(kept.added).toBe(0);
    expect(kept.removed).toBe(0);
    expect(kept.after).toEqual(kept.before);
    expect(kept.stays).toBe(kept.before.length);
    expect(kept.pieces).toBe(1);
    // Clusters that agree on a shape are replaced, all of them.
    const gone = await replaced(() => [1, 0, 0]);
    expect(gone.removed).toBe(gone.before.length);
    expect(gone.after.length).toBe(gone.added);
    expect(gone.stays).toBe(gone.added);
  });

  it('fails where clusters disagree, not elsewhere', async () => {
    const { world, body } = await still({ fadeOut: 8 / 60, fadeIn: 5 / 60 });
    const { plastic } = world.state.views;
    // Of one end on each cluster has flowed in its own direction, of the other all in one.
    const ends = Array.from({ length: body.clusterCount }, (_, c) => {
      const members = membersOf(world, c);
      return members.reduce((sum, i) => sum + body.restPositions[3 * i], 0) / members.length;
    });
    ends.forEach((x, c) => {
      const axis = x < 0 ? 0 : c % 3;
      plastic.set(
        [0, 0, 0, 0, 0, 0, 0, 0, 0].map((_, k) => (k % 4 ? 0 : k === 4 * axis ? 2 : Math.SQRT1_2)),
        9 * c,
      );
    });
    const before = ends.map((_, c) => membersOf(world, c).join());
    for (let n = 0; n < 30; n++) step(world);
    const after = new Set(Array.from({ length: body.clusterCount }, (_, c) => membersOf(world, c).join()));
    const kept = (from: number, to: number) =>
      before.filter((name, c) => ends[c] > from && ends[c] < to && after.has(name)).length;
    report(
      'clusters kept where they disagree and where they agree',
      { disagree: kept(0.3, 1), agree: kept(-1, -0.3), of: before.length },
      '',
    );
    expect(kept(0.3, 1)).toBeGreaterThan(0);
    expect(kept(0.3, 1)).toBe(ends.filter((x) => x > 0.3).length);
    expect(kept(-1, -0.3)).toBe(0);
    expect(world.validate()).toEqual([]);
  });

  it('brings back what had begun to leave', async () => {
    const { world, body } = await still({ fadeOut: 40 / 60, fadeIn: 5 / 60, every: 8 / 60 });
    const { plastic, leaving, fade } = world.state.views;
    for (let n = 0; n < 2; n++) step(world);
    // One leaves of its own, those of its particles that have no other seed another; before the next look all have flowed apart.
    const all = Array.from({ length: body.particleCount }, (_, i) => [...weightsOf(world, i).keys()]);
    const c = all.find((clusters) => clusters.length === 1)![0];
    leaving[c] = 1;
    body.core.history.setFading(true);
    for (let d = 0; d < body.clusterCount; d++)
      plastic.set(d % 2 ? [2, 0, 0, 0, 0.5, 0, 0, 0, 1] : [0.5, 0, 0, 0, 2, 0, 0, 0, 1], 9 * d);
    for (let n = 0; n < 4; n++) step(world);
    expect(fade[c]).toBeCloseTo(0.9, 5);
    for (let n = 0; n < 16; n++) expect(step(world)).toEqual({ added: 0, removed: 0 });
    expect(leaving[c]).toBe(0);
    expect(fade[c]).toBe(1);
    expect(world.validate()).toEqual([]);
  });
});

describe('minClusters', () => {
  /** Of the particles with a cluster that leaves, in all steps: the share that has fewer that stay; clusters that came; clusters per particle. */
  async function run(minClusters: number) {
    const { world, body } = await drawn(
      { threshold: 1.6, every: 1 / 60, minClusters, fadeOut: 12 / 60, fadeIn: 8 / 60 },
      0.5,
      0,
    );
    let [added, asked, short] = [0, 0, 0];
    for (let n = 0; n < 70; n++) {
      added += step(world).added;
      const { leaving } = world.state.views;
      for (let i = 0; i < body.particleCount; i++) {
        const clusters = [...weightsOf(world, i).keys()];
        const stay = clusters.filter((c) => !leaving[c]).length;
        if (stay === clusters.length) continue;
        asked++;
        if (stay < minClusters) short++;
      }
    }
    expect(asked).toBeGreaterThan(1000);
    return { added, short: short / asked, each: world.state.count.membership / body.particleCount };
  }

  it('is how many each particle has that stay, whatever leaves', async () => {
    const [one, two, three] = [await run(1), await run(2), await run(3)];
    report(
      'clusters that came, clusters a particle, share of particles short, by minClusters',
      { one, two, three },
      '',
    );
    // Few find too few others around them for a second or third.
    for (const { short } of [one, two, three]) expect(short).toBeLessThan(2e-3);
    expect(two.added).toBeGreaterThan(1.4 * one.added);
    expect(three.added).toBeGreaterThan(1.2 * two.added);
    expect(two.each).toBeGreaterThan(1.2 * one.each);
    expect(three.each).toBeGreaterThan(1.2 * two.each);
  });
});

describe('fading', () => {
  /** Follows how two clusters share a particle, and that its weights sum to 1. */
  const ratio = (world: World, i: number, c: number, d: number) => {
    const weights = weightsOf(world, i);
    expect(Math.abs([...weights.values()].reduce((sum, w) => sum + w) - 1)).toBeLessThan(1e-6);
    return weights.get(c)! / weights.get(d)!;
  };
  const clustersOf = (world: World, { particleCount }: Body) =>
    Array.from({ length: particleCount }, (_, i) => [...weightsOf(world, i).keys()]);

  it('takes a cluster from full weight to next to none in fadeOut steps, then it ends', async () => {
    const fadeOut = 10;
    const { world, body } = await still({ fadeOut: fadeOut / 60 });
    const all = clustersOf(world, body);
    // One that leaves nobody alone.
    const c = Array.from({ length: body.clusterCount }, (_, k) => k).find((k) =>
      membersOf(world, k).every((i) => all[i].length > 1),
    )!;
    expect(c).toBeDefined();
    const [i] = membersOf(world, c);
    const d = all[i].find((other) => other !== c)!;
    const full = ratio(world, i, c, d);
    world.state.views.leaving[c] = 1;
    for (let n = 1; n <= fadeOut; n++) {
      expect(step(world)).toEqual({ added: 0, removed: 0 });
      // A hundredth is as far as it fades: it still has a centre of mass.
      expect(ratio(world, i, c, d) / full).toBeCloseTo(smooth(Math.max(0.01, 1 - n / fadeOut)), 4);
    }
    expect(step(world)).toEqual({ added: 0, removed: 1 });
    expect(world.state.views.fade.slice(0, body.clusterCount).every((f) => f === 1)).toBe(true);
  });

  it.each([30, 120])('takes the same time at %d steps a second', async (rate) => {
    const { world, body } = await still({ fadeOut: 0.5 });
    world.dt = 1 / rate;
    world.state.views.leaving[body.rows.clusterStart] = 1;
    for (let k = 0; k < 0.2 * rate; k++) {
      world.step();
      // It would be kept where a particle has no other cluster.
      world.state.views.leaving[body.rows.clusterStart] = 1;
    }
    expect(world.state.views.fade[body.rows.clusterStart]).toBeCloseTo(1 - 0.2 / 0.5, 5);
  });

  it('brings a new one to full weight in fadeIn steps', async () => {
    const fadeIn = 6;
    const { world, body } = await still({ fadeIn: fadeIn / 60, fadeOut: 30 / 60 });
    const all = clustersOf(world, body);
    // One that leaves somebody alone, who seeds another.
    const c = all.find((clusters) => clusters.length === 1)![0];
    world.state.views.leaving[c] = 1;
    const { added } = step(world);
    expect(added).toBeGreaterThan(0);
    const born = body.clusterCount - 1;
    // A member that a cluster has which stays.
    const i = membersOf(world, born).find((k) => all[k].some((d) => d !== c))!;
    const d = all[i].find((other) => other !== c)!;
    const ratios = [ratio(world, i, born, d)];
    for (let n = 1; n < 2 * fadeIn; n++) {
      step(world);
      ratios.push(ratio(world, i, born, d));
    }
    const full = ratios[ratios.length - 1];
    // It is founded with next to nothing, and the step in which that happens adds the first share.
    ratios.forEach((now, n) => {
      expect(now / full).toBeCloseTo(smooth(Math.min(1, 0.01 + (n + 1) / fadeIn)), 4);
    });
    expect(world.state.views.fade[born]).toBe(1);
  });
});
