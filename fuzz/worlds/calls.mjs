import { boolean, choice, draw, either, except, integer, made, number, reference, tame, vec3 } from './grammar.mjs';
import * as options from './options.mjs';
import { print } from './print.mjs';

/**
 * Every call of the engine: as JavaScript, $0 and $1 being its arguments, how often it is made, and what its arguments may be. A call in a case is a list, the name first:
 * ['cut', { $: 'body', n: 0 }, { point: [0, 0, 0], normal: [1, 0, 0] }].
 */
const call = (weight, code, ...args) => ({ weight, code, args });
const body = reference('body');
/** Mostly a body of this world; now and then one that is no more, or another world's. */
const anyBody = made((random) =>
  random.chance(0.93)
    ? body.make(random)
    : random.pick([
        { $: 'gone', n: 0 },
        { $: 'foreign', kind: 'body' },
      ]),
);
const particle = made((random) =>
  random.chance(0.95) ? { $: 'particle', n: random.integer(0, 500) } : random.integer(-1, 600),
);
const vector = vec3(number(-20, 20));
const { place, direction, quaternion } = options;
const anyOf = (kind) =>
  made((random) => (random.chance(0.9) ? { $: kind, n: random.integer(0, 3) } : { $: 'foreign', kind }));

export const CALLS = {
  step: call(20, 'world.step()', tame(integer(1, 25))),
  advance: call(
    2,
    'world.advance($0, $1)',
    choice(0, 1 / 60, 0.033, 1, 100, 1e-9, -0.005),
    except(100, Infinity, choice(1, 4, 7)),
  ),
  addBody: call(7, 'world.addBody($0)', options.body),
  addCollider: call(3, 'world.addCollider($0)', options.collider),
  addClamp: call(1.5, 'world.addClamp($0)', options.clamp),
  addForceField: call(1.5, 'world.addForceField($0)', options.forceField),
  addPick: call(2, 'world.addPick($0)', options.pick),
  removeBody: call(1, 'world.removeBody($0)', either(anyBody, reference('handle'))),
  removeCollider: call(0.5, 'world.removeCollider($0)', anyOf('collider')),
  removeClamp: call(0.5, 'world.removeClamp($0)', anyOf('clamp')),
  removeForceField: call(0.5, 'world.removeForceField($0)', anyOf('forceField')),
  removePick: call(0.5, 'world.removePick($0)', anyOf('pick')),
  getBody: call(0.3, 'world.getBody($0)', either(reference('handle'), integer(-1, 99))),
  cut: call(5, 'world.cut($0, $1)', anyBody, options.cut),
  cutThrough: call(3, 'world.cut($0, { point: middle($0), normal: $1 })', body, direction),
  separate: call(2, 'world.separate($0)', anyBody),
  snapshot: call(2, 'snapshots.push(world.snapshot())'),
  restore: call(
    1.5,
    'world.restore($0)',
    made((random) =>
      random.chance(0.9) ? { $: 'snapshot', n: random.integer(0, 3) } : { $: 'foreign', kind: 'snapshot' },
    ),
  ),
  // Values that cannot be copied, such as functions, are handed over as they are.
  restoreCopy: call(
    1,
    '((given) => { let copy = given; try { copy = structuredClone(given); } catch {} world.restore(copy); })($0)',
    reference('snapshot'),
  ),
  restoreBytes: call(1, 'world.restore(world.save({ base: $0 }), { base: $0 })', reference('snapshot')),
  decodeSnapshot: call(0.5, 'pliant.hashSnapshot(pliant.decodeSnapshot(world.save()))'),
  forgetSnapshots: call(0.2, 'world.forgetSnapshots()'),
  drainEvents: call(2, 'world.drainEvents()'),
  castRay: call(2, 'world.castRay($0, $1, $2)', place, direction, options.reach),
  overlapSphere: call(1, 'world.overlapSphere($0, $1, $2)', place, number(0, 2), options.query),
  nearestParticle: call(1, 'world.nearestParticle($0, $1)', place, options.nearest),
  measure: call(0.5, 'world.measure()'),
  measureBody: call(0.5, 'world.measure($0)', anyBody),
  maxStretch: call(0.5, 'world.maxStretch()'),
  contactPairs: call(0.5, 'world.contactPairs()'),
  wakeAll: call(0.3, 'world.wakeAll()'),
  gravity: call(0.7, 'world.gravity = $0', vector),
  profile: call(0.2, 'world.profile.means()'),
  dispose: call(0.15, 'world.dispose()'),
  getSkin: call(4, '$0.getSkin().update()', body),
  pieces: call(0.5, '$0.pieces', anyBody),
  wake: call(0.5, '$0.wake()', anyBody),
  sleep: call(1, '$0.sleep()', body),
  enabled: call(1, '$0.enabled = $1', body, boolean),
  levels: call(0.3, '$0.levels', body),
  setLevels: call(1.5, '$0.setLevels($1)', body, options.levelsChange),
  setMaterial: call(4, '$0.setMaterial($1)', body, options.materialChange),
  plasticStrain: call(0.3, '$0.plasticStrain', body),
  resetPlasticity: call(0.7, '$0.resetPlasticity()', body),
  applyImpulse: call(2, '$0.applyImpulse($1)', body, vector),
  applyImpulseTo: call(1, '$0.applyImpulse($1, $2)', body, vector, particle),
  applyImpulseAt: call(1, '$0.applyImpulseAt($1, $2)', body, vector, place),
  applyForce: call(1, '$0.applyForce($1)', body, vector),
  applyForceTo: call(1, '$0.applyForce($1, $2)', body, vector, particle),
  applyForceAt: call(1, '$0.applyForceAt($1, $2)', body, vector, place),
  setPose: call(1.5, '$0.setPose($1)', body, options.pose),
  setBodyVelocity: call(1, '$0.setVelocity($1)', body, options.rigidVelocity),
  bodyGroups: call(1, '$0.groups = $1', body, options.groups),
  userData: call(0.1, '$0.userData = $1', body, choice(1, 'text')),
  motion: call(0.3, '[$0.mass, $0.centreOfMass, $0.linearVelocity, $0.angularVelocity, $0.bounds]', anyBody),
  copyBodyPositions: call(0.2, '$0.copyPositions()', anyBody),
  copyPositions: call(0.2, 'world.copyPositions()'),
  debugDraw: call(0.3, 'world.debugDraw(undefined, $0)', options.debugDraw),
  dt: call(0.5, 'world.dt = $0', choice(1 / 60, 1 / 60, 1 / 120, 1 / 30, 0.1)),
  substeps: call(0.5, 'world.substeps = $0', options.substeps),
  maxSubsteps: call(0.5, 'world.maxSubsteps = $0', options.maxSubsteps),
  young: call(0.5, '[$0.young, $0.maxYoung, $0.warnings]', anyBody),
  pin: call(2, '$0.pin($1)', body, particle),
  unpin: call(1, '$0.unpin($1)', body, particle),
  isPinned: call(0.3, '$0.isPinned($1)', body, particle),
  setVelocity: call(1, '$0.velocities[4 * $1] = $2', body, tame(reference('particle', 500)), tame(number(-50, 50))),
  moveCollider: call(1.5, '$0.moveTo($1, $2)', reference('collider'), place, quaternion),
  enableCollider: call(1, '$0.enabled = $1', reference('collider'), boolean),
  colliderGroups: call(0.7, '$0.groups = $1', reference('collider'), options.groups),
  moveClamp: call(1, '$0.moveTo($1, $2)', reference('clamp'), vec3(number(-0.1, 0.1)), quaternion),
  movePick: call(1.5, '$0.moveTo($1)', reference('pick'), place),
  pickTarget: call(0.5, '$0.target = $1', reference('pick'), place),
  nearestClustersInto: call(0.3, 'pliant.nearestClustersInto(new Uint32Array($0.particleCount), world, $0)', anyBody),
  heaviestClustersInto: call(0.3, 'pliant.heaviestClustersInto(new Uint32Array($0.particleCount), world, $0)', anyBody),
  ancestorsInto: call(0.3, 'pliant.ancestorsInto(new Uint32Array($0.particleCount), world, $0)', anyBody),
  heldInto: call(0.3, 'pliant.heldInto(new Uint8Array($0.particleCount), world, $0)', anyBody),
  stiffnessInto: call(0.3, 'pliant.stiffnessInto(new Float32Array($0.particleCount), world, $0)', anyBody),
  proxySpheresInto: call(0.3, 'pliant.proxySpheresInto(new Float32Array(4 * $0.clusterCount), world, $0)', anyBody),
  proxyPlaneCount: call(0.3, 'pliant.proxyPlaneCount(world, $0, $1)', anyBody, choice(0, 0, 0, 1, -1, 1e6)),
  scaleToughness: call(1, '$0.scaleToughness(new Array($0.clusterCount).fill($1))', body, number(0.1, 10)),
  stressInto: call(0.5, 'pliant.stressInto(new Float32Array($0.particleCount), world, $0)', anyBody),
  plasticStrainInto: call(0.3, 'pliant.plasticStrainInto(new Float32Array($0.particleCount), world, $0)', anyBody),
  toughnessInto: call(0.3, 'pliant.toughnessInto(new Float32Array($0.particleCount), world, $0)', anyBody),
  speedInto: call(0.3, 'pliant.speedInto(new Float32Array($0.particleCount), world, $0)', anyBody),
  goalsInto: call(0.5, 'pliant.goalsInto(new Float32Array(3 * $0.particleCount), world, $0)', anyBody),
  clusterMatricesInto: call(
    0.4,
    'pliant.clusterMatricesInto(new Float32Array(16 * $0.clusterCount), world, $0, $1)',
    anyBody,
    choice('deformed', 'turned'),
  ),
  clusterRadiiInto: call(0.2, 'pliant.clusterRadiiInto(new Float32Array($0.clusterCount), world, $0)', anyBody),
  proxyPlanesInto: call(
    0.4,
    'pliant.proxyPlanesInto(new Float32Array(4 * pliant.PROXY_PLANES), world, $0, $1)',
    anyBody,
    choice(0, 0, 0, 1, -1, 1e6),
  ),
  volumeShare: call(0.3, 'pliant.volumeShare(world, $0)', anyBody),
  strainEnergy: call(0.5, 'pliant.strainEnergy(world, $0)', anyBody),
  buildBody: call(0.3, 'pliant.buildBody($0)', options.body),
  checkCut: call(0.3, 'pliant.checkCut($0)', options.cut),
  addBuilt: call(0.7, 'world.addBody(pliant.buildBody($0), $1)', options.body, options.addOptions),
  addLoaded: call(
    0.5,
    'world.addBody(pliant.loadBody(pliant.saveBody(pliant.buildBody($0))), $1)',
    options.body,
    options.addOptions,
  ),
  addBodyAsync: call(0.3, 'world.addBodyAsync($0)', options.body),
  sample: call(0.3, 'pliant.sample(pliant.shapeSolid($0), $1)', options.shape, options.sampling),
};

/** How often each of some calls is made, beside the others of them. */
export const weightsOf = (names) => Object.fromEntries(names.map((name) => [name, CALLS[name].weight]));

/** A call of that name. Whose method is called is always there: nobody calls null.wake(). */
export function makeCall(name, random, wild) {
  const { code, args } = CALLS[name];
  return [
    name,
    ...args.map((grammar, k) =>
      code.includes(`$${k}.`) || grammar.isTame ? grammar.make(random, 0) : draw(grammar, random, wild),
    ),
  ];
}

/** A call as JavaScript. `create` and `step` are statements of their own in a script (report.mjs). */
export function codeOf([name, ...args]) {
  return CALLS[name].code.replace(/\$(\d)/g, (_, k) => (args[k] === undefined ? 'undefined' : print(args[k])));
}
