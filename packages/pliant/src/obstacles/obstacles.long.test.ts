import { describe, expect, it } from 'vitest';
import type { BodyOptions } from '../body/options.js';
import type { Vec3 } from '../check.js';
import { BACKENDS } from '../kernels/kernels.js';
import { boxMesh, icosphere, without } from '../mesh/testing/meshes.js';
import { worldWith } from '../testing/bodies.js';
import { refusal } from '../testing/refusal.js';
import { report } from '../testing/report.js';
import { World } from '../world.js';
import type { Collider } from './collider.js';
import type { ColliderOptions } from './options.js';
import { at, close, dust, run, strike, turned, velocityOf } from './testing/specks.js';

const Z: Vec3 = [0, 0, 1];

describe('a box', () => {
  const box = { type: 'box', size: [2, 1, 4], position: [10, 0, 0], friction: 0 } as const;

  it('is left by the face that was crossed, with the velocity along it kept', async () => {
    const hit = await strike(box, [10.5, 0.75, 1], [16, -32, 0]);
    expect(hit.x).toEqual(close([10.75, 0.5, 1]));
    expect(hit.v).toEqual([16, 0, 0]);
    // 1 mm inside the side, 25 cm below the top: it came by the top.
    const edge = await strike(box, [10.999, 0.75, 0], [0, -32, 0]);
    expect(edge.x).toEqual(close([10.999, 0.5, 0]));
    const missed = await strike(box, [11.001, 0.75, 0], [0, -32, 0]);
    expect(missed.x).toEqual(close([11.001, 0.25, 0]));
  });

  it('turns with its rotation and bounces by its restitution', async () => {
    // A face with the normal (sin 30°, cos 30°, 0)·(−1, 1): hit head on at 64 m/s.
    const n: Vec3 = [-Math.sin(Math.PI / 6), Math.cos(Math.PI / 6), 0];
    const slope = { ...box, size: [8, 1, 8], position: [0, 0, 0], rotation: turned(Z, Math.PI / 6) } as const;
    const start = n.map((c) => c * 1) as unknown as Vec3;
    const hit = await strike({ ...slope, restitution: 0.5 }, start, n.map((c) => -64 * c) as unknown as Vec3);
    expect(hit.x).toEqual(close(n.map((c) => 0.5 * c)));
    expect(hit.v).toEqual(
      close(
        n.map((c) => 32 * c),
        4,
      ),
    );
  });

  it('lets out what is put inside by the nearest face, and from its middle by some face', async () => {
    const { world, body } = await worldWith(dust([10, 0.4, 0, 10.9, 0, 0, 10, 0, -1.9, 10, 0, 0]));
    world.addCollider(box);
    world.step();
    expect(at(body, 0)).toEqual(close([10, 0.5, 0]));
    expect(at(body, 1)).toEqual(close([11, 0, 0]));
    expect(at(body, 2)).toEqual(close([10, 0, -2]));
    expect(Math.abs(at(body, 3)[1])).toBeCloseTo(0.5, 5);
    expect(Array.from(body.velocities)).toEqual(new Array(16).fill(0));
  });
});

describe('a capsule', () => {
  const capsule = { type: 'capsule', from: [0, 0, 0], to: [4, 0, 0], radius: 1, friction: 0 } as const;

  it('is a cylinder in the middle and a ball at the ends', async () => {
    const side = await strike(capsule, [1, 0.6, 0.8 - 0.4], [0, 0, 0]);
    expect(Math.hypot(side.x[1], side.x[2])).toBeCloseTo(1, 5);
    expect(side.x[0]).toBe(1);
    const cap = await strike(capsule, [4.3, 0.4, 0], [0, 0, 0]);
    expect(cap.x).toEqual(close([4.6, 0.8, 0]));
    expect((await strike(capsule, [-1.01, 0, 0], [0, 0, 0])).x).toEqual(close([-1.01, 0, 0]));
  });

  it('stops what flies at its end and at its side, and lets pass what misses', async () => {
    const end = await strike(capsule, [6, 0, 0], [-640, 0, 0]);
    expect(end.x).toEqual(close([5, 0, 0], 4));
    expect(end.v).toEqual(close([0, 0, 0], 3));
    const side = await strike({ ...capsule, restitution: 1 }, [2, 5, 0], [64, -640, 0]);
    expect(side.x).toEqual(close([3, 1, 0], 4));
    expect(side.v).toEqual(close([64, 640, 0], 3));
    const past = await strike(capsule, [2, 5, 1.01], [0, -640, 0]);
    expect(past.x).toEqual(close([2, -5, 1.01], 4));
  });

  it('without length is a ball', async () => {
    const { x } = await strike({ ...capsule, to: [0, 0, 0] }, [0, 0.5, 0], [0, 0, 0]);
    expect(x).toEqual(close([0, 1, 0]));
  });
});

describe('a mesh', () => {
  const icosahedral = icosphere(4);

  it('of a ball does what a ball does, to the size of its triangles', async () => {
    const rain: number[] = [];
    for (let k = 0; k < 200; k++)
      rain.push(0.06 * (k % 20) - 0.57, 3 + 0.1 * Math.floor(k / 20), 0.11 * (k % 10) - 0.5);
    const end = async (collider: ColliderOptions) => {
      const { world, body } = await worldWith(dust(rain), { gravity: [0, -10, 0] });
      world.addCollider(collider);
      let nearest = 9;
      for (let n = 0; n < 60; n++) {
        world.step();
        for (let i = 0; i < 200; i++) nearest = Math.min(nearest, Math.hypot(...at(body, i)));
      }
      return { body, nearest };
    };
    const mesh = await end({ type: 'mesh', mesh: icosahedral, friction: 0 });
    const ball = await end({ type: 'sphere', centre: [0, 0, 0], radius: 1, friction: 0 });
    // The middle of a triangle lies 0.3 % below the ball.
    expect(mesh.nearest).toBeGreaterThan(0.995);
    expect(ball.nearest).toBeGreaterThan(1 - 1e-6);
    let apart = 0;
    for (let i = 0; i < 200; i++) apart += Math.hypot(...at(mesh.body, i).map((c, a) => c - at(ball.body, i)[a])) / 200;
    report('mean distance between specks on the mesh and on the ball', apart, 'm');
    expect(apart).toBeLessThan(0.1);
  });

  it('is scaled, turned and placed', async () => {
    const wall = {
      type: 'mesh',
      mesh: boxMesh([1, 1, 1]),
      scale: [4, 1, 4],
      rotation: turned(Z, Math.PI / 2),
      position: [3, 0, 0],
      friction: 0,
    } as const;
    // A wall across x from 2.5 to 3.5.
    const { x } = await strike(wall, [2, 1.5, 0], [64, 0, 0]);
    expect(x).toEqual(close([2.5, 1.5, 0]));
    const past = await strike(wall, [2, 2.1, 0], [64, 0, 0]);
    expect(past.x).toEqual(close([3, 2.1, 0]));
  });

  it('wound inside out is turned; an open one is told of', async () => {
    const inside = boxMesh([2, 2, 2]);
    inside.indices = inside.indices.map((_, k, all) => all[k - (k % 3) + 2 - (k % 3)]);
    const { x, collider } = await strike({ type: 'mesh', mesh: inside }, [0, 0.9, 0], [0, 0, 0]);
    expect(x).toEqual(close([0, 1, 0]));
    expect(collider.warnings).toEqual([]);
    const open = await strike(
      { type: 'mesh', mesh: without(boxMesh([2, 2, 2]), (t) => t === 0) },
      [0, 0.9, 0],
      [0, 0, 0],
    );
    expect(open.x).toEqual(close([0, 1, 0]));
    expect(open.collider.warnings).toEqual([
      'collider.mesh is open (3 boundary edges): inside is decided by the generalised winding number',
    ]);
  });
});

describe.each(BACKENDS)('a block (%s)', (backend) => {
  /** A slab of three layers, too flat to topple, lying on the plane through the origin and turned with it. */
  const slab = (angle: number): BodyOptions => ({
    shape: { type: 'box', size: [0.9, 0.3, 0.7] },
    sampling: { method: 'grid', spacing: 0.1 },
    rotation: turned(Z, angle),
    position: [-0.1 * Math.sin(angle), 0.1 * Math.cos(angle), 0],
    clustering: { count: 1 },
    material: { raw: { stiffness: 1, damping: 0.3, rotation: 'covariance' } },
  });
  /** A thick plate, with its upper face through the origin. */
  const plate = (type: 'box' | 'mesh', angle: number, friction: number): ColliderOptions => {
    const position: Vec3 = [0.5 * Math.sin(angle), -0.5 * Math.cos(angle), 0];
    const place = { position, rotation: turned(Z, angle), friction };
    return type === 'box' ? { type, size: [20, 1, 20], ...place } : { type, mesh: boxMesh([20, 1, 20]), ...place };
  };

  it.each(['box', 'mesh'] as const)(
    'on a slope of a %s sticks below atan μ, slides with g (sin − μ cos) above',
    async (type) => {
      const mu = 0.5;
      for (const degrees of [20, 35]) {
        const angle = (degrees * Math.PI) / 180;
        const { world } = await worldWith(slab(angle), { backend, gravity: [0, -10, 0], dt: 1 / 240 });
        world.addCollider(plate(type, angle, mu));
        const along = () => {
          const { com, momentum, mass } = world.measure();
          const [c, s] = [Math.cos(angle), Math.sin(angle)];
          return { place: com[0] * c + com[1] * s, speed: (momentum[0] * c + momentum[1] * s) / mass };
        };
        run(world, 240);
        const before = along();
        run(world, 240);
        const now = along();
        const expected = -10 * (Math.sin(angle) - mu * Math.cos(angle));
        report(
          `${type}, ${degrees}°: way (m) in a second and acceleration (m/s²), g (sin − μ cos) expected`,
          { way: now.place - before.place, acceleration: now.speed - before.speed, expected },
          '',
        );
        if (degrees === 20) expect(Math.abs(now.place - before.place)).toBeLessThan(5e-3);
        else expect((now.speed - before.speed) / expected).toBeCloseTo(1, 1);
      }
    },
  );

  it('on a turntable goes round with it where μ g > ω² r, and off where not', async () => {
    const radius = 2;
    for (const [omega, stays] of [
      [1, true],
      [3, false],
    ] as const) {
      const { world, body } = await worldWith(
        { ...slab(0), position: [radius, 0.1, 0], velocity: [0, 0, -omega * radius], angularVelocity: [0, omega, 0] },
        { backend, gravity: [0, -10, 0], dt: 1 / 240 },
      );
      world.addCollider({
        type: 'box',
        size: [12, 1, 12],
        position: [0, -0.5, 0],
        angularVelocity: [0, omega, 0],
        friction: 0.5,
      });
      const turn = Math.round((2 * Math.PI * 240) / omega);
      run(world, stays ? turn : 240);
      const { com } = world.measure(body);
      const r = Math.hypot(com[0], com[2]);
      report(`distance from the axis at the start and at the end, ω = ${omega}`, [radius, r], 'm');
      if (stays) {
        // Back where it began after a turn, to a centimetre.
        expect(Math.abs(r - radius)).toBeLessThan(0.01);
        expect(Math.hypot(com[0] - radius, com[2])).toBeLessThan(0.1);
      } else expect(r).toBeGreaterThan(1.2 * radius);
    }
  });
});

describe('a turning cylinder', () => {
  it('speeds up what lies on it by μ g, to its own speed and no more', async () => {
    const [radius, omega] = [1000, 0.004];
    const { world, body } = await worldWith(dust([0, radius, 0]), { gravity: [0, -10, 0], dt: 1 / 240 });
    world.addCollider({
      type: 'cylinder',
      axis: [0, 0, 1],
      point: [0, 0, 0],
      radius,
      angularVelocity: [0, 0, -omega],
      friction: 0.2,
    });
    run(world, 240);
    // μ g t = 2 m/s after a second, ω r = 4 m/s in the end.
    expect(velocityOf(body)[0]).toBeCloseTo(2, 1);
    run(world, 360);
    expect(velocityOf(body)[0]).toBeCloseTo(4, 2);
  });

  it('and another beside it carry a roller between them round against their own turning', async () => {
    // Two discs of 120 particles around a smooth rim.
    const points: number[] = [];
    for (let k = 0; k < 120; k++)
      for (const z of [-0.2, 0.2])
        points.push(0.5 * Math.cos((Math.PI * k) / 60), 0.5 * Math.sin((Math.PI * k) / 60), z);
    const roller: BodyOptions = {
      points,
      position: [0, 0.75, 0],
      clusters: [{ members: points.slice(0, 240).map((_, k) => k) }],
      material: { raw: { stiffness: 1, damping: 0, rotation: 'covariance' } },
    };
    const { world, body } = await worldWith(roller, { gravity: [0, -10, 0], dt: 1 / 240 });
    for (const x of [-0.7, 0.7])
      world.addCollider({
        type: 'cylinder',
        axis: [0, 0, 1],
        point: [x, 0, 0],
        radius: 0.5,
        angularVelocity: [0, 0, -2],
        friction: 1,
      });
    run(world, 480);
    const { com, angularMomentum, momentum } = world.measure();
    const spin = angularMomentum[2] - (com[0] * momentum[1] - com[1] * momentum[0]);
    let [inertia, radius] = [0, 0];
    const x = body.positions;
    for (let o = 0; o < x.length; o += 4) {
      const r = Math.hypot(x[o] - com[0], x[o + 1] - com[1]);
      inertia += x[o + 3] * r * r;
      radius = Math.max(radius, r);
    }
    const omega = spin / inertia;
    report('the roller on top: radius (m) and spin (rad/s)', { radius, omega }, '');
    // Without slip the surfaces go alike: ω r = 2 · 0.5. Its outermost particles are where it touches, at most r from its axis.
    expect((omega * radius) / (2 * 0.5)).toBeGreaterThan(0.9);
    expect((omega * radius) / (2 * 0.5)).toBeLessThan(1.1);
    expect(com[1]).toBeGreaterThan(0.6);
  });
});

describe('an obstacle is refused', () => {
  const mesh = boxMesh([1, 1, 1]);
  it.each([
    [{ type: 'box', size: [1, -1, 1] }, 'collider.size is [1, -1, 1]; expected three lengths of at least 0.'],
    [{ type: 'box' }, 'collider.size is undefined; expected three finite numbers.'],
    [
      { type: 'box', size: [1, 1, 1], rotation: [0, 0, 0, 0] },
      'collider.rotation is [0, 0, 0, 0]; expected a quaternion x, y, z, w of non-zero length.',
    ],
    [
      { type: 'box', size: [1, 1, 1], rotation: [0, 0, 1] },
      'collider.rotation is [0, 0, 1]; expected a quaternion x, y, z, w of non-zero length.',
    ],
    [{ type: 'box', size: [1, 1, 1], law: 'research' }, 'collider.law is "research"; expected "coulomb" for a box.'],
    [
      { type: 'sphere', centre: [0, 0, 0], radius: 1, law: 'research', angularVelocity: [0, 1, 0] },
      'collider.law is "research"; expected "coulomb" for a collider that turns or has keyframes.',
    ],
    [{ type: 'capsule', from: [0, 0, 0], radius: 1 }, 'collider.to is undefined; expected three finite numbers.'],
    [
      { type: 'capsule', from: [0, 0, 0], to: [1, 0, 0], radius: -0.5 },
      'collider.radius is -0.5; expected a finite number of at least 0.',
    ],
    [
      { type: 'plane', normal: [0, 1, 0], offset: 1, position: [0, 0, 0] },
      'collider gives offset and position; expected one of the two.',
    ],
    [{ type: 'mesh' }, 'collider.mesh is undefined; expected an object with positions and indices.'],
    [{ type: 'mesh', mesh: { positions: [] } }, 'collider.mesh.positions is []; expected at least one point.'],
    [
      { type: 'mesh', mesh: { ...mesh, indices: [0, 1, 8] } },
      'collider.mesh.indices[2] is 8 (triangle 0); expected a vertex number from 0 to 7.',
    ],
    [{ type: 'mesh', mesh, scale: 0 }, 'collider.scale is 0; expected a finite number above 0.'],
    [{ type: 'mesh', mesh, scale: [1, 1, -1] }, 'collider.scale is [1, 1, -1]; expected positive factors.'],
    [
      { type: 'mesh', mesh: boxMesh([1, 0, 1]) },
      'collider.mesh is flat: its extent along y is 0; expected a body with a volume.',
    ],
  ])('for %o', async (options, message) => {
    const { world } = await worldWith(dust([0, 0, 0]));
    expect(refusal(() => world.addCollider(options as unknown as ColliderOptions))).toBe(message);
    expect(world.core.actors).toEqual([]);
  });
});

describe('the bodies that touch an obstacle', () => {
  it.each([1e4, 1e9])(
    'are listed as long as they do, of E = %s Pa, and are those whose groups meet it',
    async (young) => {
      const world = await World.create({ backend: 'ts', sleepSpeed: 0 });
      const floor = world.addCollider({ type: 'plane', normal: [0, 1, 0] });
      const ball = world.addCollider({ type: 'sphere', centre: [3, 0, 0], radius: 0.2, groups: { filter: 1 } });
      const box = {
        shape: { type: 'box', size: [0.2, 0.2, 0.2] },
        sampling: { method: 'grid', count: 27 },
        material: { young, dampingRatio: 1 },
      } as const;
      const body = world.addBody({ ...box, name: 'box', position: [0, 0.2, 0] });
      world.addBody({ ...box, name: 'ghost', position: [3, 0.35, 0], groups: { membership: 2 } });
      const names = ({ touching }: Collider) => touching.map(({ name }) => name);
      world.step();
      expect(names(floor)).toEqual([]);
      for (let n = 0; n < 11; n++) world.step();
      expect(names(floor)).toEqual(['box']);
      for (let n = 0; n < 60; n++) world.step();
      expect(names(floor)).toEqual(['box', 'ghost']);
      expect(names(ball)).toEqual([]);
      body.setPose({ position: [0, 5, 0] });
      world.step();
      expect(names(floor)).toEqual(['ghost']);
    },
  );
});
