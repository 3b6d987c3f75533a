/**
 * What hangs together, as a forest: parent[n] leads from n to a lower number of the same tree, and the lowest is its own parent. Plain functions
 * for all who need it: the same written as closures is compiled anew wherever it is used, and a cut is over before that is done.
 */
export function ownRoots(count: number, parent: Uint32Array = new Uint32Array(count)): Uint32Array {
  for (let n = 0; n < count; n++) parent[n] = n;
  return parent;
}

/** The lowest number of n's tree; ways there become shorter. */
export function rootOf(parent: Uint32Array, n: number): number {
  while (parent[n] !== n) n = parent[n] = parent[parent[n]];
  return n;
}

/** Two trees become one; mostly they are one already. */
export function joinRoots(parent: Uint32Array, m: number, n: number): void {
  if (parent[m] === parent[n]) return;
  const a = rootOf(parent, m);
  const b = rootOf(parent, n);
  if (a < b) parent[b] = a;
  else parent[a] = b;
}
