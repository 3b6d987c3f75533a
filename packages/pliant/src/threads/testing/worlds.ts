import { BAR, BLOCK, pullApart, SCENES } from '../../snapshot/testing/scenes.js';
import { World } from '../../world.js';

/** A world, and the number of steps after which its hash is compared. */
export type Case = [name: string, steps: number, make: () => Promise<World>];

/** Worlds that between them run every stage and every kernel that is divided between threads. The name says what happens. */
export const CASES: Case[] = [
  ...SCENES.map(([name, steps, , make]): Case => [name, Math.min(steps, 30), () => make('wasm')]),
  [
    'an elastic block falls onto another, with damping and self-contact',
    40,
    async () => {
      const world = await World.create();
      world.addCollider({ type: 'plane', normal: [0, 1, 0] });
      for (const y of [0.21, 0.75])
        world.addBody({
          shape: { type: 'box', size: [0.6, 0.4, 0.6] },
          sampling: { spacing: 0.08, method: 'grid' },
          material: { young: 2e4, dampingRatio: 0.1 },
          velocity: [0, y > 0.5 ? -3 : 0, 0],
          position: [0, y, 0],
        });
      return world;
    },
  ],
  [
    'a block whose particles make several runs falls onto the floor',
    30,
    async () => {
      const world = await World.create();
      world.addCollider({ type: 'plane', normal: [0, 1, 0], friction: 0.5 });
      world.addBody({
        shape: { type: 'box', size: [1, 1, 1] },
        sampling: { spacing: 1 / 13, method: 'grid' },
        material: { young: 1e5 },
        velocity: [0.5, -2, 0],
        position: [0, 0.52, 0],
      });
      return world;
    },
  ],
  [
    'a long bar folds onto itself and yields',
    40,
    async () => {
      const world = await World.create({ gravity: [0, 0, 0] });
      world.addBody({
        ...BAR,
        shape: { type: 'box', size: [2, 0.15, 0.3] },
        sampling: { spacing: 0.05, method: 'grid' },
        clustering: { count: 60 },
        material: { young: 1e5, yield: 0.02, hardening: 0.1 },
      });
      for (const side of [1, -1])
        world.addClamp({
          region: { type: 'halfspace', normal: [side, 0, 0], offset: 0.9 },
          angularVelocity: [0, 0, 6 * side],
          velocity: [-2 * side, 0, 0],
        });
      return world;
    },
  ],
  ...(['paper', 'conserving'] as const).map(
    (mode): Case => [
      `a bar is pulled beyond its limit, in its form '${mode}'`,
      25,
      async () => {
        const world = await World.create();
        world.addBody({
          ...BAR,
          material: { raw: { ...BAR.material?.raw, limit: { gamma: 0.05, iterations: 3, mode } } },
        });
        pullApart(world, 1);
        return world;
      },
    ],
  ),
  [
    'many small bodies with forces of their own',
    30,
    async () => {
      const world = await World.create();
      world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.2 });
      for (let n = 0; n < 12; n++)
        world.addBody({ ...BLOCK, position: [0.41 * (n % 3), 0.31 * Math.floor(n / 3), 0.02 * n] });
      world.addForceField({ type: 'vortex', axis: [0, 1, 0], strength: 2 });
      return world;
    },
  ],
];

/** The world restored in one with so many threads, all of them running, with ranges divided however short they are. */
export async function withThreads(bytes: Uint8Array, threads: number): Promise<World> {
  const world = await World.create({ threads });
  world.restore(bytes);
  await world.kernels.threads.ready();
  world.kernels.threads.divideFinely(1e6);
  return world;
}
