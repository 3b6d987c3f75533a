import earcut from 'earcut';
import { squared } from '../math/elementary.js';

/** A flat face: triangles of nodes, counter-clockwise, and whether they are known to cover it without folds. */
export interface Face {
  triangles: number[];
  isSound: boolean;
}

/**
 * Fills loops of nodes, with the face to the left of each, by triangles: outlines with the holes that lie in them. For
 * any loops, every step from a node to the next is an edge of one triangle, and all other edges are shared by two. So
 * the mesh that the loops bound becomes closed.
 *
 * A mesh that passes through itself has loops that cross; these have no right filling, but always one without holes.
 * Earcut's triangles are taken if their edges pass that test. Otherwise each loop is filled by itself.
 */
export function triangulate(at: readonly number[], loops: readonly number[][]): Face[] {
  const polygons = loops.filter((loop) => loop.length > 2).map((nodes) => new Polygon(at, nodes));
  const outlines = polygons.filter((p) => p.area > 0).sort((a, b) => a.area - b.area);
  const groups = new Map<Polygon, Polygon[]>(outlines.map((p) => [p, [p]]));
  for (const hole of polygons) {
    if (hole.area > 0) continue;
    const around = outlines.find((p) => p.area > -hole.area && p.holds(hole));
    if (around) groups.get(around)!.push(hole);
    else groups.set(hole, [hole]);
  }
  return Array.from(groups.values()).flatMap((group): Face[] => {
    const whole = group[0].area > 0 ? clipEars(at, group) : undefined;
    if (whole) return [{ triangles: whole, isSound: true }];
    return group.map((p) => ({ triangles: clipEars(at, [p]) || clipAnyEars(at, p.nodes), isSound: false }));
  });
}

class Polygon {
  readonly area: number;

  constructor(
    readonly at: readonly number[],
    readonly nodes: number[],
  ) {
    let area = 0;
    const [ox, oy] = [at[2 * nodes[0]], at[2 * nodes[0] + 1]];
    for (let k = 0; k < nodes.length; k++) {
      const [a, b] = [nodes[k], nodes[(k + 1) % nodes.length]];
      area += (at[2 * a] - ox) * (at[2 * b + 1] - oy) - (at[2 * b] - ox) * (at[2 * a + 1] - oy);
    }
    this.area = area / 2;
  }

  /** Whether most of another polygon's nodes are inside: a few may not be where loops cross. */
  holds(other: Polygon): boolean {
    const step = Math.max(1, Math.floor(other.nodes.length / 5));
    let votes = 0;
    for (let k = 0; k < other.nodes.length; k += step)
      votes += this.isAround(this.at[2 * other.nodes[k]], this.at[2 * other.nodes[k] + 1]) ? 1 : -1;
    return votes > 0;
  }

  private isAround(x: number, y: number): boolean {
    const { at, nodes } = this;
    let inside = false;
    for (let k = 0; k < nodes.length; k++) {
      const [a, b] = [2 * nodes[k], 2 * nodes[(k + 1) % nodes.length]];
      if (at[a + 1] > y === at[b + 1] > y) continue;
      if (x < at[a] + ((y - at[a + 1]) / (at[b + 1] - at[a + 1])) * (at[b] - at[a])) inside = !inside;
    }
    return inside;
  }
}

/**
 * Earcut leaves out nodes that are collinear with their neighbours, or coincide; a cut through a box has many. So each
 * node is moved by a few millionths of the outline's size, by a hash of its number and not at random. No three nodes
 * are collinear then.
 */
const NUDGE = 1e-6;
const nudge = (node: number) => ((Math.imul(node + 1, 0x9e3779b1) >>> 8) / 8388608 - 1) * NUDGE;

/** Earcut's triangles of an outline and its holes; undefined if their border is not that of the loops. */
function clipEars(at: readonly number[], [outline, ...holes]: Polygon[]): number[] | undefined {
  const nodes = [outline.nodes, ...holes.map((hole) => hole.nodes)].flat();
  const size = Math.sqrt(Math.abs(outline.area));
  const points = nodes.flatMap((n) => [at[2 * n] + size * nudge(2 * n), at[2 * n + 1] + size * nudge(2 * n + 1)]);
  const starts: number[] = [];
  let start = outline.nodes.length;
  for (const hole of holes) {
    starts.push(start);
    start += hole.nodes.length;
  }
  const triangles = earcut(points, starts).map((k) => nodes[k]);
  // Earcut gives all triangles one orientation, whatever that of the outline; here it is that of the outline.
  let sign = 0;
  for (let t = 0; t < triangles.length; t += 3) sign += turn(at, triangles[t], triangles[t + 1], triangles[t + 2]);
  if (sign > 0 !== outline.area > 0)
    for (let t = 0; t < triangles.length; t += 3) [triangles[t], triangles[t + 1]] = [triangles[t + 1], triangles[t]];
  return fits(triangles, [outline, ...holes]) ? triangles : undefined;
}

/**
 * Whether each step of the loops is an edge of one triangle, and every other edge is shared by two triangles in
 * opposite directions.
 */
export function fits(triangles: readonly number[], loops: readonly { nodes: readonly number[] }[]): boolean {
  let most = 1 + largest(triangles);
  for (const { nodes } of loops) most = Math.max(most, 1 + largest(nodes));
  // Directed edges that still lack their opposite; the edge from a to b is a · most + b.
  const open = new Set<number>();
  for (const { nodes } of loops)
    for (let k = 0; k < nodes.length; k++) if (!pass(open, most, nodes[(k + 1) % nodes.length], nodes[k])) return false;
  // The steps of the loops come first, reversed, as edges of the outside. Otherwise an edge could occur twice in one
  // direction before its opposite does.
  const seen = new Set<number>();
  for (let t = 0; t < triangles.length; t++) {
    const [a, b] = [triangles[t], triangles[t % 3 === 2 ? t - 2 : t + 1]];
    if (a === b || seen.has(a * most + b)) return false;
    seen.add(a * most + b);
    if (!pass(open, most, a, b)) return false;
  }
  return open.size === 0;
}

/** Adds a directed edge: removes its opposite if that is open, else opens it; false if it is open already. */
function pass(open: Set<number>, most: number, a: number, b: number): boolean {
  if (open.delete(b * most + a)) return true;
  if (open.has(a * most + b)) return false;
  open.add(a * most + b);
  return true;
}

/** Largest of some numbers, at least 0. */
export function largest(numbers: readonly number[]): number {
  let most = 0;
  for (let k = 0; k < numbers.length; k++) if (numbers[k] > most) most = numbers[k];
  return most;
}

/**
 * Cuts the best-shaped ear of a loop, which may cross itself, until none is left: always a triangulation of its steps.
 */
function clipAnyEars(at: readonly number[], loop: readonly number[]): number[] {
  const nodes = loop.slice();
  const triangles: number[] = [];
  const shape = (k: number) => {
    const n = nodes.length;
    return shapeOf(at, nodes[(k + n - 1) % n], nodes[k], nodes[(k + 1) % n]);
  };
  const shapes = nodes.map((_, k) => shape(k));
  while (nodes.length > 3) {
    let best = 0;
    for (let k = 1; k < nodes.length; k++) if (shapes[k] > shapes[best]) best = k;
    const n = nodes.length;
    triangles.push(nodes[(best + n - 1) % n], nodes[best], nodes[(best + 1) % n]);
    nodes.splice(best, 1);
    shapes.splice(best, 1);
    for (const k of [best - 1, best]) {
      const at = (k + nodes.length) % nodes.length;
      shapes[at] = shape(at);
    }
  }
  triangles.push(nodes[0], nodes[1], nodes[2]);
  return triangles;
}

/**
 * Area of a triangle over the sum of its squared sides: 0.14 for an equilateral one, negative for one of the wrong
 * orientation.
 */
function shapeOf(at: readonly number[], a: number, b: number, c: number): number {
  const square = (p: number, q: number) => squared(at[2 * p] - at[2 * q]) + squared(at[2 * p + 1] - at[2 * q + 1]);
  const sum = square(a, b) + square(b, c) + square(c, a);
  return sum > 0 ? turn(at, a, b, c) / (2 * sum) : 0;
}

/** Twice the signed area of a triangle of nodes. */
export function turn(at: readonly number[], a: number, b: number, c: number): number {
  return (
    (at[2 * b] - at[2 * a]) * (at[2 * c + 1] - at[2 * a + 1]) -
    (at[2 * b + 1] - at[2 * a + 1]) * (at[2 * c] - at[2 * a])
  );
}
