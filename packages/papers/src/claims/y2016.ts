import { type Body, type FractureOptions, type MaterialOptions, type Vec3, World } from 'pliant';
import { type Claim, digits, quantity } from '../claim.js';
import { fastest, pointsOf, stepTime } from '../experiments/measure.js';
import { massShares, watchSplits } from '../experiments/pieces.js';
import { loadExample } from '../experiments/scenes.js';

/** A bar that two clamps pull apart in free space, with the papers' parameters; turned by `degrees` about z. */
async function pulledBar(
  fracture: FractureOptions,
  material: MaterialOptions = {},
  degrees = 0,
  seed = 2,
  stiffness = 0.5,
) {
  const world = await World.create({ gravity: [0, 0, 0], sleepSpeed: 0 });
  const angle = (degrees * Math.PI) / 180;
  const along: Vec3 = [Math.cos(angle), Math.sin(angle), 0];
  const body = world.addBody({
    shape: { type: 'box', size: [2, 0.36, 0.36] },
    sampling: { count: 1500, seed },
    material: {
      toughness: 0.25,
      raw: { stiffness, damping: 0.05, rotation: 'deformation', limit: { gamma: 0.5 } },
      ...material,
    },
    clustering: { count: 40, seed },
    fracture,
    contact: { mode: 'none', self: false },
    rotation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)],
  });
  for (const side of [-1, 1])
    world.addClamp({
      region: { type: 'halfspace', normal: along.map((a) => side * a) as unknown as Vec3, offset: 0.85 },
      velocity: along.map((a) => 0.4 * side * a) as unknown as Vec3,
    });
  return { world, body, along };
}

/** One of the three plates of figure 5 after its projectile has gone through. */
async function plate(name: string, seed: number) {
  const { world, bodies, scene } = await loadExample(name, { seed });
  // How far the plate bends before it first breaks.
  let [bend, broken] = [0, false];
  const splits = watchSplits(world, Math.min(scene.frames, 120), () => {
    broken ||= bodies[0].topologyVersion > 0;
    if (!broken) bend = deepest(bodies[0]);
  });
  const { pieces, splinters, debris } = massShares(bodies[0]);
  const result = {
    splits: splits.length,
    bend,
    pieces,
    crumbs: splinters + debris,
    // Share of the mass that a particle's own piece has on average: near 1 if the plate is whole, near 0 in crumbs.
    whole: pieces.reduce((sum, share) => sum + share * share, 0),
    strain: Math.max(...bodies[0].plasticStrain),
    points: pointsOf(bodies[0]),
  };
  world.dispose();
  return result;
}

/** How far the particle that moved farthest along z is from where it was built (m). */
function deepest({ positions: x, restPositions: r, particleCount: n }: Body): number {
  let most = 0;
  for (let i = 0; i < n; i++) most = Math.max(most, Math.abs(x[4 * i + 2] - r[3 * i + 2]));
  return most;
}

export const CLAIMS_2016: Claim[] = [
  {
    id: '2016.plates',
    paper: '2016',
    where: 'section 4, figure 5',
    statement:
      'A projectile breaks a weak brittle plate into many small pieces, a strong brittle one into larger pieces.',
    experiment:
      "The gallery's plate-weak and plate-strong for 2 s: number of splits, and the mean over the mass of the share that a particle's piece has of the plate.",
    long: true,
    perSeed: true,
    async run({ seed }) {
      const [weak, strong] = [await plate('plate-weak', seed), await plate('plate-strong', seed)];
      return {
        quantities: [
          quantity('splits, weak', [weak.splits]),
          quantity('splits, strong', [strong.splits]),
          quantity('usual share of a piece, weak', [weak.whole]),
          quantity('usual share of a piece, strong', [strong.whole]),
        ],
        checks: [
          {
            what: `the weak plate splits ${weak.splits} times, the strong one ${strong.splits} times; expected at least three times as often`,
            holds: weak.splits >= 3 * strong.splits && strong.splits > 0,
          },
          {
            what: `pieces of the weak plate are smaller: usual share ${digits(weak.whole)}, strong ${digits(strong.whole)}`,
            holds: weak.whole < 0.75 * strong.whole,
          },
        ],
        pictures: [
          { title: 'weak and brittle', points: weak.points, from: [0.7, 0.3, 1] },
          { title: 'strong and brittle', points: strong.points, from: [0.7, 0.3, 1] },
        ],
      };
    },
  },
  {
    id: '2016.ductile',
    paper: '2016',
    where: 'section 4, figure 5',
    statement: 'The ductile plate deforms plastically near the impact before it breaks, and stays bent.',
    experiment:
      "The gallery's plate-ductile beside plate-strong: how far each bends before it first breaks, and the plastic strain that stays.",
    long: true,
    perSeed: true,
    async run({ seed }) {
      const [ductile, strong] = [await plate('plate-ductile', seed), await plate('plate-strong', seed)];
      return {
        quantities: [
          quantity('bend before the first break, ductile', [ductile.bend], 'm'),
          quantity('bend before the first break, strong', [strong.bend], 'm'),
          quantity('largest plastic strain, ductile', [ductile.strain]),
        ],
        checks: [
          {
            what: `it bends by ${digits(ductile.bend)} m before it breaks, the brittle one by ${digits(strong.bend)} m`,
            holds: ductile.bend > 1.2 * strong.bend,
          },
          {
            what: `plastic strain up to ${digits(ductile.strain)} stays; none in the brittle plate (${digits(strong.strain)})`,
            holds: ductile.strain > 0.1 && strong.strain === 0,
          },
        ],
        pictures: [{ title: 'ductile', points: ductile.points, from: [0.7, 0.3, 1] }],
      };
    },
  },
  {
    id: '2016.heart',
    paper: '2016',
    where: 'section 4, figure 1',
    statement: 'The shape of the heart determines where the tear begins and how it runs.',
    experiment: "The gallery's broken-heart for 1.5 s: place of the first splits, and whether later ones are lower.",
    long: true,
    perSeed: true,
    async run({ seed }) {
      const { world, bodies } = await loadExample('broken-heart', { seed });
      const splits = watchSplits(world, 90);
      const third = Math.max(1, Math.floor(splits.length / 3));
      const height = (of: typeof splits) => of.reduce((sum, { position }) => sum + position[1] / of.length, 0);
      const [early, late] = [height(splits.slice(0, third)), height(splits.slice(-third))];
      const { pieces } = massShares(bodies[0]);
      const points = pointsOf(bodies[0]);
      world.dispose();
      return {
        quantities: [
          quantity('height of the first third of the splits', [early], 'm'),
          quantity('height of the last third', [late], 'm'),
          quantity('second largest piece', [pieces[1] ?? 0]),
        ],
        checks: [
          {
            what: `the tear begins at x = ${digits(splits[0]?.position[0] ?? NaN)} m, y = ${digits(splits[0]?.position[1] ?? NaN)} m, within 0.1 m of the notch at (0, 0.19)`,
            holds: splits.length > 0 && Math.abs(splits[0].position[0]) < 0.1 && splits[0].position[1] > 0.09,
          },
          { what: `it runs down: from ${digits(early)} to ${digits(late)} m`, holds: late < early },
          {
            what: `it ends in halves: the second piece has ${digits(100 * (pieces[1] ?? 0))} % of the mass`,
            holds: (pieces[1] ?? 0) > 0.3,
          },
        ],
        pictures: [{ title: 'after 1.5 s', points, from: [0.1, 0.1, 1] }],
      };
    },
  },
  {
    id: '2016.cheese',
    paper: '2016',
    where: 'section 4, figure 1',
    statement: 'The holes in a slice of cheese determine how it tears.',
    experiment:
      "The gallery's swiss-cheese until it has split 24 times. The distance of the splits from the nearest hole is compared with that of all particles between the clamps.",
    long: true,
    perSeed: true,
    async run({ seed }) {
      const { world, bodies, scene } = await loadExample('swiss-cheese', { seed });
      const shape = scene.bodies[0].options.shape as unknown as { of: { radius: number; position?: Vec3 }[] };
      const holes = shape.of.slice(1);
      const toHole = (x: number, y: number) =>
        Math.min(
          ...holes.map(({ radius, position = [0, 0, 0] }) => Math.hypot(x - position[0], y - position[1]) - radius),
        );
      const { restPositions: rest } = bodies[0];
      const all: number[] = [];
      for (let k = 0; k < rest.length; k += 3) if (Math.abs(rest[k + 1]) < 0.29) all.push(toHole(rest[k], rest[k + 1]));
      all.sort((a, b) => a - b);
      const splits: { position: Vec3 }[] = [];
      for (let n = 0; n < 300 && splits.length < 24; n++) splits.push(...watchSplits(world, 1));
      const ranks = splits.slice(0, 24).map(({ position }) => {
        const [x, y] = builtAt(bodies[0], position);
        return all.filter((d) => d <= toHole(x, y)).length / all.length;
      });
      const mean = ranks.reduce((a, b) => a + b, 0) / ranks.length;
      const points = pointsOf(bodies[0]);
      world.dispose();
      return {
        quantities: [quantity('share of the slice that is nearer to a hole than a split', [mean])],
        checks: [
          { what: `${ranks.length} splits; expected 24`, holds: ranks.length === 24 },
          {
            what: `splits lie nearer to holes than chance has it: ${digits(100 * mean)} % of the slice is nearer; expected below 40, by chance 50 ± 6`,
            holds: mean < 0.4,
          },
        ],
        pictures: [{ title: 'after 24 splits', points, from: [0.05, 0.05, 1] }],
      };
    },
  },
  {
    id: '2016.spray',
    paper: '2016',
    where: 'section 3.3',
    statement:
      'A cluster that has split may still be strained in the next step and split again, until single particles are left; a delay or a boost of the toughness both stop this spray.',
    experiment:
      'A soft bar (α = 0.05) is pulled apart with neither, with the delay, and with a boost of 4 that falls off with 2 a second. Clusters and particles in no cluster are counted after 1.5 s.',
    async run({ seeds }) {
      const count = async (fracture: FractureOptions) => {
        const found: { clusters: number; debris: number }[] = [];
        for (const seed of seeds) {
          const { world, body } = await pulledBar({ outliers: Infinity, ...fracture }, {}, 0, seed, 0.05);
          watchSplits(world, 90);
          found.push({ clusters: body.clusterCount, debris: massShares(body).debris + massShares(body).splinters });
          world.dispose();
        }
        return found;
      };
      const none = await count({ delay: false });
      const delay = await count({ delay: true });
      const boost = await count({ delay: false, boost: 4, falloff: 2 });
      const of = (list: { clusters: number; debris: number }[], key: 'clusters' | 'debris') =>
        list.map((entry) => entry[key]);
      const middle = (list: { clusters: number; debris: number }[]) => quantity('', of(list, 'clusters')).value - 40;
      return {
        quantities: [
          quantity(
            'new clusters, neither',
            of(none, 'clusters').map((n) => n - 40),
          ),
          quantity(
            'new clusters, delay',
            of(delay, 'clusters').map((n) => n - 40),
          ),
          quantity(
            'new clusters, boost',
            of(boost, 'clusters').map((n) => n - 40),
          ),
          quantity('mass in splinters and single particles, neither', of(none, 'debris')),
          quantity('mass in splinters and single particles, delay', of(delay, 'debris')),
          quantity('mass in splinters and single particles, boost', of(boost, 'debris')),
        ],
        checks: [
          {
            what: `with the delay ${middle(delay)} clusters are new, with neither ${middle(none)}; expected less than half`,
            holds: middle(delay) < 0.5 * middle(none),
          },
          {
            what: `with the boost ${middle(boost)}; expected less than half`,
            holds: middle(boost) < 0.5 * middle(none),
          },
        ],
      };
    },
  },
  {
    id: '2016.boost-formula',
    paper: '2016',
    where: 'section 3.3, equation 16',
    statement: 'The boosted toughness is printed as τ₀ (1 + τ_b) e^(τ_f t).',
    experiment:
      'Values of the printed formula and of τ₀ (1 + τ_b e^(−τ_f t)) for τ₀ = 0.2, τ_b = 2, τ_f = 1 at 0, 1 and 10 s.',
    differs:
      'As printed the toughness grows without bound. The text says that the boost falls off, which the second formula does; Pliant has that one.',
    async run() {
      const printed = [0, 1, 10].map((t) => 0.2 * 3 * Math.exp(t));
      const meant = [0, 1, 10].map((t) => 0.2 * (1 + 2 * Math.exp(-t)));
      return {
        quantities: [quantity('printed, after 10 s', [printed[2]]), quantity('meant, after 10 s', [meant[2]])],
        checks: [
          {
            what: `both begin with τ₀ (1 + τ_b): ${digits(printed[0])} and ${digits(meant[0])}`,
            holds: Math.abs(printed[0] - meant[0]) < 1e-12,
          },
          {
            what: `the boost of the second has fallen off after 10 s: ${digits(meant[2])} of 0.2`,
            holds: Math.abs(meant[2] / 0.2 - 1) < 1e-3,
          },
        ],
      };
    },
  },
  {
    id: '2016.flow-formula',
    paper: '2016',
    where: 'section 3.2; the same in 2017, equations 2.13, 2.14 and 2.28',
    statement:
      'Strain beyond the yield λ flows with γ = min((ν ‖F* − I‖ − λ − K α)/‖F* − I‖, 1), and F^p becomes F*^γ V F^p.',
    experiment:
      'γ as printed and with parentheses, ν (‖F* − I‖ − λ − K α)/‖F* − I‖, at the yield itself (λ = 0.1, ν = 0.2, K = 0). The direction of the plastic stretch of F*^γ V and of F*^γ Vᵀ for a stretch of 1.4 along 30°, γ = 1.',
    differs:
      'As printed, ν multiplies the strain alone: with ν below 1 a cluster at its yield flows backwards. V turns the plastic stretch to the other side of the axis, off by twice the angle of the stretch. Pliant has the parentheses and Vᵀ, with V before it, so that F^p stays symmetric.',
    async run() {
      const [yieldAt, rate] = [0.1, 0.2];
      const printed = (rate * yieldAt - yieldAt) / yieldAt;
      const meant = (rate * (yieldAt - yieldAt)) / yieldAt;
      const angle = Math.PI / 6;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      /** The angle (°) of the direction that diag(1.4, 1/1.4) M stretches most. */
      const directionOf = (M: readonly number[]) => {
        const rows = [M.slice(0, 2).map((v) => 1.4 * v), M.slice(2).map((v) => v / 1.4)];
        const xx = rows.reduce((sum, [a]) => sum + a * a, 0);
        const yy = rows.reduce((sum, [, b]) => sum + b * b, 0);
        const xy = rows.reduce((sum, [a, b]) => sum + a * b, 0);
        return ((Math.atan2(2 * xy, xx - yy) / 2) * 180) / Math.PI;
      };
      // V turns by 30°: its first column is the direction of the stretch.
      const [withV, withTransposed] = [directionOf([c, -s, s, c]), directionOf([c, s, -s, c])];
      return {
        quantities: [
          quantity('γ at the yield, as printed', [printed]),
          quantity('γ at the yield, with parentheses', [meant]),
          quantity('direction of the plastic stretch, V', [withV], '°'),
          quantity('direction of the plastic stretch, Vᵀ', [withTransposed], '°'),
        ],
        checks: [
          {
            what: `with parentheses nothing flows at the yield: γ = ${digits(meant)}; as printed ${digits(printed)}`,
            holds: meant === 0 && printed < 0,
          },
          {
            what: `Vᵀ keeps the direction of 30°: ${digits(withTransposed)}°; V gives ${digits(withV)}°`,
            holds: Math.abs(withTransposed - 30) < 1e-9 && Math.abs(withV + 30) < 1e-9,
          },
        ],
      };
    },
  },
  {
    id: '2016.split-plane',
    paper: '2016',
    where: 'section 3.3, equation 15',
    statement: 'A cluster is split by a plane across its direction of largest stretch.',
    experiment:
      'A bar turned by 40° is pulled along its axis until it splits. The angle between the normals of the first splits and the axis is measured.',
    differs:
      'The paper takes V_max as a direction of the world. That is right only while a cluster has not turned: V belongs to the rest shape, and in the world the direction is U_max, which Pliant takes. For a body that turned by 40° V would be off by 40°.',
    async run({ seeds }) {
      const angles: number[] = [];
      for (const seed of seeds) {
        const { world, along } = await pulledBar({}, {}, 40, seed);
        const splits = watchSplits(world, 120).slice(0, 5);
        for (const { normal } of splits) {
          const cosine = Math.abs(normal[0] * along[0] + normal[1] * along[1] + normal[2] * along[2]);
          angles.push((Math.acos(Math.min(1, cosine)) * 180) / Math.PI);
        }
        world.dispose();
      }
      const middle = quantity('angle between split normals and the pull', angles, '°');
      return {
        quantities: [middle],
        checks: [
          { what: `${angles.length} splits`, holds: angles.length > 0 },
          { what: `the median angle is ${digits(middle.value)}°; expected below 20`, holds: middle.value < 20 },
        ],
      };
    },
  },
  {
    id: '2016.mass',
    paper: '2016',
    where: 'section 3.3',
    statement: 'When particles split, mass is divided between the copies and everything else is copied.',
    experiment: 'The pulled bar with a toughness of 0.05 and without delay: its mass before and after many splits.',
    perSeed: true,
    async run({ seed }) {
      const { world, body } = await pulledBar({ delay: false }, { toughness: 0.05 }, 0, seed);
      const { mass } = world.measure();
      const splits = watchSplits(world, 90);
      const after = world.measure();
      const loss = Math.abs(after.mass / mass - 1);
      const copies = body.particleCount;
      world.dispose();
      return {
        quantities: [
          quantity('splits', [splits.length]),
          quantity('particles', [copies]),
          quantity('change of mass', [loss]),
        ],
        checks: [
          { what: `${splits.length} splits; expected at least 50`, holds: splits.length >= 50 },
          { what: `mass changes by ${loss.toExponential(1)}; expected below 1e-6`, holds: loss < 1e-6 },
        ],
      };
    },
  },
  {
    id: '2016.twisted-bar',
    paper: '2016',
    where: 'section 4, figure 4',
    statement:
      'A tough plastic bar keeps its twist when the clamps let go; with fracture it tears into two pieces before.',
    experiment:
      "The gallery's plastic-bar and twisted-bar-fracture to their ends: the twist that stays, and the pieces.",
    long: true,
    perSeed: true,
    async run({ seed }) {
      const plastic = await loadExample('plastic-bar', { seed });
      for (let n = 0; n < plastic.scene.frames; n++) plastic.world.step();
      const kept = twistOf(plastic.bodies[0]);
      const strain = Math.max(...plastic.bodies[0].plasticStrain);
      const plasticPoints = pointsOf(plastic.bodies[0]);
      plastic.world.dispose();
      const torn = await loadExample('twisted-bar-fracture', { seed });
      watchSplits(torn.world, torn.scene.frames);
      const { pieces } = massShares(torn.bodies[0]);
      const tornPoints = pointsOf(torn.bodies[0]);
      torn.world.dispose();
      return {
        quantities: [
          quantity('twist that stays', [(kept * 180) / Math.PI], '°'),
          quantity('largest plastic strain', [strain]),
          quantity('pieces above 2 % of the mass', [pieces.length]),
        ],
        checks: [
          {
            what: `the plastic bar keeps a twist of ${digits((kept * 180) / Math.PI)}°; expected over 30`,
            holds: kept > Math.PI / 6,
          },
          {
            what: `with fracture it is in ${pieces.length} pieces, the second with ${digits(100 * (pieces[1] ?? 0))} % of the mass; expected at least 2 and over 10`,
            holds: pieces.length >= 2 && pieces[1] > 0.1,
          },
        ],
        pictures: [
          { title: 'without fracture', points: plasticPoints },
          { title: 'with fracture', points: tornPoints },
        ],
      };
    },
  },
  {
    id: '2016.hollow-ball',
    paper: '2016',
    where: 'section 4, figure 6',
    statement: 'A hollow ball that is dropped on the ground breaks.',
    experiment: "The gallery's hollow-ball for 2 s: splits, pieces, mass, and whether everything is finite.",
    long: true,
    perSeed: true,
    async run({ seed }) {
      const { world, bodies } = await loadExample('hollow-ball', { seed });
      const mass = world.measure().mass;
      const splits = watchSplits(world, 120);
      const { pieces } = massShares(bodies[0]);
      const loss = Math.abs(world.measure().mass / mass - 1);
      const points = pointsOf(bodies[0]);
      const finite = Number.isFinite(fastest(bodies[0]));
      world.dispose();
      return {
        quantities: [quantity('splits', [splits.length]), quantity('pieces above 2 % of the mass', [pieces.length])],
        checks: [
          {
            what: `it splits ${splits.length} times into ${pieces.length} large pieces; expected at least 2`,
            holds: splits.length > 0 && pieces.length >= 2,
          },
          { what: `mass changes by ${loss.toExponential(1)}, all finite`, holds: loss < 1e-6 && finite },
        ],
        pictures: [{ title: 'after 2 s', points, from: [0.3, 0.5, 1] }],
      };
    },
  },
  {
    id: '2016.bounded',
    paper: '2016',
    where: 'section 4, limitations',
    statement:
      'The cost is variable: many fractures at once weigh on it. Processing the queue as resources allow is left as future work.',
    experiment:
      'A weak bar (toughness 0.05) is jerked apart with budgets of 2 000 and of 50 000 memberships a step: the largest number of splits in one step, and of all.',
    differs: 'Pliant has the bounded queue: it counts work, not time, so that all machines compute the same.',
    perSeed: true,
    async run({ seed }) {
      const most = async (budget: number) => {
        const { world } = await pulledBar({ budget, delay: false }, { toughness: 0.05 }, 0, seed);
        const counts: number[] = [];
        for (let n = 0; n < 60; n++) counts.push(watchSplits(world, 1).length);
        world.dispose();
        return { most: Math.max(...counts), all: counts.reduce((a, b) => a + b, 0) };
      };
      const [tight, wide] = [await most(2000), await most(50_000)];
      return {
        quantities: [
          quantity('most splits in a step, budget 2 000', [tight.most]),
          quantity('most splits in a step, budget 50 000', [wide.most]),
        ],
        checks: [
          {
            what: `the budget bounds a step: ${tight.most} splits at most, with the wide one ${wide.most}`,
            holds: tight.most < wide.most,
          },
          { what: `the queue goes on in later steps: ${tight.all} splits in all`, holds: tight.all > tight.most },
        ],
      };
    },
  },
  {
    id: '2016.timing',
    paper: '2016',
    where: 'table 1',
    statement: 'The examples took 7 to 39 ms a frame on a laptop of 2016.',
    experiment:
      "Median time of 30 steps of the variants `paper` of the gallery's scenes, with the paper's particle and cluster counts, in one thread. Machines differ by ten years: the numbers tell that the examples run in real time, not how much better the program is.",
    timed: true,
    async run() {
      const rows: [string, string, number][] = [
        ['armadillo', 'torn-creature#paper', 24],
        ['twisted bar', 'twisted-bar#paper', 7],
        ['twisted bar with fracture', 'twisted-bar-fracture#paper', 9],
        ['projectile through ductile plate', 'plate-ductile#paper', 27],
        ['broken heart', 'broken-heart#paper', 31],
        ['swiss cheese', 'swiss-cheese#paper', 39],
      ];
      const timings: { name: string; ours: number; paper: number }[] = [];
      for (const [name, scene, paper] of rows) {
        const { world } = await loadExample(scene, { threads: 1 });
        timings.push({ name, ours: 1000 * stepTime(world, 30, 5), paper });
        world.dispose();
      }
      return {
        quantities: timings.map(({ name, ours }) => quantity(`${name}`, [ours], 'ms')),
        checks: timings.map(({ name, ours, paper }) => ({
          what: `${name}: ${digits(ours)} ms, paper ${paper}`,
          holds: ours < paper,
        })),
        timings,
      };
    },
  },
];

/** Where the particle nearest to a place was built. */
function builtAt({ positions: x, restPositions: rest }: Body, place: Vec3): Vec3 {
  let [nearest, least] = [0, Infinity];
  for (let i = 0; 4 * i < x.length; i++) {
    const d = Math.hypot(place[0] - x[4 * i], place[1] - x[4 * i + 1], place[2] - x[4 * i + 2]);
    if (d < least) [nearest, least] = [i, d];
  }
  return [rest[3 * nearest], rest[3 * nearest + 1], rest[3 * nearest + 2]];
}

/** The angle (rad) by which the right end of a bar along x is turned against its left end. */
function twistOf({ positions: x, restPositions: r, particleCount: n }: Body): number {
  const turn = (side: number) => {
    let [sine, cosine, cy, cz, count] = [0, 0, 0, 0, 0];
    for (let i = 0; i < n; i++)
      if (side * r[3 * i] > 0.8) {
        cy += x[4 * i + 1];
        cz += x[4 * i + 2];
        count++;
      }
    for (let i = 0; i < n; i++)
      if (side * r[3 * i] > 0.8) {
        const [y, z] = [x[4 * i + 1] - cy / count, x[4 * i + 2] - cz / count];
        sine += r[3 * i + 1] * z - r[3 * i + 2] * y;
        cosine += r[3 * i + 1] * y + r[3 * i + 2] * z;
      }
    return Math.atan2(sine, cosine);
  };
  const angle = Math.abs(turn(1) - turn(-1));
  return Math.min(angle, 2 * Math.PI - angle);
}
