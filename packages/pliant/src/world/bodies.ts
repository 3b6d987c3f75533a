import type { Body } from '../body/body.js';
import { type BuiltBody, buildBody, isBuilt } from '../body/build.js';
import { createBody } from '../body/create.js';
import { checkMagnitudes } from '../body/magnitudes.js';
import { ADD_KEYS, type AddOptions, type BodyOptions } from '../body/options.js';
import { resolvePlace } from '../body/place.js';
import { posed } from '../body/posed.js';
import { setSkinMesh } from '../body/skin.js';
import { resolveStart } from '../body/start.js';
import { checkKeys, checkText, refuse, withDefaults } from '../check.js';
import { type CutResult, cutBody } from '../cut/cut.js';
import type { CutOptions } from '../cut/knife.js';
import { resolveGroups } from '../groups.js';
import { checkParticleCount, MAX_PARTICLES } from '../limits.js';
import { COUNT_TOLERANCE } from '../sample/searchSpacing.js';
import { shiftBodies } from '../topology/bodyRows.js';
import { appendBody, removeBody as removeRows } from '../topology/editRows.js';
import { NO_PIECE } from '../topology/pieces.js';
import { separateBody } from '../topology/separateBody.js';
import { unchangedDraft } from '../topology/writePieces.js';
import { type BuildWatch, Work } from '../work.js';
import type { World } from '../world.js';

export function addBody(world: World, given: BodyOptions | BuiltBody, how?: BuildWatch | AddOptions): Body {
  world.core.checkIdle('addBody');
  if (isBuilt(given)) return addBuilt(world, given, how as AddOptions | undefined);
  const work = new Work(how as BuildWatch | undefined);
  checkRoom(world, given);
  return append(world, buildBody(given, 'body', work), {}, work);
}

export function addBuilt(world: World, built: BuiltBody, options: AddOptions = {}, work = new Work()): Body {
  checkKeys('body', options, ADD_KEYS);
  return append(world, built, options, work);
}

function append(world: World, built: BuiltBody, options: AddOptions, work: Work): Body {
  const { masses } = built.data;
  checkParticleCount('world', (world.particleCount + masses.length) / (1 + COUNT_TOLERANCE));
  work.begin('append');
  const asked = withDefaults(built, options);
  const start = { ...resolveStart('body', asked), name: checkText('body.name', asked.name), groups: built.groups };
  if (options.groups !== undefined) start.groups = resolveGroups('body.groups', options.groups);
  const parts = posed(built, resolvePlace('body', asked));
  checkMagnitudes('body', parts.data.positions, masses, start.stretch, start.stretchCentre);
  const rows = appendBody(world.state, parts.data);
  let body: Body;
  try {
    body = createBody(world.core.table.newHandle(), world.state, rows, built, parts, start);
    work.finish();
  } catch (error) {
    // A surface that cannot be bound is found out last.
    removeRows(world.state, rows);
    throw error;
  }
  world.core.table.seat(body);
  world.core.table.list.push(body);
  world.core.numberOwners();
  world.core.masks.clear();
  return body;
}

/** Refuses what asks for more particles than the world has room for, before it is built. */
export function checkRoom(world: World, options: BodyOptions): void {
  // `buildBody` refuses options that are no object.
  const { sampling, points } = options ?? {};
  const wanted = points?.length ? points.length / 3 : (sampling?.count ?? 0);
  if (typeof wanted !== 'number' || !(wanted > MAX_PARTICLES - world.particleCount)) return;
  const room = world.particleCount > 0 ? `, as there are ${world.particleCount} of at most ${MAX_PARTICLES}` : '';
  const path = points ? 'body.points' : 'body.sampling.count';
  refuse(path, wanted, `at most ${MAX_PARTICLES - world.particleCount} particles${room}`);
}

export function separate(world: World, body: Body): Body[] {
  world.core.checkIdle('separate');
  const whole = world.core.ownBody(body);
  if (whole.pieces.count < 2) return [whole];
  if (whole.core.ownLevels)
    refuse('body', whole.name, "one whose levels have sums: 'nested': lists of particles are not divided");
  const skins = whole.core.shown?.divide();
  const { pieces } = whole;
  const { ofParticle } = pieces;
  const which: number[] = [];
  const bodies = separateBody(world, whole, unchangedDraft(world.state.views, whole), pieces, ({ particles }) => {
    which.push(ofParticle[particles.find((i) => ofParticle[i] !== NO_PIECE)!]);
  });
  if (skins) for (const [n, piece] of bodies.entries()) setSkinMesh(piece, skins[which[n]]);
  return bodies;
}

export function cut(world: World, body: Body, options: CutOptions): CutResult {
  world.core.checkIdle('cut');
  world.core.ownBody(body);
  if (body.core.ownLevels)
    refuse('body', body.name, "a body without levels.sums: 'particles', which keep the clusters they were built with");
  return cutBody(world, body, options);
}

export function removeBody(world: World, body: Body | number): void {
  world.core.checkIdle('removeBody');
  const gone = typeof body === 'number' ? world.getBody(body) : world.core.ownBody(body);
  const gap = removeRows(world.state, gone.rows);
  shiftBodies(world, gap, gone.rows.particleStart);
  world.core.table.remove(gone);
  world.core.numberOwners();
  world.picks = world.picks.filter((pick) => pick.body !== gone);
  // Bodies that leaned on it may fall.
  for (const { a, b } of world.core.pairs.list) if (a === gone || b === gone) (a === gone ? b : a).wake();
  world.core.pairs.forget(gone);
}
