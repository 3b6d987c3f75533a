import { expect, test } from 'vitest';
import type { Show } from '../protocol.js';
import { Session } from './session.js';

const SHOW: Show = {
  ...{ surface: true, particles: false, clusters: false, proxies: false, goals: false },
  ...{ colouring: 'material', scale: undefined, energies: false },
};

test('a world that runs spreads the work of breaks; one that stands still or has jumped in time shows its bodies as they are', async () => {
  const text = JSON.stringify({
    bodies: [{ geometry: { type: 'box', size: [1, 1, 1] }, sampling: { count: 60 }, name: 'box' }],
  });
  const session = await Session.load({ source: { path: 'x.json', text }, show: SHOW }, () => {});
  const [body] = session.world.bodies;
  const spreads = (running: boolean) => {
    session.frame({ running });
    return body.getSkin().spread;
  };
  // The first frame follows none.
  expect([spreads(true), spreads(true), spreads(false), spreads(true)]).toEqual([false, true, false, true]);
  session.arrived();
  expect([spreads(true), spreads(true)]).toEqual([false, true]);
  session.world.dispose();
});
