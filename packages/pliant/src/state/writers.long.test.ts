import { expect, test } from 'vitest';
import { BACKENDS, type Backend } from '../kernels/kernels.js';
import { STAGES, type Stage } from '../profile.js';
import { BAR, BLOCK, MORE_SCENES, newWorld, pullApart, SCENES, type Scene } from '../snapshot/testing/scenes.js';
import { World } from '../world.js';
import { ARRAY_NAMES, type ArrayLayout, type ArrayName, LAYOUT, ROW_STAGES } from './layout.js';

const bytesOf = ({ state }: World, name: ArrayName) => {
  const { buffer, byteOffset, byteLength } = state.views[name];
  return new Uint8Array(buffer, byteOffset, byteLength);
};

/** Whether an array holds other bits than the copy. Room that it has got since counts if something is in it. */
function differs(now: Uint8Array, then: Uint8Array): boolean {
  const common = Math.min(now.length, then.length);
  if (Buffer.compare(now.subarray(0, common), then.subarray(0, common)) !== 0) return true;
  return now.subarray(common).some((byte) => byte !== 0);
}

/** The stages that were seen to write each array, and what they wrote without being listed. */
interface Seen {
  readonly written: Map<ArrayName, Set<Stage>>;
  readonly unlisted: Set<string>;
}

const versionsOf = (world: World) =>
  world.bodies.map(({ handle, topologyVersion }) => `${handle} ${topologyVersion}`).join();

/**
 * Watches all steps of a world from now on: `profile.mark`, which ends every stage of the step, also compares all arrays with what they were when the stage
 * before it ended. A stage that writes what is there already is not seen.
 */
function watch(world: World, { written, unlisted }: Seen): void {
  const copies = new Map<ArrayName, Uint8Array>();
  const { profile, state } = world;
  const [begin, mark] = [profile.begin.bind(profile), profile.mark.bind(profile)];
  let [versions, revision] = ['', 0];
  profile.begin = () => {
    for (const name of ARRAY_NAMES) copies.set(name, bytesOf(world, name).slice());
    [versions, revision] = [versionsOf(world), state.revision];
    begin();
  };
  profile.mark = (stage) => {
    mark(stage);
    const changesRows = ROW_STAGES.includes(stage);
    const [hasMoved, hasRevised] = [versionsOf(world) !== versions, state.revision !== revision];
    for (const name of ARRAY_NAMES) {
      const now = bytesOf(world, name);
      if (!differs(now, copies.get(name)!)) continue;
      copies.set(name, now.slice());
      written.get(name)!.add(stage);
      const { kind, writers = [] }: ArrayLayout = LAYOUT[name];
      const revises = changesRows || (['match', 'contact'].includes(stage) && name === 'stiffness');
      const mayChange = (changesRows && hasMoved) || (revises && kind === 'constant' && hasRevised);
      if (!writers.includes(stage) && !mayChange) unlisted.add(`${stage} writes ${name}`);
    }
    [versions, revision] = [versionsOf(world), state.revision];
  };
}

/** Scenes for stages and branches that those of the snapshots do not reach. */
const EXTRA: [name: string, steps: number, make: (backend: Backend) => Promise<World>][] = [
  [
    'a ring folded onto itself, damped in a line',
    20,
    async (backend) => {
      const world = await newWorld(backend);
      world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.15 });
      const ring = world.addBody({
        shape: { type: 'torus', radius: 0.3, tube: 0.1 },
        sampling: { spacing: 0.07 },
        clustering: { count: 12 },
        contact: { self: true },
        material: { raw: { dampingMode: 'linear', damping: 0.2, limit: { mode: 'paper' } } },
      });
      const { positions } = ring;
      for (let o = 0; o < positions.length; o += 4)
        if (positions[o] > 0) [positions[o], positions[o + 1]] = [-positions[o], 0.07 - positions[o + 1]];
      return world;
    },
  ],
  [
    'putty that is drawn out and sampled anew',
    80,
    async (backend) => {
      const world = await newWorld(backend, { gravity: [0, 0, 0] });
      world.addBody({
        ...BAR,
        material: { ...BAR.material, yield: 0.02, raw: { ...BAR.material?.raw, limit: { gamma: 0.5 } } },
        reclustering: { threshold: 1.3, every: 2 / 60, resample: 1.2 },
      });
      pullApart(world, 2);
      return world;
    },
  ],
  [
    'a body with an elastic law that falls on another, in substeps',
    30,
    async (backend) => {
      const world = await newWorld(backend);
      world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.4 });
      const material = { young: 3e5, yield: 0.05 };
      world.addBody({ ...BLOCK, material });
      world.addBody({ ...BLOCK, material: { young: 1e5, toughness: 0.3 }, position: [0.2, 0.9, 0] });
      return world;
    },
  ],
  [
    'a body with an elastic law that breaks, and a sleeping one that it wakes',
    20,
    async (backend) => {
      const world = await newWorld(backend, { gravity: [0, 0, 0] });
      const body = world.addBody({ ...BLOCK, material: { young: 2e6, toughness: 0.05 } });
      for (let i = 0; i < body.particleCount; i++)
        body.velocities[4 * i] = 8 * Math.sign(body.restPositions[3 * i] - 0.01);
      for (const [side, material] of [
        [1, { young: 1e5, yield: 0.05 }],
        [-1, { raw: { mode: 'quadratic' } }],
      ] as const)
        world.addBody({ ...BLOCK, material, position: [1.2 * side, 0, 0] }).sleep();
      return world;
    },
  ],
  [
    'a body with per-step parameters that is damped as a whole',
    2,
    async (backend) => {
      const world = await newWorld(backend);
      world.addBody({ ...BLOCK, material: { raw: { bodyDamping: 0.1 } } });
      return world;
    },
  ],
  [
    'a body whose particles make several runs, on several threads',
    2,
    async (backend) => {
      const world = await World.create({ backend, threads: backend === 'wasm' ? 2 : 1 });
      world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.5 });
      world.addBody({
        shape: { type: 'box', size: [1, 1, 1] },
        sampling: { spacing: 1 / 11, method: 'grid' },
        velocity: [0, -1, 0],
      });
      await world.kernels.threads.ready();
      world.kernels.threads.divideFinely(1e6);
      return world;
    },
  ],
  [
    'bodies with numbers that are not finite, and so large that the step makes them so',
    3,
    async (backend) => {
      const world = await newWorld(backend);
      world.addBody(BLOCK).velocities[0] = Number.NaN;
      const body = world.addBody({ ...BLOCK, position: [2, 0, 0] });
      world.addBody({ ...BLOCK, position: [4, 0, 0] }).positions[0] = 3e38;
      world.state.views.xOld[4 * body.rows.particleStart] = Number.NaN;
      world.state.views.x[4 * body.rows.particleStart] = Number.NaN;
      return world;
    },
  ],
];

const SHORT = [...SCENES, ...MORE_SCENES].map(
  ([name, steps, more, make]: Scene) => [name, steps + more, make] as const,
);
const seen: Seen = { written: new Map(ARRAY_NAMES.map((name) => [name, new Set<Stage>()])), unlisted: new Set() };

test.each([...SHORT, ...EXTRA])('stages write only what lists them: %s', async (_, steps, make) => {
  for (const backend of BACKENDS) {
    const world = await make(backend);
    seen.unlisted.clear();
    watch(world, seen);
    for (let n = 0; n < steps; n++) world.step();
    expect([...seen.unlisted], backend).toEqual([]);
    world.dispose();
  }
});

test('every stage that an array lists was seen to write it', () => {
  const missing = ARRAY_NAMES.flatMap((name) => {
    const { writers = [], idle }: ArrayLayout = LAYOUT[name];
    // An array that is idle between stages is put back by the stage that uses it: there is no change to be seen.
    return idle === undefined
      ? writers.filter((stage) => !seen.written.get(name)!.has(stage)).map((stage) => `${stage} ${name}`)
      : [];
  });
  expect(missing).toEqual([]);
  // And both that change rows did.
  for (const stage of ROW_STAGES) expect(seen.written.get('memberParticle')).toContain(stage);
});

test('state and scratch list their writers, constants none', () => {
  for (const name of ARRAY_NAMES) {
    const { kind, writers }: ArrayLayout = LAYOUT[name];
    expect(writers === undefined, name).toBe(kind === 'constant');
    expect(writers ?? [], name).toEqual(STAGES.filter((stage) => writers?.includes(stage)));
  }
});
