import { PliantError, type World } from 'pliant';
import { describe, expect, it } from 'vitest';
import { buildWorld } from './buildWorld.js';
import type { Cuts } from './cuts.js';
import { loadScene } from './loadScene.js';
import { restoreWorld } from './restoreWorld.js';

const body = (name: string, x: number, more: object = {}) => ({
  name,
  geometry: { type: 'box', size: [0.6, 0.3, 0.3] },
  sampling: { method: 'grid', spacing: 0.1 },
  clustering: { count: 6 },
  position: [x, 0.3, 0],
  ...more,
});

const SCENES: [name: string, scene: object][] = [
  [
    'cuts before and after, of what was cut off',
    {
      bodies: [body('a', 0), body('b', 2)],
      colliders: [{ type: 'plane', normal: [0, 1, 0], offset: 0 }],
      cuts: [
        { at: 0.1, body: 'a', plane: { point: [0.05, 0.3, 0], normal: [1, 0, 0] } },
        { at: 0.5, body: 'a', plane: { point: [0, 0.15, 0], normal: [0, 1, 0] } },
      ],
    },
  ],
  [
    'fracture, flow and reclustering',
    {
      bodies: [
        body('a', 0, {
          material: { toughness: 0.03, yield: 0.02 },
          reclustering: { threshold: 1.2, every: 4 / 60 },
          velocity: [0, -4, 0],
        }),
        body('b', 0.1, { position: [0.1, 0.8, 0], levels: { count: 2 }, material: { raw: {} } }),
      ],
      colliders: [
        { type: 'plane', normal: [0, 1, 0], offset: 0 },
        { type: 'sphere', centre: [0, 0, 0], radius: 0.1, velocity: [0.2, 0, 0] },
      ],
    },
  ],
];

const load = (scene: object) => loadScene('x.json', async () => new TextEncoder().encode(JSON.stringify(scene)));

const run = ({ world, cuts }: { world: World; cuts: Cuts }, steps: number) => {
  for (let n = 0; n < steps; n++) {
    cuts.due();
    world.step();
  }
};

/** The result of a run, to the bit, as far as the public API shows it. */
const stateOf = (world: World) => ({
  names: world.bodies.map(({ name, particleCount, clusterCount }) => [name, particleCount, clusterCount]),
  colliders: world.colliders.map(({ position, impulse }) => [position, [...impulse]]),
  positions: Buffer.from(world.positions.slice().buffer).toString('base64'),
  velocities: Buffer.from(world.velocities.slice().buffer).toString('base64'),
});

describe('a world from its scene and its bytes', () => {
  it.each(SCENES)('goes on as the one that was saved: %s', async (_, given) => {
    const scene = await load(given);
    const built = await buildWorld(scene);
    const base = built.world.snapshot();
    run(built, 20);
    // Things that no scene file can say.
    const late = built.world.addBody({
      shape: { type: 'sphere', radius: 0.2 },
      sampling: { spacing: 0.1 },
      position: [4, 1, 0],
    });
    built.world.addCollider({ type: 'box', size: [1, 0.1, 1], position: [4, 0.2, 0] });
    built.world.addPick({ body: late, particle: 0, target: [4, 2, 0] });
    built.world.removeCollider(built.world.colliders[0]);
    run(built, 5);
    const [complete, difference] = [built.world.save(), built.world.save({ base })];
    expect(difference.length).toBeLessThan(complete.length);
    run(built, 20);
    const expected = stateOf(built.world);
    for (const bytes of [complete, difference]) {
      const again = await restoreWorld(scene, bytes);
      expect(again.world.frame).toBe(25);
      run(again, 20);
      expect(stateOf(again.world)).toEqual(expected);
      expect(again.world.validate()).toEqual([]);
    }
  });

  it('is refused where a difference is to another scene', async () => {
    const [scene, other] = [await load(SCENES[0][1]), await load(SCENES[1][1])];
    const built = await buildWorld(scene);
    const base = built.world.snapshot();
    run(built, 3);
    await expect(restoreWorld(other, built.world.save({ base }))).rejects.toThrow(PliantError);
    await expect(restoreWorld(other, built.world.save({ base }))).rejects.toThrow(/difference to another base/);
  });
});
