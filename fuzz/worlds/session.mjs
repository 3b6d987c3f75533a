import * as pliant from 'pliant';
import { codeOf } from './calls.mjs';
import { makeForeign } from './foreign.mjs';

/** A call names something that is not there: it is left out. */
class Skip extends Error {}

/**
 * A world and what a case says about it. The names that calls may use (`body(2)`, `snapshot(0)`, …) are the members of `scope`.
 */
export class Session {
  world;
  snapshots = [];
  #gone = [];
  #other;
  #scope;

  constructor() {
    const session = this;
    const nth = (list, n) => {
      if (list.length === 0) throw new Skip();
      return list[n % list.length];
    };
    let last;
    this.#scope = {
      pliant,
      get world() {
        return session.world;
      },
      snapshots: this.snapshots,
      // The options of the first world may name a body before there is any.
      body: (n) => (last = nth(session.world?.bodies ?? [], n)),
      gone: (n) => nth(session.#gone, n),
      handle: (n) => nth([...session.world.bodies, ...session.#gone], n).handle,
      collider: (n) => nth(session.world.colliders, n),
      clamp: (n) => nth(session.world.clamps, n),
      forceField: (n) => nth(session.world.forceFields, n),
      pick: (n) => nth(session.world.picks, n),
      snapshot: (n) => nth(session.snapshots, n),
      // Of the body that was named last.
      particle: (n) => (last?.alive && last.particleCount > 0 ? n % last.particleCount : n),
      middle: (body) => session.world.measure(body).com,
      foreign: (kind) => session.#other[kind],
    };
  }

  /** Makes the world of these options, as JavaScript, and another one whose things are foreign to it. Returns why it was refused, if it was. */
  async create(code) {
    this.#other = await makeForeign(pliant.World);
    const create = evaluate(`pliant.World.create(${code})`);
    return this.#attempt(async () => {
      this.world = await create(this.#scope);
    });
  }

  /** The body of the other world. */
  get foreignBody() {
    return this.#other.body;
  }

  /** Makes a call: { value }, { refusal }, { ownError } or { isSkipped }. Anything else that is thrown is thrown on. */
  async call(call) {
    if (!this.world) return { isSkipped: true };
    const before = [...this.world.bodies];
    const run = evaluate(codeOf(call));
    const outcome = await this.#attempt(() => run(this.#scope));
    for (const body of before) if (!body.alive && !this.#gone.includes(body)) this.#gone.push(body);
    return outcome;
  }

  async #attempt(act) {
    try {
      return { value: await act() };
    } catch (error) {
      if (error instanceof Skip) return { isSkipped: true };
      return endingOf(error);
    }
  }

  close() {
    this.world?.dispose();
  }
}

/** How a call ended that threw: { refusal }, or { ownError } where a function of the case threw. Anything else is thrown on. */
export function endingOf(error) {
  if (error instanceof pliant.PliantError) return { refusal: error };
  if (isOwn(error)) return { ownError: error };
  throw error;
}

/** Whether a function of the case, called by the engine, threw this: innermost in its stack is what was evaluated, and what called that is the engine, built or (in tests) not. */
function isOwn(error) {
  const frames = String(error?.stack)
    .split('\n')
    .filter((line) => /^ +at /.test(line) && !line.endsWith(' (<anonymous>)'));
  const outer = frames.findIndex((line) => !line.includes('eval at evaluate ('));
  return outer > 0 && /packages\/\w+\/(?:dist|src)\//.test(frames[outer]);
}

const NAMES =
  'pliant, world, snapshots, body, gone, handle, collider, clamp, forceField, pick, snapshot, particle, middle, foreign';

/** The scope is unpacked in the function, so that what it runs is what a script says. */
const evaluate = (code) => new Function('scope', `const { ${NAMES} } = scope; return (${code});`);
