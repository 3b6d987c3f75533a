import type { Views } from '../state/layout.js';
import type { World } from '../world.js';
import type { Collider } from './collider.js';
import { planeInto } from './plane.js';
import { meetReaching, newHit, type Shape } from './shape.js';

/**
 * Contacts of rigid bodies with obstacles in this substep. They are only listed here: `rigid` resolves them together with the contacts
 * between bodies. The arrays grow with the largest number.
 */
export class Gathered {
  count = 0;
  particle = new Uint32Array(256);
  /** Direction away from the obstacle, of length 1, and depth (m). */
  touch = new Float64Array(4 * 256);
  /** How far the body's surface extends beyond the particle (m). */
  reach = new Float64Array(256);
  readonly collider: Collider[] = [];
  /** Which obstacle it is, by the order in which they were met: the same for all contacts with one. */
  number = new Uint32Array(256);

  clear(): void {
    this.count = this.collider.length = 0;
  }

  add(i: number, nx: number, ny: number, nz: number, depth: number, reach: number, collider: Collider): void {
    if (this.count === this.particle.length) this.grow();
    const k = this.count++;
    this.particle[k] = i;
    this.touch[4 * k] = nx;
    this.touch[4 * k + 1] = ny;
    this.touch[4 * k + 2] = nz;
    this.touch[4 * k + 3] = depth;
    this.reach[k] = reach;
    const last = this.collider.lastIndexOf(collider);
    this.number[k] = last < 0 ? k : this.number[last];
    this.collider.push(collider);
  }

  private grow(): void {
    const { particle, touch, reach, number } = this;
    const length = 2 * particle.length;
    this.particle = new Uint32Array(length);
    this.particle.set(particle);
    this.touch = new Float64Array(4 * length);
    this.touch.set(touch);
    this.reach = new Float64Array(length);
    this.reach.set(reach);
    this.number = new Uint32Array(length);
    this.number.set(number);
  }
}

const normal = new Float64Array(3);

/** Lists the particles of a range that are behind the plane, or before it by less than `margin`; returns whether there was one behind it. */
export function gatherPlane(
  gathered: Gathered,
  s: Views,
  start: number,
  end: number,
  plane: Collider,
  margin: number,
  reach?: Float32Array,
  spared?: Uint8Array,
): boolean {
  const { x } = s;
  const offset = planeInto(normal, plane);
  const [nx, ny, nz] = [normal[0], normal[1], normal[2]];
  let met = false;
  for (let i = start, o = 4 * start; i < end; i++, o += 4) {
    const beyond = reach ? reach[i] : 0;
    const depth = offset - (x[o] * nx + x[o + 1] * ny + x[o + 2] * nz) + beyond;
    if (!(depth > -margin) || spared?.[i]) continue;
    gathered.add(i, nx, ny, nz, depth, beyond, plane);
    met ||= depth > 0;
  }
  return met;
}

const hit = newHit();
const inside = newHit();
const began = new Float64Array(3);
const ended = new Float64Array(3);

/** Lists the particles of a range that are in the obstacle, went through it, or are nearer to it than `margin`; returns whether there was one of the first two kinds. */
export function gatherSolid(
  { state: { views: s }, h, core: { rigidContacts } }: World,
  start: number,
  end: number,
  collider: Collider,
  margin: number,
  reach?: Float32Array,
  spared?: Uint8Array,
): boolean {
  const { x, xOld } = s;
  const shape = collider.shape as Shape;
  const gathered = rigidContacts.obstacles;
  let met = false;
  for (let i = start, o = 4 * start; i < end; i++, o += 4) {
    if (spared?.[i]) continue;
    const beyond = reach ? reach[i] : 0;
    collider.from.ownInto(began, xOld[o], xOld[o + 1], xOld[o + 2]);
    collider.to.ownInto(ended, x[o], x[o + 1], x[o + 2]);
    const far = beyond + margin;
    if (!meetReaching(shape, hit, began[0], began[1], began[2], ended[0], ended[1], ended[2], far)) continue;
    let depth = hit.depth - margin;
    // A particle that began inside leaves at no more than exitSpeed, as in solid.ts.
    if (
      collider.exitSpeed < Number.POSITIVE_INFINITY &&
      meetReaching(shape, inside, began[0], began[1], began[2], began[0], began[1], began[2], beyond)
    )
      depth = Math.max(0, depth - Math.max(0, inside.depth - collider.exitSpeed * h));
    collider.to.turnInto(normal, hit.nx, hit.ny, hit.nz);
    gathered.add(i, normal[0], normal[1], normal[2], depth, beyond, collider);
    met ||= depth > 0;
  }
  return met;
}
