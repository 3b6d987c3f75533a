import { expect, it } from 'vitest';
import { random } from '../math/random.js';
import { CONTACT_ROW, ContactRow, PATCH } from '../state/contactRow.js';
import { Flag } from '../state/flags.js';
import { SelfChange, SelfRow, takeSelfRoom } from '../state/selfRow.js';
import { World } from '../world.js';
import { body } from './testing/twins.js';

const CONTACTS = 60;

/** Contacts of a body with itself, anywhere and in any direction, as solved by one backend. Some meet a patch that is a single point, some particles are held. */
async function solve(backend: 'wasm' | 'ts', friction = 0.5) {
  const world = await World.create({ backend });
  const { rows } = world.addBody(body(3));
  const { state, kernels } = world;
  const next = random(7);
  const { views: s } = state;
  const particles = rows.particleEnd - rows.particleStart;
  const any = () => rows.particleStart + Math.floor(particles * next());
  for (let o = 4 * rows.particleStart; o < 4 * rows.particleEnd; o++)
    if (o % 4 !== 3) [s.v[o], s.vOld[o]] = [next() - 0.5, next() - 0.5];
  for (let k = 0; k < 5; k++) s.flags[any()] |= Flag.HELD;
  s.fade[rows.clusterStart] = 0.4;
  for (let k = 0; k < CONTACTS; k++) {
    const i = (s.touching[k] = rows.particleStart + k);
    s.touchCluster[i] = rows.clusterStart + (k % 3);
    const normal = [next() - 0.5, next() - 0.5, next() - 0.5];
    const length = Math.hypot(...normal);
    for (let a = 0; a < 3; a++) s.touch[4 * i + a] = normal[a] / length;
    s.touch[4 * i + 3] = 0.1 * (next() - 0.3);
    const one = any();
    for (let p = 0; p < PATCH; p++) {
      s.patch[8 * k + p] = k % 10 === 0 ? one : any();
      s.contactRow[CONTACT_ROW * k + ContactRow.WEIGHT + p] = p === 5 && k % 4 === 0 ? 0 : next() / 3;
    }
  }
  const room = takeSelfRoom(state, CONTACTS, particles);
  const moved = kernels.listSelf(room, 0, CONTACTS);
  const count = kernels.describeSelf(room, 0, CONTACTS, { h: 0.01, slow: 0.2, friction, restitution: 0.3 });
  const described = room.rows.slice();
  const sweeps = kernels.sweepSelf(room, count);
  const sums = [new Float64Array(5), new Float64Array(5), new Float64Array(4)];
  kernels.weighSelf(sums[0], room, moved, 0.01);
  kernels.keepSelf(room, moved);
  for (let k = 0; k < moved; k++) room.changes[SelfChange.LENGTH * k + (k % 3)] += 0.1;
  kernels.weighSelf(sums[1], room, moved, 0.01);
  kernels.moveSelf(room, moved, 0.01);
  const turning = new Float64Array(9);
  kernels.sumMovedSpin(turning, moved, Float64Array.of(0.3, 0.1, -0.2, 0, 0, 0));
  const held = kernels.sumPlaces(sums[2], rows.particleStart, rows.particleEnd);
  // Places are summed only where no particle is held.
  for (let i = rows.particleStart; i < rows.particleEnd; i++) s.flags[i] &= ~Flag.HELD;
  const loose = kernels.sumPlaces(sums[2], rows.particleStart, rows.particleEnd);
  const [centre, spin] = [Float64Array.of(0.1, -0.2, 0.3), Float64Array.of(1, -2, 3)];
  kernels.turnBack(rows.particleStart, rows.particleEnd, centre, spin);
  const { views } = state;
  return {
    moved,
    count,
    sweeps,
    described,
    sums,
    turning,
    held,
    loose,
    x: views.x.slice(4 * rows.particleStart, 4 * rows.particleEnd),
    v: views.v.slice(4 * rows.particleStart, 4 * rows.particleEnd),
    list: views.moved.slice(0, moved),
    listedFor: views.listedFor.slice(rows.particleStart, rows.particleEnd),
    rows: room.rows.slice(0, SelfRow.LENGTH * count),
    changes: room.changes.slice(0, SelfChange.LENGTH * moved),
  };
}

it('both backends give the same bits for contacts of a body with itself', async () => {
  const [fast, plain] = [await solve('wasm'), await solve('ts')];
  expect(fast).toEqual(plain);
  expect(fast.count).toBe(CONTACTS);
  expect(fast.sweeps).toBeGreaterThan(1);
  const { changes, rows } = fast;
  expect(changes.filter((change, k) => k % SelfChange.LENGTH < 3 && change !== 0).length).toBeGreaterThan(100);
  expect(fast.turning.every((value) => value !== 0)).toBe(true);
  expect(fast.held).toBe(3);
  expect(fast.loose).toBe(0);
  expect(fast.sums.every((sum) => sum.every((value) => value !== 0))).toBe(true);
  const friction = rows.filter((_, k) => k % SelfRow.LENGTH === SelfRow.FRICTION_IMPULSE);
  expect(friction.filter((impulse) => impulse !== 0).length).toBeGreaterThan(10);
});

it('both backends give the same bits for contacts without friction', async () => {
  const [fast, plain] = [await solve('wasm', 0), await solve('ts', 0)];
  expect(fast).toEqual(plain);
  expect(fast.sweeps).toBeGreaterThan(1);
});

it('an impulse without friction is that of a vanishing friction', async () => {
  const [none, hardly] = [await solve('ts', 0), await solve('ts', 1e-12)];
  const impulses = ({ rows }: { rows: Float64Array }) =>
    rows.filter((_, k) => k % SelfRow.LENGTH === SelfRow.NORMAL_IMPULSE);
  expect(impulses(none).some((impulse) => impulse > 0)).toBe(true);
  impulses(none).forEach((impulse, k) => void expect(impulse).toBeCloseTo(impulses(hardly)[k], 9));
  none.v.forEach((v, k) => void expect(v).toBeCloseTo(hardly.v[k], 5));
});
