// The tree of boxes over clusters, as in src/proxy/tree.ts: the same nodes.
import { real, setReal, setWord, word } from './grid';

let boxes: usize = 0, list: usize = 0, middles: usize = 0, branch: usize = 0, bounds: usize = 0;
let next: i32 = 0;

/** Writes the branches and the boxes of the nodes to `branchOut` and `boundsOut`. `listRoom` is room for a word each cluster, `middlesRoom` for a number. */
export function growTree(ofCluster: usize, clusters: i32, listRoom: usize, middlesRoom: usize, branchOut: usize, boundsOut: usize): void {
  boxes = ofCluster;
  list = listRoom;
  middles = middlesRoom;
  branch = branchOut;
  bounds = boundsOut;
  next = 0;
  for (let c = 0; c < clusters; c++) setWord(list, c, c);
  split(0, clusters);
}

function split(first: i32, last: i32): i32 {
  const node = next++;
  setWord(branch, 2 * node + 1, word(list, first));
  if (last - first > 1) {
    const axis = longestAxis(first, last);
    for (let n = first; n < last; n++) {
      const c = word(list, n);
      setReal(middles, c, real(boxes, 6 * c + axis) + real(boxes, 6 * c + 3 + axis));
    }
    const half = first + ((last - first) >> 1);
    select(first, last - 1, half);
    split(first, half);
    const right = split(half, last);
    setWord(branch, 2 * node, right);
    for (let a = 0; a < 3; a++) {
      setReal(bounds, 6 * node + a, min(real(bounds, 6 * (node + 1) + a), real(bounds, 6 * right + a)));
      setReal(bounds, 6 * node + 3 + a, max(real(bounds, 6 * (node + 1) + 3 + a), real(bounds, 6 * right + 3 + a)));
    }
  } else {
    setWord(branch, 2 * node, 0);
    memory.copy(bounds + (<usize>(6 * node) << 3), boxes + (<usize>(6 * word(list, first)) << 3), 48);
  }
  return node;
}

// @ts-ignore: decorator
@inline function isBefore(a: i32, b: i32): bool {
  const p = real(middles, a), q = real(middles, b);
  return p < q || (p === q && a < b);
}

function select(from: i32, to: i32, k: i32): void {
  let first = from, last = to;
  while (first < last) {
    const pivot = word(list, (first + last) >> 1);
    let i = first, j = last;
    while (i <= j) {
      while (isBefore(word(list, i), pivot)) i++;
      while (isBefore(pivot, word(list, j))) j--;
      if (i > j) break;
      const other = word(list, i);
      setWord(list, i++, word(list, j));
      setWord(list, j--, other);
    }
    if (k <= j) last = j;
    else if (k >= i) first = i;
    else return;
  }
}

function longestAxis(first: i32, last: i32): i32 {
  let best = 0;
  let most: f64 = -1;
  for (let a = 0; a < 3; a++) {
    let low = Infinity, high = -Infinity;
    for (let n = first; n < last; n++) {
      const c = 6 * word(list, n);
      const middle = real(boxes, c + a) + real(boxes, c + 3 + a);
      if (middle < low) low = middle;
      if (middle > high) high = middle;
    }
    if (high - low > most) {
      best = a;
      most = high - low;
    }
  }
  return best;
}
