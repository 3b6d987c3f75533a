import { describe, expect, it } from 'vitest';
import { type Clustering, cluster } from './cluster.js';
import { unitMasses } from './testing/bodies.js';
import { centreError, expectC4, farthestMember } from './testing/checks.js';
import { hasReference, readScene, referenceResults, sceneBodies, sceneOptions } from './testing/reference.js';

if (!hasReference) console.log('shared/reference is not there: the comparison with the authors’ clusters is skipped.');

/** What we make of each body of a scene, with the checks that hold for every scene. */
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

function say(name: string, reference: string, ours: Clustering[]): void {
  const sizes = ours.map((c) => `${c.count} × ${c.radius}`).join(', ');
  const { attempts, iterations, cycle, reseated } = ours[0].report;
  const members = ours.reduce((sum, c) => sum + c.particle.length, 0);
  console.log(
    `${name.padEnd(32)} reference ${reference.padEnd(30)} ours ${sizes} (${members}), ` +
      `attempts ${attempts}, iterations ${iterations}, reseated ${reseated}, cycle ${cycle}`,
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
    say(result.name, `${nClustersFinal} × ${neighborRadiusFinal} (${memberships})`, ours);
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
    const { nClustersFinal, neighborRadiusFinal, memberships, clusteringRetries } = result;
    say(result.name, `${nClustersFinal} × ${neighborRadiusFinal} (${memberships}) after ${clusteringRetries}`, ours);
    for (const { count, radius, report } of ours) {
      const kept = count === result.options.count && radius === result.options.radius;
      // Kept as asked, or grown and said so; and never beyond what the authors' program needed.
      expect(report.countGrown || report.radiusGrown).toBe(!kept);
      expect(report.notes.some((note) => note.startsWith('grew from'))).toBe(!kept);
      if (!kept) expect(report.attempts).toBeGreaterThan(1);
      expect(count).toBeLessThanOrEqual(nClustersFinal);
      expect(radius).toBeLessThanOrEqual(neighborRadiusFinal);
    }
  });
});

describe.skipIf(!hasReference)('the authors’ scenes with other algorithms', () => {
  it('are there', () => expect(others.length).toBeGreaterThan(0));

  it.each(others)('$name', (result) => {
    const ours = clusterScene(result.file);
    say(result.name, `${result.nClustersFinal} × ${result.neighborRadiusFinal} (${result.memberships})`, ours);
    expect(ours[0].radius).toBe(result.neighborRadiusFinal);
    // k-means keeps the count; random needs about as many as theirs did with another seed.
    const total = ours.reduce((sum, c) => sum + c.particle.length, 0);
    expect(Math.abs(total / result.memberships - 1)).toBeLessThan(0.25);
    if (result.options.algorithm === 'kmeans') expect(ours[0].count).toBe(result.nClustersFinal);
  });
});
