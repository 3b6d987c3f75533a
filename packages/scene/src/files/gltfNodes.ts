import { index, type Json, objects, shown } from './gltfContainer.js';
import { fail, place } from './meshFile.js';

/** A mesh of the file, placed in the scene. */
export interface MeshInstance {
  mesh: number;
  /** Node to world, 4 × 4, by columns as in glTF. */
  matrix: ArrayLike<number>;
}

const IDENTITY = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

/**
 * The meshes of the default scene with their world transforms. Without a default scene: those of the first scene.
 * Without scenes: those of every node that is no child. Without nodes: every mesh as it is.
 */
export function meshInstances(json: Json, file: string, warnings: string[]): MeshInstance[] {
  const nodes = objects(json, 'nodes', file);
  const meshes = objects(json, 'meshes', file).length;
  if (nodes.length === 0) return Array.from({ length: meshes }, (_, mesh) => ({ mesh, matrix: IDENTITY }));

  const instances: MeshInstance[] = [];
  const seen = new Uint8Array(nodes.length);
  // An explicit stack: a chain of nodes may be deeper than the call stack.
  const stack = rootNodes(json, nodes, file).map((node) => ({ node, parent: IDENTITY as ArrayLike<number> }));
  stack.reverse();
  for (let top = stack.pop(); top; top = stack.pop()) {
    const node = nodes[top.node];
    const name = `nodes[${top.node}]`;
    if (seen[top.node]++) fail(file, '', `${name} has two parents or is its own ancestor; expected a tree`);
    const matrix = multiply(top.parent, localMatrix(node, name, file));
    if (node.mesh !== undefined) {
      if (!matrix.every(Number.isFinite))
        fail(file, '', `the world transform of ${name} overflows; expected finite numbers`);
      instances.push({ mesh: index(node.mesh, meshes, `${name}.mesh`, file), matrix });
      if (node.skin !== undefined) warnings.push(`${place(file)} ${name} has a skin; its mesh is read unposed.`);
    }
    const children = nodeList(node.children, nodes.length, `${name}.children`, file);
    for (let k = children.length - 1; k >= 0; k--) stack.push({ node: children[k], parent: matrix });
  }
  return instances;
}

function rootNodes(json: Json, nodes: Json[], file: string): number[] {
  const scenes = objects(json, 'scenes', file);
  if (scenes.length > 0) {
    const scene = index(json.scene ?? 0, scenes.length, 'scene', file);
    return nodeList(scenes[scene].nodes, nodes.length, `scenes[${scene}].nodes`, file);
  }
  const roots = new Set(nodes.keys());
  nodes.forEach((node, k) => {
    for (const child of nodeList(node.children, nodes.length, `nodes[${k}].children`, file)) roots.delete(child);
  });
  return [...roots];
}

function nodeList(value: unknown, count: number, what: string, file: string): number[] {
  const list = value ?? [];
  if (!Array.isArray(list)) fail(file, '', `${what} is ${shown(value)}; expected a list of nodes`);
  return list.map((node) => index(node, count, what, file));
}

function localMatrix(node: Json, name: string, file: string): ArrayLike<number> {
  if (node.matrix !== undefined) return numbers(node.matrix, 16, `${name}.matrix`, file);
  const [tx, ty, tz] = numbers(node.translation ?? [0, 0, 0], 3, `${name}.translation`, file);
  const [x, y, z, w] = numbers(node.rotation ?? [0, 0, 0, 1], 4, `${name}.rotation`, file);
  const [sx, sy, sz] = numbers(node.scale ?? [1, 1, 1], 3, `${name}.scale`, file);
  // T · R · S with R from the unit quaternion (x, y, z, w), glTF 2.0 section 3.5.3.
  // biome-ignore format: one column of the matrix per line
  return [
    (1 - 2 * (y * y + z * z)) * sx, 2 * (x * y + z * w) * sx, 2 * (x * z - y * w) * sx, 0,
    2 * (x * y - z * w) * sy, (1 - 2 * (x * x + z * z)) * sy, 2 * (y * z + x * w) * sy, 0,
    2 * (x * z + y * w) * sz, 2 * (y * z - x * w) * sz, (1 - 2 * (x * x + y * y)) * sz, 0,
    tx, ty, tz, 1,
  ];
}

function numbers(value: unknown, count: number, what: string, file: string): number[] {
  if (!Array.isArray(value) || value.length !== count || !value.every(Number.isFinite))
    fail(file, '', `${what} is ${shown(value)}; expected ${count} finite numbers`);
  return value;
}

/** a · b of two affine 4 × 4 matrices, by columns. */
function multiply(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  const out = new Float64Array(16);
  for (let column = 0; column < 4; column++)
    for (let row = 0; row < 4; row++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[k * 4 + row] * b[column * 4 + k];
      out[column * 4 + row] = sum;
    }
  return out;
}
