import { describe, expect, it } from 'vitest';
import type { Body } from '../body/body.js';
import type { BodyOptions } from '../body/options.js';
import { random } from '../math/random.js';
import { signedVolume } from '../mesh/volume.js';
import { worldWith } from '../testing/bodies.js';
import { report } from '../testing/report.js';
import { testSeed } from '../testing/seed.js';
import type { World } from '../world.js';
import type { BodySkin } from './renderSkin.js';
import { edgeFaults } from './testing/closed.js';

const BALL: BodyOptions = {
  shape: { type: 'sphere', radius: 0.4 },
  sampling: { count: 1500 },
  clustering: { count: 25 },
  material: { toughness: 0.1, raw: { rotation: 'covariance', damping: 0.1 } },
  fracture: { minMembers: 1, outliers: Number.POSITIVE_INFINITY },
};
/** A second body, so that work for two is under way at a time. */
const SLAB: BodyOptions = { ...BALL, shape: { type: 'box', size: [0.9, 0.6, 0.06] }, position: [3, 0, 0] };

const skinOf = (body: Body) => body.getSkin() as BodySkin;
const isBehind = (body: Body) =>
  (skinOf(body) as unknown as { boundTopology: number }).boundTopology !== body.topologyVersion;

/** Throws the particles of all bodies outwards, more on one side. */
function burst(world: World, next: () => number): void {
  for (const { positions: x, velocities: v, bounds } of world.bodies)
    for (let o = 0; o < v.length; o += 4)
      for (let a = 0; a < 3; a++) v[o + a] += 14 * next() * (x[o + a] - (bounds.min[a] + bounds.max[a]) / 2);
}

function seenOf(body: Body) {
  const { positions, normals, indices, rest, particle, welded, groups } = body.getSkin();
  return { positions, normals, indices, rest, particle, welded, groups };
}

/** Expects a closed surface that fills about the box of one that is bound to the body as it is. */
function expectFollowing(body: Body, like: Body): void {
  const { indices, welded, positions, bounds } = body.getSkin();
  expect(positions.every(Number.isFinite)).toBe(true);
  expect(edgeFaults(indices.map((v) => welded[v])).open).toBe(0);
  const { min, max } = like.getSkin().bounds;
  const most = 0.15 * Math.max(max[0] - min[0], max[1] - min[1], max[2] - min[2]);
  for (let a = 0; a < 3; a++) {
    expect(Math.abs(bounds.min[a] - min[a])).toBeLessThan(most);
    expect(Math.abs(bounds.max[a] - max[a])).toBeLessThan(most);
  }
}

async function bursting() {
  const { world } = await worldWith(BALL);
  world.addBody(SLAB);
  return world;
}

describe('a skin whose work is spread', () => {
  it('does less in an update after shares that took too long, more again after others, and arrives all the same', async () => {
    /** The most that an update from the eighth on does with several parts, as a share of what it may do, if those before and after the twelfth are told to have taken so long. */
    const most = async (before: number, after: number) => {
      const world = await bursting();
      const [body] = world.bodies;
      const skin = skinOf(body);
      skin.update();
      skin.spread = true;
      const next = random(testSeed('took'));
      let most = 0;
      for (let n = 0; n < 24; n++) {
        if (n % 8 === 0) burst(world, next);
        world.step();
        skin.update();
        if (n >= 8 && skin.spent.parts > 1) most = Math.max(most, skin.spent.cost / skin.share);
        skin.took(n < 12 ? before : after);
      }
      expect(() => skin.took(Number.NaN)).toThrow('milliseconds');
      skin.spread = false;
      skin.update();
      expect(edgeFaults(skin.indices.map((v) => skin.welded[v])).open).toBe(0);
      world.dispose();
      return most;
    };
    const [quick, slow, again] = [await most(1, 1), await most(60, 60), await most(60, 1)];
    report('shares of a skin that took 1 ms, 60 ms, and 60 ms at first', [quick, slow, again], '');
    expect(quick).toBeGreaterThan(0.5);
    expect(slow).toBeLessThan(0.5 * quick);
    expect(again).toBeGreaterThan(1.5 * slow);
  });

  it('is closed and follows the body in every update, does no more than its share, and arrives at the same bits', async () => {
    const [spread, whole] = [await bursting(), await bursting()];
    for (const body of spread.bodies) body.getSkin().spread = true;
    const [next, alike] = [random(testSeed('spread')), random(testSeed('spread'))];
    let [behind, updates, most] = [0, 0, 0];
    const updateAll = () => {
      for (const body of spread.bodies) {
        const skin = skinOf(body);
        skin.update();
        updates++;
        if (isBehind(body)) behind++;
        // A part that is larger than a share by itself is done alone.
        if (skin.spent.parts > 1) most = Math.max(most, skin.spent.cost / skin.share);
      }
    };
    for (const world of [spread, whole]) for (const body of world.bodies) body.getSkin().update();
    for (let n = 0; n < 24; n++) {
      if (n % 8 === 0) {
        burst(spread, next);
        burst(whole, alike);
      }
      spread.step();
      whole.step();
      updateAll();
      for (const body of whole.bodies) body.getSkin().update();
      spread.bodies.forEach((body, k) => {
        expectFollowing(body, whole.bodies[k]);
      });
    }
    // Nothing breaks any more: the work comes to its end.
    let more = 0;
    while (spread.bodies.some(isBehind) && more < 60) {
      updateAll();
      more++;
    }
    report(
      'updates, of them behind, and after the last step; share of what an update may do',
      { updates, behind, more, most },
      '',
    );
    expect(behind).toBeGreaterThan(10);
    expect(more).toBeLessThan(30);
    expect(most).toBeLessThanOrEqual(1);
    expect(spread.bodies[0].pieces.count).toBeGreaterThan(3);
    spread.bodies.forEach((body, k) => {
      expect(seenOf(body)).toEqual(seenOf(whole.bodies[k]));
    });
  });

  it('does as many shares in an update as there were steps since the last', async () => {
    const [rare, often] = [await bursting(), await bursting()];
    const [next, alike] = [random(testSeed('spread rarely')), random(testSeed('spread rarely'))];
    for (const world of [rare, often]) {
      skinOf(world.bodies[0]).spread = true;
      skinOf(world.bodies[0]).update();
    }
    const most = { rare: 0, often: 0 };
    for (let n = 0; n < 24; n++) {
      if (n % 8 === 0) {
        burst(rare, next);
        burst(often, alike);
      }
      for (const [name, world] of [['rare', rare] as const, ['often', often] as const]) {
        world.step();
        if (name === 'rare' && n % 4 < 3) continue;
        const skin = skinOf(world.bodies[0]);
        skin.update();
        if (skin.spent.parts > 1) most[name] = Math.max(most[name], skin.spent.cost / skin.share);
      }
    }
    expect(most.often).toBeLessThanOrEqual(1);
    expect(most.rare).toBeGreaterThan(1.5);
    expect(most.rare).toBeLessThanOrEqual(4);
  });

  it('shows the body as it is at once where it is no longer spread, asleep, separated or cut', async () => {
    for (const act of ['stop', 'sleep', 'separate', 'cut'] as const) {
      const world = await bursting();
      const [body] = world.bodies;
      const skin = skinOf(body);
      skin.spread = true;
      skin.update();
      const { positions, indices } = skin.restMesh;
      const volume = signedVolume(positions, indices);
      const next = random(testSeed('spread, then at once'));
      for (let n = 0; n < 40 && !(body.pieces.count > 1 && isBehind(body)); n++) {
        if (n % 8 === 0) burst(world, next);
        world.step();
        skin.update();
      }
      expect(isBehind(body)).toBe(true);
      if (act === 'stop' || act === 'sleep') {
        if (act === 'stop') skin.spread = false;
        else body.sleep();
        skin.update();
        const seen = seenOf(body);
        skin.forgetTorn();
        skin.update();
        expect(seenOf(body)).toEqual(seen);
        expect(isBehind(body)).toBe(false);
        continue;
      }
      const parts =
        act === 'cut' ? world.cut(body, { point: [0, 0.02, 0], normal: [0.1, 1, 0.2] }).bodies : world.separate(body);
      expect(parts.length).toBeGreaterThan(1);
      let sum = 0;
      for (const part of parts) {
        const { restMesh } = part.getSkin();
        expect(edgeFaults(restMesh.indices).open).toBe(0);
        sum += signedVolume(restMesh.positions, restMesh.indices);
      }
      expect(Math.abs(sum / volume - 1)).toBeLessThan(act === 'cut' ? 0.01 : 1e-9);
    }
  });
});
