import { hypot } from '../math/elementary.js';
import type { Views } from '../state/layout.js';
import type { Meeting } from './castRay.js';
import type { Span } from './convex.js';
import { heightInto, newHeight } from './height.js';
import { pointOn, type Ray } from './ray.js';
import { directionToRest } from './rest.js';

/** Distance (spacings) between two samples of the height. The thinnest wall with an implicit surface is one spacing thick. */
const STRIDE = 0.5;
/** Bisections of a stride: they find the hit to 1e-6 of a spacing, the resolution of f32 positions. */
const HALVINGS = 20;

const found = newHeight();
const d = new Float64Array(3);

/**
 * Finds where a ray first goes below the implicit surface of a body's clusters, before `limit`. `spans` are the parts of the ray in the
 * clusters' proxies, which extend beyond the implicit surface. The height is sampled along the spans in strides. The first stride that ends
 * below the surface is bisected.
 */
export function marchSurface(s: Views, ray: Ray, spans: Span[], limit: number): Meeting | undefined {
  let t = nextEntry(spans, Number.NEGATIVE_INFINITY);
  // The last sample, and the last position above the surface in the same run of spans (−1 for none).
  let last = -1;
  let clear = -1;
  while (t <= limit && t !== Number.POSITIVE_INFINITY) {
    const height = heightOnRay(s, ray, spans, t);
    if (height === Number.POSITIVE_INFINITY) {
      t = nextEntry(spans, last);
      clear = -1;
      continue;
    }
    if (height <= 0) return clear < 0 ? told(ray, t) : halve(s, ray, spans, clear, t);
    last = clear = t;
    directionToRest(d, s, found.cluster, ray.direction);
    t += (STRIDE * s.proxySpacing[found.cluster]) / hypot(d[0], d[1], d[2]);
    if (last < limit) t = Math.min(t, limit);
    // Too far from the origin: a stride is less than rounding.
    if (!(t > last)) return undefined;
  }
  return undefined;
}

/** The start of the next span after t; infinite if there is none. */
function nextEntry(spans: Span[], t: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const { enter } of spans) if (enter > t && enter < next) next = enter;
  return next;
}

const here: number[] = [];

function heightOnRay(s: Views, ray: Ray, spans: Span[], t: number): number {
  here.length = 0;
  for (const { cluster, enter, leave } of spans) if (enter <= t && t <= leave) here.push(cluster);
  heightInto(found, s, here, pointOn(ray, t));
  return found.height;
}

function halve(s: Views, ray: Ray, spans: Span[], above: number, below: number): Meeting {
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (above + below) / 2;
    if (heightOnRay(s, ray, spans, middle) <= 0) below = middle;
    else above = middle;
  }
  heightOnRay(s, ray, spans, below);
  return told(ray, below);
}

/**
 * The hit at the position `found` last. If the ray begins inside, or the normal is unknown, the normal is the opposite of the ray's
 * direction.
 */
function told({ direction }: Ray, t: number): Meeting {
  const { normal: n, cluster } = found;
  const known = t > 0 && (n[0] !== 0 || n[1] !== 0 || n[2] !== 0);
  const normal = known ? ([n[0], n[1], n[2]] as const) : ([-direction[0], -direction[1], -direction[2]] as const);
  return { t, cluster, normal };
}
