import { describe, expect, it } from 'vitest';
import type { BodyOptions } from './body/options.js';
import { ALL_GROUPS, type Groups, groupsMeet, resolveGroups } from './groups.js';
import { BACKENDS } from './kernels/kernels.js';
import { icosphere } from './mesh/testing/meshes.js';
import { hashSnapshot } from './snapshot/hashSnapshot.js';
import { BLOCK } from './testing/bodies.js';
import { refusal } from './testing/refusal.js';
import type { WorldOptions } from './world/options.js';
import { World } from './world.js';

const FIRST: Groups = { membership: 1, filter: 0xffffffff };
const NOT_FIRST: Groups = { membership: 2, filter: 0xfffffffe };

describe('groups', () => {
  it('meet where each is let through by the other', () => {
    expect(groupsMeet(ALL_GROUPS, ALL_GROUPS)).toBe(true);
    expect(groupsMeet(FIRST, NOT_FIRST)).toBe(false);
    expect(groupsMeet(NOT_FIRST, FIRST)).toBe(false);
    expect(groupsMeet(FIRST, FIRST)).toBe(true);
    expect(groupsMeet({ membership: 0x80000000, filter: 1 }, { membership: 1, filter: 0x80000000 })).toBe(true);
    expect(groupsMeet({ membership: 0, filter: 0xffffffff }, ALL_GROUPS)).toBe(false);
  });

  it('are all of them where one of the numbers is left out', () => {
    expect(resolveGroups('g', { filter: 3 })).toEqual({ membership: 0xffffffff, filter: 3 });
    expect(resolveGroups('g', {})).toBe(ALL_GROUPS);
  });

  it.each([
    [{ membership: -1 }, 'g.membership is -1; expected an integer in [0, 4294967295].'],
    [{ filter: 2 ** 32 }, 'g.filter is 4294967296; expected an integer in [0, 4294967295].'],
    [{ filter: 0.5 }, 'g.filter is 0.5; expected an integer in [0, 4294967295].'],
    [{ mask: 1 }, 'g.mask is not an option; expected one of membership, filter.'],
    [3, 'g is 3; expected an object.'],
  ])('are refused where they are none: %o', (value, message) => {
    expect(refusal(() => resolveGroups('g', value as never))).toBe(message);
  });
});

async function pairOf(kind: 'proxies' | 'surface', groups: [Groups?, Groups?], options: WorldOptions = {}) {
  const world = await World.create({ gravity: [0, 0, 0], ...options });
  const common: BodyOptions =
    kind === 'surface' ? { mesh: icosphere(2, 0.45), sampling: { spacing: 0.1 }, contact: { mode: 'surface' } } : BLOCK;
  const a = world.addBody({ ...common, velocity: [2, 0, 0], ...(groups[0] && { groups: groups[0] }) });
  const b = world.addBody({ ...common, position: [1.2, 0.05, 0.02], ...(groups[1] && { groups: groups[1] }) });
  return { world, a, b };
}
const run = (world: World, steps: number) => {
  for (let k = 0; k < steps; k++) world.step();
};

describe.each(BACKENDS)('bodies (%s)', (backend) => {
  it.each(['proxies', 'surface'] as const)('of groups that do not meet pass through each other: %s', async (kind) => {
    const { world, a, b } = await pairOf(kind, [FIRST, NOT_FIRST], { backend });
    const [from, at] = [a.centreOfMass[0], b.centreOfMass[0]];
    run(world, 60);
    expect(a.centreOfMass[0] - from).toBeCloseTo(2, 2);
    expect(b.centreOfMass[0] - at).toBeCloseTo(0, 4);
    expect(world.drainEvents()).toEqual([]);
    const others = await pairOf(kind, [FIRST, FIRST], { backend });
    run(others.world, 60);
    expect(others.b.centreOfMass[0]).toBeGreaterThan(1.3);
  });
});

describe('the groups of a body', () => {
  it('change nothing where all meet all, to the bit', async () => {
    const [plain, said] = await Promise.all([pairOf('proxies', []), pairOf('proxies', [ALL_GROUPS, FIRST])]);
    run(plain.world, 30);
    run(said.world, 30);
    expect(said.world.positions).toEqual(plain.world.positions);
  });

  it('can be set while it runs, and wake what leans on it', async () => {
    const { world, a, b } = await pairOf('proxies', []);
    b.groups = { membership: 2 };
    a.groups = { filter: ~2 >>> 0 };
    expect([a.groups, b.groups]).toEqual([
      { membership: 0xffffffff, filter: 0xfffffffd },
      { membership: 2, filter: 0xffffffff },
    ]);
    run(world, 60);
    expect(b.centreOfMass[0]).toBeCloseTo(1.2, 3);
    a.sleep();
    expect(
      refusal(() => {
        a.groups = { filter: -1 };
      }),
    ).toContain('groups.filter is -1');
    expect(a.asleep).toBe(true);
    a.groups = {};
    expect(a.asleep).toBe(false);
    expect(a.groups).toBe(ALL_GROUPS);
  });

  it('are those of all its pieces', async () => {
    const { world, a } = await pairOf('proxies', [FIRST]);
    const { bodies } = world.cut(a, { point: [0.02, 0, 0], normal: [1, 0, 0] });
    expect(bodies.length).toBe(2);
    expect(bodies.map((body) => body.groups)).toEqual([FIRST, FIRST]);
  });

  it('are refused before a body is built', async () => {
    const world = await World.create();
    expect(refusal(() => world.addBody({ ...BLOCK, groups: { filter: -1 } }))).toContain('body.groups.filter is -1');
    expect(world.bodies).toEqual([]);
  });
});

describe('the groups of an obstacle', () => {
  const floor = { type: 'plane', normal: [0, 1, 0], offset: -0.5 } as const;

  it.each([
    ['a standing plane', floor],
    ['a moving plane', { ...floor, velocity: [0, 1e-6, 0] }],
    ['a box', { type: 'box', size: [4, 1, 4], position: [0, -1, 0] }],
  ] as const)('let bodies fall through: %s', async (_, options) => {
    for (const [groups, falls] of [
      [NOT_FIRST, true],
      [undefined, false],
    ] as const) {
      const world = await World.create();
      const body = world.addBody({ ...BLOCK, groups: FIRST });
      world.addCollider({ ...options, ...(groups && { groups }) });
      run(world, 40);
      expect(body.centreOfMass[1] < -1).toBe(falls);
    }
  });

  it('can be set later: what lay on it falls', async () => {
    const world = await World.create();
    const body = world.addBody({ ...BLOCK, groups: FIRST });
    const collider = world.addCollider(floor);
    run(world, 60);
    body.sleep();
    run(world, 1);
    expect(body.asleep).toBe(true);
    collider.groups = NOT_FIRST;
    run(world, 40);
    expect(body.centreOfMass[1]).toBeLessThan(-1);
    expect(
      refusal(() => {
        collider.groups = { filter: 0.5 };
      }),
    ).toContain('groups.filter is 0.5');
    expect(collider.groups).toEqual(NOT_FIRST);
  });

  it('that passes through a sleeping body does not wake it', async () => {
    const world = await World.create({ gravity: [0, 0, 0] });
    const body = world.addBody({ ...BLOCK, groups: FIRST });
    body.sleep();
    world.addCollider({ type: 'sphere', centre: [-1, 0, 0], radius: 0.2, velocity: [4, 0, 0], groups: NOT_FIRST });
    // A new obstacle wakes everything.
    run(world, 1);
    body.sleep();
    run(world, 30);
    expect(body.asleep).toBe(true);
  });
});

describe('snapshots', () => {
  it('keep groups of bodies and obstacles, also as bytes', async () => {
    const { world, a, b } = await pairOf('proxies', [FIRST, NOT_FIRST]);
    const collider = world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -3, groups: FIRST });
    const [snapshot, bytes] = [world.snapshot(), world.save()];
    a.groups = {};
    collider.groups = NOT_FIRST;
    const changed = world.save();
    world.restore(snapshot);
    expect([a.groups, b.groups, collider.groups]).toEqual([FIRST, NOT_FIRST, FIRST]);
    const other = await World.create();
    other.restore(bytes);
    expect([...other.bodies, ...other.colliders].map(({ groups }) => groups)).toEqual([FIRST, NOT_FIRST, FIRST]);
    other.restore(changed);
    expect([...other.bodies, ...other.colliders].map(({ groups }) => groups)).toEqual([
      ALL_GROUPS,
      NOT_FIRST,
      NOT_FIRST,
    ]);
  });

  it('have no word of the default, and so the hash they had without groups', async () => {
    const [plain, said] = await Promise.all([
      pairOf('proxies', []),
      pairOf('proxies', [ALL_GROUPS, { ...ALL_GROUPS }]),
    ]);
    expect(hashSnapshot(said.world.snapshot())).toBe(hashSnapshot(plain.world.snapshot()));
    expect('groups' in plain.world.snapshot().bodies[0]).toBe(false);
    said.a.groups = FIRST;
    expect(hashSnapshot(said.world.snapshot())).not.toBe(hashSnapshot(plain.world.snapshot()));
  });

  it('refuse groups that are none', async () => {
    const { world } = await pairOf('proxies', [FIRST]);
    const copy = structuredClone(world.snapshot());
    (copy.bodies[0] as { groups: unknown }).groups = { membership: -1, filter: 1 };
    expect(refusal(() => world.restore(copy))).toContain('snapshot.bodies[0].groups.membership is -1');
  });
});

describe('queries', () => {
  it('see what their filter meets', async () => {
    const { world, a, b } = await pairOf('proxies', [FIRST, NOT_FIRST]);
    const filter = { membership: 2, filter: 2 };
    expect(world.castRay([-5, 0.03, 0.02], [1, 0, 0])?.body).toBe(a);
    expect(world.castRay([-5, 0.03, 0.02], [1, 0, 0], { filter })?.body).toBe(b);
    expect(world.nearestParticle([0, 0, 0], { filter })?.body).toBe(b);
    expect(world.overlapSphere([0.6, 0, 0], 5, { filter }).map(({ body }) => body)).toEqual([b]);
    expect(refusal(() => world.castRay([0, 0, 0], [1, 0, 0], { filter: { filter: -1 } }))).toContain(
      'castRay.filter.filter is -1',
    );
  });
});
