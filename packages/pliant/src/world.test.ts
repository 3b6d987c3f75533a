import { describe, expect, it } from 'vitest';
import type { BodyOptions } from './body/options.js';
import { BACKENDS } from './kernels/kernels.js';
import { hashSnapshot } from './snapshot/hashSnapshot.js';
import { BLOCK, disturb, worldWith } from './testing/bodies.js';
import { refusal } from './testing/refusal.js';
import { World } from './world.js';

/** Eight corners of a unit cube, one cluster: the smallest body with a volume. */
const CUBE: BodyOptions = {
  points: [0, 1, 2, 3, 4, 5, 6, 7].flatMap((n) => [n & 1, (n >> 1) & 1, (n >> 2) & 1]),
  clusters: [{ members: [0, 1, 2, 3, 4, 5, 6, 7] }],
};
const REGION = { type: 'sphere', centre: [0, 0, 0], radius: 0.1 } as const;

describe('World.create', () => {
  it.each([
    [{ backend: 'webgpu' }, 'world.backend is "webgpu"; expected one of "wasm", "ts".'],
    [{ dt: 0 }, 'world.dt is 0; expected a finite number in (0, 1].'],
    [{ dt: Number.NaN }, 'world.dt is NaN; expected a finite number in (0, 1].'],
    [{ gravity: [0, -9.81] }, 'world.gravity is [0, -9.81]; expected three finite numbers.'],
    [{ threads: 0 }, 'world.threads is 0; expected "auto" or an integer in [1, 8].'],
    [{ threads: 2.5 }, 'world.threads is 2.5; expected'],
    [{ threads: 9 }, 'world.threads is 9; expected'],
    [{ threads: 'many' }, 'world.threads is "many"; expected'],
    [{ maxSpeed: 1e25 }, 'world.maxSpeed is 1e+25; expected a finite number in (0, 1000000000000000].'],
    [
      { gravty: [0, 0, 0] },
      'world.gravty is not an option; expected one of gravity, dt, substeps, maxSubsteps, backend, threads, sleepSpeed, sleepAfter, maxSpeed.',
    ],
  ])('refuses %o', async (options, message) => {
    await expect(World.create(options as never)).rejects.toThrow(message);
  });

  it('makes an empty world with the defaults, which steps', async () => {
    const world = await World.create();
    expect([world.backend, world.dt, world.gravity]).toEqual(['wasm', 1 / 60, [0, -9.81, 0]]);
    world.step();
    expect([world.particleCount, world.clusterCount, world.membershipCount, world.frame]).toEqual([0, 0, 0, 1]);
    expect(world.positions.length).toBe(0);
  });
});

describe('a handle', () => {
  it('finds its body while it lives, and is refused afterwards even if its slot has a new tenant', async () => {
    const world = await World.create();
    const [first, second] = [world.addBody({ ...CUBE, name: 'first' }), world.addBody(CUBE)];
    expect(world.getBody(first.handle)).toBe(first);
    world.removeBody(first);
    const tenant = world.addBody({ ...CUBE, name: 'tenant' });
    expect(tenant.handle).not.toBe(first.handle);
    expect(world.getBody(tenant.handle)).toBe(tenant);
    expect(world.getBody(second.handle)).toBe(second);
    const gone = `handle is ${first.handle}; expected the handle of a body that was not removed.`;
    expect(refusal(() => world.getBody(first.handle))).toBe(gone);
    expect(refusal(() => world.removeBody(first))).toBe('body is "first"; expected a body of this world.');
    expect(refusal(() => world.removeBody(first.handle))).toBe(gone);
    expect(world.bodies).toEqual([second, tenant]);
  });

  it('stays different through many reuses of a slot', async () => {
    const world = await World.create();
    const handles = new Set<number>();
    for (let n = 0; n < 50; n++) {
      const body = world.addBody(CUBE);
      handles.add(body.handle);
      world.removeBody(body.handle);
    }
    expect(handles.size).toBe(50);
    expect(world.particleCount).toBe(0);
    for (const handle of handles) expect(() => world.getBody(handle)).toThrow('was not removed');
  });

  it('that was never given out, and a body of another world, are refused', async () => {
    const { world } = await worldWith(CUBE);
    const { world: other, body: foreign } = await worldWith({ ...CUBE, name: 'stranger' });
    for (const [handle, message] of [
      [7, 'handle is 7; expected a handle that this world gave out.'],
      [-1, 'handle is -1; expected an integer of at least 0.'],
      [0.5, 'handle is 0.5; expected an integer of at least 0.'],
      ['0', 'handle is "0"; expected an integer of at least 0.'],
    ] as const)
      expect(refusal(() => world.getBody(handle as number))).toBe(message);
    expect(refusal(() => world.removeBody(foreign))).toBe('body is "stranger"; expected a body of this world.');
    expect(refusal(() => world.addClamp({ region: REGION, bodies: [foreign] }))).toBe(
      'clamp.bodies[0] is "stranger"; expected a body of this world.',
    );
    const clamp = other.addClamp({ region: REGION });
    const collider = other.addCollider({ type: 'plane', normal: [0, 1, 0] });
    expect(refusal(() => world.removeClamp(clamp))).toMatch(/^clamp is .*expected a clamp of this world\.$/);
    expect(refusal(() => world.removeCollider(collider))).toMatch(
      /^collider is .*expected a collider of this world\.$/,
    );
    expect(refusal(() => other.removeCollider(clamp as never))).toContain('expected a collider of this world.');
    expect(refusal(() => other.removeClamp(collider as never))).toContain('expected a clamp of this world.');
    expect(refusal(() => world.addCollider({ type: 'plane', normal: [0, 1, 0], except: clamp }))).toMatch(
      /^collider.except is .*expected a clamp of this world\.$/,
    );
    expect(refusal(() => world.addCollider({ type: 'plane', normal: [0, 1, 0], except: 5 as never }))).toBe(
      'collider.except is 5; expected a clamp of this world.',
    );
    expect(other.core.actors).toEqual([clamp, collider]);
    expect(world.core.actors).toEqual([]);
    expect(world.bodies.length).toBe(1);
  });

  it('outlives its body only as a refusal: every method of a removed body refuses', async () => {
    const { world, body } = await worldWith({ ...CUBE, name: 'ghost' });
    world.addBody(CUBE);
    world.removeBody(body);
    for (const use of [
      () => body.positions,
      () => body.velocities,
      () => body.previousPositions,
      () => body.particleCount,
      () => body.clusterCount,
      () => body.setMaterial({ raw: { damping: 0.5 } }),
      () => body.applyImpulse([1, 0, 0]),
      () => body.applyForce([1, 0, 0], 0),
      () => body.pin(0),
      () => body.unpin(0),
      () => body.wake(),
    ])
      expect(refusal(use)).toBe(`body "ghost" (handle ${body.handle}) was removed, or its world disposed.`);
    expect(body.alive).toBe(false);
    expect(world.velocities.every((v) => v === 0)).toBe(true);
  });
});

describe('a disposed world', () => {
  it('refuses everything, and so do its bodies', async () => {
    const { world, body } = await worldWith(CUBE);
    const clamp = world.addClamp({ region: REGION });
    const collider = world.addCollider({ type: 'plane', normal: [0, 1, 0] });
    world.dispose();
    world.dispose();
    for (const use of [
      () => world.step(),
      () => world.advance(0),
      () => world.addBody(CUBE),
      () => world.getBody(0),
      () => world.removeBody(body),
      () => world.addCollider({ type: 'plane', normal: [0, 1, 0] }),
      () => world.removeCollider(collider),
      () => world.addClamp({ region: REGION }),
      () => world.removeClamp(clamp),
      () => world.positions,
      () => world.velocities,
      () => world.measure(),
      () => world.maxStretch(),
      () => world.drainEvents(),
      () => {
        world.gravity = [0, 0, 0];
      },
    ])
      expect(refusal(use)).toBe('world is disposed; expected a world that is still in use.');
    expect(refusal(() => body.positions)).toContain('or its world disposed');
    expect([world.bodies, world.core.actors]).toEqual([[], []]);
  });
});

describe('a refused body', () => {
  it('leaves the world as it was: counts, views and the next steps, bit for bit', async () => {
    const { world, body } = await worldWith(BLOCK, { gravity: [0, -1, 0] });
    const { world: other } = await worldWith(BLOCK, { gravity: [0, -1, 0] });
    const before = { version: world.state.version, counts: { ...world.state.count } };
    for (const bad of [
      { ...CUBE, material: { raw: { stiffness: 2 } } },
      { ...CUBE, points: [0, 0, Number.NaN] },
      { ...CUBE, clusters: [{ members: [0, 1] }] },
      { ...CUBE, velocity: [0, 0, Number.NaN] as const },
      { ...CUBE, material: { raw: { stiffness: () => 3 } } },
    ])
      expect(() => world.addBody(bad)).toThrow();
    expect(world.state.version).toBe(before.version);
    expect(world.state.count).toEqual(before.counts);
    expect(world.bodies).toEqual([body]);
    // The slot that the next body gets shows that none was lost on the way.
    expect(world.addBody(CUBE).handle).toBe(other.addBody(CUBE).handle);
    for (const w of [world, other]) for (let n = 0; n < 10; n++) w.step();
    expect(world.positions.slice()).toEqual(other.positions.slice());
  });
});

describe.each(BACKENDS)('stepping (%s)', (backend) => {
  it('is deterministic: the same input gives the same bits', async () => {
    const runs = [];
    for (let run = 0; run < 2; run++) {
      const { world, body } = await worldWith(
        { ...BLOCK, angularVelocity: [1, 2, 3] },
        { backend, gravity: [0, -9.81, 0] },
      );
      disturb(world, 42, 0.05, 2);
      world.addCollider({ type: 'plane', normal: [0.1, 1, 0], offset: -0.5 });
      world.addCollider({ type: 'sphere', centre: [0.3, -0.5, 0], radius: 0.2 });
      for (let n = 0; n < 60; n++) {
        body.applyForce([10, 0, 5], n);
        world.step();
      }
      runs.push([world.positions, world.velocities].map((v) => new Uint32Array(v.slice().buffer)));
    }
    expect(runs[0]).toEqual(runs[1]);
  });

  it('reads what the user writes into the views, and writes into them', async () => {
    const { world, body } = await worldWith(CUBE, { backend });
    const x = body.positions;
    for (let o = 0; o < x.length; o += 4) x[o] += 5;
    body.velocities.set([0, 6, 0, 0, 0, 6, 0, 0], 0);
    world.step();
    expect(world.measure().com[0]).toBeCloseTo(5.5, 6);
    // Two of eight equal particles at 6 m/s: the centre moves at 1.5 m/s, in the very view taken before the step.
    let mean = 0;
    for (let o = 0; o < x.length; o += 4) mean += x[o + 1] / 8;
    expect(mean).toBeCloseTo(0.5 + 1.5 / 60, 5);
  });

  it('counts time and frames, and shows where particles were before', async () => {
    const { world, body } = await worldWith({ ...CUBE, velocity: [6, 0, 0] }, { backend, dt: 0.01 });
    for (let n = 0; n < 100; n++) world.step();
    expect(world.frame).toBe(100);
    expect(world.time).toBeCloseTo(1, 12);
    for (let o = 0; o < 32; o += 4) expect(body.positions[o] - body.previousPositions[o]).toBeCloseTo(0.06, 5);
  });

  it('follows gravity as it is set while running', async () => {
    const { world } = await worldWith(CUBE, { backend, dt: 0.1 });
    world.gravity = [0, 0, 3];
    for (let n = 0; n < 10; n++) world.step();
    expect(world.measure().momentum[2]).toBeCloseTo(3 * 0.8, 5);
    expect(refusal(() => (world.gravity = [0, Number.NaN, 0]))).toContain('gravity is [0, NaN, 0]');
    expect(world.gravity).toEqual([0, 0, 3]);
  });

  it('never lets a particle be faster than maxSpeed', async () => {
    const { world, body } = await worldWith(CUBE, { backend, maxSpeed: 10 });
    body.applyImpulse([800, 0, 0]);
    world.step();
    for (let o = 0; o < 32; o += 4) expect(Math.hypot(...body.velocities.slice(o, o + 3))).toBeCloseTo(10, 4);
  });
});

describe('views', () => {
  it('are fresh after bodies come and go, where those taken before are not to be kept', async () => {
    const { world, body } = await worldWith(CUBE, { threads: 1 });
    body.positions[0] = 0.25;
    const stale = body.positions;
    // Enough to make the memory grow, which detaches every view taken before.
    for (let n = 0; n < 300; n++) world.addBody({ ...CUBE, position: [3 * n, 0, 0] });
    expect(stale.length).toBe(0);
    expect(body.positions.length).toBe(32);
    expect(body.positions[0]).toBe(0.25);
    expect(world.positions.length).toBe(4 * 8 * 301);
    const last = world.bodies[300];
    expect(last.positions[0]).toBe(897);
    world.removeBody(body);
    expect(last.positions[0]).toBe(897);
    expect(last.positions.byteOffset).toBe(world.positions.byteOffset + 299 * 8 * 16);
  });

  it('may be kept until a topologyVersion rises: a bar that tears beside a ball', async () => {
    const { world, body: bar } = await worldWith({
      shape: { type: 'box', size: [2, 0.4, 0.4] },
      sampling: { method: 'grid', spacing: 0.1 },
      clustering: { count: 16 },
      material: { toughness: 0.2, raw: { rotation: 'covariance', stiffness: 0.8, damping: 0.1 } },
    });
    const ball = world.addBody({
      shape: { type: 'sphere', radius: 0.3 },
      sampling: { count: 200 },
      position: [0, 3, 0],
    });
    for (const side of [1, -1])
      world.addClamp({
        region: { type: 'halfspace', normal: [side, 0, 0], offset: 0.8 },
        velocity: [0.5 * side, 0, 0],
        bodies: [bar],
      });
    const views = () => [bar, ball].flatMap((body) => [body.positions, body.velocities, body.plasticStrain]);
    const versions = () => bar.topologyVersion + ball.topologyVersion;
    let [held, version, kept, replaced] = [views(), versions(), 0, 0];
    const { mass } = world.measure();
    for (let n = 0; n < 120; n++) {
      world.step();
      // Other calls of a user in between invalidate no view.
      if (n === 10) world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -5 });
      if (n === 20) expect(bar.getSkin().positions.length + ball.getSkin().positions.length).toBeGreaterThan(0);
      if (n === 30) world.snapshot();
      if (n === 40) world.castRay([0, 3, -5], [0, 0, 1]);
      if (version === versions()) {
        views().forEach((view, k) => {
          expect([held[k].buffer === view.buffer, held[k].byteOffset, held[k].length]).toEqual([
            true,
            view.byteOffset,
            view.length,
          ]);
        });
        kept++;
      } else {
        [held, version] = [views(), versions()];
        replaced++;
      }
      for (const body of [bar, ball]) expect(body.positions.length).toBe(4 * body.particleCount);
      let sum = 0;
      for (const [k, value] of [...held[0], ...held[3]].entries()) if (k % 4 === 3) sum += value;
      expect(sum / mass).toBeCloseTo(1, 5);
    }
    expect(kept).toBeGreaterThan(60);
    expect(replaced).toBeGreaterThan(2);
  });
});

describe('advance', () => {
  it('accumulates real time into fixed steps and tells the rest', async () => {
    const { world } = await worldWith(CUBE, { dt: 0.25 });
    expect(world.advance(0.125)).toEqual({ steps: 0, alpha: 0.5 });
    expect(world.advance(0.0625)).toEqual({ steps: 0, alpha: 0.75 });
    expect(world.advance(0.0625)).toEqual({ steps: 1, alpha: 0 });
    expect(world.advance(0.875)).toEqual({ steps: 3, alpha: 0.5 });
    expect(world.frame).toBe(4);
    expect(world.time).toBe(1);
  });

  it('drops time beyond maxSteps instead of falling ever further behind', async () => {
    const { world } = await worldWith(CUBE, { dt: 0.25 });
    expect(world.advance(100.125)).toEqual({ steps: 4, alpha: 0.5 });
    expect(world.advance(0)).toEqual({ steps: 0, alpha: 0.5 });
    expect(world.advance(10, 2)).toEqual({ steps: 2, alpha: 0.5 });
    expect(world.frame).toBe(6);
  });

  it('keeps alpha in [0, 1) whatever the frame rate', async () => {
    const world = await World.create();
    for (const fps of [24, 59.94, 60, 75, 144, 240]) {
      const before = world.frame;
      for (let n = 0; n < fps; n++) {
        const { alpha } = world.advance(1 / fps);
        expect(alpha).toBeGreaterThanOrEqual(0);
        expect(alpha).toBeLessThan(1);
      }
      expect(Math.abs(world.frame - before - 60)).toBeLessThanOrEqual(1);
    }
  });

  it('takes the interval of a first animation frame, which may be below 0, for none', async () => {
    const { world } = await worldWith(CUBE, { dt: 0.25 });
    world.advance(0.125);
    expect(world.advance(-0.03)).toEqual({ steps: 0, alpha: 0.5 });
    expect(world.advance(-0.99)).toEqual({ steps: 0, alpha: 0.5 });
    expect(world.advance(0.125)).toEqual({ steps: 1, alpha: 0 });
  });

  it('refuses what is no time', async () => {
    const world = await World.create();
    expect(refusal(() => world.advance(-1))).toBe('seconds is -1; expected a finite number above -1.');
    expect(refusal(() => world.advance(Number.NaN))).toContain('seconds is NaN');
    expect(refusal(() => world.advance(1, 0))).toBe('maxSteps is 0; expected an integer of at least 1.');
  });
});

describe('the time step', () => {
  it.each(BACKENDS)('can be changed while a body falls: by as much as the step is long (%s)', async (backend) => {
    const height = async (change: (world: World, k: number) => void, dt = 1 / 60) => {
      const { world, body } = await worldWith(
        { ...BLOCK, velocity: [0, 3, 0] },
        { backend, dt, substeps: 1, gravity: [0, -10, 0] },
      );
      for (let k = 0; world.time < 1 - 1e-9; k++) {
        change(world, k);
        world.step();
      }
      return body.centreOfMass[1];
    };
    const exact = 3 - 5;
    const halved = await height((world, k) => {
      if (k === 30) world.dt = 1 / 120;
    });
    const [coarse, fine] = [await height(() => {}), await height(() => {}, 1 / 120)];
    // Symplectic Euler is off by g t h/2: by half of it in the first half, by a quarter in the second.
    expect(Math.abs(coarse - exact)).toBeCloseTo(10 / 120, 3);
    expect(Math.abs(halved - exact)).toBeLessThan(Math.abs(coarse - exact));
    expect(Math.abs(halved - exact)).toBeGreaterThan(Math.abs(fine - exact));
  });

  it('set to what it is changes no bit', async () => {
    const [one, other] = await Promise.all([0, 1].map(() => worldWith(BLOCK, { gravity: [0, -9.81, 0] })));
    for (const { world } of [one, other]) {
      world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.5 });
      disturb(world, 5, 0.02, 0.5);
    }
    for (let k = 0; k < 30; k++) {
      other.world.dt = 1 / 60;
      one.world.step();
      other.world.step();
    }
    expect(other.world.positions).toEqual(one.world.positions);
    expect(hashSnapshot(other.world.snapshot())).toBe(hashSnapshot(one.world.snapshot()));
  });

  it('leaves velocities, and is refused as when a world is made', async () => {
    const { world, body } = await worldWith({ ...BLOCK, velocity: [1, 2, 3] });
    world.step();
    const before = Float32Array.from(body.velocities);
    for (const value of [0, -1, 2, Number.NaN, '1'])
      expect(
        refusal(() => {
          world.dt = value as number;
        }),
      ).toContain('dt is');
    world.dt = 1 / 240;
    expect(body.velocities).toEqual(before);
    world.step();
    expect(body.linearVelocity[0]).toBeCloseTo(1, 4);
    expect(world.time).toBeCloseTo(1 / 60 + 1 / 240, 12);
  });

  it('comes back with a snapshot, also as bytes', async () => {
    const { world } = await worldWith(BLOCK, { gravity: [0, -9.81, 0] });
    const before = world.snapshot();
    world.dt = 1 / 120;
    const after = world.snapshot();
    const bytes = world.save();
    const run = (w: World) => {
      for (let k = 0; k < 5; k++) w.step();
      return Float32Array.from(w.positions);
    };
    const short = run(world);
    world.restore(before);
    expect(world.dt).toBe(1 / 60);
    world.restore(after);
    expect(world.dt).toBe(1 / 120);
    expect(run(world)).toEqual(short);
    const empty = await World.create({ dt: 0.1 });
    empty.restore(bytes);
    expect(empty.dt).toBe(1 / 120);
    expect(run(empty)).toEqual(short);
    expect(hashSnapshot(empty.snapshot())).toBe(hashSnapshot(world.snapshot()));
  });
});

describe('what has expired', () => {
  it('is no longer listed, and there again in a snapshot from before', async () => {
    const { world, body } = await worldWith(CUBE);
    const collider = world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -9, lifetime: 0.1 });
    const floor = world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -9 });
    const clamp = world.addClamp({ region: REGION, lifetime: 0.1 });
    const keeper = world.addClamp({ region: REGION, lifetime: 0.1, release: false });
    const snapshot = world.snapshot();
    expect([world.colliders, world.clamps]).toEqual([
      [collider, floor],
      [clamp, keeper],
    ]);
    for (let k = 0; k < 12; k++) world.step();
    expect([world.colliders, world.clamps]).toEqual([[floor], [keeper]]);
    expect(() => world.removeClamp(clamp)).not.toThrow();
    world.restore(snapshot);
    expect(world.colliders).toEqual([collider, floor]);
    expect(world.clamps).toEqual([clamp, keeper]);
    expect(body.alive).toBe(true);
  });
});

describe('events', () => {
  it('are kept in the queue until they are drained, once', async () => {
    const { world, body } = await worldWith(CUBE);
    body.positions[0] = Number.NaN;
    world.step();
    world.step();
    const events = world.drainEvents();
    expect(events.map((e) => e.type)).toEqual(['quarantine']);
    expect(world.drainEvents()).toEqual([]);
    expect(events.length).toBe(1);
  });
});

describe('a world with picks and snapshots', () => {
  it('refuses both once it is disposed, and picks of bodies that are gone', async () => {
    const { world, body } = await worldWith(CUBE);
    const pick = world.addPick({ body, particle: 7, target: [2, 2, 2] });
    const snapshot = world.snapshot();
    world.removeBody(body);
    expect(world.picks).toEqual([]);
    expect(refusal(() => world.addPick({ body, particle: 0 }))).toBe('pick.body is ""; expected a body of this world.');
    world.restore(snapshot);
    expect([world.picks, world.bodies]).toEqual([[pick], [body]]);
    world.dispose();
    for (const use of [() => world.snapshot(), () => world.restore(snapshot), () => world.removePick(pick)])
      expect(refusal(use)).toContain('world is disposed');
  });
});
