import type { BoxShape, Collider, MeshShape, RoundShape, World } from 'pliant';
import { pack } from './pack.js';

/** A collider as the page draws it. */
export interface Obstacle {
  type: Collider['type'];
  /** Normal or axis, of length 1, before any rotation. */
  direction: readonly number[];
  radius: number;
  /** Half the length of a capsule's line (m). */
  half?: number;
  /** Size of a box (m). */
  size?: readonly number[];
  /** Triangles of a mesh in its own space: nine f32 each, packed. */
  triangles?: string;
  /** World time at which it is removed (s); null for never. */
  until: number | null;
  /**
   * Position and rotation (x, y, z, w), seven numbers: once for a static obstacle, otherwise for every recorded frame.
   */
  poses: number[];
}

/** Records the poses of the world's obstacles. The planes of moving clamps are left out: they would hide the body. */
export class ObstacleRecord {
  private readonly drawn: { collider: Collider; obstacle: Obstacle }[];

  constructor(world: World) {
    this.drawn = world.colliders
      .filter((collider) => collider.except === undefined)
      .map((collider) => ({ collider, obstacle: describe(collider) }));
  }

  /** Records the poses at a recorded frame. */
  frame(): void {
    for (const { collider, obstacle } of this.drawn) obstacle.poses.push(...poseOf(collider));
  }

  get obstacles(): Obstacle[] {
    return this.drawn.map(({ obstacle }) => {
      const moves = obstacle.poses.some((value, k) => value !== obstacle.poses[k % 7]);
      return moves ? obstacle : { ...obstacle, poses: obstacle.poses.slice(0, 7) };
    });
  }
}

/** Six digits: a fortieth of a pixel on a large screen. */
const poseOf = ({ position, rotation }: Collider) => [...position, ...rotation].map((v) => Number(v.toPrecision(6)));

function describe({ type, direction, radius, shape, lifetime, since }: Collider): Obstacle {
  const until = Number.isFinite(lifetime) ? since + lifetime : null;
  const obstacle: Obstacle = { type, direction, radius, until, poses: [] };
  if (type === 'capsule') obstacle.half = (shape as RoundShape).half;
  if (type === 'box') obstacle.size = (shape as BoxShape).size;
  if (type === 'mesh') {
    const { positions, indices } = (shape as MeshShape).solid.surface;
    const corners = new Float32Array(3 * indices.length);
    indices.forEach((vertex, k) => {
      corners.set(positions.subarray(3 * vertex, 3 * vertex + 3), 3 * k);
    });
    obstacle.triangles = pack(new Uint8Array(corners.buffer));
  }
  return obstacle;
}
