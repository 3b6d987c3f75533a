import type { Groups } from '../groups.js';
import { interpolate } from '../mesh/interpolate.js';
import { buildContactShape } from '../proxy/contactShape.js';
import { spacingOfPoints } from '../spatial/spacing.js';
import type { Rows } from '../state/rows.js';
import type { State } from '../state/state.js';
import { restOf } from '../topology/keepParticles.js';
import { Body } from './body.js';
import type { BuiltBody } from './build.js';
import type { PosedParts } from './posed.js';
import { ruffle } from './ruffle.js';
import { type Start, startMotion } from './start.js';
import { bindSurface } from './surface.js';

/** The name and groups of one body of those that are made from the same build, and its first motion. */
export interface BodyStart extends Start {
  name: string;
  groups: Groups;
}

/** Makes a body from its build and where that was put, with its rows already in the state. */
export function createBody(
  handle: number,
  state: State,
  rows: Rows,
  built: BuiltBody,
  parts: PosedParts,
  start: BodyStart,
): Body {
  const { positions } = parts.data;
  const spacing = built.spacing ?? built.data.apart ?? spacingOfPoints(built.data.positions);
  const { radius } = built.clustering;
  const contact = buildContactShape(state.views, rows, positions, radius, built.contact, spacing);
  const body = new Body(handle, state, rows, {
    ...built,
    ...parts,
    ...{ name: start.name, groups: start.groups },
    contact,
    restPositions: positions,
    builtPositions: positions,
    surfaceMesh: parts.surface,
    fromVertices: built.painting && ((values, name) => interpolate(built.painting!(), values, name)),
  });
  bindSurface(body);
  body.core.surface = body.core.builtSurface;
  if (built.thin === 'sheet') ruffle(state.views, rows, spacing);
  startMotion(state.views, rows, start);
  return body;
}

/**
 * For topology changes: makes a body of one piece of another, from the rows and the numbers of the piece's particles.
 */
export function createPiece(whole: Body, handle: number, name: string, rows: Rows, particles: Uint32Array): Body {
  const { clustering, spacing, builtPositions, fracture, reclustering, core } = whole;
  const { state, levelStrengths, ownLevels, contact } = core;
  const piece = new Body(handle, state, rows, {
    ...{
      name,
      clustering,
      levelStrengths: levelStrengths,
      ownLevels,
      spacing,
      builtPositions,
      contact,
      fracture,
      reclustering,
    },
    warnings: [],
    material: core.current,
    restPositions: restOf(whole, particles),
    fromVertices: core.fromVertices,
    ...(core.thin && { thin: core.thin }),
    ...(core.turn && { turn: core.turn }),
    makeSkin: core.makeSkin,
    isPart: true,
    groups: core.meets,
  });
  piece.core.history.inherit(core.history);
  piece.enabled = whole.enabled;
  if (core.pinned.size > 0) for (let k = 0; k < particles.length; k++) if (core.pinned.has(particles[k])) piece.pin(k);
  return piece;
}
