import type { Body } from '../body/body.js';
import { counting } from '../scratch.js';
import type { BodySkin } from '../skin/renderSkin.js';
import type { Views } from '../state/layout.js';
import type { Pieces } from '../topology/pieces.js';
import { separateBody } from '../topology/separateBody.js';
import { TopologyDraft } from '../topology/topologyDraft.js';
import { nonEmptyClusters, writeDraft } from '../topology/writeDraft.js';
import type { Part } from '../topology/writePieces.js';
import type { World } from '../world.js';
import { assignMeshes } from './assignMeshes.js';
import { cutMesh } from './cutMesh.js';
import { divideByBlade, divideByParts, mergeSmall, reconnect, type Sides, sidesOf } from './divide.js';
import { type Divided, endAtFaces, forgetFlat, showFaces } from './faces.js';
import { type CutOptions, type Knife, resolveKnife } from './knife.js';
import { type Parts, partsOf } from './parts.js';
import type { Piece } from './rebindVertices.js';
import { BodyRestMap } from './restMap.js';
import { cutMeshOf, skinMeshOf } from './skinMesh.js';

/** Result of `world.cut`. */
export interface CutResult {
  /** Whether the cut met the body. If false, nothing has changed. */
  readonly met: boolean;
  /** The bodies that there are now in place of the body, the largest first. */
  readonly bodies: readonly Body[];
}

const draft = new TopologyDraft();

/** Edges within a new face, in spacings of the particles. */
const EDGE = 1.25;

/**
 * Cuts a body at its present positions (SPEC I3). Its render mesh is divided and closed by faces of the cut. The
 * components of the mesh tell which particles belong together, and clusters are divided so that none reaches across the
 * cut. Mass, positions and velocities of the particles do not change by a bit. A body that has broken is cut piece by
 * piece.
 */
export function cutBody(world: World, body: Body, options: CutOptions): CutResult {
  const knife = resolveKnife('cut', options);
  if (body.pieces.count > 1 && !isMet(world, body, knife)) return { met: false, bodies: [body] };
  const pieces = world.separate(body);
  const cuts = pieces.map((piece) => cutPiece(world, piece, knife));
  if (pieces.length === 1 && !cuts[0]) return { met: false, bodies: [body] };
  const bodies = cuts.flatMap((parts, n) => parts ?? [pieces[n]]).sort((a, b) => b.particleCount - a.particleCount);
  world.core.emit({ type: 'cut', body, bodies, time: world.time });
  return { met: true, bodies };
}

/**
 * Whether a knife meets a body of several pieces. It is tested first because cutting begins with separating the pieces,
 * and a cut that meets nothing must change nothing.
 */
function isMet(world: World, body: Body, knife: Knife): boolean {
  if (!isBetween(sidesOf(world.state.views, body, knife))) return false;
  const { mesh, now } = (body.getSkin() as BodySkin).asParted();
  return cutMesh(cutMeshOf(mesh, now), knife) !== undefined;
}

/** Whether there are particles on both sides of the knife. */
function isBetween({ height }: Sides): boolean {
  let above = 0;
  for (let i = 0; i < height.length; i++) if (height[i] >= 0) above++;
  return above > 0 && above < height.length;
}

/** Cuts a body of one piece. Returns undefined, with nothing changed, if the knife does not meet it. */
function cutPiece(world: World, body: Body, knife: Knife): readonly Body[] | undefined {
  const sides = sidesOf(world.state.views, body, knife);
  if (!isBetween(sides)) return undefined;
  const parted = (body.getSkin() as BodySkin).asParted();
  const places = placesOf(body);
  world.state.kernels.sumClusters(body.rows.clusterStart, body.rows.clusterEnd);
  const restMap = new BodyRestMap(world.state.views, body, places, sides.height);
  const length = body.spacing && EDGE * body.spacing;
  const cut = cutMesh(cutMeshOf(parted.mesh, parted.now), knife, { length, restMap });
  if (!cut) return undefined;
  const parts = partsOf(body, places, knife, sides, cut);
  const division = divide(world.state.views, body, knife, sides, parts);
  if (!division) return undefined;
  body.wake();
  const have: Pick<Part, 'particles' | 'clusters'>[] = [];
  const bodies = layOut(world, body, division, (part) => have.push(part));
  bodies.forEach((body, n) => {
    endAtFaces(world.state, body, knife, division, have[n].clusters);
    forgetFlat(world.state.views, body);
  });
  const pieces = bodies.map((body, n) => pieceOf(body, division, have[n]));
  const { near: before, bound } = parted;
  const known = { knife, sides, parts, mesh: cut, before, bound, reweighed: division.reweighed };
  assignMeshes(world.state.views, pieces, skinMeshOf(cut, parted.mesh), known);
  return bodies;
}

/** A draft after a cut. */
interface Division extends Divided {
  /** How many clusters there were. */
  readonly before: number;
  readonly pieces: Pieces;
  /** Per particle: 1 where its memberships changed. */
  readonly reweighed: Uint8Array;
}

/** Writes the draft as bodies; `each` is called with the particles and clusters of the draft that each body has. */
function layOut(
  world: World,
  body: Body,
  { pieces }: Division,
  each: (part: Pick<Part, 'particles' | 'clusters'>) => void,
): Body[] {
  if (pieces.count > 1) return separateBody(world, body, draft, pieces, each);
  writeDraft(world, body, draft);
  each({ particles: counting(draft.particles), clusters: nonEmptyClusters(draft) });
  return [body];
}

/** One of the bodies, and the number in it of each former cluster: −1 if it has none, SEVERAL if more than one. */
function pieceOf(
  body: Body,
  { before }: Division,
  { particles, clusters }: Pick<Part, 'particles' | 'clusters'>,
): Piece {
  const heir = new Int32Array(before).fill(-1);
  for (let c = 0; c < clusters.length; c++) {
    const from = draft.clusterFrom[clusters[c]];
    heir[from] = heir[from] === -1 ? c : SEVERAL;
  }
  return { body, numbers: particles, heir };
}
const SEVERAL = -2;

/** Positions of a body's particles, x y z. */
function placesOf({ positions }: Body): Float64Array {
  const places = new Float64Array((3 * positions.length) / 4);
  for (let i = 0; i < positions.length / 4; i++) for (let a = 0; a < 3; a++) places[3 * i + a] = positions[4 * i + a];
  return places;
}

/** Divides the clusters of a body, in the draft; undefined if none is cut. */
function divide(s: Views, body: Body, knife: Knife, sides: Sides, { label }: Parts): Division | undefined {
  draft.begin(s, body.rows);
  if (divideByParts(draft, label) + divideByBlade(draft, knife, sides) === 0) return undefined;
  const isDivided = new Uint8Array(draft.clusters);
  // The side of a cluster. With a blade, a half may also have members on the other side, beyond the blade's border.
  const isAbove = new Uint8Array(draft.clusters);
  for (let c = 0; c < draft.clusters; c++) {
    isDivided[c] = draft.changed[c] === 2 ? 1 : 0;
    isAbove[c] = standsAbove(c, knife, sides) ? 1 : 0;
  }
  showFaces(s, body, draft, knife, sides);
  mergeSmall(s, body, draft, (c) => isDivided[c] === 1, label);
  const pieces = reconnect(s, body, draft, label);
  const reweighed = new Uint8Array(draft.particles);
  for (const i of draft.touched) reweighed[i] = 1;
  return { before: body.clusterCount, isDivided, isAbove, pieces, reweighed };
}

/** Whether a cluster is above the knife, by a vote of its members. */
function standsAbove(c: number, { border }: Knife, { height, onBlade }: Sides): boolean {
  let votes = 0;
  for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++) {
    const i = draft.particle[draft.members[m]];
    // Members on the blade outvote any number of others.
    votes += (height[i] >= 0 ? 1 : -1) * (border && onBlade[i] ? 1e6 : 1);
  }
  return votes >= 0;
}
