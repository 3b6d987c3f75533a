import { closestPoint, newClosestPoint } from '../mesh/closestPoint.js';
import { Class } from './classify.js';
import type { ContactMesh } from './contactMesh.js';
import { appendContact, type Contacts } from './contacts.js';
import { castRay, newHit } from './raycast.js';
import { refitContactMesh } from './update.js';

/**
 * A depth is rejected if it exceeds the distance to the nearest surface point by more than this factor. The nearest point is then used
 * instead.
 *
 * The paper has no such test and calls itself "subject to erratic behaviour". The cause is a body that rests on another. Vertices of the
 * lower body just under the upper one's bottom have edges that leave through its *sides*. Their direction is then sideways and their depth
 * the length of an edge, although a millimetre upwards would do. Infinity gives the paper's form: a cube of one cluster on a slab moves at
 * 0.8 m/s after 5 s. With the test it lies still (0.01 mm/s).
 */
export const DETOUR = 2;

const hit = newHit();
const near = newClosestPoint();
const way = new Float64Array(3);

/**
 * Creates contacts from the colliding points of `mesh`. Directions come from findDirections. The depth of a border point comes from its
 * edges. The depth of an inner point comes from a ray cast along its direction to the other surface ([H07] 5). The reaction acts at the
 * point where the ray leaves, for border points too: impulse and reaction then lie on one line and exert no torque.
 *
 * A ray that enters instead of leaving started outside, because the flood leaked; that inner point is dropped. For a ray that hits nothing
 * (no direction, or a hole) the nearest point is used. In a body against itself the nearest point is the vertex itself; there such points
 * are dropped, and depths are not checked against DETOUR.
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

/** Sets `way` and `hit` by the nearest point. Returns false if the vertex is on the outer side of the nearest triangle. */
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
  // `way` is the triangle's normal. The direction to the nearest point would be mostly rounding for a vertex almost in the surface. At a
  // concave edge the normal is not the shortest way out, but one of the two possible ones.
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
