import type { Body } from '../../body/body.js';
import { signedVolume } from '../../mesh/volume.js';
import type { Knots } from '../knots.js';
import type { SkinMesh } from '../skinMesh.js';
import { edgeFaults } from './closed.js';

/** Figures of the cracks of a body's skin at rest. */
export interface CrackFigures {
  pieces: number;
  /** Pieces that no triangle shows. */
  unseen: number;
  /** Triangles whose corners follow several pieces. */
  spanning: number;
  /** Edges with more triangles one way than the other. */
  open: number;
  /** Sum of the volumes of all pieces, over that of the whole. */
  filled: number;
  /** Points on lines of cracks, and the share of those at which the line turns by less than 35°, within the surface. */
  points: number;
  smooth: number;
}

/**
 * Measures the skin, which must be up to date. A line of a crack is the border of outer and inner faces. Its turning
 * angle at a point is that within the surface: 180° less the angles of the outer triangles there, so that the edge of a
 * box does not count. Where three lines meet, and where a slit ends, there is no turning angle.
 */
export function crackFigures(body: Body): CrackFigures {
  const { pieces } = body;
  const skin = body.getSkin();
  const { knots, shown } = skin as unknown as { knots: Knots; shown: SkinMesh };
  const { corner, vertex } = knots;
  const positions = new Float64Array(3 * vertex.length);
  vertex.forEach((v, n) => {
    positions.set(shown.positions.subarray(3 * v, 3 * v + 3), 3 * n);
  });
  const pieceOf = (knot: number) => pieces.ofParticle[knots.own[knots.particle[knots.start[knot]]]];
  const seen = new Set<number>();
  let spanning = 0;
  for (let k = 0; k < corner.length; k += 3) {
    const of = new Set([0, 1, 2].map((n) => pieceOf(corner[k + n])));
    if (of.size > 1) spanning++;
    for (const piece of of) seen.add(piece);
  }
  const turns = turningAngles(positions, knots, shown);
  const { restMesh } = skin;
  return {
    pieces: pieces.count,
    unseen: pieces.count - seen.size,
    spanning,
    open: edgeFaults(corner).open,
    filled: signedVolume(positions, corner) / signedVolume(restMesh.positions, restMesh.indices),
    points: turns.length,
    smooth: turns.filter((angle) => angle < 35).length / Math.max(1, turns.length),
  };
}

/** Turning angles of the lines of cracks (degrees). */
function turningAngles(p: Float64Array, { corner, vertex }: Knots, { inner }: SkinMesh): number[] {
  const next = (h: number) => (h % 3 === 2 ? h - 2 : h + 1);
  const kinds = new Map<number, number>();
  const angles = new Float64Array(vertex.length);
  for (let h = 0; h < corner.length; h++) {
    const isInner = inner?.[Math.floor(h / 3)] === 1;
    const [a, b, c] = [corner[h], corner[next(h)], corner[next(next(h))]];
    const key = Math.min(a, b) * 2 ** 26 + Math.max(a, b);
    kinds.set(key, (kinds.get(key) ?? 0) | (isInner ? 2 : 1));
    if (!isInner) angles[a] += angleAt(p, a, b, c);
  }
  const lines = new Uint8Array(vertex.length);
  for (const [key, kind] of kinds)
    if (kind === 3) for (const knot of [Math.floor(key / 2 ** 26), key % 2 ** 26]) lines[knot]++;
  // A point between two regions has two knots; where lines meet it has three, and where a slit ends one.
  const knotsOf = new Map<number, number>();
  for (const v of vertex) knotsOf.set(v, (knotsOf.get(v) ?? 0) + 1);
  const turns: number[] = [];
  for (let n = 0; n < vertex.length; n++)
    if (lines[n] === 2 && knotsOf.get(vertex[n]) === 2) turns.push(Math.abs(180 - angles[n]));
  return turns;
}

function angleAt(p: Float64Array, a: number, b: number, c: number): number {
  const u = [0, 1, 2].map((k) => p[3 * b + k] - p[3 * a + k]);
  const v = [0, 1, 2].map((k) => p[3 * c + k] - p[3 * a + k]);
  const dot = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  return (Math.acos(Math.max(-1, Math.min(1, dot / Math.hypot(...u) / Math.hypot(...v)))) * 180) / Math.PI;
}
