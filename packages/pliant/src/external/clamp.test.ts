import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/options.js';
import type { Vec3 } from '../check.js';
import { BACKENDS } from '../kernels/kernels.js';
import { Flag } from '../state/flags.js';
import { distance, worldWith } from '../testing/bodies.js';
import { refusal } from '../testing/refusal.js';
import { World } from '../world.js';
import type { ClampOptions } from './clamp.js';

const BAR: BodyOptions = {
  shape: { type: 'box', size: [1, 0.3, 0.3] },
  sampling: { method: 'grid', spacing: 0.1 },
  clustering: { count: 5, radius: 0.3 },
  material: { raw: { limit: { gamma: 0.05 } } },
};
/** The right end: a slice of 3 × 3 particles at x = 0.45. */
const END = { type: 'halfspace', normal: [1, 0, 0], offset: 0.4 } as const;

const at = (body: Body, i: number) => Array.from(body.positions.slice(4 * i, 4 * i + 3));
const velocityOf = (body: Body, i: number) => Array.from(body.velocities.slice(4 * i, 4 * i + 3));
const heldBy = (body: Body) =>
  Array.from({ length: body.particleCount }, (_, i) => i).filter((i) => body.restPositions[3 * i] > 0.4);
/** The bits by which clamps hold; kernels keep others of their own. */
const grasp = (world: World, i: number) => world.state.views.flags[i] & (Flag.HELD | Flag.FIRM);
const flagsOf = (world: World, body: Body) => heldBy(body).map((i) => grasp(world, body.rows.particleStart + i));
const run = (world: World, steps: number) => {
  for (let n = 0; n < steps; n++) world.step();
};

/** Turns r about `axis` (any length) by `angle`: the matrix form, independent of the clamp's vector form. */
function turned(r: readonly number[], axis: Vec3, angle: number): number[] {
  const n = Math.hypot(...axis);
  const [x, y, z] = axis.map((a) => a / n);
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  const m = [
    [c + x * x * (1 - c), x * y * (1 - c) - z * s, x * z * (1 - c) + y * s],
    [y * x * (1 - c) + z * s, c + y * y * (1 - c), y * z * (1 - c) - x * s],
    [z * x * (1 - c) - y * s, z * y * (1 - c) + x * s, c + z * z * (1 - c)],
  ];
  return m.map((row) => row[0] * r[0] + row[1] * r[1] + row[2] * r[2]);
}

describe.each(BACKENDS)('a clamp that drives positions (%s)', (backend) => {
  it.each<[string, Partial<ClampOptions>]>([
    ['pins', {}],
    ['pulls', { velocity: [0.5, 0.1, -0.2] }],
    ['twists', { angularVelocity: [2, 0, 0], centre: [0.45, 0, 0] }],
    ['tilts', { angularVelocity: [0, 0, -1.5], centre: [0.4, 0, 0] }],
    [
      'does all at once about an axis askew',
      { velocity: [0.1, 0, 0], angularVelocity: [1, -0.5, 0.7], centre: [0.3, 0.2, 0.1] },
    ],
  ])('%s: its particles are where the motion says, to 1e-5, under gravity and strain limiting', async (_, motion) => {
    const { world, body } = await worldWith(BAR, { backend, gravity: [0, -9.81, 0] });
    run(world, 3);
    const start = heldBy(body).map((i) => at(body, i));
    const began = world.time;
    const clamp = world.addClamp({ region: END, ...motion });
    expect(clamp.particleCount).toBe(9);
    for (let n = 0; n < 90; n++) {
      world.step();
      if (n % 30 !== 29) continue;
      const t = world.time - began;
      const { velocity = [0, 0, 0], angularVelocity = [0, 0, 1], centre = [0, 0, 0] } = motion;
      const angle = motion.angularVelocity ? t * Math.hypot(...angularVelocity) : 0;
      heldBy(body).forEach((i, k) => {
        const r = turned(
          start[k].map((x, a) => x - centre[a]),
          angularVelocity,
          angle,
        );
        expect(
          distance(
            at(body, i),
            r.map((x, a) => centre[a] + x + velocity[a] * t),
          ),
        ).toBeLessThan(1e-5);
      });
    }
    expect(world.drainEvents()).toEqual([]);
  });

  it('is not pulled off by strain limiting when firm, and is when not', async () => {
    const strays: Record<string, number> = {};
    for (const firm of [true, false]) {
      const { world, body } = await worldWith(BAR, { backend });
      const start = heldBy(body).map((i) => at(body, i));
      world.addClamp({ region: END, firm });
      world.addClamp({ region: { type: 'halfspace', normal: [-1, 0, 0], offset: 0.4 }, velocity: [-1, 0, 0] });
      run(world, 60);
      strays[String(firm)] = Math.max(...heldBy(body).map((i, k) => distance(at(body, i), start[k])));
    }
    expect(strays['true']).toBeLessThan(1e-6);
    expect(strays['false']).toBeGreaterThan(1e-3);
  });

  it('lets go after its lifetime, says so, and its particles fly on with its velocity', async () => {
    const { world, body } = await worldWith(
      { ...BAR, material: { raw: { stiffness: 0, damping: 0, limit: { iterations: 0 } } } },
      { backend, dt: 1 / 64, gravity: [0, -1, 0] },
    );
    const clamp = world.addClamp({ region: END, velocity: [0, 0, 0.5], lifetime: 0.5 });
    run(world, 33);
    // t = 0.5 is not beyond the lifetime: the step that begins then is still driven.
    expect(clamp.active).toBe(true);
    expect(world.drainEvents()).toEqual([]);
    world.step();
    expect(world.drainEvents()).toEqual([{ type: 'release', clamp, time: 33 / 64 }]);
    expect(clamp.active).toBe(false);
    expect(flagsOf(world, body)).toEqual(new Array(9).fill(0));
    for (const i of heldBy(body)) expect(velocityOf(body, i)[2]).toBeCloseTo(0.5, 4);
    run(world, 31);
    // Free since one step of 32: gravity has acted on them for 32/64 s.
    for (const i of heldBy(body)) expect(velocityOf(body, i)[1]).toBeCloseTo(-0.5, 4);
    expect(world.drainEvents()).toEqual([]);
  });

  it('frees its particles when it is removed', async () => {
    const { world, body } = await worldWith(BAR, { backend });
    const clamp = world.addClamp({ region: END });
    expect(flagsOf(world, body)).toEqual(new Array(9).fill(Flag.HELD | Flag.FIRM));
    expect(world.clamps).toEqual([clamp]);
    world.removeClamp(clamp);
    expect(flagsOf(world, body)).toEqual(new Array(9).fill(0));
    expect(world.clamps).toEqual([]);
    expect(refusal(() => world.removeClamp(clamp))).toContain('expected a clamp of this world');
  });
});

describe('two clamps on the same particles', () => {
  it.each(['lifetime', 'removal'])('go on holding them after the %s of one', async (how) => {
    const { world, body } = await worldWith(BAR, { gravity: [0, -9.81, 0] });
    const start = heldBy(body).map((i) => at(body, i));
    world.addClamp({ region: END });
    const brief = world.addClamp({ region: END, lifetime: how === 'lifetime' ? 0.1 : 9 });
    run(world, 20);
    if (how === 'removal') world.removeClamp(brief);
    run(world, 20);
    expect(flagsOf(world, body)).toEqual(new Array(9).fill(Flag.HELD | Flag.FIRM));
    heldBy(body).forEach((i, k) => {
      expect(distance(at(body, i), start[k])).toBeLessThan(1e-5);
    });
  });

  it('holds a body once that its list names twice', async () => {
    const { world, body } = await worldWith(BAR);
    world.addClamp({ region: END, bodies: [body, body] });
    run(world, 5);
    world.restore(world.snapshot());
    expect(flagsOf(world, body).every((flag) => flag !== 0)).toBe(true);
  });

  it('the later one moves them; what only the first holds stays with it', async () => {
    const { world, body } = await worldWith(BAR);
    const start = heldBy(body).map((i) => at(body, i));
    world.addClamp({ region: END });
    world.addClamp({ region: { type: 'box', min: [0.4, 0.05, -1], max: [1, 1, 1] }, velocity: [0.1, 0, 0] });
    run(world, 60);
    heldBy(body).forEach((i, k) => {
      expect(at(body, i)[0] - start[k][0]).toBeCloseTo(start[k][1] > 0.05 ? 0.1 : 0, 4);
    });
  });

  it('a particle pinned by hand stays pinned when a clamp lets go of it, and clamped when it is unpinned', async () => {
    const { world, body } = await worldWith(BAR, { gravity: [0, -9.81, 0] });
    const [pinned, unpinned] = heldBy(body);
    body.pin(pinned);
    body.pin(unpinned);
    world.addClamp({ region: END, lifetime: 0.1, velocity: [0.2, 0, 0] });
    body.unpin(unpinned);
    const [x] = at(body, unpinned);
    run(world, 6);
    expect(at(body, unpinned)[0] - x).toBeCloseTo(0.02, 5);
    run(world, 2);
    const place = at(body, pinned);
    expect(world.drainEvents().length).toBe(1);
    run(world, 60);
    expect(at(body, pinned)).toEqual(place);
    expect(at(body, unpinned)).not.toEqual(place);
    expect(grasp(world, unpinned)).toBe(0);
    expect(body.isPinned(pinned)).toBe(true);
  });
});

describe.each(BACKENDS)("the research code's clamps (%s), drive: 'velocity'", (backend) => {
  const loose: BodyOptions = { ...BAR, material: { raw: { stiffness: 0, damping: 0, limit: { iterations: 0 } } } };

  it('lag one step: the first one leaves particles where they are, then each adds v h', async () => {
    const { world, body } = await worldWith(loose, { backend, gravity: [0, -9.81, 0], dt: 1 / 64 });
    const start = heldBy(body).map((i) => at(body, i));
    world.addClamp({ region: END, velocity: [0.5, 0, 0.25], drive: 'velocity' });
    for (let n = 1; n <= 32; n++) {
      world.step();
      heldBy(body).forEach((i, k) => {
        const steps = (n - 1) / 64;
        expect(
          distance(at(body, i), [start[k][0] + 0.5 * steps, start[k][1], start[k][2] + 0.25 * steps]),
        ).toBeLessThan(1e-6);
        expect(velocityOf(body, i)).toEqual([0.5, 0, 0.25]);
      });
    }
  });

  it('spiral outwards by √(1 + (ω h)²) a step when they twist', async () => {
    const [w, h] = [4, 1 / 32];
    const { world, body } = await worldWith(loose, { backend, dt: h });
    world.addClamp({ region: END, angularVelocity: [w, 0, 0], drive: 'velocity' });
    const radius = (i: number) => Math.hypot(...at(body, i).slice(1));
    const start = heldBy(body).map(radius);
    const steps = 40;
    run(world, steps + 1);
    heldBy(body).forEach((i, k) => {
      expect(radius(i)).toBeCloseTo(start[k] * (1 + (w * h) ** 2) ** (steps / 2), 4);
    });
    // The axis itself does not move, and neither does any particle along it.
    for (const i of heldBy(body)) expect(at(body, i)[0]).toBeCloseTo(0.45, 6);
  });

  it('set the velocity after contact, in the order in which actors were added', async () => {
    const { world, body } = await worldWith(loose, { backend });
    world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: 5, law: 'research' });
    world.addClamp({ region: END, velocity: [0, -1, 0], drive: 'velocity' });
    world.step();
    for (const i of heldBy(body)) {
      expect(velocityOf(body, i)).toEqual([0, -1, 0]);
      expect(at(body, i)[1]).toBeCloseTo(5, 4);
    }
  });

  it('keep their particles for ever without release: no force, only coasting, and no event', async () => {
    const { world, body } = await worldWith(
      { ...loose, material: { raw: { stiffness: 0.8, damping: 0.02, limit: { iterations: 0 } } } },
      { backend, gravity: [0, -9.81, 0], dt: 1 / 64 },
    );
    const clamp = world.addClamp({
      region: END,
      velocity: [0, 0, 1],
      drive: 'velocity',
      lifetime: 0.1,
      release: false,
    });
    // Another clamp on the same particles that lets go later must not free them.
    world.addClamp({ region: END, velocity: [0, 0, 1], drive: 'velocity', lifetime: 0.25 });
    run(world, 20);
    expect(clamp.active).toBe(false);
    expect(world.drainEvents().map((e) => e.type)).toEqual(['release']);
    expect(flagsOf(world, body).every((f) => (f & Flag.HELD) !== 0)).toBe(true);
    const start = heldBy(body).map((i) => at(body, i));
    run(world, 32);
    heldBy(body).forEach((i, k) => {
      expect(distance(at(body, i), [start[k][0], start[k][1], start[k][2] + 0.5])).toBeLessThan(1e-5);
    });
    expect(world.drainEvents()).toEqual([]);
  });
});

describe('what a clamp holds', () => {
  it('is picked by rest positions, before any stretch and wherever the body has gone', async () => {
    const { world, body } = await worldWith({ ...BAR, stretch: [0.1, 1, 1], velocity: [0, 5, 0] });
    // It springs back: after some steps its ends are in the region after all.
    run(world, 2);
    expect(world.addClamp({ region: END }).particleCount).toBe(9);
    expect(heldBy(body).every((i) => Math.abs(at(body, i)[0]) < 0.4)).toBe(true);
  });

  it('is at least one particle of the bodies asked for', async () => {
    const { world, body } = await worldWith(BAR);
    const second = world.addBody({ ...BAR, position: [0, 3, 0] });
    expect(refusal(() => world.addClamp({ region: { type: 'sphere', centre: [9, 9, 9], radius: 1 } }))).toBe(
      'clamp.region is an object with type, centre, radius; expected a region that holds at least one particle.',
    );
    expect(refusal(() => world.addClamp({ region: END, bodies: [] }))).toContain('at least one particle');
    expect(
      refusal(() => world.addClamp({ region: { type: 'sphere', centre: [0, 0, 0], radius: 1 }, bodies: [second] })),
    ).toContain('at least one particle');
    expect(world.addClamp({ region: END }).particleCount).toBe(18);
    expect(world.addClamp({ region: END, bodies: [body] }).particleCount).toBe(9);
  });

  it('holds no particles of a body that was removed; with the body they come back', async () => {
    const { world, body } = await worldWith(BAR);
    world.addBody({ ...BAR, position: [0, 1, 0] });
    const clamp = world.addClamp({ region: END });
    const both = world.snapshot();
    world.removeBody(body);
    expect(clamp.particleCount).toBe(9);
    world.restore(world.snapshot());
    expect(clamp.particleCount).toBe(9);
    world.restore(both);
    expect(clamp.particleCount).toBe(18);
  });

  it('may leave the world: removing a body under a clamp harms neither the clamp nor the others', async () => {
    const { world, body } = await worldWith(BAR, { gravity: [0, -9.81, 0] });
    const second = world.addBody({ ...BAR, position: [0, 3, 0] });
    const clamp = world.addClamp({ region: END, velocity: [0, 1, 0], lifetime: 0.5 });
    const pushing = world.addClamp({ region: END, drive: 'velocity' });
    world.addCollider({ type: 'plane', normal: [0, -1, 0], offset: -9, velocity: [0, -0.1, 0], except: pushing });
    run(world, 5);
    world.removeBody(body);
    const start = heldBy(second).map((i) => at(second, i));
    run(world, 10);
    heldBy(second).forEach((i, k) => {
      // Held by both: the pushing one sets v after the step, the steering one before it, so the place is the steered one.
      expect(at(second, i)[1] - start[k][1]).toBeCloseTo(10 / 60, 4);
    });
    world.removeBody(second);
    run(world, 40);
    expect(clamp.active).toBe(false);
    world.removeClamp(clamp);
    const third = world.addBody(BAR);
    run(world, 2);
    expect(flagsOf(world, third).every((f) => f === 0)).toBe(true);
  });

  it.each([
    [{ region: END, lifetime: -1 }, 'clamp.lifetime is -1; expected a finite number of at least 0.'],
    [{ region: END, drive: 'force' }, 'clamp.drive is "force"; expected one of "position", "velocity".'],
    [{ region: END, firm: 'off' }, 'clamp.firm is "off"; expected true or false.'],
    [{ region: END, velocity: 1 }, 'clamp.velocity is 1; expected three finite numbers.'],
    [
      { region: END, spin: 1 },
      'clamp.spin is not an option; expected one of region, bodies, velocity, angularVelocity, centre, lifetime, drive, firm, release, by.',
    ],
    [{}, 'clamp.region.type is undefined; expected one of "halfspace", "box", "sphere".'],
    [undefined, 'clamp is undefined; expected an object.'],
  ])('is refused for %o, and nothing is held', async (options, message) => {
    const { world, body } = await worldWith(BAR);
    expect(refusal(() => world.addClamp(options as ClampOptions))).toBe(message);
    expect(world.core.actors).toEqual([]);
    expect(flagsOf(world, body).every((f) => f === 0)).toBe(true);
  });
});

describe('a clamp that is led', () => {
  it.each(BACKENDS)('brings what it holds to its pose within a step, and stays (%s)', async (backend) => {
    const { world, body } = await worldWith(BAR, { backend });
    const clamp = world.addClamp({ region: END, centre: [0.45, 0, 0], velocity: [0, 0, 1] });
    const held = heldBy(body);
    const start = held.map((i) => at(body, i));
    clamp.moveTo([0.5, 0.02, 0], [0, 0, Math.sin(0.1), Math.cos(0.1)]);
    for (let k = 0; k < 3; k++) {
      world.step();
      held.forEach((i, n) => {
        const r = turned([start[n][0] - 0.45, start[n][1], start[n][2]], [0, 0, 1], 0.2);
        expect(distance(at(body, i), [0.5 + r[0], 0.02 + r[1], r[2]])).toBeLessThan(1e-5);
      });
    }
    expect(held.every((i) => distance(velocityOf(body, i), [0, 0, 0]) < 1e-3)).toBe(true);
    // Without a rotation it stays turned.
    clamp.moveTo([0.5, 0.04, 0]);
    world.step();
    const r = turned([start[0][0] - 0.45, start[0][1], start[0][2]], [0, 0, 1], 0.2);
    expect(distance(at(body, held[0]), [0.5 + r[0], 0.04 + r[1], r[2]])).toBeLessThan(1e-5);
  });

  it('wakes what it holds, lets it sleep when it stands, and goes on from a snapshot to the bit', async () => {
    const { world, body } = await worldWith(BAR, { sleepSpeed: 0.03 });
    const clamp = world.addClamp({ region: END });
    body.sleep();
    world.step();
    expect(body.asleep).toBe(true);
    clamp.moveTo([0, 0.01, 0]);
    const bytes = world.save();
    world.step();
    expect(body.asleep).toBe(false);
    expect(clamp.moves).toBe(false);
    run(world, 9);
    const other = await World.create();
    other.restore(bytes);
    run(other, 10);
    expect(other.positions).toEqual(world.positions);
    for (let k = 0; k < 1200 && !body.asleep; k++) world.step();
    expect(body.asleep).toBe(true);
    clamp.moveTo([0, 0.01, 0]);
    world.step();
    expect(body.asleep).toBe(true);
  });

  it('refuses what is no pose, and a drive by velocity', async () => {
    const { world } = await worldWith(BAR);
    const clamp = world.addClamp({ region: END });
    expect(refusal(() => clamp.moveTo([0, 1] as never))).toContain('position is');
    expect(refusal(() => clamp.moveTo([0, 1, 2e9]))).toContain('position is');
    expect(refusal(() => clamp.moveTo([0, 1, 0], [0, 0, 0, 0]))).toContain('rotation is');
    expect(clamp.moves).toBe(false);
    const research = world.addClamp({ region: END, drive: 'velocity' });
    expect(refusal(() => research.moveTo([0, 0, 0]))).toContain('clamp.drive is "velocity"');
  });
});

describe('a clamp by where particles are now', () => {
  it('holds what is in its region, wherever that was at rest', async () => {
    const { world, body } = await worldWith({ ...BAR, velocity: [0, 60, 0] });
    run(world, 1);
    const region = { type: 'halfspace', normal: [0, 1, 0], offset: 1.1 } as const;
    expect(refusal(() => world.addClamp({ region: { ...region, offset: 1.1 } }))).toContain('clamp.region is');
    const clamp = world.addClamp({ region: { ...region, offset: 1.05 }, by: 'now' });
    const held = Array.from({ length: body.particleCount }, (_, i) => i).filter((i) => at(body, i)[1] > 1.05);
    expect(held.length).toBeGreaterThan(0);
    expect(clamp.particleCount).toBe(held.length);
    expect(refusal(() => world.addClamp({ region, by: 'then' as never }))).toContain('clamp.by is "then"');
  });
});
