/**
 * The contacts of bodies that touch each other, in arrays that grow and are reused. A contact is a vertex of one surface inside another,
 * and the point on a triangle of the other surface through which the vertex leaves.
 */
export interface Contacts {
  count: number;
  /** Pair of surfaces that the contact belongs to. */
  pairs: Uint32Array;
  /** Two a contact: contact mesh of the vertex and contact mesh of the triangle, as indices in the list of those that are solved together. */
  meshes: Uint32Array;
  /** Four a contact: the vertex, and the three of the triangle. */
  vertices: Uint32Array;
  /** Three a contact: shares of the triangle's vertices in the point; they sum to 1. */
  barycentric: Float64Array;
  /** Four a contact: direction in which the vertex leaves (length 1), depth (m). */
  normals: Float64Array;
  /** Four a contact: friction μ, restitution e, γ, speed below which nothing bounces (m/s). */
  laws: Float64Array;
  /** Four a contact: impulse on the vertex so far, tangential (x y z) and along the normal (N s) · respond. */
  impulses: Float64Array;
  /** Three a contact: total impulse on the vertex (N s) · respond. */
  given: Float64Array;
  /** Three a contact: velocity of the vertex relative to the point before the response (m/s) · respond. */
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

/** Adds a contact and returns its number. Growing drops the arrays that `respond` writes, because they are written later. */
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
