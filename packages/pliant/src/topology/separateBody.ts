import type { Body } from '../body/body.js';
import type { World } from '../world.js';
import { reduceTo } from './keepParticles.js';
import type { Pieces } from './pieces.js';
import type { TopologyDraft } from './topologyDraft.js';
import { type Part, writePieces } from './writePieces.js';

/**
 * Makes one body of each piece of a draft, without skins. The largest piece stays the body `whole`, the others are new.
 * `each` is called with the particles and clusters of the draft that each body has, the largest piece first.
 */
export function separateBody(
  world: World,
  whole: Body,
  draft: TopologyDraft,
  pieces: Pieces,
  each: (part: Part) => void,
): Body[] {
  // The pieces take over the rows of the body, whose flags must not say asleep while the bodies are awake.
  whole.wake();
  const parts = writePieces(world, whole, draft, pieces);
  for (const part of parts) each(part);
  const names = new Set(world.bodies.map((body) => body.name));
  const bodies = parts.map(({ rows, particles }, n) =>
    n === 0 ? whole : world.core.addPiece(whole, freeName(whole.name, names), rows, particles),
  );
  const particles = parts.map((part) => part.particles);
  for (const holder of [...world.core.allClamps, ...world.picks]) holder.divide(whole, bodies, particles);
  for (const field of world.forceFields) field.divide(whole, bodies);
  Object.assign(whole.rows, parts[0].rows);
  reduceTo(whole, parts[0].particles);
  world.core.replaceBody(whole, bodies);
  return bodies;
}

/** First free name of the form "bar 2"; marks it as taken. */
function freeName(name: string, taken: Set<string>): string {
  let n = 2;
  while (taken.has(`${name} ${n}`)) n++;
  taken.add(`${name} ${n}`);
  return `${name} ${n}`;
}
