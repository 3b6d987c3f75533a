import { closestPoint, newClosestPoint } from '../mesh/closestPoint.js';
import { Class } from './classify.js';
import type { ContactMesh } from './contactMesh.js';
import { appendContact, type Contacts } from './contacts.js';
import { castRay, newHit } from './raycast.js';
import { refitContactMesh } from './update.js';

/**
 * A depth more than this many times the way to the nearest point of the surface is not believed: the nearest point is taken.
 *
 * The paper has no such test and calls itself "subject to erratic behaviour". The reason is a body that rests on another: the
 * lower one's vertices just under the upper one's bottom have edges that leave through its *sides*, so that their direction
 * is sideways and their depth the length of an edge, where a millimetre upwards was meant. Infinity gives the paper's form:
 * with it a cube of one cluster on a slab is thrown about at 0.8 m/s after 5 s, with this test it lies still (0.01 mm/s).
 */
export const DETOUR = 2;

const hit = newHit();
const near = newClosestPoint();
const way = new Float64Array(3);

/**
 * Makes contacts of the colliding points of `mesh`: direction of findDirections, depth of the border or, for inner points, of a
 * ray cast along the direction to the other surface ([H07] 5). The point where the ray leaves is where the reaction acts,
 * for border points too: then impulse and reaction lie on one line and exert no torque.
 *
 * A ray that enters instead of leaving started outside: the flood had leaked, the point is dropped. A ray that meets nothing
 * (no direction, a hole) falls back to the nearest point. A body against itself has no nearest point but its own: there
 * such points are dropped, and depths are believed.
 */
export function findDepths(contacts: Contacts, mesh: ContactMesh, other: ContactMesh, detour: number): void {
  const k = mesh.classes;
  if (k.collidingCount === 0) return;
  refitContactMesh(other);
  const self = mesh === other;
  for (let n = 0; n < k.collidingCount; n++) {
    const v = k.colliding[n];
    const border = k.of[v] === Class.BORDER;
    for (let a = 0; a < 3; a++) way[a] = k.directions[4 * v + a];
    hit.triangle = -1;
    if (way[0] !== 0 || way[1] !== 0 || way[2] !== 0)
      castRay(hit, other.bvh, mesh.positions, 3 * v, way, 0, other.indices, self ? v : -1);
    const found = hit.triangle >= 0;
    if (found && !hit.leaving && !border) continue;
    let depth = border ? k.directions[4 * v + 3] : hit.distance;
    const believed = found && hit.leaving && depth < Number.POSITIVE_INFINITY;
    if (self && !believed) continue;
    if (!self && (!believed || detour < Number.POSITIVE_INFINITY)) {
      const limit = believed ? depth / detour : Number.POSITIVE_INFINITY;
      const x = mesh.positions[3 * v];
      const y = mesh.positions[3 * v + 1];
      const z = mesh.positions[3 * v + 2];
      closestPoint(other.bvh, x, y, z, near, limit);
      const inside = near.triangle >= 0 && wayToNearest(other, x, y, z);
      if (inside) depth = near.distance;
      else if (!believed) continue;
    }
    if (depth > 0) addContact(contacts, mesh, other, v, depth);
  }
}

/** Sets `way` and `hit` by the nearest point; false where that shows its inner side to nothing: the vertex is outside. */
function wayToNearest({ indices, positions }: ContactMesh, x: number, y: number, z: number): boolean {
  const t = 3 * near.triangle;
  const a = 3 * indices[t];
  const b = 3 * indices[t + 1];
  const c = 3 * indices[t + 2];
  const p = positions;
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const dx = near.x - x;
  const dy = near.y - y;
  const dz = near.z - z;
  const normal = Math.sqrt(nx * nx + ny * ny + nz * nz);
  if (!(nx * dx + ny * dy + nz * dz >= 0) || !(normal > 0)) return false;
  // The triangle's own normal: of a vertex almost in the surface the way there is rounding. At a concave edge it is not the
  // nearest way, but one of the two that lead out.
  way[0] = nx / normal;
  way[1] = ny / normal;
  way[2] = nz / normal;
  hit.triangle = near.triangle;
  hit.u = near.u;
  hit.v = near.v;
  hit.w = near.w;
  return true;
}

function addContact(contacts: Contacts, mesh: ContactMesh, other: ContactMesh, vertex: number, depth: number): void {
  const n = appendContact(contacts);
  contacts.meshes[2 * n] = mesh.motion.at;
  contacts.meshes[2 * n + 1] = other.motion.at;
  contacts.vertices[4 * n] = vertex;
  for (let a = 0; a < 3; a++) {
    contacts.vertices[4 * n + 1 + a] = other.indices[3 * hit.triangle + a];
    contacts.normals[4 * n + a] = way[a];
  }
  contacts.normals[4 * n + 3] = depth;
  contacts.barycentric[3 * n] = hit.u;
  contacts.barycentric[3 * n + 1] = hit.v;
  contacts.barycentric[3 * n + 2] = hit.w;
}
