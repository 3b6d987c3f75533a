import { Finding, thrown } from '../core/finding.mjs';
import { codeOf } from './calls.mjs';
import { generateWorld } from './generate.mjs';
import { Oracles } from './oracles.mjs';
import { print } from './print.mjs';
import { FreeMotion, isPromised } from './promises.mjs';
import { printWorldScript } from './script.mjs';
import { endingOf, Session } from './session.mjs';

/**
 * Random worlds over all options and calls, valid and not: nothing but refusals is thrown, and after every call all is sound. Functions of a case may throw what they like: that goes through, and
 * the call that they leave has changed nothing, as if it had been refused.
 */
export const worlds = {
  generate: generateWorld,
  execute,
  script: (data, finding) => printWorldScript(data.calls, finding),
  /** Whole calls go, and parts of their arguments; names stay, and what kind of case it is. */
  mayChange: ([first, ...rest]) => first === 'calls' && rest.length !== 1 && !(rest.length === 2 && rest[1] === '0'),
  truncate: (data, call) => ({ ...data, calls: data.calls.slice(0, call + 1) }),
};

async function execute({ calls, isFree, isWild }, { beat, at }) {
  const bodies = calls.filter(([name]) => name === 'addBody');
  const free = isFree && bodies.length === 1 && isPromised(bodies[0][1]) && isEmpty(calls) ? bodies[0][1] : undefined;
  const session = new Session();
  const oracles = new Oracles(session);
  const counts = { calls: 0, refused: 0, thrown: 0, steps: 0 };
  let isDisposed = false;
  try {
    for (const [n, call] of calls.entries()) {
      at(n, nameOf(call));
      try {
        if (call[0] === 'create') {
          await session.create(print(call[1] ?? {}));
          continue;
        }
        if (!session.world) return counts;
        oracles.before();
        const outcome =
          call[0] === 'step'
            ? stepThrough(session, oracles, call[1], free, isDisposed, beat, counts)
            : await session.call(call);
        isDisposed ||= call[0] === 'dispose';
        beat();
        counts.calls++;
        if (outcome.refusal) counts.refused++;
        if (outcome.ownError) counts.thrown++;
        if (outcome.isSkipped) continue;
        const isLeft = outcome.ownError && BUILDS_BEFORE.has(call[0]);
        if (isDisposed && !outcome.refusal && !isLeft && NEEDS_A_WORLD.has(call[0]))
          throw new Finding('accepted', `a world that was disposed took ${codeOf(call)}`);
        oracles.after(call, outcome, isDisposed);
        if (!isWild && !isDisposed) checkQuarantine(session, call);
      } catch (error) {
        throw Object.assign(error instanceof Finding ? error : thrown(error, nameOf(call)), {
          call: n,
          where: nameOf(call),
        });
      }
    }
  } finally {
    beat();
    session.close();
  }
  return counts;
}

/** Nothing pulls, holds or puts to sleep. */
const isEmpty = ([[, { gravity, sleepSpeed } = {}], ...calls]) =>
  `${gravity}` === '0,0,0' &&
  sleepSpeed === 0 &&
  calls.every(([name]) => ['addBody', 'step', 'getSkin'].includes(name));

const nameOf = ([name]) => name;

/** Calls that a disposed world refuses. */
const NEEDS_A_WORLD = new Set([
  'step',
  'advance',
  'addBody',
  'addBuilt',
  'addLoaded',
  'addBodyAsync',
  'addCollider',
  'addForceField',
  'snapshot',
  'drainEvents',
  'measure',
  'gravity',
  'contactPairs',
  'maxStretch',
]);

/** Calls that build a body before they ask the world for anything: a function of the user's may throw in that build. */
const BUILDS_BEFORE = new Set(['addBuilt', 'addLoaded']);

function stepThrough(session, oracles, steps, free, isDisposed, beat, counts) {
  const { world } = session;
  const motion = free && new FreeMotion(world, free.stretch !== undefined);
  for (let k = 0; k < steps; k++) {
    // A step that a force function leaves is compared with the one before it.
    if (!isDisposed && world.forceFields.some(({ type }) => type === 'custom')) oracles.before();
    try {
      world.step();
    } catch (error) {
      return endingOf(error);
    }
    beat();
    counts.steps++;
    if (isDisposed) continue;
    oracles.checkFinite();
    oracles.checkCount();
    motion?.step();
  }
  return {};
}

/** Worlds that have or had a field of the user's: it may have made speeds that are anything but infinite. */
const pushed = new WeakSet();

/** With valid input, no body becomes non-finite on its own; a field of the user's may make it so. */
function checkQuarantine({ world }, [name]) {
  if (world.forceFields.some(({ type }) => type === 'custom')) pushed.add(world);
  if (name !== 'step') return;
  for (const event of world.drainEvents())
    if (event.type === 'quarantine' && !pushed.has(world))
      throw new Finding(
        'quarantine',
        `body ${JSON.stringify(event.body.name)} became non-finite at ${event.particles} particles`,
      );
}
