import type { Body, BodyOptions, ReclusterOptions, World } from 'pliant';
import { expect, test } from 'vitest';
import { report } from '../../pliant/src/testing/report.js';
import { buildWorld } from './buildWorld.js';
import type { SceneDescription } from './description.js';
import { loadOwn, runScene } from './testing/gallery.js';

const size = (world: World, axis: number) => {
  const { bboxMin, bboxMax } = world.measure();
  return bboxMax[axis] - bboxMin[axis];
};

const rmsSpeed = (world: World) => {
  const { kineticEnergy, mass } = world.measure();
  return Math.sqrt((2 * kineticEnergy) / mass);
};

/** A scene of the gallery with other settings for the clusters of its first body. */
async function variant(name: string, change: ReclusterOptions | 'none', scene?: SceneDescription) {
  const own = scene ?? (await loadOwn(name));
  const { options } = own.bodies[0];
  options.reclustering = change === 'none' ? {} : { ...options.reclustering, ...change };
  return own;
}

test("compressed-putty: stays one piece and lies still; without reclustering the papers' law bursts it", async () => {
  let [added, removed] = [0, 0];
  const { world, bodies } = await runScene(await loadOwn('compressed-putty'), 7, (_, events) => {
    for (const event of events)
      if (event.type === 'recluster') [added, removed] = [added + event.added, removed + event.removed];
  });
  const dims = [0, 1, 2].map((a) => size(world, a));
  report('size of a putty of 2 × 0.36 × 0.36 m (m), clusters that came and went', { size: dims, added, removed }, '');
  // Pressed to a tenth of its length or so, and as much wider.
  expect(dims[0]).toBeLessThan(0.4);
  for (const wide of dims.slice(1)) {
    expect(wide).toBeGreaterThan(0.9);
    expect(wide).toBeLessThan(2.2);
  }
  expect(added).toBeGreaterThan(150);
  expect(removed).toBeGreaterThan(150);
  expect(bodies[0].pieces.count).toBe(1);
  expect(rmsSpeed(world)).toBeLessThan(0.05);

  // How it bursts is chance; that its clusters become sheets wider than anything is, and throw it about, is not.
  const none = await runScene(await variant('compressed-putty', 'none'), 3);
  const strain = Math.max(...none.bodies[0].plasticStrain);
  report(
    'without reclustering: size (m), rms speed (m/s), strain',
    { size: [0, 1, 2].map((a) => size(none.world, a)), speed: rmsSpeed(none.world), strain },
    '',
  );
  expect(rmsSpeed(none.world)).toBeGreaterThan(1);
  expect(strain).toBeGreaterThan(10);
  expect(Math.max(...bodies[0].plasticStrain)).toBeLessThan(3);
});

test('compressed-beam: stays short, and springs back by what is elastic; without reclustering clusters that disagree drive it apart', async () => {
  const back = async (change: ReclusterOptions | 'none', seconds: number) => {
    const scene = await variant('compressed-beam', change);
    // The force as the description says, with an earlier end.
    scene.forceFields[0].options.lifetime = seconds;
    let held = 0;
    const { world, bodies } = await runScene(scene, seconds + 3, (world) => {
      if (world.frame === Math.round(seconds * 60)) held = lengthOf(world.bodies[0]);
    });
    return { back: size(world, 0) - held, held, world, body: bodies[0] };
  };
  const own = await back({}, 4);
  report('beam held at, back by', { held: own.held, back: own.back }, 'm');
  expect(own.held).toBeLessThan(0.6);
  expect(own.back).toBeLessThan(0.12);
  expect(rmsSpeed(own.world)).toBeLessThan(0.05);
  expect(Math.max(...own.body.plasticStrain)).toBeGreaterThan(0.5);
  const none = await back('none', 4);
  report('without reclustering back by', none.back, 'm');
  expect(none.back).toBeGreaterThan(2 * own.back);

  // In world space new clusters begin without the stress that there is; soon after a swap it is missing.
  const [embedded, world] = [await back({}, 0.8), await back({ space: 'world' }, 0.8)];
  report('let go after 0.8 s: back by', { embedded: embedded.back, world: world.back }, 'm');
  expect(world.back).toBeLessThan(0.7 * embedded.back);
});

test('compressed-beam in world space forgets that it is pressed: it stays twice as dense as it was', async () => {
  const run = async (space: ReclusterOptions['space']) => {
    const scene = await variant('compressed-beam', { space });
    let [built, added] = [0, 0];
    // Mean elastic strain of the first clusters that came, and of those that they replace, in the step after.
    let strain = { created: 0, leaving: 0 };
    const { world, bodies } = await runScene(scene, 6, (world, events) => {
      const [beam] = world.bodies;
      if (world.frame === 1) built = density(beam);
      if (added > 0 && strain.created === 0) {
        const { leaving } = world.state.views;
        const first = beam.clusterCount - added;
        strain = {
          created: strainOf(world, (c) => c >= first),
          leaving: strainOf(world, (c) => leaving[c] === 1),
        };
      }
      for (const event of events) if (event.type === 'recluster' && added === 0) added = event.added;
    });
    expect(rmsSpeed(world)).toBeLessThan(0.05);
    return { ...strain, added, denser: density(bodies[0]) / built - 1 };
  };
  const [embedded, world] = [await run('embedded'), await run('world')];
  for (const [name, { created, leaving, denser }] of Object.entries({ embedded, world }))
    report(
      `${name}: strain of new clusters and of those they replace; how much denser at rest than built`,
      { created, leaving, denser },
      '',
    );
  for (const { added } of [embedded, world]) expect(added).toBeGreaterThan(40);
  // New clusters know what the old ones were pressed by; in world space nothing of it, and flow keeps volumes: what is forgotten never comes back.
  expect(embedded.created).toBeGreaterThan(0.55 * embedded.leaving);
  expect(world.created).toBeLessThan(0.01 * world.leaving);
  expect(embedded.denser).toBeLessThan(0.35);
  expect(world.denser).toBeGreaterThan(0.8);
  expect(world.denser).toBeGreaterThan(3 * embedded.denser);
});

/**
 * The change that each swap of a scene makes to its first body's velocities by the end of the next step, against a twin in which nothing is replaced in
 * that step: rms, as a share of the highest rms speed so far.
 */
async function swapsOf(make: () => Promise<SceneDescription>): Promise<number[]> {
  const [{ world, bodies }, twin] = [await buildWorld(await make()), await buildWorld(await make())];
  // Steps between two searches.
  const searches = Math.round(bodies[0].reclustering.every / world.dt);
  const jumps: number[] = [];
  let scale = 0;
  while (world.time < 4) {
    const before = world.frame % searches === 0 ? world.snapshot() : undefined;
    world.step();
    scale = Math.max(scale, rmsSpeed(world));
    const swapped = world.drainEvents().some((event) => event.type === 'recluster' && event.added > 0);
    if (!swapped || !before) continue;
    world.step();
    // Its body is that of the snapshot; only it does not recluster.
    twin.world.restore(structuredClone(before));
    Object.assign(twin.world.bodies[0].reclustering, { every: 1e9 });
    for (let n = 0; n < 2; n++) twin.world.step();
    const [v, u] = [bodies[0].velocities, twin.world.bodies[0].velocities];
    let off = 0;
    for (let k = 0; k < v.length; k++) off += (v[k] - u[k]) ** 2;
    jumps.push(Math.sqrt((4 * off) / v.length) / scale);
  }
  return jumps;
}

test('compressed putty and beams: no swap moves anything by 1 % of the speed they had (SPEC R6)', async () => {
  const putty = await swapsOf(() => loadOwn('compressed-putty'));
  const beam = (change: Partial<BodyOptions>, force: number) =>
    swapsOf(async () => {
      const scene = await loadOwn('compressed-beam');
      const { options } = scene.bodies[0];
      Object.assign(options, change, { material: { ...options.material, ...change.material } });
      Object.assign(scene.forceFields[0].options, { scale: [force, 0, 0] });
      return scene;
    });
  const soft = await beam({ material: { yield: 0 } }, -10);
  // Pressed to a fifth of its length this one meets itself everywhere for three steps, in the midst of which clusters are replaced: contact decides
  // what moves then, so it is left out.
  const own = await beam({ contact: { self: false } }, -20);
  for (const [name, jumps, least] of [
    ['putty', putty, 6],
    ['beam, λ = 0', soft, 4],
    ['beam, λ = 0.1', own, 3],
  ] as const) {
    report(`${name}: way that swaps move it, as a share of its highest speed`, jumps, '');
    expect(jumps.length).toBeGreaterThanOrEqual(least);
    for (const jump of jumps) {
      expect(jump).toBeGreaterThan(0);
      expect(jump).toBeLessThan(0.01);
    }
  }
});

test('taffy: seven times its length in one piece, without a gap and with particles where it is thin', async () => {
  /** The clamps move at 0.3 m/s and turn at 0.2 rad/s, half a metre from their axis at most. */
  const clamps = Math.hypot(0.3, 0.2 * 0.5);
  let [divided, fastest, fast, gap, built] = [0, 0, 0, 0, 0];
  let count = 0;
  const { world, bodies } = await runScene(await loadOwn('taffy'), 7, ({ frame, bodies: [cube] }, events) => {
    if (frame === 1) {
      count = cube.particleCount;
      built = massDensity(cube);
    }
    for (const event of events) if (event.type === 'recluster') divided += event.divided;
    gap = Math.max(gap, widestGap(cube));
    // It takes up the motion of the clamps within half a second.
    if (frame < 30) return;
    const speeds = speedsOf(cube);
    fastest = Math.max(fastest, speeds[speeds.length - 1]);
    fast = Math.max(fast, speeds[Math.floor(0.99 * speeds.length)]);
  });
  const [cube] = bodies;
  const thin = Array.from({ length: 16 }, (_, k) => between(cube, -2 + 0.25 * k, -1.75 + 0.25 * k));
  const thinner = massDensity(cube) / built;
  report(
    'length (m), divided particles, width every 25 cm, widest gap (m), speed over that of the clamps (99 %, all), density',
    { length: size(world, 0), divided, thin, gap, speed99: fast / clamps, speed: fastest / clamps, density: thinner },
    '',
  );
  expect(size(world, 0)).toBeGreaterThan(6.5 * 0.7);
  expect(cube.pieces.count).toBe(1);
  expect(divided).toBeGreaterThan(300);
  expect(cube.particleCount).toBe(count + divided);
  // In no step and nowhere along it: two spacings of what it was sampled by, and a quarter. Whether its neck opens before it is filled is chance: 0.5 spacings in this sampling, and 0.5 to 3.6 over seeds 1 to 6.
  expect(gap).toBeLessThan(2.25 * cube.spacing!);
  // Where it necks is chance: 103 in the thinnest 25 cm of this run, 17 in one of another seed.
  expect(Math.min(...thin)).toBeGreaterThan(12);
  // Nothing is thrown about, but for single particles that leap where clusters change.
  expect(fast).toBeLessThan(6 * clamps);
  expect(fastest).toBeLessThan(28 * clamps);
  expect(thinner).toBeGreaterThan(0.85);
  // Reclustering makes bodies with an elastic law denser by up to a fifth (docs/design/reclustering.md).
  expect(thinner).toBeLessThan(1.2);
});

/** The widest gap between particles that follow each other along x (m). */
function widestGap({ positions: x }: Body): number {
  const along = Float32Array.from({ length: x.length / 4 }, (_, i) => x[4 * i]).sort();
  let widest = 0;
  for (let i = 1; i < along.length; i++) widest = Math.max(widest, along[i] - along[i - 1]);
  return widest;
}

/** Speeds of all particles, ascending (m/s). */
const speedsOf = ({ velocities: v }: Body) =>
  Float64Array.from({ length: v.length / 4 }, (_, i) => Math.hypot(v[4 * i], v[4 * i + 1], v[4 * i + 2])).sort();

/** Mass within 6 cm of a particle (kg) in the midst of a body: that of every 13th that nine in ten do not reach. */
function massDensity({ positions: x }: Body): number {
  const masses: number[] = [];
  for (let p = 0; p < x.length; p += 4 * 13) {
    let mass = 0;
    for (let o = 0; o < x.length; o += 4)
      if ((x[o] - x[p]) ** 2 + (x[o + 1] - x[p + 1]) ** 2 + (x[o + 2] - x[p + 2]) ** 2 < 0.06 ** 2) mass += x[o + 3];
    masses.push(mass);
  }
  return masses.sort((a, b) => a - b)[Math.floor(0.9 * masses.length)];
}

/** Other particles within 6 cm of one, where there were 14 in the midst of the beam when it was built: median over every 13th. */
function density({ positions: x }: Body): number {
  const counts: number[] = [];
  for (let p = 0; p < x.length; p += 4 * 13) {
    let near = -1;
    for (let o = 0; o < x.length; o += 4)
      if ((x[o] - x[p]) ** 2 + (x[o + 1] - x[p + 1]) ** 2 + (x[o + 2] - x[p + 2]) ** 2 < 0.06 ** 2) near++;
    counts.push(near);
  }
  return counts.sort((a, b) => a - b)[Math.floor(counts.length / 2)];
}

/** Mean of ‖S^e − I‖ over some of a world's clusters. */
function strainOf({ state: { views }, clusterCount }: World, isAsked: (cluster: number) => boolean): number {
  let [sum, count] = [0, 0];
  for (let c = 0; c < clusterCount; c++) {
    if (!isAsked(c)) continue;
    const [xx, yy, zz, xy, xz, yz] = views.elastic.subarray(6 * c, 6 * c + 6);
    sum += Math.hypot(xx - 1, yy - 1, zz - 1, Math.SQRT2 * xy, Math.SQRT2 * xz, Math.SQRT2 * yz);
    count++;
  }
  return sum / count;
}

function lengthOf(body: Body): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let o = 0; o < body.positions.length; o += 4) {
    low = Math.min(low, body.positions[o]);
    high = Math.max(high, body.positions[o]);
  }
  return high - low;
}

/** Particles with an x in a range. */
function between({ positions }: Body, low: number, high: number): number {
  let count = 0;
  for (let o = 0; o < positions.length; o += 4) if (positions[o] >= low && positions[o] < high) count++;
  return count;
}
