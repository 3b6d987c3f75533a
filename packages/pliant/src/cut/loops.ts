import type { Knife } from './knife.js';
import type { Section } from './section.js';

/**
 * The loops around the cut's face, each with the face to its left. Loops of a blade are closed along its border, with
 * nodes `length` apart.
 */
export function closeLoops(section: Section, knife: Knife, length: number): number[][] {
  if (knife.border) joinAlongBorder(section, knife.border, length);
  return traceLoops(section);
}

/**
 * Closes the loops of a blade. Where the surface leaves the blade, the face continues along the blade's border,
 * counter-clockwise, to where the surface enters it again. Exits and entries are matched like brackets, so that none is
 * left over even where loops cross.
 */
function joinAlongBorder(section: Section, border: Float64Array, length: number): void {
  const along = ({ node, edge }: { node: number; edge: number }, isExit: boolean) => ({
    node,
    isExit,
    s: edge + fractionAlong(border, edge, section.at[2 * node], section.at[2 * node + 1]),
  });
  const stops = [
    ...section.exits.map((stop) => along(stop, true)),
    ...section.entries.map((stop) => along(stop, false)),
  ].sort((a, b) => a.s - b.s);
  if (stops.length === 0) {
    if (windingOf(section, border[0], border[1]) !== 0) addWholeBorder(section, border, length);
    return;
  }
  const open: { node: number; s: number }[] = [];
  const closed = new Set<number>();
  for (let round = 0; round < 2; round++)
    for (const { node, isExit, s } of stops) {
      if (isExit) {
        if (round === 0) open.push({ node, s });
      } else if (!closed.has(node)) {
        const from = open.pop();
        if (!from) continue;
        closed.add(node);
        addPath(section, from.node, node, cornersBetween(border, from.s, s), length);
      }
    }
}

/** Fraction along an edge of the border, from 0 to 1, of the foot of a point. */
function fractionAlong(border: Float64Array, k: number, x: number, y: number): number {
  const [o, e] = [2 * k, (2 * k + 2) % border.length];
  const [dx, dy] = [border[e] - border[o], border[e + 1] - border[o + 1]];
  const square = dx * dx + dy * dy;
  return square > 0 ? Math.min(1, Math.max(0, ((x - border[o]) * dx + (y - border[o + 1]) * dy) / square)) : 0;
}

/** Corners of the border from one position along it to another, counter-clockwise, x y each. */
function cornersBetween(border: Float64Array, from: number, to: number): number[] {
  const count = border.length / 2;
  const corners: number[] = [];
  const last = to < from ? to + count : to;
  for (let k = Math.floor(from) + 1; k <= last; k++) corners.push(border[2 * (k % count)], border[2 * (k % count) + 1]);
  return corners;
}

/** Adds nodes of one vertex each from one node to another by way of corners, at most `length` apart. */
function addPath(section: Section, first: number, last: number, corners: readonly number[], length: number): void {
  const way = [...section.at.slice(2 * first, 2 * first + 2), ...corners, ...section.at.slice(2 * last, 2 * last + 2)];
  let node = first;
  const step = (to: number) => {
    section.next[node] = to;
    node = to;
  };
  for (let k = 0; k + 3 < way.length; k += 2) {
    const [x, y, dx, dy] = [way[k], way[k + 1], way[k + 2] - way[k], way[k + 3] - way[k + 1]];
    const parts = length > 0 ? Math.min(MOST_PARTS, Math.max(1, Math.round(Math.sqrt(dx * dx + dy * dy) / length))) : 1;
    const isLast = k + 5 >= way.length;
    for (let n = 1; n <= parts; n++) {
      if (isLast && n === parts) step(last);
      else step(section.addNode(x + (n / parts) * dx, y + (n / parts) * dy));
    }
  }
}

/** Adds the border of a blade that lies wholly inside the body. */
function addWholeBorder(section: Section, border: Float64Array, length: number): void {
  const first = section.addNode(border[0], border[1]);
  addPath(section, first, first, Array.from(border.subarray(2)), length);
}

/** Greatest number of nodes on one edge of a blade. */
const MOST_PARTS = 256;

/** Winding number of the surface's section about a point of the plane that is not on it. */
function windingOf({ at, segments }: Section, x: number, y: number): number {
  let winding = 0;
  for (let k = 0; k < segments.length; k += 2) {
    const [a, b] = [2 * segments[k], 2 * segments[k + 1]];
    if (at[a + 1] > y === at[b + 1] > y) continue;
    const crossing = at[a] + ((y - at[a + 1]) / (at[b + 1] - at[a + 1])) * (at[b] - at[a]);
    if (crossing > x) winding += at[b + 1] > at[a + 1] ? 1 : -1;
  }
  return winding;
}

/** Lists the nodes of each loop in order. Open chains, on a surface with holes, come first. */
function traceLoops({ next }: Section): number[][] {
  const hasPrevious = new Uint8Array(next.length);
  for (const n of next) if (n >= 0) hasPrevious[n] = 1;
  const seen = new Uint8Array(next.length);
  const loops: number[][] = [];
  const trace = (first: number) => {
    const loop: number[] = [];
    for (let n = first; n >= 0 && !seen[n]; n = next[n]) {
      seen[n] = 1;
      loop.push(n);
    }
    loops.push(loop);
  };
  for (let n = 0; n < next.length; n++) if (next[n] >= 0 && !hasPrevious[n]) trace(n);
  for (let n = 0; n < next.length; n++) if (next[n] >= 0 && !seen[n]) trace(n);
  return loops;
}
