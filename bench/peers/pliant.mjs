// Pliant's cube: defaults with an elastic law, WASM kernels, one thread.
import { readFileSync } from 'node:fs';
import { World } from 'pliant';
import { EDGE } from './cube.mjs';
import { FALL, RATE } from './drop.mjs';

/** Young's modulus (Pa). */
export const YOUNG = 1e5;

/** World.create is asynchronous: a world is made ahead for each drop. */
export async function loadPliant() {
  const { version } = JSON.parse(readFileSync(new URL('../../packages/pliant/package.json', import.meta.url), 'utf8'));
  let world;
  return {
    name: 'Pliant',
    version,
    made: 'particles in clusters with an elastic law; touches itself and other soft bodies',
    async prepare() {
      world = await World.create({ threads: 1, backend: 'wasm', dt: 1 / RATE });
    },
    create({ n, lifts = [0] }) {
      const own = world;
      own.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 0, friction: 0.5 });
      const bodies = lifts.map((lift) =>
        own.addBody({
          shape: { type: 'box', size: [EDGE, EDGE, EDGE] },
          sampling: { method: 'grid', spacing: EDGE / n },
          material: { young: YOUNG },
          position: [0, EDGE / 2 + FALL + lift, 0],
        }),
      );
      const [body] = bodies;
      let mass = 0;
      for (let i = 0; i < body.particleCount; i++) mass += body.positions[4 * i + 3];
      return {
        count: body.particleCount,
        mass,
        parts: { clusters: body.clusterCount, memberships: own.membershipCount / bodies.length },
        step: () => own.step(),
        y: (i, which = 0) => bodies[which].positions[4 * i + 1],
        dispose: () => own.dispose(),
      };
    },
  };
}
