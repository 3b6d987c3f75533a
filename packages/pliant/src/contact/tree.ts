/**
 * A tree of boxes over a body's clusters. Its branches follow the rest shape and stay; its boxes are refitted in every step of an awake
 * body (kernels: boundClusters). A body of n clusters has 2n − 1 nodes, depth-first: 0 is the root, the left child of a node is the
 * next one. In the state's arrays `branch` and `branchBox` a body's nodes begin at 2 · clusterStart; right children and clusters count
 * from the body's first.
 */
export interface ClusterTree {
  /** Two numbers a node: right child, 0 for a leaf; cluster of a leaf. */
  branch: Uint32Array;
  /** Six numbers a node: lowest and highest x y z at rest (m). */
  boxes: Float64Array;
}

/** `boxes`: six numbers a cluster, lowest and highest x y z at rest. */
export function growTree(boxes: Float64Array): ClusterTree {
  const clusters = boxes.length / 6;
  const tree = { branch: new Uint32Array(4 * clusters - 2), boxes: new Float64Array(12 * clusters - 6) };
  let next = 0;
  const split = (list: Uint32Array): number => {
    const node = next++;
    tree.branch[2 * node + 1] = list[0];
    if (list.length > 1) {
      const axis = longestAxis(boxes, list);
      const middle = (c: number) => boxes[6 * c + axis] + boxes[6 * c + 3 + axis];
      list.sort((a, b) => middle(a) - middle(b) || a - b);
      split(list.subarray(0, list.length >> 1));
      tree.branch[2 * node] = split(list.subarray(list.length >> 1));
    }
    bound(tree, node, boxes);
    return node;
  };
  split(Uint32Array.from({ length: clusters }, (_, c) => c));
  return tree;
}

/** The axis along which the middles of the clusters are spread farthest. */
function longestAxis(boxes: Float64Array, list: Uint32Array): number {
  let [best, most] = [0, -1];
  for (let a = 0; a < 3; a++) {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const c of list) {
      const middle = boxes[6 * c + a] + boxes[6 * c + 3 + a];
      low = Math.min(low, middle);
      high = Math.max(high, middle);
    }
    if (high - low > most) [best, most] = [a, high - low];
  }
  return best;
}

function bound({ branch, boxes }: ClusterTree, node: number, ofCluster: Float64Array): void {
  const [right, cluster] = [branch[2 * node], branch[2 * node + 1]];
  for (let a = 0; a < 3; a++) {
    const [low, high] = [6 * node + a, 6 * node + 3 + a];
    if (right === 0) {
      boxes[low] = ofCluster[6 * cluster + a];
      boxes[high] = ofCluster[6 * cluster + 3 + a];
    } else {
      boxes[low] = Math.min(boxes[6 * (node + 1) + a], boxes[6 * right + a]);
      boxes[high] = Math.max(boxes[6 * (node + 1) + 3 + a], boxes[6 * right + 3 + a]);
    }
  }
}
