import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/options.js';
import { random } from '../math/random.js';
import { signedVolume } from '../mesh/volume.js';
import { worldWith } from '../testing/bodies.js';
import { report } from '../testing/report.js';
import { testSeed } from '../testing/seed.js';
import { NO_PIECE } from '../topology/pieces.js';
import type { World } from '../world.js';
import type { Knots } from './knots.js';
import type { BodySkin } from './renderSkin.js';
import { NO_KNOT } from './shade.js';
import type { SkinMesh } from './skinMesh.js';
import { edgeFaults } from './testing/closed.js';

/** The surface of each piece at rest, by the places of its knots. */
function piecesAtRest(body: Body): { positions: Float64Array; indices: Uint32Array }[] {
  const { pieces } = body;
  const { knots, shown } = body.getSkin() as unknown as { knots: Knots; shown: SkinMesh };
  const positions = new Float64Array(3 * knots.vertex.length);
  knots.vertex.forEach((v, n) => {
    positions.set(shown.positions.subarray(3 * v, 3 * v + 3), 3 * n);
  });
  const indices: number[][] = Array.from({ length: pieces.count }, () => []);
  for (let k = 0; k < knots.corner.length; k += 3) {
    const corners = [0, 1, 2].map((n) => knots.corner[k + n]);
    if (corners[0] === NO_KNOT) continue;
    const of = corners.map((knot) => pieces.ofParticle[knots.own[knots.particle[knots.start[knot]]]]);
    expect(new Set(of).size).toBe(1);
    indices[of[0]].push(...corners);
  }
  return indices.map((list) => ({ positions, indices: Uint32Array.from(list) }));
}

/** Expects pieces that are closed and together fill what the whole did; returns their volumes. */
function expectFilled(body: Body): number[] {
  body.getSkin().update();
  const parts = piecesAtRest(body);
  for (const { indices } of parts) expect(edgeFaults(indices).open).toBe(0);
  // As seen, too: drawn vertices that were one are at one place.
  const { indices, welded, positions, groups } = body.getSkin();
  expect(edgeFaults(indices.map((v) => welded[v])).open).toBe(0);
  expect(positions.every(Number.isFinite)).toBe(true);
  expect(groups.reduce((sum, { count }) => sum + count, 0)).toBe(indices.length);
  const volumes = parts.map((part) => signedVolume(part.positions, part.indices));
  const { restMesh } = body.getSkin();
  const whole = signedVolume(restMesh.positions, restMesh.indices);
  // Faces within come in pairs of the same corners: what is left is rounding.
  expect(Math.abs(volumes.reduce((a, b) => a + b, 0) / whole - 1)).toBeLessThan(1e-9);
  return volumes;
}

/** Expects what is kept from break to break to be, bit for bit, what would be found anew. */
function expectAsAnew(body: Body): void {
  const skin = body.getSkin() as BodySkin;
  const seen = () =>
    [skin.positions, skin.normals, skin.indices, skin.rest, skin.particle, skin.welded].map((a) => a.slice());
  const kept = seen();
  skin.forgetTorn();
  skin.update();
  expect(seen()).toEqual(kept);
}

/** Every particle is thrown outwards, more on one side: the body is torn. */
function burst(world: World, body: Body, next: () => number, steps: number, each = () => {}): void {
  for (let n = 0; n < steps; n++) {
    if (n % 8 === 0) {
      const [x, v] = [body.positions, body.velocities];
      for (let o = 0; o < v.length; o += 4) for (let a = 0; a < 3; a++) v[o + a] += 14 * next() * x[o + a];
    }
    world.step();
    each();
  }
}

const SHAPES: Record<string, BodyOptions['shape']> = {
  ball: { type: 'sphere', radius: 0.4 },
  slab: { type: 'box', size: [0.9, 0.6, 0.06] },
  ring: { type: 'torus', radius: 0.4, tube: 0.12 },
};

const material = { toughness: 0.1, raw: { rotation: 'covariance', damping: 0.1 } } as const;
/** A ball that bursts into pieces of a few clusters each. */
const BALL: BodyOptions = {
  shape: SHAPES.ball,
  sampling: { count: 500 },
  clustering: { count: 15 },
  material,
  fracture: { minMembers: 1, outliers: Number.POSITIVE_INFINITY },
};

describe('the inside of a body that breaks', () => {
  it.each(Object.keys(SHAPES))(
    '%s: comes to light as faces; each piece is closed, and together they fill the whole',
    async (name) => {
      const next = random(testSeed(`burst ${name}`));
      const { world, body } = await worldWith({
        shape: SHAPES[name],
        sampling: { count: 500 },
        clustering: { count: 15 },
        material,
        // Debris takes its cells along: then the whole is not filled.
        fracture: { minMembers: 1, outliers: Number.POSITIVE_INFINITY },
      });
      expect(body.getSkin().groups.length).toBe(1);
      let most = 0;
      let shared = 0;
      let edges = 0;
      for (let n = 0; n < 4; n++) {
        // Breaks are torn one by one.
        burst(world, body, next, 8, () => body.getSkin().update());
        const volumes = expectFilled(body);
        expectAsAnew(body);
        most = Math.max(most, volumes.length);
        const faults = edgeFaults(
          (body.getSkin() as unknown as { knots: Knots }).knots.corner.filter((n) => n !== NO_KNOT),
        );
        shared += faults.shared;
        edges += faults.edges;
      }
      expect(most).toBeGreaterThan(3);
      expect(body.getSkin().groups[1].kind).toBe('inner');
      report('pieces; edges, and those of more than two triangles', { pieces: most, edges, shared }, '');
      // Where faces within touch each other.
      expect(shared).toBeLessThan(0.02 * edges);
    },
  );

  it('leaves what held only debris out, and stays closed around it', async () => {
    const next = random(testSeed('burst to debris'));
    const { world, body } = await worldWith({
      shape: SHAPES.ball,
      sampling: { count: 400 },
      clustering: { count: 30 },
      material,
      fracture: { minMass: 3 },
    });
    burst(world, body, next, 18);
    expect(body.pieces.ofParticle.includes(NO_PIECE)).toBe(true);
    body.getSkin().update();
    const { restMesh, groups } = body.getSkin();
    expect(groups[0].count).toBeLessThan(restMesh.indices.length);
    let sum = 0;
    for (const { positions, indices } of piecesAtRest(body)) {
      expect(edgeFaults(indices).open).toBe(0);
      sum += signedVolume(positions, indices);
    }
    const whole = signedVolume(restMesh.positions, restMesh.indices);
    expect(sum).toBeGreaterThan(0.05 * whole);
    expect(sum).toBeLessThan(whole);
  });

  it('is the same after a snapshot is restored, in this world and in another, and goes on alike', async () => {
    const build = () =>
      worldWith({ shape: SHAPES.slab, sampling: { count: 400 }, clustering: { count: 12 }, material });
    const { world, body } = await build();
    body.getSkin().update();
    burst(world, body, random(testSeed('burst and back')), 16);
    body.getSkin().update();
    expect(body.pieces.count).toBeGreaterThan(1);
    const kept = world.snapshot();
    const seen = () => [body.getSkin().positions.slice(), body.getSkin().indices.slice()];
    const before = seen();
    const goOn = (w: World, b: Body) => {
      for (let n = 0; n < 12; n++) {
        w.step();
        // Whether it was looked at in between must not matter.
        if (w === world && n % 3 === 0) b.getSkin().update();
      }
      b.getSkin().update();
    };
    goOn(world, body);
    const after = seen();
    expect(after[1].length).not.toBe(0);
    world.restore(kept);
    body.getSkin().update();
    expect(seen()).toEqual(before);
    goOn(world, body);
    expect(seen()).toEqual(after);
    const other = await build();
    other.world.restore(kept);
    goOn(other.world, other.body);
    expect([other.body.getSkin().positions, other.body.getSkin().indices]).toEqual(after);
  });

  it('goes to the bodies that its pieces become: each has a closed mesh of its own, which breaks again', async () => {
    const next = random(testSeed('burst and separate'));
    const { world, body } = await worldWith(BALL);
    const whole = signedVolume(body.getSkin().restMesh.positions, body.getSkin().restMesh.indices);
    burst(world, body, next, 10);
    expectFilled(body);
    const bodies = world.separate(body);
    expect(bodies.length).toBeGreaterThan(1);
    const volumes = bodies.map((body) => {
      const { restMesh } = body.getSkin();
      expect(edgeFaults(restMesh.indices).open).toBe(0);
      return signedVolume(restMesh.positions, restMesh.indices);
    });
    expect(Math.abs(volumes.reduce((a, b) => a + b, 0) / whole - 1)).toBeLessThan(1e-9);
    burst(world, bodies[0], next, 20);
    expect(bodies[0].pieces.count).toBeGreaterThan(1);
    for (const piece of bodies) if (piece.getSkin().indices.length > 0) expectFilled(piece);
  });

  it('is cut with the rest: what has broken and is cut is closed', async () => {
    const next = random(testSeed('burst and cut'));
    const { world, body } = await worldWith(BALL);
    body.getSkin().update();
    burst(world, body, next, 9);
    expectFilled(body);
    const { met, bodies } = world.cut(body, { point: [0, 0.02, 0], normal: [0.1, 1, 0.2] });
    expect(met).toBe(true);
    expect(bodies.length).toBeGreaterThan(2);
    for (const piece of bodies) {
      piece.getSkin().update();
      expect(edgeFaults(piece.getSkin().restMesh.indices).open).toBe(0);
      const { indices, welded, positions } = piece.getSkin();
      expect(edgeFaults(indices.map((v) => welded[v])).open).toBe(0);
      expect(positions.every(Number.isFinite)).toBe(true);
    }
  });
});
