import type { Body, Vec3, World } from 'pliant';

/** Result of a stroke. */
export interface StrokeResult {
  /** Number of bodies that it met. */
  readonly met: number;
  /** The bodies that these have become: themselves and the parts that came off. */
  readonly bodies: readonly Body[];
}

/** Length by which a blade extends beyond a body on either side (shares of its size). */
const MARGIN = 0.2;

/**
 * Cuts bodies by a stroke on the screen, given as the rays from the eye through its ends. A body that contains neither end of the stroke is cut through. If an end lies on it, the blade
 * is the fan between the rays as deep as the body, and leaves a flap. Without `bodies` all bodies of the world are cut that the stroke meets. A stroke without length cuts nothing.
 */
export function cutStroke(
  world: World,
  origin: Vec3,
  from: Vec3,
  to: Vec3,
  bodies: readonly Body[] = world.bodies,
): StrokeResult {
  const normal = unit(cross(from, to));
  const parts: Body[] = [];
  let met = 0;
  for (const body of normal ? [...bodies] : []) {
    const reach = reachOf(body, origin, normal!, from, to);
    if (!reach) continue;
    const isThrough = !reach.holdsFrom && !reach.holdsTo;
    const done = world.cut(
      body,
      isThrough ? { point: origin, normal: normal! } : { blade: fan(origin, from, to, reach.near, reach.far) },
    );
    if (!done.met) continue;
    met++;
    parts.push(...done.bodies);
  }
  return { met, bodies: parts };
}

/**
 * Nearest and farthest distance of a body along the rays of a stroke, and whether the ends of the stroke lie on it;
 * undefined if it is missed.
 */
function reachOf(body: Body, origin: Vec3, normal: Vec3, from: Vec3, to: Vec3) {
  const x = body.positions;
  const [a, b] = [unit(from)!, unit(to)!];
  // Position across the fan, from the one ray to the other: 0 at the first, 1 at the second.
  const across = unit(cross(normal, a))!;
  const angle = Math.acos(Math.max(-1, Math.min(1, dot(a, b))));
  const pad = (body.spacing ?? 0.05 * body.size) * 0.75;
  let [near, far, low, high, above, below] = [Infinity, 0, Infinity, -Infinity, false, false];
  for (let o = 0; o < x.length; o += 4) {
    const d: Vec3 = [x[o] - origin[0], x[o + 1] - origin[1], x[o + 2] - origin[2]];
    const side = dot(d, normal);
    if (side > 0) above = true;
    else below = true;
    if (Math.abs(side) > 2 * pad) continue;
    const depth = Math.hypot(...d);
    const turn = Math.atan2(dot(d, across), dot(d, a));
    low = Math.min(low, turn - pad / depth);
    high = Math.max(high, turn + pad / depth);
    if (turn < -pad / depth || turn > angle + pad / depth) continue;
    near = Math.min(near, depth);
    far = Math.max(far, depth);
  }
  if (!above || !below || far === 0 || high < 0 || low > angle) return undefined;
  return {
    near: Math.max(0, near - MARGIN * body.size),
    far: far + MARGIN * body.size,
    holdsFrom: low < 0,
    holdsTo: high > angle,
  };
}

/** The part of the plane between two rays, and between two distances from their origin. */
function fan(origin: Vec3, from: Vec3, to: Vec3, near: number, far: number): Vec3[] {
  const at = (direction: Vec3, distance: number): Vec3 => {
    const [x, y, z] = unit(direction)!;
    return [origin[0] + distance * x, origin[1] + distance * y, origin[2] + distance * z];
  };
  // A chord of the far arc is nearer than the arc: it is lengthened so that its middle is at the wanted distance.
  const stretch = 1 / Math.max(0.2, Math.cos(0.5 * Math.acos(Math.min(1, dot(unit(from)!, unit(to)!)))));
  return [at(from, near), at(from, far * stretch), at(to, far * stretch), at(to, near)];
}

const dot = (a: Vec3, b: Vec3) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
function unit(v: Vec3): Vec3 | undefined {
  const length = Math.hypot(...v);
  return length > 1e-9 ? [v[0] / length, v[1] / length, v[2] / length] : undefined;
}
