import { type Body, type BodyOptions, type RawOptions, type Vec3, World } from 'pliant';
import { type Claim, digits, quantity } from '../claim.js';
import { fastest, meshVolume, pointsOf, shapeError, sizeOf, stepTime } from '../experiments/measure.js';
import { loadExample } from '../experiments/scenes.js';

/** A cube of one cluster with soft goals, flying along −x. */
async function thrownCube(raw: RawOptions, speed = 20) {
  const world = await World.create({ gravity: [0, 0, 0], sleepSpeed: 0 });
  world.addCollider({ type: 'plane', normal: [1, 0, 0], offset: -0.52 });
  const body = world.addBody({
    shape: { type: 'box', size: [1, 1, 1] },
    sampling: { method: 'grid', count: 343 },
    material: { raw: { stiffness: 0.3, damping: 0.02, limit: { iterations: 0 }, ...raw } },
    clustering: { count: 1 },
    contact: { self: false },
    velocity: [-speed, 0, 0],
  });
  return { world, body };
}

/** The widest that the cube becomes across the wall within `steps` (m), and the fastest change of its thickness from step to step. */
async function thrown(raw: RawOptions, speed?: number, steps = 60) {
  const { world, body } = await thrownCube(raw, speed);
  let [widest, thinnest] = [0, Infinity];
  const thickness: number[] = [];
  let points = pointsOf(body);
  for (let n = 0; n < steps; n++) {
    world.step();
    const [x, y, z] = sizeOf(body);
    if (Math.max(y, z) > widest) points = pointsOf(body);
    widest = Math.max(widest, y, z);
    thinnest = Math.min(thinnest, x);
    thickness.push(x);
  }
  const finite = Number.isFinite(fastest(body));
  world.dispose();
  return { widest, thinnest, thickness, finite, points };
}

const SOFT: RawOptions = { mode: 'linear', beta: 0.9, volume: 'scaled' };

/** Bar of one cluster held at its left end under gravity; returns how far its tip hangs below (m). */
async function hangingBar(raw: RawOptions) {
  const world = await World.create({ sleepSpeed: 0 });
  const body = world.addBody({
    shape: { type: 'box', size: [2, 0.3, 0.3] },
    sampling: { method: 'grid', spacing: 0.1 },
    material: { raw: { stiffness: 0.5, damping: 0.1, limit: { iterations: 0 }, ...raw } },
    clustering: { count: 1 },
    contact: { self: false },
  });
  world.addClamp({ region: { type: 'halfspace', normal: [-1, 0, 0], offset: 0.85 } });
  for (let n = 0; n < 240; n++) world.step();
  const [x, r] = [body.positions, body.restPositions];
  // Bend: how far the middle is from the line between the ends, averaged over the cross-sections.
  const mean = (low: number, high: number) => {
    let [sum, count] = [0, 0];
    for (let i = 0; i < body.particleCount; i++)
      if (r[3 * i] >= low && r[3 * i] <= high) {
        sum += x[4 * i + 1];
        count++;
      }
    return sum / count;
  };
  const [left, middle, right] = [mean(-1, -0.85), mean(-0.06, 0.06), mean(0.85, 1)];
  const points = pointsOf(body);
  world.dispose();
  return { tip: left - right, bend: Math.abs(middle - (left + right) / 2), points };
}

/** The body turned inside out, then let go for five seconds: shape error at the end, and the largest speed on the way. */
async function invertedCube(raw: RawOptions, options: Partial<BodyOptions> = {}) {
  const world = await World.create({ gravity: [0, 0, 0], sleepSpeed: 0 });
  const body = world.addBody({
    shape: { type: 'box', size: [1, 0.8, 0.6] },
    sampling: { method: 'grid', count: 500 },
    material: { raw: { stiffness: 0.5, damping: 0.1, limit: { iterations: 0 }, ...raw } },
    clustering: { count: 1 },
    contact: { self: false, mode: 'none' },
    stretch: [1, 1, -1],
    ...options,
  });
  let speed = 0;
  for (let n = 0; n < 300; n++) {
    world.step();
    speed = Math.max(speed, fastest(body));
  }
  const error = shapeError(body);
  world.dispose();
  return { error, speed };
}

export const CLAIMS_2007: Claim[] = [
  {
    id: '2007.blow-up',
    paper: '2007',
    where: 'section 3.1, figure 2',
    statement: 'Goals that keep the volume by scaling spread a cube drastically when it is pushed into a wall.',
    experiment:
      'A cube of one cluster with linear goals (β = 0.9, volume scaled) is thrown at a wall with 20 m/s. The widest extent along the wall is measured, beside goals that do not keep the volume.',
    async run() {
      const [scaled, free] = [await thrown(SOFT), await thrown({ ...SOFT, volume: 'free' })];
      return {
        quantities: [
          quantity('width, volume scaled', [scaled.widest], 'm'),
          quantity('width, volume free', [free.widest], 'm'),
        ],
        checks: [
          {
            what: `the cube of 1 m becomes ${digits(scaled.widest)} m wide; expected over 2`,
            holds: scaled.widest > 2,
          },
          {
            what: `without volume preservation it becomes ${digits(free.widest)} m wide; expected below 1.3`,
            holds: free.widest < 1.3,
          },
        ],
        pictures: [{ title: 'at its widest', points: scaled.points }],
      };
    },
  },
  {
    id: '2007.area-caps',
    paper: '2007',
    where: 'section 3.1.2',
    statement: 'Each of three ways to cap the deformation matrix stops the blow-up.',
    experiment: 'The same throw with a cap of 1.5 on ‖A‖²/3, by row, exact and by norm.',
    async run() {
      const clamps = ['row', 'exact', 'norm'] as const;
      const none = (await thrown(SOFT)).widest;
      const widths: number[] = [];
      for (const clamp of clamps)
        widths.push((await thrown({ ...SOFT, areaLimit: { clamp, max: 1.5, from: 1.5 } })).widest);
      return {
        quantities: clamps.map((clamp, k) => quantity(`width, cap ${clamp}`, [widths[k]], 'm')),
        checks: clamps.map((clamp, k) => ({
          what: `${clamp}: ${digits(widths[k])} m wide instead of ${digits(none)}; expected below 1.6`,
          holds: widths[k] < 1.6,
        })),
      };
    },
  },
  {
    id: '2007.caps-alike',
    paper: '2007',
    where: 'section 3.1.2',
    statement: 'The exact cap and its cheaper imitation cannot be told apart by eye.',
    experiment:
      'The cube is thrown with 12 m/s (β = 0.8) and caps of 2 and of 1.2 on ‖A‖²/3. Its widths, and its thickness over the first 25 steps, impact and rebound, are compared. Later swings differ in phase.',
    differs:
      'The paper does not print its cap. The imitation takes γ = c/‖A‖² in place of the root of ‖γA + (1 − γ)R‖² = c. For a stretch of ‖A‖²/3 = 2c evenly along all axes they are 0.5 and 0.41 with c = 2, 0.5 and 0.17 with c = 1.2: the imitation passes a cap the further, the nearer that is to 1. So it cannot be told apart with caps of 2 and more, and can with tight ones.',
    async run() {
      const caps = [2, 1.2];
      const pairs = [];
      for (const max of caps) {
        const raw = (clamp: 'exact' | 'norm') => ({ ...SOFT, beta: 0.8, areaLimit: { clamp, max, from: max } });
        const [exact, norm] = [await thrown(raw('exact'), 12), await thrown(raw('norm'), 12)];
        // Impact and rebound; the swings after it differ in phase.
        const apart = Math.max(...exact.thickness.slice(0, 25).map((value, n) => Math.abs(value - norm.thickness[n])));
        pairs.push({ exact, norm, apart, widths: Math.abs(norm.widest / exact.widest - 1) });
      }
      return {
        quantities: pairs.flatMap(({ exact, norm, apart }, k) => [
          quantity(`width, exact, cap ${caps[k]}`, [exact.widest], 'm'),
          quantity(`width, imitation, cap ${caps[k]}`, [norm.widest], 'm'),
          quantity(`largest difference of the thickness in the first 25 steps, cap ${caps[k]}`, [apart], 'm'),
        ]),
        checks: pairs.map(({ apart, widths }, k) => ({
          what: `cap ${caps[k]}: widths differ by ${digits(100 * widths)} %, thicknesses by at most ${digits(apart)} m; expected below 10 and 0.1`,
          holds: widths < 0.1 && apart < 0.1,
        })),
        plots: pairs.map(({ exact, norm }, k) => ({
          title: `Thickness of a cube thrown at a wall, cap ${caps[k]}`,
          x: 'step',
          y: 'thickness (m)',
          curves: {
            exact: exact.thickness.map((value, n) => [n, value] as const),
            imitation: norm.thickness.map((value, n) => [n, value] as const),
          },
        })),
      };
    },
  },
  {
    id: '2007.soft-cap',
    paper: '2007',
    where: 'section 3.1.3',
    statement: 'With a hard cap a soft body that flattens jerks to a stop; a soft cap slows it gradually.',
    experiment:
      'f(φ) = m − (c/φ)(m − c) beyond c is evaluated for monotony, bound and slope. The cube is thrown with both caps; the jerk is the largest third difference of the goal stretch that f allows as φ rises evenly.',
    async run() {
      const [m, c] = [2, 1.2];
      const soft = (phi: number) => (phi <= c ? phi : m - (c / phi) * (m - c));
      const hard = (phi: number) => Math.min(phi, m);
      const grid = Array.from({ length: 400 }, (_, k) => 1 + 0.01 * k);
      const kink = (f: (phi: number) => number) =>
        Math.max(...grid.slice(1, -1).map((phi) => Math.abs(f(phi + 0.01) - 2 * f(phi) + f(phi - 0.01)))) / 0.01;
      const rising = grid.every((phi, k) => k === 0 || soft(phi) > soft(grid[k - 1]));
      const below = soft(1e9) <= m && grid.every((phi) => soft(phi) < m);
      const [a, b] = [
        await thrown({ ...SOFT, areaLimit: { max: 2, from: 2 } }, 8),
        await thrown({ ...SOFT, areaLimit: { max: 2 } }, 8),
      ];
      return {
        quantities: [
          quantity('kink of the hard cap (change of slope)', [kink(hard)]),
          quantity('kink of the soft cap', [kink(soft)]),
          quantity('width with the hard cap', [a.widest], 'm'),
          quantity('width with the soft cap', [b.widest], 'm'),
        ],
        checks: [
          { what: 'the soft cap rises always and stays below its maximum', holds: rising && below },
          {
            what: `its slope changes by ${digits(kink(soft))} where that of the hard cap changes by ${digits(kink(hard))}`,
            holds: kink(soft) < 0.6 * kink(hard),
          },
          {
            what: `the thrown cube is held: ${digits(b.widest)} m wide, with the hard cap ${digits(a.widest)} m`,
            holds: b.widest < 1.7 && b.finite,
          },
        ],
        plots: [
          {
            title: 'Caps of the deformation',
            x: 'φ asked for',
            y: 'φ allowed',
            curves: {
              'hard, m = 2': grid.map((phi) => [phi, hard(phi)] as const),
              'soft, c = 1.2, m = 2': grid.map((phi) => [phi, soft(phi)] as const),
            },
          },
        ],
      };
    },
  },
  {
    id: '2007.inversion',
    paper: '2007',
    where: 'section 3.2',
    statement:
      'The optimal R of an inverted body may be a reflection, and the body then stays inside out; with a proper rotation it recovers.',
    experiment:
      'A block of one cluster is mirrored along z and let go for 5 s, with proper rotations and with reflections allowed. The rms distance from the rest shape, turned, is a share of its size.',
    async run() {
      const [proper, mirror] = [
        await invertedCube({}),
        await invertedCube({ inversion: 'mirror', rotation: 'deformation' }),
      ];
      return {
        quantities: [
          quantity('distance from rest, proper', [proper.error]),
          quantity('distance from rest, reflections allowed', [mirror.error]),
        ],
        checks: [
          {
            what: `with proper rotations it recovers to ${digits(proper.error)} of its size; expected below 0.001`,
            holds: proper.error < 1e-3,
          },
          {
            what: `with reflections it stays inverted: ${digits(mirror.error)}; expected above 0.1`,
            holds: mirror.error > 0.1,
          },
        ],
      };
    },
  },
  {
    id: '2007.inversion-linear',
    paper: '2007',
    where: 'section 3.2.2',
    statement:
      'With linear goals an inverted body has a tendency to recover, which is slow for β close to 1; a form of A without reflections remains future work.',
    experiment: 'The mirrored block with linear goals, β = 0.5 and 0.95, whose A never holds a reflection in Pliant.',
    differs:
      'Pliant takes A from the deformation with its smallest stretch made positive, so the body recovers for β near 1 too.',
    async run() {
      const half = await invertedCube({ mode: 'linear', beta: 0.5 });
      const high = await invertedCube({ mode: 'linear', beta: 0.95 });
      return {
        quantities: [
          quantity('distance from rest, β = 0.5', [half.error]),
          quantity('distance from rest, β = 0.95', [high.error]),
        ],
        checks: [
          { what: `β = 0.5 recovers to ${digits(half.error)}; expected below 0.001`, holds: half.error < 1e-3 },
          { what: `β = 0.95 recovers to ${digits(high.error)}; expected below 0.02`, holds: high.error < 0.02 },
          {
            what: `without a blow-up: fastest particle ${digits(high.speed)} m/s; expected below 100`,
            holds: high.speed < 100,
          },
        ],
      };
    },
  },
  {
    id: '2007.quadratic',
    paper: '2007',
    where: 'sections 2.1 and 2.2',
    statement: 'Quadratic goals let one cluster bend and twist; linear ones only stretch and shear.',
    experiment:
      'A bar of one cluster, held at one end, hangs under its weight with rigid, linear and quadratic goals (β = 0.9). The bend is the distance of its middle from the line between its ends.',
    async run() {
      const modes = ['rigid', 'linear', 'quadratic'] as const;
      const bars: Awaited<ReturnType<typeof hangingBar>>[] = [];
      for (const mode of modes) bars.push(await hangingBar({ mode, beta: 0.9 }));
      const [rigid, linear, quadratic] = bars;
      return {
        quantities: modes.flatMap((mode, k) => [
          quantity(`tip hangs by, ${mode}`, [bars[k].tip], 'm'),
          quantity(`bend, ${mode}`, [bars[k].bend], 'm'),
        ]),
        checks: [
          {
            what: `the quadratic bar bends by ${digits(quadratic.bend)} m, the linear one by ${digits(linear.bend)}, the rigid one by ${digits(rigid.bend)}; expected over twice as much`,
            holds: quadratic.bend > 2 * Math.max(linear.bend, rigid.bend),
          },
        ],
        pictures: [
          { title: 'quadratic goals', points: quadratic.points },
          { title: 'linear goals', points: linear.points },
        ],
      };
    },
  },
  {
    id: '2007.beta',
    paper: '2007',
    where: 'section 2.1, equation 1',
    statement: 'A larger β gives a softer body that deforms more.',
    experiment: 'The hanging bar of one quadratic cluster with β = 0.2, 0.5, 0.8 and 0.95: how far its tip hangs.',
    async run() {
      const betas = [0.2, 0.5, 0.8, 0.95];
      const tips: number[] = [];
      for (const beta of betas) tips.push((await hangingBar({ mode: 'quadratic', beta })).tip);
      return {
        quantities: betas.map((beta, k) => quantity(`tip hangs by, β = ${beta}`, [tips[k]], 'm')),
        checks: [
          {
            what: `the tip hangs lower with β: ${tips.map(digits).join(', ')} m`,
            holds: tips.every((tip, k) => k === 0 || tip > tips[k - 1]),
          },
        ],
        plots: [
          {
            title: 'How far a bar of one quadratic cluster hangs',
            x: 'β',
            y: 'tip (m)',
            curves: { tip: betas.map((beta, k) => [beta, tips[k]] as const) },
          },
        ],
      };
    },
  },
  {
    id: '2007.local',
    paper: '2007',
    where: 'sections 2.2 and 6, figure 6',
    statement: 'One cluster cannot deform locally; a patch of skin divided into 5 × 5 clusters can.',
    experiment:
      'A patch of 1 × 1 × 0.06 m, held at its rim, is pulled up by 0.15 m at its middle, with one cluster and with a 5 × 5 pattern of clusters. The share of the lift that arrives beside the pick (0.14 m) and a quarter of the patch away is measured.',
    async run() {
      const [one, many] = [await pulledPatch(1), await pulledPatch(5)];
      return {
        quantities: [
          quantity('lift beside the pick, 5 × 5 clusters', [many.beside]),
          quantity('lift beside the pick, one cluster', [one.beside]),
          quantity('lift a quarter away, 5 × 5 clusters', [many.quarter]),
        ],
        checks: [
          {
            what: `beside the pick ${digits(100 * many.beside)} % of its lift arrives with 25 clusters, ${digits(100 * one.beside)} % with one; expected over 30 and below 10`,
            holds: many.beside > 0.3 && one.beside < 0.1,
          },
          {
            what: `a quarter of the patch away it is ${digits(100 * many.quarter)} % with 25 clusters; expected less than beside the pick`,
            holds: many.quarter < many.beside,
          },
        ],
        pictures: [{ title: '5 × 5 clusters', points: many.points, from: [0.4, 0.5, 1] }],
      };
    },
  },
  {
    id: '2007.pick',
    paper: '2007',
    where: 'section 4, figure 3',
    statement: 'A trout is fixed in a deformed position by two locked spring forces.',
    experiment:
      "The gallery's trout, held by two picks, under gravity for 6 s: the picks carry its weight, it comes to rest, and it is bent. The bend is the height of its ends above its middle.",
    perSeed: true,
    async run({ seed }) {
      const { world, bodies, picks } = await loadExample('trout', { seed });
      const [fish] = bodies;
      for (let n = 0; n < 360; n++) world.step();
      let up = 0;
      for (let n = 0; n < 30; n++) {
        // A body at rest falls asleep, and its picks with it.
        fish.wake();
        world.step();
        for (const pick of picks.values()) up += pick.impulse[1] / 30;
      }
      const ratio = up / (fish.mass * 9.81 * world.dt);
      const speed = fastest(fish);
      const bend = heightNear(fish, 0.45) / 2 + heightNear(fish, -0.45) / 2 - heightNear(fish, 0);
      const points = pointsOf(fish);
      world.dispose();
      return {
        quantities: [
          quantity('force of the picks over the weight', [ratio]),
          quantity('fastest particle', [speed], 'm/s'),
          quantity('height of the ends above the middle', [bend], 'm'),
        ],
        checks: [
          {
            what: `the picks carry ${digits(100 * ratio)} % of the weight; expected 100 ± 3`,
            holds: Math.abs(ratio - 1) < 0.03,
          },
          { what: `it hangs still: ${digits(speed)} m/s; expected below 0.05`, holds: speed < 0.05 },
          { what: `it is bent by ${digits(bend)} m; expected over 0.05`, holds: bend > 0.05 },
        ],
        pictures: [{ title: 'hung by two picks', points }],
      };
    },
  },
  {
    id: '2007.cut',
    paper: '2007',
    where: 'section 4.1, figures 4 and 7',
    statement: 'A plane cuts a body in two; the section is closed, and both halves live on and can be cut again.',
    experiment:
      'A loaf with a surface mesh is cut by four planes one after the other and dropped. The volumes of all parts, each a closed mesh, are summed.',
    perSeed: true,
    async run({ seed }) {
      const world = await World.create();
      world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.4 });
      const loaf = world.addBody({
        shape: { type: 'ellipsoid', radii: [0.5, 0.3, 0.3] },
        sampling: { count: 2500, seed },
        clustering: { seed },
        material: { young: 5e4 },
      });
      const volumeOf = (body: Body) => {
        const skin = body.getSkin();
        return meshVolume(skin.positions, skin.indices);
      };
      const whole = volumeOf(loaf);
      const planes: [Vec3, Vec3][] = [
        [
          [0, 0, 0],
          [1, 0, 0],
        ],
        [
          [0, 0, 0],
          [0, 0, 1],
        ],
        [
          [0.2, 0, 0],
          [1, 0.2, 0],
        ],
        [
          [0, 0.05, 0],
          [0, 1, 0],
        ],
      ];
      for (const [point, normal] of planes) for (const body of [...world.bodies]) world.cut(body, { point, normal });
      const parts = world.bodies.length;
      const sum = world.bodies.reduce((total, body) => total + volumeOf(body), 0);
      const open = world.bodies.filter((body) => !isClosed(body.getSkin().indices, body.getSkin().positions)).length;
      for (let n = 0; n < 60; n++) world.step();
      const finite = world.bodies.every((body) => Number.isFinite(fastest(body)));
      world.dispose();
      return {
        quantities: [quantity('parts', [parts]), quantity('volume of the parts over that of the whole', [sum / whole])],
        checks: [
          { what: `${parts} parts by four planes; expected at least 8`, holds: parts >= 8 },
          {
            what: `their volumes sum to ${digits(sum / whole)} of the whole; expected 1 ± 0.001`,
            holds: Math.abs(sum / whole - 1) < 1e-3,
          },
          { what: `${open} of them are not closed; expected 0`, holds: open === 0 },
          { what: 'all are finite a second later', holds: finite },
        ],
      };
    },
  },
  {
    id: '2007.dozens',
    paper: '2007',
    where: 'section 6, figure 8',
    statement: 'Dozens of simple objects with collisions run in real time.',
    experiment:
      '48 cubes of 64 particles fall onto a floor and each other; the median time of a step of 1/60 s in one thread.',
    timed: true,
    async run() {
      const world = await World.create({ threads: 1 });
      world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0 });
      for (let k = 0; k < 48; k++)
        world.addBody({
          shape: { type: 'box', size: [0.3, 0.3, 0.3] },
          sampling: { method: 'grid', count: 64 },
          material: { young: 2e4 },
          position: [
            0.4 * (k % 4) + 0.03 * Math.floor(k / 16),
            0.3 + 0.45 * Math.floor(k / 16),
            0.4 * (Math.floor(k / 4) % 4),
          ],
        });
      const seconds = stepTime(world, 60, 30);
      world.dispose();
      return {
        quantities: [quantity('steps a second', [1 / seconds])],
        checks: [{ what: `${digits(1 / seconds)} steps a second; expected over 60`, holds: 1 / seconds > 60 }],
      };
    },
  },
];

/** Mean height (m) of the particles whose rest position is within 0.05 m of x. */
function heightNear({ positions, restPositions, particleCount }: Body, x: number): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < particleCount; i++)
    if (Math.abs(restPositions[3 * i] - x) < 0.05) {
      sum += positions[4 * i + 1];
      count++;
    }
  return sum / count;
}

/** A patch held at its rim and pulled up at its middle, with side × side clusters. */
async function pulledPatch(side: number) {
  const world = await World.create({ gravity: [0, 0, 0] });
  const points: number[] = [];
  const across = 26;
  for (let i = 0; i < across; i++)
    for (let j = 0; j < across; j++)
      for (const z of [-0.02, 0.02]) points.push(i / (across - 1) - 0.5, j / (across - 1) - 0.5, z);
  // Squares of the patch that overlap by half of their width; a particle has equal weights in all that hold it.
  const members = Array.from({ length: side * side }, (_, c) => {
    const centre = [((c % side) + 0.5) / side - 0.5, (Math.floor(c / side) + 0.5) / side - 0.5];
    const reach = side === 1 ? 1 : 0.9 / side;
    const inside: number[] = [];
    for (let i = 0; i < points.length / 3; i++)
      if (Math.abs(points[3 * i] - centre[0]) <= reach && Math.abs(points[3 * i + 1] - centre[1]) <= reach)
        inside.push(i);
    return inside;
  });
  const shares = new Float64Array(points.length / 3);
  for (const list of members) for (const i of list) shares[i]++;
  const body = world.addBody({
    points,
    material: { raw: { stiffness: 0.5, damping: 0.1 } },
    clusters: members.map((list) => ({ members: list, weights: list.map((i) => 1 / shares[i]) })),
    contact: { self: false },
  });
  for (let i = 0; i < points.length / 3; i++)
    if (Math.max(Math.abs(points[3 * i]), Math.abs(points[3 * i + 1])) > 0.46) body.pin(i);
  world.addPick({ body, point: [0, 0, 0], target: [0, 0, 0.15], radius: 0.08, stiffness: 60 });
  for (let n = 0; n < 200; n++) world.step();
  const at = (x: number, y: number) => {
    let [best, height] = [Infinity, 0];
    for (let i = 0; i < points.length / 3; i++) {
      const d = Math.hypot(points[3 * i] - x, points[3 * i + 1] - y);
      if (d < best) [best, height] = [d, body.positions[4 * i + 2] - points[3 * i + 2]];
    }
    return height;
  };
  const peak = at(0, 0);
  const around = (d: number) => (at(d, 0) + at(-d, 0) + at(0, d) + at(0, -d)) / 4 / peak;
  const [beside, quarter] = [around(0.14), around(0.25)];
  const shown = pointsOf(body);
  world.dispose();
  return { beside, quarter, points: shown };
}

/** Whether every edge of a mesh has a triangle on either side. Vertices at one place count as one: skins have seams. */
function isClosed(indices: ArrayLike<number>, positions: ArrayLike<number>): boolean {
  const names = new Map<string, number>();
  const nameOf = (v: number) => {
    const key = `${positions[3 * v]} ${positions[3 * v + 1]} ${positions[3 * v + 2]}`;
    let name = names.get(key);
    if (name === undefined) names.set(key, (name = names.size));
    return name;
  };
  const edges = new Map<string, number>();
  for (let t = 0; t < indices.length; t += 3)
    for (let k = 0; k < 3; k++) {
      const [a, b] = [nameOf(indices[t + k]), nameOf(indices[t + ((k + 1) % 3)])];
      if (a === b) continue;
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      edges.set(key, (edges.get(key) ?? 0) + (a < b ? 1 : -1));
    }
  return [...edges.values()].every((sum) => sum === 0);
}
