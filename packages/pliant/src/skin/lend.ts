import { Scratch } from '../scratch.js';
import { NO_PIECE } from '../topology/pieces.js';
import { NO_ANCHOR, type Sides, type Torn } from './sides.js';
import { ROUNDS } from './sideTable.js';

/** Least number of neighbours of a node that is lent to a splinter. */
const FEWEST = 8;

/**
 * Gives a vertex to each piece that has none, so that every piece has a surface: splinters of a few particles, which
 * larger pieces outvote everywhere. A node is preferred, since it marks no line on the surface. Returns the vertices
 * that were lent.
 */
export function lendVertices({ s, rows, pieceOf, pieces, surroundings }: Torn, sides: Sides): number[] {
  const { anchor } = sides;
  const held = new Uint32Array(pieces);
  for (let v = 0; v < anchor.length; v++) if (anchor[v] !== NO_ANCHOR) held[pieceOf[anchor[v]]]++;
  if (!held.includes(0)) return [];
  const { isActive, firstShare, sideCount, hasGone, anchor: nearest, share } = sides.table;
  const outer = surroundings.positions.length / 3 - surroundings.cells.nodes.length / 3;
  const candidates = Array.from(held, (count): [number, number, number][] | undefined => (count ? undefined : []));
  const { neighbourStart } = surroundings.complex;
  const { start, vertex } = surroundings.around;
  const isNear = nearRoom.takeZeros(anchor.length);
  for (let i = 0; i < pieceOf.length; i++) {
    if (pieceOf[i] === NO_PIECE || held[pieceOf[i]]) continue;
    const a = s.ancestor[rows.particleStart + i];
    for (let n = start[a]; n < start[a + 1]; n++) isNear[vertex[n]] = 1;
  }
  for (let v = 0; v < anchor.length; v++) {
    if (!isNear[v]) continue;
    // A node with few neighbours lies on a fold of the cells, and its region may be empty.
    if (!isActive[v] || (v >= outer && neighbourStart[v + 1] - neighbourStart[v] < FEWEST)) continue;
    for (let side = 0; side < sideCount[v] - hasGone[v]; side++) {
      const at = firstShare[v] + side;
      // All particles of a side are of one piece.
      const piece = pieceOf[nearest[at]];
      if (!held[piece]) candidates[piece]!.push([(v < outer ? 0.3 : 1) * share[ROUNDS][at], v, side]);
    }
  }
  // Those with the fewest candidates choose first; a vertex that is all its piece has stays.
  const waiting = [...candidates.keys()].filter((piece) => candidates[piece]);
  waiting.sort((a, b) => candidates[a]!.length - candidates[b]!.length || a - b);
  for (const piece of waiting) candidates[piece]!.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
  const borrower = new Map<number, number>();
  // A piece whose candidates are all lent asks their borrowers to take others (augmenting paths).
  const lend = (piece: number, asked: Set<number>): boolean => {
    for (const [, v, side] of candidates[piece]!) {
      const other = borrower.get(v);
      if (asked.has(v)) continue;
      asked.add(v);
      if (other === undefined) {
        if (anchor[v] !== NO_ANCHOR && held[pieceOf[anchor[v]]] < 2) continue;
        if (anchor[v] !== NO_ANCHOR) held[pieceOf[anchor[v]]]--;
      } else if (!lend(other, asked)) continue;
      sides.lend(v, side);
      borrower.set(v, piece);
      return true;
    }
    return false;
  };
  for (const piece of waiting) lend(piece, new Set());
  return [...borrower.keys()];
}
const nearRoom = new Scratch(Uint8Array);
