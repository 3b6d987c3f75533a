// Time to load and cluster the research scenes with our own clustering, beside what the reference took to load them.
import { buildWorld, loadScene } from '@pliant/scene';
import { calibrate, hasReference, REFERENCE, read, referenceNames, referenceResult } from './reference.mjs';
import { table } from './statistics.mjs';

export async function clustering() {
  if (!hasReference) {
    console.log(`clustering: skipped, the reference scenes are not at ${REFERENCE}`);
    return undefined;
  }
  const { factor } = calibrate(1);
  const rows = [];
  for (const name of referenceNames()) {
    const result = referenceResult(name);
    const start = performance.now();
    const { world, bodies } = await buildWorld(await loadScene(`${REFERENCE}scenes/${result.file}`, read), {
      threads: 1,
    });
    const seconds = (performance.now() - start) / 1000;
    const { report, radius } = bodies[0].clustering;
    rows.push({
      scene: name,
      clusters: `${world.clusterCount} (${result.clusters})`,
      radius: `${radius.toFixed(4)} (${result.neighborRadiusFinal.toFixed(4)})`,
      memberships: `${world.membershipCount} (${result.memberships})`,
      attempts: `${report.attempts} (${result.clusteringRetries + 1})`,
      cycle: report.cycle,
      seconds: seconds.toFixed(3),
      'reference s': (result.loadSeconds * factor).toFixed(3),
      'times faster': ((result.loadSeconds * factor) / seconds).toFixed(1),
    });
    world.dispose();
  }
  console.log('\nLoading and clustering; in parentheses what the reference came to.\n');
  console.log(table(rows));
  return rows;
}
