import type { BodyOptions } from '../../body/options.js';
import { World } from '../../world.js';

/** Sides and thickness of the plate (m), the length over which its stretch is averaged (m), and its toughness. */
export const [WIDTH, THICK, LENGTH, TOUGHNESS] = [0.36, 0.06, 0.12, 0.1];

/** Whether a plate first splits in a step that begins with its middle stretched by `middle` along x and bent by `curvature` (1/m) about y. */
export async function splitsBent(layers: number, middle: number, curvature: number, more: BodyOptions = {}, turn = 0) {
  const world = await World.create({ dt: 1e-5, substeps: 1, gravity: [0, 0, 0] });
  const body = world.addBody({
    shape: { type: 'box', size: [WIDTH, WIDTH, THICK] },
    sampling: { method: 'grid', spacing: THICK / layers },
    material: { young: 1e5, toughness: TOUGHNESS },
    fracture: { length: LENGTH },
    contact: { mode: 'none' },
    ...more,
  });
  const [x, r] = [body.positions, body.restPositions];
  for (let i = 0; i < body.particleCount; i++) {
    const [p, q, z] = [r[3 * i], r[3 * i + 1], r[3 * i + 2]];
    const angle = curvature * (1 + middle) * p;
    const bent =
      curvature === 0
        ? [(1 + middle) * p, z]
        : [(1 / curvature + z) * Math.sin(angle), (1 / curvature + z) * Math.cos(angle) - 1 / curvature];
    x[4 * i] = Math.cos(turn) * bent[0] - Math.sin(turn) * q;
    x[4 * i + 1] = Math.sin(turn) * bent[0] + Math.cos(turn) * q;
    x[4 * i + 2] = bent[1];
  }
  world.step();
  const events = world.drainEvents().filter((event) => event.type === 'fracture');
  world.dispose();
  return { count: events.length, normal: events[0]?.splits[0].normal };
}
