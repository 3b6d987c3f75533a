import { describe, expect, it } from 'vitest';
import type { Body } from './body/body.js';
import type { BodyOptions } from './body/options.js';
import { PliantError } from './check.js';
import * as pliant from './index.js';
import { proxyPlanesInto, stressInto, volumeShare } from './inspect.js';
import { PROXY_PLANES } from './state/layout.js';
import { World } from './world.js';

/** Findings of the fuzzers: each was an internal error, a wrong answer or a change by a call that was refused. */
describe('a call that is refused', () => {
  it.each([-1, 99, 1e6, 1e9, Number.NaN, 0.5])('names the cluster %f of a proxy that is not there', async (cluster) => {
    const world = await World.create();
    const body = world.addBody({ shape: { type: 'box', size: [1, 1, 1] }, sampling: { count: 50 } });
    const out = new Float32Array(4 * PROXY_PLANES);
    expect(() => proxyPlanesInto(out, world, body, cluster)).toThrow(/cluster is .*; expected an integer/);
  });

  it.each([null, 7, 'cube', [], () => 1])('names options of a body that are no object: %s', async (options) => {
    const world = await World.create();
    expect(() => world.addBody(options as unknown as BodyOptions)).toThrow(/^body is .*; expected an object/);
  });

  it('names a switch that is neither true nor false', async () => {
    const world = await World.create();
    const body = world.addBody({ points: [0, 0, 0] });
    expect(() => {
      body.enabled = world as unknown as boolean;
    }).toThrow(/body\.enabled is .*; expected true or false/);
    expect(body.enabled).toBe(true);
  });

  it('names a name that is no text', async () => {
    const world = await World.create();
    const name = world as unknown as string;
    expect(() => world.addBody({ points: [0, 0, 0], name })).toThrow(/body\.name is .*; expected a text/);
  });

  it('names an ε that is no number before it computes with it', async () => {
    const world = await World.create();
    const epsilon = { toString: 0 } as unknown as number;
    const build = () => world.addBody({ points: [0, 0, 0, 1, 0, 0], clustering: { epsilon } });
    expect(build).toThrow(/clustering\.epsilon is .*; expected/);
  });

  it('names what is no list of bodies', async () => {
    const world = await World.create();
    world.addBody({ points: [0, 0, 0] });
    const bodies = {} as Body[];
    expect(() => world.addForceField({ type: 'drag', rate: 1, bodies })).toThrow(
      /forceField\.bodies .* a list of bodies/,
    );
    const region = { type: 'sphere', centre: [0, 0, 0], radius: 1 } as const;
    expect(() => world.addClamp({ region, bodies })).toThrow(/clamp\.bodies .* a list of bodies/);
    expect(world.forceFields.length + world.clamps.length).toBe(0);
  });

  it.each([
    ['none', () => undefined as unknown as Body],
    ['one of another world', (_: World, other: World) => other.addBody({ points: [0, 0, 0] })],
    [
      'one that was removed',
      (world: World) => {
        const body = world.addBody({ points: [0, 0, 0] });
        world.removeBody(body);
        return body;
      },
    ],
  ])('names the body: %s', async (_, bodyOf) => {
    const [world, other] = [await World.create(), await World.create()];
    world.addBody({ points: [0, 0, 0] });
    const body = bodyOf(world, other);
    for (const ask of [
      () => stressInto(new Float32Array(9), world, body),
      () => volumeShare(world, body),
      () => world.cut(body, { point: [0, 0, 0], normal: [0, 1, 0] }),
      () => world.separate(body),
      () => world.removeBody(body),
      () => world.addPick({ body, particle: 0, target: [0, 0, 0] }),
    ])
      expect(ask).toThrow(PliantError);
  });

  it('does not wake a body', async () => {
    const world = await World.create();
    const body = world.addBody({ points: [0, 0, 0, 1, 0, 0] });
    body.sleep();
    expect(() => body.applyImpulse([1, 0, 0], 99)).toThrow(PliantError);
    expect(() => body.applyForce([1, 0, 0], 99)).toThrow(PliantError);
    expect(body.asleep).toBe(true);
  });

  it('is refused soon: a clustering that cannot come to rest', async () => {
    const world = await World.create();
    let ticks = 0;
    const build = () =>
      world.addBody(
        {
          shape: { type: 'box', size: [0.96, 0.62, 0.23] },
          sampling: { count: 157 },
          clustering: { maxIterations: 1, maxRadius: 10, count: 3 },
        },
        {
          signal: {
            get aborted() {
              return ++ticks > 20_000;
            },
          },
        },
      );
    expect(build).toThrow(/did not come to rest in 1 iterations/);
    expect(world.bodies.length).toBe(0);
  });
});

it('a spin of any size starts a body with finite velocities', async () => {
  const world = await World.create();
  const body = world.addBody({
    shape: { type: 'box', size: [1, 1, 1] },
    sampling: { count: 50 },
    angularVelocity: [8.5e307, -8.5e307, 1],
    velocity: [-1e308, 0, 0],
  });
  expect(body.velocities.every(Number.isFinite)).toBe(true);
  world.step();
  expect(body.positions.every(Number.isFinite)).toBe(true);
});

describe('functions of the package, called with wrong arguments', () => {
  const nested: unknown[] = [];
  nested.push(nested);
  const CALLS: [string, () => unknown][] = [
    ['ancestorsInto', () => pliant.ancestorsInto(new Uint32Array(9), undefined as never, undefined as never)],
    ['clusterRadiiInto', () => pliant.clusterRadiiInto(new Float32Array(9), {} as never, undefined as never)],
    ['decodeSnapshot', () => pliant.decodeSnapshot(undefined as never)],
    ['decodeSnapshot with options', () => pliant.decodeSnapshot(new Uint8Array(99), null as never)],
    ['hashData of what holds itself', () => pliant.hashData(nested)],
    ['cluster without masses', () => pliant.cluster([0, 0, 0], undefined as never)],
    ['connectedComponents', () => pliant.connectedComponents([Number.NaN, 0, 0], undefined as never)],
    ['connectedComponents without clusters', () => pliant.connectedComponents([0, 0, 0], undefined as never)],
    ['estimateVolume', () => pliant.estimateVolume(undefined as never)],
  ];
  it.each(CALLS)('refuse: %s', (_, call) => {
    expect(call).toThrow(PliantError);
  });
});

it('more points at one place than can be searched are refused, and as many as can be are built', async () => {
  const world = await World.create();
  const at = (count: number, apart: number) =>
    Float64Array.from({ length: 3 * (count + 1) }, (_, k) => (k < 3 ? 1 : apart * (k % 5)));
  for (const apart of [0, 1e-12])
    expect(() => world.addBody({ points: at(1001, apart) })).toThrow(
      /body\.points has more than 1000 points at the place/,
    );
  expect(world.addBody({ points: at(1000, 0) }).particleCount).toBe(1001);
});
