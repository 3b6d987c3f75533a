import { describe, expect, it } from 'vitest';
import { buildBody } from '../body/build.js';
import type { AddOptions, BodyOptions } from '../body/options.js';
import { hashSnapshot } from '../snapshot/hashSnapshot.js';
import { refusal } from '../testing/refusal.js';
import { World } from '../world.js';

const TETRAHEDRON = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], indices: [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2] };
const PLACE: AddOptions = {
  name: 'second',
  position: [3, 4, -5],
  rotation: [0.1, 0.2, 0.3, 0.9],
  velocity: [1, 0, 0],
  angularVelocity: [0, 2, 0],
  stretch: [1.1, 1, 1],
  stretchCentre: [3, 4, -5],
};

const BODIES: Record<string, BodyOptions> = {
  'of a shape': { shape: { type: 'torus', radius: 0.5, tube: 0.2 }, sampling: { count: 300 }, scale: [1, 2, 1] },
  'of a mesh that meets others by its surface': {
    mesh: TETRAHEDRON,
    sampling: { count: 120 },
    material: { toughness: { vertices: [1, 1, 2, 2] } },
    contact: { mode: 'surface' },
  },
  'of points': { points: Array.from({ length: 192 }, (_, k) => ((k * 7919) % 101) / 101) },
  'with nested levels': {
    shape: { type: 'box', size: [1, 1, 1] },
    sampling: { method: 'grid', spacing: 0.1 },
    material: { raw: { stiffness: 0.5 } },
    clustering: { count: 60 },
    levels: {},
  },
  'with levels that sum over particles': {
    shape: { type: 'box', size: [1, 1, 1] },
    sampling: { method: 'grid', spacing: 0.1 },
    material: { raw: { stiffness: 0.5 } },
    clustering: { count: 60 },
    levels: { sums: 'particles' },
  },
};

describe('world.addBody with a built body', () => {
  it.each(Object.keys(BODIES))('gives the same bits as building it there, now and after steps: %s', async (name) => {
    const options = BODIES[name];
    const [apart, once] = [await World.create(), await World.create()];
    apart.addBody(options);
    apart.addBody({ ...options, ...PLACE });
    const built = buildBody(options);
    once.addBody(built);
    once.addBody(built, PLACE);
    expect(hashSnapshot(once.snapshot())).toBe(hashSnapshot(apart.snapshot()));
    for (const world of [apart, once]) for (let k = 0; k < 5; k++) world.step();
    expect(hashSnapshot(once.snapshot())).toBe(hashSnapshot(apart.snapshot()));
    const [a, b] = [apart, once].map((world) => world.bodies[1].getSkin());
    expect(b.positions).toEqual(a.positions);
    expect(once.validate()).toEqual([]);
  });

  it('leaves bodies of one build independent of each other', async () => {
    const world = await World.create();
    const built = buildBody(BODIES['of a shape']);
    const [first, second] = [world.addBody(built), world.addBody(built, { position: [5, 0, 0] })];
    const before = second.restPositions.slice();
    first.setMaterial({ young: 10 });
    first.setPose({ position: [0, 9, 0] });
    world.cut(first, { point: [0, 9, 0], normal: [1, 0, 0] });
    expect(second.restPositions).toEqual(before);
    expect(second.young).not.toBe(first.young);
    expect(world.addBody(built).restPositions).toEqual(built.data.positions);
  });

  it('takes what is not given from the options of the build', async () => {
    const world = await World.create();
    const body = world.addBody(buildBody({ ...BODIES['of a shape'], ...PLACE, groups: { membership: 4 } }));
    expect(body.name).toBe('second');
    expect(body.groups.membership).toBe(4);
    expect(world.measure(body).momentum[0]).toBeCloseTo(world.measure(body).mass, 3);
    const other = world.addBody(buildBody(BODIES['of a shape']), { groups: { filter: 8 }, velocity: [0, 0, 0] });
    expect(other.groups).toEqual({ membership: 0xffffffff, filter: 8 });
  });

  it('refuses wrong options and adds nothing', async () => {
    const world = await World.create();
    const built = buildBody(BODIES['of points']);
    expect(refusal(() => world.addBody(built, { scale: 2 } as never))).toBe(
      'body.scale is not an option; expected one of name, groups, rotation, position, velocity, angularVelocity, stretch, stretchCentre.',
    );
    expect(refusal(() => world.addBody(built, { position: [1, 2] as never }))).toContain('body.position is [1, 2]');
    expect(refusal(() => world.addBody(built, { rotation: [0, 0, 0, 0] }))).toContain('body.rotation');
    expect(refusal(() => world.addBody(built, { name: 3 as never }))).toContain('body.name is 3');
    expect(refusal(() => world.addBody(built, { stretch: [1e12, 1, 1] }))).toContain('stretched');
    // A copy was not checked by anyone.
    expect(refusal(() => world.addBody({ ...built } as never))).toContain('is not an option');
    expect(world.bodies).toEqual([]);
    expect(world.particleCount).toBe(0);
  });

  it('divides a body alike wherever it is put', async () => {
    const world = await World.create();
    const options: BodyOptions = {
      shape: { type: 'box', size: [1, 1, 1] },
      sampling: { method: 'grid', spacing: 0.1 },
    };
    const here = world.addBody(options);
    const there = world.addBody({ ...options, position: [0.3, 100, -7], rotation: [1, 2, 3, 4] });
    expect(there.clustering.particle).toEqual(here.clustering.particle);
    expect(there.clustering.weight).toEqual(here.clustering.weight);
    expect(there.young).toBe(here.young);
  });
});
