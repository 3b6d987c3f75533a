/**
 * The contacts of bodies that touch each other, in arrays that grow and are used again. A contact is a vertex of one surface within
 * the other, and the point of a triangle of the other through which it is to leave.
 */
export interface Contacts {
  count: number;
  /** Which of the pairs of surfaces it belongs to. */
  pairs: Uint32Array;
  /** Two a contact: contact mesh of the vertex and contact mesh of the triangle, as numbers in the list of those that are solved together. */
  meshes: Uint32Array;
  /** Four a contact: the vertex, and the three of the triangle. */
  vertices: Uint32Array;
  /** Three a contact: shares of the triangle's vertices in the point; they sum to 1. */
  barycentric: Float64Array;
  /** Four a contact: direction in which the vertex leaves (length 1), depth (m). */
  normals: Float64Array;
  /** Four a contact: friction μ, restitution e, γ, speed below which nothing bounces (m/s). */
  laws: Float64Array;
  /** Four a contact: impulse on the vertex so far, without (x y z) and along the normal (N s) · respond. */
  impulses: Float64Array;
  /** Three a contact: all of the impulse on the vertex (N s) · respond. */
  given: Float64Array;
  /** Three a contact: velocity of the vertex relative to the point before anything was done (m/s) · respond. */
  before: Float64Array;
  /** Two a contact: bounds on the velocity per impulse along and across the normal (1/kg); 0 if nothing can move · respond. */
  yields: Float64Array;
}

export const newContacts = (capacity = 64): Contacts => ({
  count: 0,
  pairs: new Uint32Array(capacity),
  meshes: new Uint32Array(2 * capacity),
  vertices: new Uint32Array(4 * capacity),
  barycentric: new Float64Array(3 * capacity),
  normals: new Float64Array(4 * capacity),
  laws: new Float64Array(4 * capacity),
  impulses: new Float64Array(4 * capacity),
  given: new Float64Array(3 * capacity),
  before: new Float64Array(3 * capacity),
  yields: new Float64Array(2 * capacity),
});

/** Room for one more; returns its number. What respond writes is not kept across growing: it comes later. */
export function appendContact(contacts: Contacts): number {
  if (contacts.count === contacts.pairs.length) {
    const { pairs, meshes, vertices, barycentric, normals, laws, count } = contacts;
    Object.assign(contacts, newContacts(2 * count));
    contacts.pairs.set(pairs);
    contacts.meshes.set(meshes);
    contacts.laws.set(laws);
    contacts.vertices.set(vertices);
    contacts.barycentric.set(barycentric);
    contacts.normals.set(normals);
    contacts.count = count;
  }
  return contacts.count++;
}
