import { hypot } from '../math/elementary.js';
import type { Views } from '../state/layout.js';
import type { Meeting } from './castRay.js';
import type { Span } from './convex.js';
import { heightInto, newHeight } from './height.js';
import { pointOn, type Ray } from './ray.js';
import { directionToRest } from './rest.js';

/** Spacings between two samples of the height: the thinnest wall that has an implicit surface is one spacing thick. */
const STRIDE = 0.5;
/** Halvings of a stride: the hit is found to 1e-6 of a spacing, where f32 positions end. */
const HALVINGS = 20;

const found = newHeight();
const d = new Float64Array(3);

/**
 * Where a ray first comes below the implicit surface of a body's clusters, before `limit`. `spans` are its ways through their proxies, which reach
 * beyond the implicit surface; it is walked along them in strides, and the first one that ends below is halved.
 */
export function marchSurface(s: Views, ray: Ray, spans: Span[], limit: number): Meeting | undefined {
  let t = nextEntry(spans, Number.NEGATIVE_INFINITY);
  // The last sample, and the last place known to be above the surface in the same run of spans.
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
    // So far from the origin that a stride is less than rounding.
    if (!(t > last)) return undefined;
  }
  return undefined;
}

/** The next beginning of a span after t; infinite if there is none. */
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

/** The hit at what was `found` last. A ray that begins inside, or where no surface is known, is answered with its way back. */
function told({ direction }: Ray, t: number): Meeting {
  const { normal: n, cluster } = found;
  const known = t > 0 && (n[0] !== 0 || n[1] !== 0 || n[2] !== 0);
  const normal = known ? ([n[0], n[1], n[2]] as const) : ([-direction[0], -direction[1], -direction[2]] as const);
  return { t, cluster, normal };
}
