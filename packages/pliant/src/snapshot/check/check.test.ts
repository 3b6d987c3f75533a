import { beforeAll, describe, expect, it } from 'vitest';
import { refusal } from '../../testing/refusal.js';
import { World } from '../../world.js';
import type { Snapshot } from '../snapshot.js';
import { hashOf } from '../testing/bits.js';
import { BLOCK } from '../testing/scenes.js';

/** A snapshot to be spoilt. */
interface Spoilt extends Record<string, unknown> {
  arrays: Record<string, Float64Array>;
  counts: object;
}
type Change = (snapshot: Spoilt) => void;

// biome-ignore lint/suspicious/noExplicitAny: what is written is wrong on purpose.
const at = (snapshot: unknown, path: string): any =>
  path.split('.').reduce((part, key) => (part as Record<string, unknown>)[key], snapshot);

/** Changes to a snapshot of two blocks with levels, a floor, a clamp, a hand and a field; and the message that refuses each. */
const CHANGES: [name: string, change: Change, message: RegExp][] = [
  ['another format', (s) => void (s.format = 'x'), /^snapshot is an object .*; expected what world\.snapshot/],
  ['time that is no number', (s) => void (s.time = '1'), /^snapshot\.time is "1"; expected a finite number/],
  ['a field too many', (s) => void (at(s, 'bodies.0.scalars').load = 1), /scalars\.load is not part of a snapshot/],
  ['a method for a number', (s) => void (at(s, 'bodies.0.scalars').size = () => {}), /scalars\.size is a function/],
  ['an array cut off', (s) => void (s.arrays.x = s.arrays.x.slice(4)), /as long as snapshot\.counts says; x is not/],
  ['an array of another type', (s) => void (s.arrays.v = new Float64Array(s.arrays.v)), /says; v is not/],
  ['counts without end', (s) => void (s.counts = { ...s.counts, particle: 2 ** 40 }), /^snapshot\.counts\.particle is/],
  [
    'a place that is no number',
    (s) => void (s.arrays.x[5] = Number.NaN),
    /^snapshot\.arrays\.x\[5\] is NaN; expected a finite/,
  ],
  ['a mass of 0', (s) => void (s.arrays.x[3] = 0), /^snapshot\.arrays\.x\[3\] is 0; expected a mass above 0/],
  [
    'a member of another body',
    (s) => void (s.arrays.memberParticle[0] = 2 ** 32 - 1),
    /^snapshot\.arrays\.memberParticle\[0\] is 4294967295/,
  ],
  [
    'runs that go back',
    (s) => void (s.arrays.memberStart[1] = 0),
    /^snapshot\.arrays\.memberStart\[1\] is 0; expected in \[1,/,
  ],
  [
    'two in one place of gatherOrder',
    (s) => void (s.arrays.gatherOrder[0] = s.arrays.gatherOrder[1]),
    /^snapshot\.arrays\.gatherRank\[/,
  ],
  [
    'a tree that bites its tail',
    (s) => void (s.arrays.treeNode[0] = 1),
    /^snapshot\.arrays\.treeNode\[0\] is 1; expected a node/,
  ],
  ['a node beyond the tree', (s) => s.arrays.neighbour.fill(99), /^snapshot\.arrays\.neighbour\[\d+\] is 99/],
  [
    'a field of distances beyond its own',
    (s) => void (s.arrays.distanceGrid[1] += 1),
    /^snapshot\.arrays\.distanceGrid\[0\] describes/,
  ],
  ['a tie to nothing', (s) => void (s.arrays.tieChild[0] = 1000), /^snapshot\.arrays\.tieChild\[0\] is 1000/],
  ['a level above itself', (s) => void (s.arrays.coarseLevel[0] = 3), /^snapshot\.arrays\.coarseLevel\[0\] is 3/],
  [
    'bodies that overlap',
    (s) => void (at(s, 'bodies.1.rows').particleStart -= 1),
    /rows\.particleStart is \d+; expected \d+, where the body/,
  ],
  [
    'a handle twice',
    (s) => void (at(s, 'bodies.1').handle = at(s, 'bodies.0').handle),
    /^snapshot\.bodies\[1\]\.handle is 0/,
  ],
  ['a hand on a body that is not there', (s) => void (at(s, 'picks.0').body = 7), /^snapshot\.picks\[0\]\.body is 7/],
  [
    'a clamp on a particle that is not there',
    (s) => at(s, 'actors.1.grips.0.particles').fill(1e6),
    /grips\[0\]\.particles\[0\] is 1000000/,
  ],
  [
    'an actor of another kind',
    (s) => void (at(s, 'actors.0').id = 1),
    /^snapshot\.actors\[1\]\.id is 1; expected a number that no other/,
  ],
  [
    'levels that say what they do not',
    (s) => void (at(s, 'bodies.1.levelStrengths.weights')[0] = 0.9),
    /^snapshot\.bodies\[1\]\.levelStrengths\.weights\[0\] is 0\.9/,
  ],
  [
    'a particle that weighs more than its members',
    (s) => void (s.arrays.x[3] *= 2),
    /^snapshot is not a sound state; .*link 0/,
  ],
  [
    'work without end',
    (s) => void (at(s, 'bodies.0.parts.reclustering').iterations = 2 ** 53 - 1),
    /reclustering\.iterations is 9007199254740991; expected an integer in \[1, 1000\]/,
  ],
  ['one within itself', (s) => void (s.gravity = s), /^snapshot\.gravity is an object/],
];

let world: World;
let good: Snapshot;

beforeAll(async () => {
  world = await World.create();
  const body = world.addBody(BLOCK);
  world.addBody({
    ...BLOCK,
    position: [1, 0, 0],
    clustering: { count: 5 },
    levels: { count: 2 },
    material: { raw: {} },
  });
  world.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -0.3 });
  world.addClamp({ region: { type: 'halfspace', normal: [1, 0, 0], offset: 1.1 } });
  world.addForceField({ type: 'uniform', vector: [0, 1, 0], bodies: [body] });
  world.addPick({ body, particle: 0, target: [0, 1, 0] });
  for (let n = 0; n < 3; n++) world.step();
  good = world.snapshot();
});

describe('a snapshot with', () => {
  it.each(CHANGES)('%s is refused, and the world stays as it is', (_, change, message) => {
    world.step();
    const before = hashOf(world);
    const bad = structuredClone(good);
    change(bad as unknown as Spoilt);
    expect(refusal(() => world.restore(bad))).toMatch(message);
    expect(hashOf(world)).toBe(before);
    world.restore(good);
  });

  it('something written into it after it was taken is refused as well', () => {
    const own = world.snapshot();
    const { x } = own.arrays;
    x[3] *= 2;
    expect(refusal(() => world.restore(own))).toMatch(/^snapshot is not a sound state/);
    x[3] /= 2;
    world.restore(own);
  });

  it('something in it that no other world would take is still the past of its own', async () => {
    const other = await World.create();
    const body = other.addBody(BLOCK);
    body.positions[0] = Number.NaN;
    const [snapshot, bytes] = [other.snapshot(), other.save()];
    other.step();
    other.drainEvents();
    other.restore(structuredClone(snapshot));
    expect(body.positions[0]).toBeNaN();
    other.restore(bytes);
    expect(body.positions[0]).toBeNaN();
    const empty = await World.create();
    expect(refusal(() => empty.restore(bytes))).toMatch(/^snapshot\.arrays\.x\[0\] is NaN/);
  });
});
