import type { Body } from '../body/body.js';
import { buildBody } from '../body/build.js';
import { createBody } from '../body/create.js';
import type { BodyOptions } from '../body/options.js';
import { setSkinMesh } from '../body/skin.js';
import { refuse } from '../check.js';
import { type CutResult, cutBody } from '../cut/cut.js';
import type { CutOptions } from '../cut/knife.js';
import { checkParticleCount, MAX_PARTICLES } from '../limits.js';
import { COUNT_TOLERANCE } from '../sample/searchSpacing.js';
import { shiftBodies } from '../topology/bodyRows.js';
import { appendBody, removeBody as removeRows } from '../topology/editRows.js';
import { NO_PIECE } from '../topology/pieces.js';
import { separateBody } from '../topology/separateBody.js';
import { unchangedDraft } from '../topology/writePieces.js';
import { type BuildWatch, Work } from '../work.js';
import type { World } from '../world.js';

export function addBody(world: World, options: BodyOptions, watch?: BuildWatch): Body {
  world.core.checkIdle('addBody');
  const work = new Work(watch);
  checkRoom(world, options);
  const built = buildBody(options, 'body', work);
  checkParticleCount('world', (world.particleCount + built.data.masses.length) / (1 + COUNT_TOLERANCE));
  work.begin('append');
  const rows = appendBody(world.state, built.data);
  let body: Body;
  try {
    body = createBody(world.core.table.newHandle(), world.state, rows, built);
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
function checkRoom(world: World, options: BodyOptions): void {
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
