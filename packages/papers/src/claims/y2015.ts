import {
  type ClusterOptions,
  cluster,
  type Kernel,
  PROXY_PLANES,
  proxyPlanesInto,
  proxySpheresInto,
  World,
} from 'pliant';
import { type Check, type Claim, digits, quantity } from '../claim.js';
import { joined, pointsOf, shapeError, stepTime } from '../experiments/measure.js';
import { loadExample } from '../experiments/scenes.js';
import { returnTime, roughness, stretchedCube } from '../experiments/stretchedCube.js';

/** Steps after which the cubes are looked at for sharp borders: all are on their way back by then. */
const EARLY = 10;

/** A cube of [J15] with these clusters: seconds until it is back at its length, and how rough it is on the way. */
async function cubeOf(clustering: ClusterOptions) {
  const { world, body } = await stretchedCube({ clustering });
  for (let n = 0; n < EARLY; n++) world.step();
  const rough = roughness(body);
  const points = pointsOf(body);
  const time = EARLY * world.dt + returnTime(world, body);
  const { count, radius } = body.clustering;
  world.dispose();
  return { time, rough, count, radius, points };
}

type Cube = Awaited<ReturnType<typeof cubeOf>>;

/** The same over seeds. */
const cubesOf = async (seeds: readonly number[], clustering: ClusterOptions): Promise<Cube[]> => {
  const cubes: Cube[] = [];
  for (const seed of seeds) cubes.push(await cubeOf({ ...clustering, seed }));
  return cubes;
};

const times = (cubes: Cube[]) => cubes.map((cube) => cube.time);
const roughs = (cubes: Cube[]) => cubes.map((cube) => cube.rough);
const median = (values: readonly number[]) => quantity('', values).value;

/** One check that values rise, or fall, from each to the next. */
function monotone(what: string, values: readonly number[], rises: boolean): Check {
  const holds = values.every((value, k) => k === 0 || (rises ? value > values[k - 1] : value < values[k - 1]));
  return { what: `${what}: ${values.map(digits).join(', ')}`, holds };
}

const KERNELS: readonly Kernel[] = ['box', 'poly6', 'blend', 'invsq', 'fcm'];

/** Cubes of 10 and of 50 clusters with each kernel; measured once for the claims about kernels. */
async function kernelCubes(seeds: readonly number[], algorithm: ClusterOptions['algorithm'] = 'fuzzy') {
  const cubes = new Map<string, Cube[]>();
  for (const kernel of KERNELS)
    for (const count of [10, 50])
      cubes.set(`${kernel} ${count}`, await cubesOf(seeds, { algorithm, kernel, count, overlap: 1.15 }));
  return (kernel: Kernel, count: number) => cubes.get(`${kernel} ${count}`)!;
}

const CUBE =
  'The cube of 1331 particles is stretched to twice its length and let go, undamped and without strain limit, α = 0.01.';

export const CLAIMS_2015: Claim[] = [
  {
    id: '2015.clusters-soften',
    paper: '2015',
    where: 'section 4, first set of cubes',
    statement: 'More clusters make a body softer, with the smallest radius that converges.',
    experiment: `${CUBE} 1, 5, 10, 25 and 50 clusters, kernel invsq. The time until the cube is back at its length is measured: a soft spring takes longer.`,
    async run({ seeds }) {
      const counts = [1, 5, 10, 25, 50];
      const all: Cube[][] = [];
      for (const count of counts) all.push(await cubesOf(seeds, { count, overlap: 1 }));
      return {
        quantities: counts.map((count, k) => quantity(`time to return, ${count} clusters`, times(all[k]), 's')),
        checks: [
          monotone(
            'the median time rises with the number of clusters (s)',
            all.map((c) => median(times(c))),
            true,
          ),
          {
            what: `50 clusters take ${digits(median(times(all[4])) / median(times(all[0])))} times as long as one; expected at least 2`,
            holds: median(times(all[4])) > 2 * median(times(all[0])),
          },
        ],
        plots: [
          {
            title: 'Time until a stretched cube is back at its length',
            x: 'clusters',
            y: 'time (s)',
            curves: { 'median over seeds': counts.map((count, k) => [count, median(times(all[k]))] as const) },
          },
        ],
        pictures: [
          { title: `1 cluster after ${EARLY} steps`, points: all[0][0].points },
          { title: `50 clusters after ${EARLY} steps`, points: all[4][0].points },
        ],
      };
    },
  },
  {
    id: '2015.radius-smooths',
    paper: '2015',
    where: 'section 4, second set of cubes',
    statement:
      'At the smallest radius the borders between clusters are sharp; a larger radius makes the deformation smoother.',
    experiment: `${CUBE} 10 clusters, with the smallest radius that works and with 1.2, 1.5 and 1.8 times it. Roughness is the 95th percentile of the second difference of the displacement between neighbours, in spacings.`,
    async run({ seeds }) {
      const factors = [1, 1.2, 1.5, 1.8];
      const all: Cube[][] = [];
      for (const overlap of factors) all.push(await cubesOf(seeds, { count: 10, overlap }));
      return {
        quantities: factors.map((factor, k) => quantity(`roughness, ${factor} × smallest radius`, roughs(all[k]))),
        checks: [
          monotone(
            'the median roughness falls with the radius',
            all.map((c) => median(roughs(c))),
            false,
          ),
        ],
        pictures: [
          { title: `smallest radius, after ${EARLY} steps`, points: all[0][0].points },
          { title: `1.8 × smallest radius, after ${EARLY} steps`, points: all[3][0].points },
        ],
      };
    },
  },
  {
    id: '2015.radius-like-fewer',
    paper: '2015',
    where: 'section 4, second set of cubes',
    statement: 'A still larger radius acts like fewer clusters.',
    experiment: `${CUBE} 10 clusters with up to 2.5 times the smallest radius, beside cubes of 5 clusters and of one.`,
    async run({ seeds }) {
      const factors = [1, 1.8, 2.5];
      const all: Cube[][] = [];
      for (const overlap of factors) all.push(await cubesOf(seeds, { count: 10, overlap }));
      const five = median(times(await cubesOf(seeds, { count: 5, overlap: 1 })));
      const one = median(times(await cubesOf(seeds, { count: 1 })));
      const own = all.map((c) => median(times(c)));
      return {
        quantities: [
          ...factors.map((factor, k) =>
            quantity(`time to return, 10 clusters, ${factor} × smallest radius`, times(all[k]), 's'),
          ),
          quantity('time to return, 5 clusters, smallest radius', [five], 's'),
          quantity('time to return, 1 cluster', [one], 's'),
        ],
        checks: [
          monotone('the median time falls with the radius (s)', own, false),
          {
            what: `at 1.8 times the radius 10 clusters are as stiff as 5 or stiffer: ${digits(own[1])} s, 5 clusters ${digits(five)} s`,
            holds: own[1] < five,
          },
          {
            what: `at 2.5 times the radius they are within 25 % of one cluster: ${digits(own[2])} s, one cluster ${digits(one)} s`,
            holds: Math.abs(own[2] / one - 1) < 0.25,
          },
        ],
      };
    },
  },
  {
    id: '2015.kernel-box',
    paper: '2015',
    where: 'section 4, kernels',
    statement: 'The kernel box is too sharp.',
    experiment: `${CUBE} 10 and 50 clusters, radius 1.15 times the smallest one. The roughness with box is compared with that of invsq, the default.`,
    async run({ seeds }) {
      const of = await kernelCubes(seeds);
      const ratios = [10, 50].map((count) => median(roughs(of('box', count))) / median(roughs(of('invsq', count))));
      return {
        quantities: [10, 50].flatMap((count) =>
          KERNELS.map((kernel) => quantity(`roughness, ${kernel}, ${count} clusters`, roughs(of(kernel, count)))),
        ),
        checks: ratios.map((ratio, k) => ({
          what: `with ${[10, 50][k]} clusters box is ${digits(ratio)} times as rough as invsq; expected at least 1.2`,
          holds: ratio > 1.2,
        })),
        pictures: [
          { title: `box, 10 clusters, after ${EARLY} steps`, points: of('box', 10)[0].points },
          { title: `invsq, 10 clusters, after ${EARLY} steps`, points: of('invsq', 10)[0].points },
        ],
      };
    },
  },
  {
    id: '2015.kernel-poly6',
    paper: '2015',
    where: 'section 4, kernels',
    statement: 'The kernel poly6 falls off so smoothly that bodies hardly resist deformation.',
    experiment: `${CUBE} 10 and 50 clusters, each kernel. The kernel with which the cube takes longest to return resists least.`,
    async run({ seeds }) {
      const of = await kernelCubes(seeds);
      return {
        quantities: [10, 50].flatMap((count) =>
          KERNELS.map((kernel) =>
            quantity(`time to return, ${kernel}, ${count} clusters`, times(of(kernel, count)), 's'),
          ),
        ),
        checks: [10, 50].map((count) => {
          const own = KERNELS.map((kernel) => [kernel, median(times(of(kernel, count)))] as const);
          const slowest = [...own].sort((a, b) => b[1] - a[1]);
          return {
            what: `with ${count} clusters, from the slowest: ${slowest.map(([kernel, time]) => `${kernel} ${digits(time)} s`).join(', ')}; expected poly6 first`,
            holds: slowest[0][0] === 'poly6',
          };
        }),
      };
    },
  },
  {
    id: '2015.kernel-blend',
    paper: '2015',
    where: 'section 4, kernels',
    statement: 'The kernel blend performs better than box and than poly6.',
    experiment: `${CUBE} 10 clusters, each kernel. Blend should be smoother than box and resist more than poly6.`,
    async run({ seeds }) {
      const of = await kernelCubes(seeds);
      const [box, poly6, blend] = (['box', 'poly6', 'blend'] as const).map((kernel) => of(kernel, 10));
      return {
        quantities: [
          quantity('roughness, box', roughs(box)),
          quantity('roughness, blend', roughs(blend)),
          quantity('time to return, poly6', times(poly6), 's'),
          quantity('time to return, blend', times(blend), 's'),
        ],
        checks: [
          {
            what: `blend is smoother than box: ${digits(median(roughs(blend)))} and ${digits(median(roughs(box)))}`,
            holds: median(roughs(blend)) < median(roughs(box)),
          },
          {
            what: `blend returns sooner than poly6: ${digits(median(times(blend)))} and ${digits(median(times(poly6)))} s`,
            holds: median(times(blend)) < median(times(poly6)),
          },
        ],
      };
    },
  },
  {
    id: '2015.kernel-invsq-fcm',
    paper: '2015',
    where: 'section 4, kernels',
    statement: 'The kernels invsq and fcm perform alike.',
    experiment: `${CUBE} 10 and 50 clusters. Times and roughness of invsq and fcm (m = 2) are compared.`,
    async run({ seeds }) {
      const of = await kernelCubes(seeds);
      return {
        quantities: [10, 50].flatMap((count) =>
          (['invsq', 'fcm'] as const).map((kernel) =>
            quantity(`time to return, ${kernel}, ${count} clusters`, times(of(kernel, count)), 's'),
          ),
        ),
        checks: [10, 50].map((count) => {
          const ratio = median(times(of('fcm', count))) / median(times(of('invsq', count)));
          return {
            what: `with ${count} clusters the times differ by ${digits(100 * Math.abs(ratio - 1))} %; expected at most 3`,
            holds: Math.abs(ratio - 1) < 0.03,
          };
        }),
      };
    },
  },
  {
    id: '2015.fuzzy-sensitive',
    paper: '2015',
    where: 'section 4, third set of cubes',
    statement:
      'Algorithm and kernel both change the behaviour; the fuzzy algorithm is more sensitive to the kernel than k-means, because weights are part of its optimisation.',
    experiment: `${CUBE} k-means and fuzzy, 10 and 50 clusters, five kernels. Sensitivity is the standard deviation over the kernels of the logarithm of the time to return.`,
    differs:
      'With 10 clusters k-means is as sensitive as the fuzzy algorithm (0.25 and 0.24 over five seeds); with 50 it is less so, as the paper says.',
    async run({ seeds }) {
      const of = { kmeans: await kernelCubes(seeds, 'kmeans'), fuzzy: await kernelCubes(seeds, 'fuzzy') };
      const deviation = (algorithm: 'kmeans' | 'fuzzy', count: number) => {
        const logs = KERNELS.map((kernel) => Math.log(median(times(of[algorithm](kernel, count)))));
        const mean = logs.reduce((a, b) => a + b) / logs.length;
        return Math.sqrt(logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / logs.length);
      };
      const found = [10, 50].map((count) => [deviation('kmeans', count), deviation('fuzzy', count)]);
      return {
        quantities: [10, 50].flatMap((count, k) => [
          quantity(`sensitivity, k-means, ${count} clusters`, [found[k][0]]),
          quantity(`sensitivity, fuzzy, ${count} clusters`, [found[k][1]]),
        ]),
        checks: [
          {
            what: `kernels change the time: by ${digits(100 * found[0][1])} and ${digits(100 * found[1][1])} % with fuzzy; expected at least 10`,
            holds: found.every(([, fuzzy]) => fuzzy > 0.1),
          },
          ...[10, 50].map((count, k) => ({
            what: `with ${count} clusters fuzzy is the more sensitive: ${digits(found[k][1])}, k-means ${digits(found[k][0])}`,
            holds: found[k][1] > found[k][0],
          })),
        ],
      };
    },
  },
  {
    id: '2015.centres',
    paper: '2015',
    where: 'section 3.4',
    statement:
      'The centres that the fuzzy algorithm ends with are the physical centres of mass of the clusters; those of random and k-means are not.',
    experiment:
      'A cube and a bunny-like union of balls are clustered by each algorithm. The distance from the centre of the range query to the weighted centre of mass is measured, as a share of the radius.',
    async run({ seeds }) {
      const offset = async (algorithm: ClusterOptions['algorithm']) => {
        const worst: number[] = [];
        for (const seed of seeds) {
          const world = await World.create({ gravity: [0, 0, 0] });
          const body = world.addBody({
            shape: {
              type: 'union',
              of: [
                { type: 'sphere', radius: 0.5 },
                { type: 'sphere', radius: 0.3, position: [0.5, 0.4, 0] },
              ],
            },
            sampling: { count: 2000, seed },
            material: { raw: {} },
          });
          const points = Float64Array.from(body.restPositions);
          const found = cluster(points, new Float64Array(points.length / 3).fill(1), {
            algorithm,
            count: 30,
            seed,
            ...(algorithm === 'random' && { radius: 0.25 }),
          });
          worst.push(largestOffset(found, points) / found.radius);
          world.dispose();
        }
        return worst;
      };
      const [random, kmeans, fuzzy] = [await offset('random'), await offset('kmeans'), await offset('fuzzy')];
      return {
        quantities: [
          quantity('largest offset, random', random),
          quantity('largest offset, k-means', kmeans),
          quantity('largest offset, fuzzy', fuzzy),
        ],
        checks: [
          {
            what: `fuzzy: at most ${digits(Math.max(...fuzzy))} of the radius; expected below 0.02`,
            holds: Math.max(...fuzzy) < 0.02,
          },
          {
            what: `k-means: ${digits(Math.min(...kmeans))} and more; expected above 0.05`,
            holds: Math.min(...kmeans) > 0.05,
          },
          {
            what: `random: ${digits(Math.min(...random))} and more; expected above 0.05`,
            holds: Math.min(...random) > 0.05,
          },
        ],
      };
    },
  },
  {
    id: '2015.weights',
    paper: '2015',
    where: 'sections 3.2 and 3.3, equation 13',
    statement:
      'Weights are normalised, so that clusters have the mass of the particles; spherical clusters give sparse weights.',
    experiment:
      '1331 particles in 50 clusters with each kernel. The sum of the weights of every particle, the mass of all clusters and the mean number of clusters of a particle are taken.',
    perSeed: true,
    async run({ seed }) {
      let [off, most] = [0, 0];
      const quantities = [];
      for (const kernel of KERNELS) {
        const { world, body } = await stretchedCube({ clustering: { count: 50, kernel, seed } });
        const { particle, weight, count } = body.clustering;
        const sums = new Float64Array(body.particleCount);
        for (let k = 0; k < particle.length; k++) sums[particle[k]] += weight[k];
        off = Math.max(off, ...Array.from(sums, (sum) => Math.abs(sum - 1)));
        const share = particle.length / body.particleCount;
        most = Math.max(most, share / count);
        quantities.push(quantity(`clusters of a particle, ${kernel}`, [share]));
        world.dispose();
      }
      return {
        quantities,
        checks: [
          {
            what: `the weights of a particle sum to 1 within ${off.toExponential(1)}; expected 1e-12`,
            holds: off < 1e-12,
          },
          {
            what: `a particle is in at most ${digits(100 * most)} % of the clusters on average; expected below 15`,
            holds: most < 0.15,
          },
        ],
      };
    },
  },
  {
    id: '2015.half-spaces',
    paper: '2015',
    where: 'sections 3.4 and 4, figure 1',
    statement: 'Spheres fit thin sheets poorly; half-spaces from the axes of A_rr make the proxies fit.',
    experiment:
      'A sheet of 2 × 0.06 × 2 m and 5000 particles. The height of each proxy across the sheet is measured, as a sphere and with its planes.',
    perSeed: true,
    async run({ seed }) {
      const world = await World.create({ gravity: [0, 0, 0] });
      const sheet = world.addBody({
        shape: { type: 'box', size: [2, 0.06, 2] },
        sampling: { count: 5000, seed },
        clustering: { seed },
        material: { raw: {} },
        contact: { fraction: 0.5, exits: 'planes' },
      });
      world.step();
      const { spheres, cut, planes } = outside(world, sheet);
      world.dispose();
      return {
        quantities: [
          quantity('thickness of the proxies, spheres', [spheres], 'times the sheet'),
          quantity('thickness of the proxies, with half-spaces', [cut], 'times the sheet'),
          quantity('clusters with half-spaces', [100 * planes], '%'),
        ],
        checks: [
          { what: `${digits(100 * planes)} % of the clusters have half-spaces; expected over 90`, holds: planes > 0.9 },
          {
            what: `proxies reach ${digits(spheres)} times as high as the sheet without and ${digits(cut)} times with planes; expected over 2 and below 1.3`,
            holds: spheres > 2 && cut < 1.3,
          },
        ],
      };
    },
  },
  {
    id: '2015.sheet-speed',
    paper: '2015',
    where: 'section 4',
    statement: 'The sphere on the thin sheet ran at 161 frames a second without rendering, on a laptop of 2015.',
    experiment:
      "The variant `paper` of the gallery's sphere-on-sheet in one thread, with the paper's particle counts: median time of 100 steps while the ball lies on the sheet. A frame is 1/60 s, two steps. The gallery's own scene, with the elastic law and its substeps, was tried first and reaches half of the paper's rate.",
    timed: true,
    async run() {
      const { world } = await loadExample('sphere-on-sheet#paper', { threads: 1 });
      for (let n = 0; n < 120; n++) world.step();
      const seconds = stepTime(world) / (60 * world.dt);
      world.dispose();
      return {
        quantities: [quantity('frames a second', [1 / seconds])],
        checks: [{ what: `${digits(1 / seconds)} frames a second; expected over 161`, holds: 1 / seconds > 161 }],
        timings: [{ name: 'sphere on sheet', ours: 1000 * seconds, paper: 1000 / 161 }],
      };
    },
  },
  {
    id: '2015.bunnies',
    paper: '2015',
    where: 'section 4, figure 4',
    statement: 'Four bunnies that collide in zero gravity show contact on complex shapes.',
    experiment:
      "The gallery's four-bunnies for 1.5 s: they touch, part again, keep their shape and the momentum of all.",
    long: true,
    perSeed: true,
    async run({ seed }) {
      const { world, bodies } = await loadExample('four-bunnies', { seed });
      const scale = bodies.reduce((sum, body) => sum + body.mass * 2, 0);
      let touched = 0;
      for (let n = 0; n < 90; n++) {
        world.step();
        touched += world.drainEvents().filter((event) => event.type === 'touch').length;
      }
      const drift = Math.hypot(...world.measure().momentum) / scale;
      const worst = Math.max(...bodies.map(shapeError));
      const points = bodies.map(pointsOf);
      world.dispose();
      return {
        quantities: [
          quantity('drift of momentum, as a share of Σ m |v|', [drift]),
          quantity('rms distance from the rest shape', [worst]),
        ],
        checks: [
          { what: `${touched} touches between bunnies; expected some`, holds: touched > 0 },
          {
            what: `momentum drifts by ${drift.toExponential(1)} of its scale; expected below 1e-4`,
            holds: drift < 1e-4,
          },
          { what: `the shapes are within ${digits(100 * worst)} % of rest; expected 5`, holds: worst < 0.05 },
        ],
        pictures: [{ title: 'after 1.5 s', points: joined(points), from: [0.3, 0.6, 1] }],
      };
    },
  },
  {
    id: '2015.runtime-planes',
    paper: '2015',
    where: 'section 4, figure 3',
    statement:
      'Collision proxies can be updated while running: a beam that breaks under a falling sphere gets half-spaces along its cracks.',
    experiment:
      "The variant `paper` of the gallery's sphere-on-beam, with the authors' settings and a toughness of our own, for 4 s: planes of all proxies before and after, and the mass. The gallery's own beam is elastic and does not break.",
    long: true,
    perSeed: true,
    async run({ seed }) {
      const { world, bodies } = await loadExample('sphere-on-beam#paper', { seed });
      const planesOf = () => bodies.reduce((sum, body) => sum + planeCount(world, body), 0) / world.clusterCount;
      world.step();
      const [before, mass, clusters] = [planesOf(), world.measure().mass, world.clusterCount];
      let splits = 0;
      for (let n = 0; n < 240; n++) {
        world.step();
        splits += world.drainEvents().filter((event) => event.type === 'fracture').length;
      }
      const after = planesOf();
      const loss = Math.abs(world.measure().mass / mass - 1);
      const points = bodies.map(pointsOf);
      const grown = world.clusterCount;
      world.dispose();
      return {
        quantities: [
          quantity('planes a proxy before', [before]),
          quantity('planes a proxy after', [after]),
          quantity('clusters before', [clusters]),
          quantity('clusters after', [grown]),
        ],
        checks: [
          {
            what: `it breaks: ${grown} clusters instead of ${clusters}, ${splits} fracture events`,
            holds: grown > clusters,
          },
          { what: `proxies have ${digits(after)} planes on average, before ${digits(before)}`, holds: after > before },
          { what: `mass changes by ${loss.toExponential(1)}; expected below 1e-6`, holds: loss < 1e-6 },
        ],
        pictures: [{ title: 'after 4 s', points: joined(points) }],
      };
    },
  },
  {
    id: '2015.stiffness-step',
    paper: '2015',
    where: 'section 4, limitations',
    statement: 'The stiffest body that can be had is tied to the inverse of the time step.',
    experiment: `The stretched cube of 10 clusters with α = 0.01 at steps of 1/60, 1/120 and 1/240 s. Stiffness goes with the inverse square of the time to return.`,
    perSeed: true,
    async run({ seed }) {
      const rates = [60, 120, 240];
      const found: number[] = [];
      for (const rate of rates) {
        const { world, body } = await stretchedCube({ clustering: { count: 10, seed }, dt: 1 / rate });
        found.push(returnTime(world, body, 800));
        world.dispose();
      }
      const ratios = [found[0] / found[1], found[1] / found[2]];
      return {
        quantities: rates.map((rate, k) => quantity(`time to return at ${rate} Hz`, [found[k]], 's')),
        checks: [
          {
            what: `halving the step makes it return ${ratios.map(digits).join(' and ')} times as fast; expected 2 within 5 %, that is four times the stiffness`,
            holds: ratios.every((ratio) => Math.abs(ratio / 2 - 1) < 0.05),
          },
        ],
      };
    },
  },
  {
    id: '2015.newton',
    paper: '2015',
    where: 'section 2, and section 3.2 on strain limiting',
    statement: "Shape matching keeps Newton's laws; strain limiting is added for stability.",
    experiment:
      'The stretched cube of 50 clusters for 200 steps: drift of the centre of mass without limit, with the limit of the papers (γ = 0.1, ω = 0.3, 3 sweeps), and with the conserving one.',
    differs:
      'Matching alone keeps linear momentum to rounding. The limit of the papers does not: it moves the free cube. Our conserving form does not move it.',
    async run({ seeds }) {
      const drift = async (limit: { iterations: number; mode?: 'paper' | 'conserving' }) => {
        const found: number[] = [];
        for (const seed of seeds) {
          const { world } = await stretchedCube({
            clustering: { count: 50, seed },
            raw: { stiffness: 0.5, limit: { gamma: 0.1, omega: 0.3, ...limit } },
          });
          const [x0] = [world.measure().com];
          for (let n = 0; n < 200; n++) world.step();
          const { com } = world.measure();
          found.push(Math.hypot(...com.map((value, a) => value - x0[a])) / Math.sqrt(3));
          world.dispose();
        }
        return found;
      };
      const none = await drift({ iterations: 0 });
      const paper = await drift({ iterations: 3, mode: 'paper' });
      const conserving = await drift({ iterations: 3, mode: 'conserving' });
      return {
        quantities: [
          quantity('drift in diagonals, no limit', none),
          quantity("drift in diagonals, the papers' limit", paper),
          quantity('drift in diagonals, conserving limit', conserving),
        ],
        checks: [
          {
            what: `matching alone: ${Math.max(...none).toExponential(1)} diagonals in 200 steps; expected below 1e-4`,
            holds: Math.max(...none) < 1e-4,
          },
          {
            what: `conserving limit: ${Math.max(...conserving).toExponential(1)}; expected below 1e-4`,
            holds: Math.max(...conserving) < 1e-4,
          },
        ],
      };
    },
  },
];

/** The largest distance between a cluster's centre and the weighted mean of its members (m). */
function largestOffset(
  { start, particle, weight, centre, count }: ReturnType<typeof cluster>,
  points: Float64Array,
): number {
  let largest = 0;
  for (let c = 0; c < count; c++) {
    const mean = [0, 0, 0];
    let sum = 0;
    for (let k = start[c]; k < start[c + 1]; k++) {
      sum += weight[k];
      for (let a = 0; a < 3; a++) mean[a] += weight[k] * points[3 * particle[k] + a];
    }
    largest = Math.max(largest, Math.hypot(...mean.map((value, a) => value / sum - centre[3 * c + a])));
  }
  return largest;
}

/**
 * How high the proxies of a sheet reach (mean over its clusters, in thicknesses of the sheet) as spheres and with their planes, and the share of
 * clusters that have planes. The sheet lies across y and is 0.06 m thick.
 */
function outside(world: World, sheet: ReturnType<World['addBody']>) {
  const spheresOf = new Float32Array(4 * sheet.clusterCount);
  proxySpheresInto(spheresOf, world, sheet);
  const planesOf = new Float32Array(4 * PROXY_PLANES);
  let [spheres, cut, planes] = [0, 0, 0];
  for (let c = 0; c < sheet.clusterCount; c++) {
    const [radius, y] = [spheresOf[4 * c + 3], spheresOf[4 * c + 1]];
    const count = proxyPlanesInto(planesOf, world, sheet, c);
    let [up, down] = [radius, radius];
    for (let k = 0; k < count; k++) {
      // n · x = d with a normal along y bounds the height above or below the centre.
      const [ny, d] = [planesOf[4 * k + 1], planesOf[4 * k + 3]];
      if (ny > 0.9) up = Math.min(up, d / ny - y);
      if (ny < -0.9) down = Math.min(down, y - d / ny);
    }
    spheres += (2 * radius) / 0.06;
    cut += (up + down) / 0.06;
    if (count > 0) planes++;
  }
  const n = sheet.clusterCount;
  return { spheres: spheres / n, cut: cut / n, planes: planes / n };
}

function planeCount(world: World, body: ReturnType<World['addBody']>): number {
  const planes = new Float32Array(4 * PROXY_PLANES);
  let sum = 0;
  for (let c = 0; c < body.clusterCount; c++) sum += proxyPlanesInto(planes, world, body, c);
  return sum;
}
