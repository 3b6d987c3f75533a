import * as pliant from 'pliant';
import { codeOf } from './calls.mjs';

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
    const other = await pliant.World.create({ backend: 'ts' });
    const body = other.addBody({ points: [0, 0, 0, 1, 0, 0, 0, 1, 0] });
    this.#other = {
      body,
      collider: other.addCollider({ type: 'plane', normal: [0, 1, 0], offset: -5 }),
      clamp: other.addClamp({ region: { type: 'sphere', centre: [0, 0, 0], radius: 0.1 } }),
      forceField: other.addForceField({ type: 'drag', rate: 1 }),
      pick: other.addPick({ body, particle: 0 }),
      snapshot: other.snapshot(),
    };
    const create = evaluate(`pliant.World.create(${code})`);
    return this.#attempt(async () => {
      this.world = await create(this.#scope);
    });
  }

  /** Makes a call: { value }, { refusal } or { isSkipped }. Anything else that is thrown is thrown on. */
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
      if (error instanceof pliant.PliantError) return { refusal: error };
      throw error;
    }
  }

  close() {
    this.world?.dispose();
  }
}

const NAMES =
  'pliant, world, snapshots, body, gone, handle, collider, clamp, forceField, pick, snapshot, particle, middle, foreign';

/** The scope is unpacked in the function, so that what it runs is what a script says. */
const evaluate = (code) => new Function('scope', `const { ${NAMES} } = scope; return (${code});`);
