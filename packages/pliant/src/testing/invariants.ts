import type { World } from '../world.js';

/** Views of one particle's links, found by particle and not by where they lie. */
export function linksOf(world: World, particle: number): { cluster: number; p: Float32Array; w: number }[] {
  const s = world.state.views;
  const n = s.gather.subarray(0, world.particleCount).indexOf(particle);
  const links = [];
  for (let k = s.linkStart[n]; k < s.linkStart[n + 1]; k++)
    links.push({ cluster: s.linkCluster[k], p: s.link.slice(4 * k, 4 * k + 3), w: s.link[4 * k + 3] });
  return links;
}

/** What is wrong with the state of a world, one line each; empty when it is sound. */
export function brokenInvariants(world: World): string[] {
  const faults: string[] = [];
  const demand = (holds: boolean, what: string) => {
    if (!holds) faults.push(what);
  };
  const { views: s, count, capacity } = world.state;
  for (const domain of ['particle', 'cluster', 'membership'] as const)
    demand(count[domain] <= capacity[domain], `more ${domain} rows than room`);

  // Bodies tile the rows without gap or overlap, in the order they were added.
  let [particle, cluster] = [0, 0];
  for (const { rows, restPositions, name } of world.bodies) {
    demand(rows.particleStart === particle && rows.clusterStart === cluster, `body ${name} begins elsewhere`);
    demand(rows.particleEnd - rows.particleStart === restPositions.length / 3, `body ${name} has lost particles`);
    particle = rows.particleEnd;
    cluster = rows.clusterEnd;
    const order = s.gather.slice(rows.particleStart, rows.particleEnd).sort();
    demand(
      order.every((i, n) => i === rows.particleStart + n),
      `gather of body ${name} is no permutation of its rows`,
    );
    for (let c = rows.clusterStart; c < rows.clusterEnd; c++)
      for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++)
        demand(
          s.memberParticle[k] >= rows.particleStart && s.memberParticle[k] < rows.particleEnd,
          `member ${k} of body ${name} is a particle of another`,
        );
  }
  demand(particle === count.particle && cluster === count.cluster, 'the bodies do not cover the rows');
  demand(s.memberStart[0] === 0 && s.memberStart[count.cluster] === count.membership, 'memberStart does not close');
  demand(s.linkStart[0] === 0 && s.linkStart[count.particle] === count.membership, 'linkStart does not close');

  // Members and links are transposes of each other.
  const members = new Map<string, number>();
  for (let c = 0; c < count.cluster; c++) {
    let mass = 0;
    for (let k = s.memberStart[c]; k < s.memberStart[c + 1]; k++) {
      members.set(`${s.memberParticle[k]} ${c}`, k);
      mass += s.member[4 * k + 3];
    }
    demand(Math.abs(mass - s.clusterMass[c]) <= 1e-12 * mass, `cluster ${c} has another mass than its members`);
  }
  demand(members.size === count.membership, 'a membership is there twice');
  for (let n = 0; n < count.particle; n++) {
    const i = s.gather[n];
    demand(s.rank[i] === n, `rank of particle ${i} is not its place in gather`);
    let sum = 0;
    for (let k = s.linkStart[n]; k < s.linkStart[n + 1]; k++) {
      const m = members.get(`${i} ${s.linkCluster[k]}`);
      if (m === undefined) {
        faults.push(`link ${k} (particle ${i}, cluster ${s.linkCluster[k]}) is no member`);
        continue;
      }
      for (let a = 0; a < 3; a++) demand(s.link[4 * k + a] === s.member[4 * m + a], `link ${k} has another p`);
      const mw = s.link[4 * k + 3] * s.x[4 * i + 3];
      demand(Math.abs(mw - s.member[4 * m + 3]) <= 3e-7 * mw, `link ${k}: w m is not the member's`);
      sum += s.link[4 * k + 3];
    }
    const debris = s.linkStart[n] === s.linkStart[n + 1];
    demand(debris || Math.abs(sum - 1) <= 1e-6, `weights of particle ${i} sum to ${sum}`);
  }
  return faults;
}
