// The lists of clusters that may meet, as in src/proxy/neighbours.ts: the same numbers in the same order.
import { real, setWord, word } from './grid';

let list: usize = 0;
let at: i32 = 0, room: i32 = 0;

// @ts-ignore: decorator
@inline function add(item: i32): void {
  if (at < room) setWord(list, at, item);
  at++;
}

/**
 * Writes where the three runs of every cluster begin in `out`, and the runs: clusters that share a point, by `table` or, where that is 0, by the clusters of every point (`first`, `holder`, as meetClusters writes
 * them); clusters whose boxes meet; the largest nodes of the tree whose boxes do not. `leaf` and `seen` are room for a word each cluster, `far` for two, `open` for 128. Returns the length of the list; what is beyond `most` is not written.
 */
export function listNeighbours(branch: usize, boxes: usize, clusters: i32, table: usize, start: usize, particle: usize, first: usize, holder: usize, leaf: usize, seen: usize, far: usize, open: usize, starts: usize, out: usize, most: i32): i32 {
  list = out;
  room = most;
  at = 0;
  for (let node = 0; node < 2 * clusters - 1; node++)
    if (word(branch, 2 * node) === 0) setWord(leaf, word(branch, 2 * node + 1), node);
  memory.fill(seen, 255, <usize>clusters << 2);
  for (let c = 0; c < clusters; c++) {
    setWord(starts, 3 * c, at);
    setWord(seen, c, c);
    if (table !== 0) listTable(table, clusters, c, seen);
    else listHolders(start, particle, first, holder, c, seen);
    setWord(starts, 3 * c + 1, at);
    const distant = walk(branch, boxes, word(leaf, c), seen, c, far, open);
    setWord(starts, 3 * c + 2, at);
    for (let k = 0; k < distant; k++) add(word(far, k));
  }
  for (let k = 0; k < 3; k++) setWord(starts, 3 * clusters + k, at);
  return at;
}

function listTable(table: usize, clusters: i32, c: i32, seen: usize): void {
  const row = table + <usize>(clusters * c);
  for (let b = 0; b < clusters; b++)
    if (load<u8>(row + <usize>b) !== 0 && b !== c) {
      setWord(seen, b, c);
      add(b);
    }
}

function listHolders(start: usize, particle: usize, first: usize, holder: usize, c: i32, seen: usize): void {
  const end = word(start, c + 1);
  for (let k = word(start, c); k < end; k++) {
    const i = word(particle, k);
    const last = word(first, i + 1);
    for (let l = word(first, i); l < last; l++) {
      const b = word(holder, l);
      if (word(seen, b) === c) continue;
      setWord(seen, b, c);
      add(b);
    }
  }
}

/** Adds the ring of a cluster. Returns the number of far nodes. */
function walk(branch: usize, boxes: usize, own: i32, seen: usize, c: i32, far: usize, open: usize): i32 {
  const lx = real(boxes, 6 * own), ly = real(boxes, 6 * own + 1), lz = real(boxes, 6 * own + 2);
  const hx = real(boxes, 6 * own + 3), hy = real(boxes, 6 * own + 4), hz = real(boxes, 6 * own + 5);
  let distant = 0;
  let top = 0;
  setWord(open, top++, 0);
  while (top > 0) {
    const node = word(open, --top);
    const b = 6 * node;
    if (real(boxes, b) > hx || lx > real(boxes, b + 3) || real(boxes, b + 1) > hy || ly > real(boxes, b + 4) || real(boxes, b + 2) > hz || lz > real(boxes, b + 5)) setWord(far, distant++, node);
    else if (word(branch, 2 * node) === 0) {
      if (word(seen, word(branch, 2 * node + 1)) !== c) add(word(branch, 2 * node + 1));
    } else {
      setWord(open, top++, word(branch, 2 * node));
      setWord(open, top++, node + 1);
    }
  }
  return distant;
}
