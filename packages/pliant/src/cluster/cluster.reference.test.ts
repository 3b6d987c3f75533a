import { describe, expect, it } from 'vitest';
import { report } from '../testing/report.js';
import { type Clustering, cluster } from './cluster.js';
import { unitMasses } from './testing/bodies.js';
import { centreError, expectC4, farthestMember } from './testing/checks.js';
import {
  hasReference,
  type ReferenceResult,
  readScene,
  referenceResults,
  sceneBodies,
  sceneOptions,
} from './testing/reference.js';

/** The clustering that we make of each body of a scene, with the checks that hold for every scene. */
function clusterScene(file: string): Clustering[] {
  const scene = readScene(file);
  return sceneBodies(scene).map((body) => {
    const masses = unitMasses(body);
    const clustering = cluster(body, masses, sceneOptions(scene));
    expectC4(clustering, body, masses);
    if (clustering.report.algorithm === 'fuzzy') {
      expect(centreError(clustering, body, masses)).toBeLessThan(1e-9);
      expect(farthestMember(clustering, body)).toBeLessThan((1 + clustering.report.slack) * 1.0011);
    }
    return clustering;
  });
}

/** Keeps how our clusters compare with the reference's. */
function compare(there: ReferenceResult, ours: Clustering[]): void {
  const { attempts, iterations, cycle, reseated } = ours[0].report;
  report(
    'clusters × radius, memberships, and how they were found',
    {
      reference: [there.nClustersFinal, there.neighborRadiusFinal, there.memberships, there.clusteringRetries],
      ours: ours.map((c) => [c.count, c.radius, c.particle.length]),
      found: { attempts, iterations, reseated, cycle },
    },
    '',
  );
}

const results = referenceResults().map((result) => ({ ...result, options: sceneOptions(readScene(result.file)) }));
const fuzzy = results.filter(({ options }) => options.algorithm === 'fuzzy');
const atOnce = fuzzy.filter((r) => r.clusteringRetries === 0);
const grown = fuzzy.filter((r) => r.clusteringRetries > 0);
const others = results.filter(({ options }) => options.algorithm !== 'fuzzy');

describe.skipIf(!hasReference)('the authors’ scenes that converged at the first try', () => {
  it('are there', () => expect(atOnce.length).toBeGreaterThan(5));

  it.each(atOnce)('$name', (result) => {
    const ours = clusterScene(result.file);
    const { nClustersFinal, neighborRadiusFinal, memberships } = result;
    compare(result, ours);
    for (const { count, radius } of ours) {
      expect(count).toBe(nClustersFinal);
      expect(radius).toBe(neighborRadiusFinal);
    }
    const total = ours.reduce((sum, c) => sum + c.particle.length, 0);
    expect(Math.abs(total / memberships - 1)).toBeLessThan(0.1);
  });
});

describe.skipIf(!hasReference)('the authors’ scenes whose clusters their program had to grow', () => {
  it('are there', () => expect(grown.length).toBeGreaterThan(0));

  it.each(grown)('$name', (result) => {
    const ours = clusterScene(result.file);
    const { nClustersFinal, neighborRadiusFinal } = result;
    compare(result, ours);
    for (const { count, radius, report: found } of ours) {
      const kept = count === result.options.count && radius === result.options.radius;
      // Kept as asked, or grown and said so; and never beyond what the authors' program needed.
      expect(found.countGrown || found.radiusGrown).toBe(!kept);
      expect(found.notes.some((note) => note.startsWith('grew from'))).toBe(!kept);
      if (!kept) expect(found.attempts).toBeGreaterThan(1);
      expect(count).toBeLessThanOrEqual(nClustersFinal);
      expect(radius).toBeLessThanOrEqual(neighborRadiusFinal);
    }
  });
});

describe.skipIf(!hasReference)('the authors’ scenes with other algorithms', () => {
  it('are there', () => expect(others.length).toBeGreaterThan(0));

  it.each(others)('$name', (result) => {
    const ours = clusterScene(result.file);
    compare(result, ours);
    expect(ours[0].radius).toBe(result.neighborRadiusFinal);
    // k-means keeps the count; random needs about as many as theirs did with another seed.
    const total = ours.reduce((sum, c) => sum + c.particle.length, 0);
    expect(Math.abs(total / result.memberships - 1)).toBeLessThan(0.25);
    if (result.options.algorithm === 'kmeans') expect(ours[0].count).toBe(result.nClustersFinal);
  });
});
