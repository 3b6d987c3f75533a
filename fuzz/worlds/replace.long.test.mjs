import { expect, it } from 'vitest';
import { codeOf } from './calls.mjs';
import { wrongCalls } from './replace.mjs';
import { Session } from './session.mjs';

/** Calls after which a fresh world begins: bodies that were taken after all would pile up. */
const CALLS_A_WORLD = 40;
const POINTS = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1];

async function newSession() {
  const session = new Session();
  await session.create("{ backend: 'ts' }");
  for (const call of [
    ['addBody', { points: POINTS }],
    ['addCollider', { type: 'plane', normal: [0, 1, 0], offset: -1 }],
    ['addClamp', { region: { type: 'sphere', centre: [0, 0, 0], radius: 0.1 } }],
    ['addForceField', { type: 'drag', rate: 1 }],
    ['addPick', { body: { $: 'body', n: 0 }, particle: 0 }],
    ['snapshot'],
  ])
    await session.call(call);
  return session;
}

it('every part of every argument may be wrong in every way: it is refused by name, or taken', async () => {
  const broken = new Map();
  const note = (call, what) => broken.set(`${call[0]}: ${what}`, codeOf(call).slice(0, 500));
  let [session, calls, refused] = [undefined, 0, 0];
  for (const call of wrongCalls('test')) {
    if (calls++ % CALLS_A_WORLD === 0 || session.world.bodies.length === 0) {
      session?.close();
      session = await newSession();
    }
    try {
      const { refusal } = await session.call(call);
      if (refusal) refused++;
      if (refusal && !(refusal.path.length > 0 && refusal.message.includes('expected'))) note(call, refusal.message);
    } catch (error) {
      note(call, error);
    }
  }
  session.close();
  expect([...broken].slice(0, 10)).toEqual([]);
  expect(refused).toBeGreaterThan(calls / 2);
});
