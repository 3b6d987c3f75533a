import { PliantError } from 'pliant';
import { Finding, thrown } from '../core/finding.mjs';
import { printCase } from '../core/printCase.mjs';
import { weightsOf } from '../worlds/calls.mjs';
import { makeCalls } from '../worlds/generate.mjs';
import { differenceOf, hashOf } from '../worlds/oracles.mjs';
import { print } from '../worlds/print.mjs';
import { Session } from '../worlds/session.mjs';
import { damageBytes, damageTree, WAYS } from './damage.mjs';
import { FORMS } from './forms.mjs';

/**
 * Snapshots at any moment: restored in the same world, from a copy, and in another world that was built alike, the same calls give the same bits. Damaged ones are refused and change
 * nothing; or, where a damage cannot be told from a snapshot, lead to a world that is sound.
 */
export const snapshots = {
  generate(random) {
    const weights = weightsOf([
      'step',
      'addBody',
      'addCollider',
      'addClamp',
      'addForceField',
      'addPick',
      'cut',
      'cutThrough',
      'separate',
      'getSkin',
      'setMaterial',
      'setLevels',
      'pin',
      'applyImpulse',
      'removeBody',
      'enabled',
      'sleep',
      'movePick',
      'moveCollider',
      'gravity',
    ]);
    const later = weightsOf(['step', 'cutThrough', 'separate', 'getSkin', 'applyImpulse', 'setMaterial', 'movePick']);
    const before = makeCalls(random, 0, random.integer(4, 14), weights, 80);
    const after = makeCalls(random, 0, random.integer(4, 8), later, 60).slice(3);
    const damages = random.chance(0.6)
      ? Array.from({ length: random.integer(1, 3) }, () => ({
          where: random.next(),
          entry: random.next(),
          way: random.pick(WAYS),
        }))
      : [];
    return { form: random.pick(Object.keys(FORMS)), before, after: [['step', 5], ...after], damages };
  },
  execute,
  script: (data) => printCase('snapshots', data),
  mayChange: ([first, ...rest]) =>
    first === 'damages'
      ? rest.length === 0
      : (first === 'before' || first === 'after') && rest.length !== 1 && !(rest.length === 2 && rest[1] === '0'),
};

async function execute({ form, before, after, damages }, { at, beat }) {
  const { take, copy, restore, isBytes } = FORMS[form];
  const counts = { restored: 0, refused: 0 };
  const go = async (session, calls, where) => {
    for (const [n, call] of calls.entries()) {
      at(n, `${where} ${call[0]}`);
      if (call[0] === 'create') await session.create(print(call[1]));
      else if (call[0] === 'step') for (let k = 0; session.world && k < call[1]; k++, beat()) session.world.step();
      else await session.call(call);
    }
  };
  const a = new Session();
  const b = new Session();
  try {
    await go(a, before, 'before:');
    if (!a.world || a.world.bodies.length === 0) return counts;
    at(0, 'snapshot');
    const kept = take(a.world);
    if (damages.length > 0) {
      tryDamaged(a.world, kept, copy, restore, isBytes, damages, { at, beat, counts });
      return counts;
    }
    const start = stateOf(a.world);
    await go(a, after, 'after:');
    const wanted = stateOf(a.world);
    const repeat = async (session, snapshot, how) => {
      at(0, `restore ${how}`);
      restore(session.world, snapshot);
      checkSame(start, stateOf(session.world), `restored ${how}`);
      await go(session, after, `after restore ${how}:`);
      checkSame(wanted, stateOf(session.world), `gone on after being restored ${how}`);
      counts.restored++;
    };
    await repeat(a, kept, 'as it was');
    await repeat(a, copy(kept), 'from a copy');
    await go(b, before, 'alike:');
    await repeat(b, copy(kept), 'in a world built alike');
    return counts;
  } catch (error) {
    if (error instanceof Finding) throw error;
    throw thrown(error, 'snapshot');
  } finally {
    beat();
    a.close();
    b.close();
  }
}

function tryDamaged(world, kept, copy, restore, isBytes, damages, { at, beat, counts }) {
  const before = stateOf(world);
  let damaged = copy(kept);
  for (const damage of damages) {
    if (isBytes) damaged = damageBytes(damaged, damage);
    else damageTree(damaged, damage);
  }
  at(0, 'restore damaged');
  try {
    restore(world, damaged);
  } catch (error) {
    if (!(error instanceof PliantError)) throw thrown(error, 'restore damaged');
    checkSame(before, stateOf(world), 'that refused a damaged snapshot');
    counts.refused++;
    return;
  }
  if (isBytes && damaged.some((byte, k) => byte !== kept[k]))
    throw new Finding('accepted', 'damaged bytes were restored');
  // It was taken for a snapshot: then the world has to be one.
  at(0, 'go on from damaged');
  const faults = world.validate();
  if (faults.length > 0)
    throw new Finding('accepted', `a damaged snapshot was restored, and validate says: ${faults[0]}`);
  for (let k = 0; k < 10; k++, beat()) world.step();
  for (const body of world.bodies) body.getSkin().update();
  for (const view of [world.positions, world.velocities])
    if (!view.every(Number.isFinite))
      throw new Finding('accepted', 'a damaged snapshot was restored, and particles are not finite');
}

/** All that has to be the same bits; not handles and versions, which are never given out twice. */
function stateOf(world) {
  const lines = [`time ${world.time} frame ${world.frame} gravity ${world.gravity}`];
  for (const body of world.bodies) {
    lines.push(
      `body ${JSON.stringify(body.name)} particles ${body.particleCount} clusters ${body.clusterCount} asleep ${body.asleep} enabled ${body.enabled} pinned ${body.pinnedCount}` +
        ` positions ${hashOf(body.positions)} velocities ${hashOf(body.velocities)} previous ${hashOf(body.previousPositions)} rest ${hashOf(body.restPositions)} flow ${hashOf(body.plasticStrain)} material ${JSON.stringify(body.material)}`,
    );
  }
  lines.push(
    `colliders ${world.colliders.map((c) => `${c.type} ${c.position} ${c.rotation} ${c.enabled}`)} clamps ${world.clamps.map((c) => c.particleCount)} picks ${world.picks.map((p) => [p.target, p.particleCount])}`,
  );
  return lines.join('\n');
}

function checkSame(wanted, found, what) {
  if (wanted !== found) throw new Finding('differs', `a world ${what} is another: ${differenceOf(wanted, found)}`);
}
