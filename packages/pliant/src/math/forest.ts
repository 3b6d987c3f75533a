/**
 * Union-find: parent[n] is a lower number of the same tree, and the lowest number of a tree is its own parent. These
 * are plain functions for all users: closures would be compiled anew for each user, and a cut ends before that is done.
 */
export function ownRoots(count: number, parent: Uint32Array = new Uint32Array(count)): Uint32Array {
  for (let n = 0; n < count; n++) parent[n] = n;
  return parent;
}

/** The lowest number of n's tree. Halves the paths on the way. */
export function rootOf(parent: Uint32Array, n: number): number {
  while (parent[n] !== n) n = parent[n] = parent[parent[n]];
  return n;
}

/** Joins two trees. Mostly they are joined already. */
export function joinRoots(parent: Uint32Array, m: number, n: number): void {
  if (parent[m] === parent[n]) return;
  const a = rootOf(parent, m);
  const b = rootOf(parent, n);
  if (a < b) parent[b] = a;
  else parent[a] = b;
}
