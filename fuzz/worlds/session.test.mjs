import { describe, expect, it } from 'vitest';
import { Session } from './session.mjs';
import { worlds } from './worlds.mjs';

const POINTS = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];

async function newSession() {
  const session = new Session();
  await session.create("{ backend: 'ts' }");
  await session.call(['addBody', { points: POINTS }]);
  return session;
}

describe('how a call ends that throws', () => {
  it.each([
    ['a force function', ['addForceField', { type: 'custom', at: { $: 'throws' } }], ['advance', 1, 1]],
    ['a material function', ['addBody', { points: POINTS, material: { yield: { $: 'throwsLater' } } }]],
    // Of seven arguments a material gives it three.
    ['one in the wrong place', ['addBody', { points: POINTS, material: { yield: { $: 'swirl' } } }]],
    ['a filter, through Array.filter', ['castRay', [5, 5, 5], [0, -1, 0], { bodies: { $: 'throws' } }]],
  ])('%s of the case: by its own error', async (_, ...calls) => {
    const session = await newSession();
    let outcome;
    for (const call of calls) outcome = await session.call(call);
    expect(outcome.ownError).toBeInstanceOf(Error);
    session.close();
  });

  it('the engine: not by an error of its own, wherever that shows', async () => {
    const session = await newSession();
    session.world.measure = undefined;
    await expect(session.call(['measure'])).rejects.toThrow('not a function');
    session.world.maxStretch = () => null.stretch;
    await expect(session.call(['maxStretch'])).rejects.toThrow('null');
    expect((await session.call(['addBody', {}])).refusal.message).toContain('expected');
    session.close();
  });
});

it('a world that takes the snapshot of another has its mass', async () => {
  const calls = [
    ['create', {}],
    ['addBody', { points: POINTS }],
    ['addCollider', { type: 'plane', normal: [0, 1, 0], offset: -1 }],
    ['addForceField', { type: 'uniform', vector: [0, 0, 0] }],
    ['addClamp', { region: { type: 'sphere', centre: [0, 0, 0], radius: 0.1 } }],
    ['restore', { $: 'foreign', kind: 'snapshot' }],
    ['measure'],
  ];
  const counts = await worlds.execute({ calls, isFree: false, isWild: true }, { beat() {}, at() {} });
  expect(counts).toMatchObject({ calls: 6, refused: 0 });
});
