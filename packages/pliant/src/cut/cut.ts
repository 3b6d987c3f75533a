import type { Body } from '../body/body.js';
import { Draft } from '../topology/draft.js';
import { rearrange } from '../topology/rearrange.js';
import type { World } from '../world.js';
import { divideByBlade, divideByParts, mergeSmall, type Sides, sidesOf } from './divide.js';
import { endAtFaces, forgetFlat, showFaces } from './faces.js';
import { type CutOptions, type Knife, resolveKnife } from './knife.js';

/** What a cut did. */
export interface CutResult {
  /** Whether it met anything: if not, nothing has changed. */
  readonly met: boolean;
  /** The body, or what it was cut into, the largest first. */
  readonly bodies: readonly Body[];
}

const draft = new Draft();

/**
 * Cuts a body where it is now (SPEC I3). Particles stay what they are: clusters are divided, so that what the cut parts is held together by nothing, and
 * mass, positions and velocities do not change by a bit.
 */
export function cutBody(world: World, body: Body, options: CutOptions): CutResult {
  const knife = resolveKnife('cut', options);
  const sides = sidesOf(world.state.views, body, knife);
  const parts = partsBySide(knife, sides);
  if (!divide(world, body, knife, sides, parts)) return { met: false, bodies: [body] };
  body.wake();
  const bodies = world.separate(body);
  world.emit({ type: 'cut', body, bodies, time: world.time });
  return { met: true, bodies };
}

/** A plane parts what is above from what is below. What a blade parts depends on where it ends. */
function partsBySide({ border }: Knife, { height }: Sides): Int32Array {
  return Int32Array.from(height, (h) => (border || h >= 0 ? 1 : 0));
}

/** Divides the clusters of a body; false, and nothing done, if none is cut. */
function divide(world: World, body: Body, knife: Knife, sides: Sides, parts: Int32Array): boolean {
  const { views } = world.state;
  draft.begin(views, body.rows);
  const divided = divideByParts(draft, parts) + divideByBlade(draft, knife, sides);
  if (divided === 0) return false;
  const isChanged = Uint8Array.from({ length: draft.clusters }, (_, c) => (draft.changed[c] === 2 ? 1 : 0));
  showFaces(views, body, draft, knife, sides);
  // Who is above: with a blade, halves have members beyond its border on the other side too.
  const isAbove = Uint8Array.from({ length: draft.clusters }, (_, c) => (standsAbove(c, knife, sides) ? 1 : 0));
  mergeSmall(views, body, draft, (c) => isChanged[c] === 1, parts);
  const names: number[] = [];
  for (let c = 0; c < draft.clusters; c++) if (draft.memberCount(c) > 0) names.push(c);
  rearrange(world, body, draft);
  endAtFaces(
    world.state.views,
    body,
    knife,
    (c) => isChanged[names[c]] === 1,
    (c) => isAbove[names[c]] === 1,
  );
  forgetFlat(world.state.views, body);
  return true;
}

/** Most of a cluster's members that the knife is over or under tell its side. */
function standsAbove(c: number, { border }: Knife, { height, onBlade }: Sides): boolean {
  let votes = 0;
  for (let m = draft.memberFirst[c]; m < draft.memberLast[c]; m++) {
    const i = draft.particle[draft.members[m]];
    // Those on the blade count for more than any number of others.
    votes += (height[i] >= 0 ? 1 : -1) * (border && onBlade[i] ? 1e6 : 1);
  }
  return votes >= 0;
}
