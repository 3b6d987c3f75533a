import type { BoxShape, Collider, MeshShape, RoundShape, World } from 'pliant';

/** Triangles that the page draws: in their own space, with a normal and a colour at every corner. */
export interface Soup {
  positions: Float32Array;
  normals: Float32Array;
  colour: readonly [number, number, number];
  kind: 'solid' | 'plane';
}

/** Linear colour of obstacles. */
const GREY = [0.36, 0.4, 0.45] as const;

type Corner = readonly [place: readonly number[], normal: readonly number[]];

function soup(corners: readonly Corner[], kind: Soup['kind'] = 'solid'): Soup {
  return {
    positions: Float32Array.from(corners.flatMap(([place]) => place)),
    normals: Float32Array.from(corners.flatMap(([, normal]) => normal)),
    colour: GREY,
    kind,
  };
}

/** A surface of revolution about y from rings of radius, height and the normal's two parts. */
function revolve(rings: readonly (readonly number[])[]): Corner[] {
  const AROUND = 48;
  const corner = ([r, y, nr, ny]: readonly number[], k: number): Corner => {
    const [c, s] = [Math.cos((2 * Math.PI * k) / AROUND), Math.sin((2 * Math.PI * k) / AROUND)];
    return [
      [r * c, y, r * s],
      [nr * c, ny, nr * s],
    ];
  };
  const out: Corner[] = [];
  for (let i = 0; i + 1 < rings.length; i++)
    for (let k = 0; k < AROUND; k++)
      for (const [ring, turn] of [
        [i, k],
        [i + 1, k],
        [i + 1, k + 1],
        [i, k],
        [i + 1, k + 1],
        [i, k + 1],
      ])
        out.push(corner(rings[ring], turn));
  return out;
}

/** Half circles from bottom to top: the lower half ends, and the upper begins, at `half` from the middle. */
function capsule(radius: number, half: number): Corner[] {
  const STEPS = 24;
  const rings: number[][] = [];
  for (let k = 0; k <= STEPS; k++) {
    const a = (Math.PI * k) / STEPS - Math.PI / 2;
    const [c, s] = [Math.cos(a), Math.sin(a)];
    if (2 * k <= STEPS) rings.push([radius * c, radius * s - half, c, s]);
    if (2 * k >= STEPS) rings.push([radius * c, radius * s + half, c, s]);
  }
  return revolve(rings);
}

function box(size: readonly number[]): Corner[] {
  const out: Corner[] = [];
  for (let axis = 0; axis < 3; axis++)
    for (const side of [-1, 1])
      for (const [u, v] of [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, -1],
        [1, 1],
        [-1, 1],
      ]) {
        const place = [0, 0, 0];
        const normal = [0, 0, 0];
        normal[axis] = side;
        place[axis] = (side * size[axis]) / 2;
        place[(axis + 1) % 3] = (u * size[(axis + 1) % 3]) / 2;
        place[(axis + 2) % 3] = (v * size[(axis + 2) % 3]) / 2;
        out.push([place, normal]);
      }
  return out;
}

function mesh({ solid }: MeshShape): Corner[] {
  const { positions, indices } = solid.surface;
  const out: Corner[] = [];
  for (let k = 0; k < indices.length; k += 3) {
    const [a, b, c] = [0, 1, 2].map((n) => Array.from(positions.subarray(3 * indices[k + n], 3 * indices[k + n] + 3)));
    const [u, v] = [b, c].map((p) => p.map((value, axis) => value - a[axis]));
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(...normal) || 1;
    const unit = normal.map((value) => value / length);
    out.push([a, unit], [b, unit], [c, unit]);
  }
  return out;
}

/** Triangles of an obstacle about its own position, before its rotation, with its direction along y. `reach`: how far those without end are drawn. */
function shapeOf({ type, radius, shape }: Collider, reach: number): Soup {
  switch (type) {
    case 'plane':
      return soup(
        [
          [-1, -1],
          [1, 1],
          [1, -1],
          [-1, -1],
          [-1, 1],
          [1, 1],
        ].map(([x, z]) => [
          [reach * x, 0, reach * z],
          [0, 1, 0],
        ]),
        'plane',
      );
    case 'sphere':
      return soup(capsule(radius, 0));
    case 'capsule':
      return soup(capsule(radius, (shape as RoundShape).half));
    case 'cylinder':
      return soup(
        revolve([
          [radius, -reach, 1, 0],
          [radius, reach, 1, 0],
        ]),
      );
    case 'box':
      return soup(box((shape as BoxShape).size));
    case 'mesh':
      return soup(mesh(shape as MeshShape));
  }
}

/** The quaternion that turns y to a direction of length 1. */
function fromY([x, y, z]: readonly number[]): number[] {
  if (y < -0.999999) return [1, 0, 0, 0];
  const s = Math.sqrt(2 * (1 + y));
  return [z / s, 0, -x / s, s / 2];
}

function product([ax, ay, az, aw]: readonly number[], [bx, by, bz, bw]: readonly number[]): number[] {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

/** The obstacles of a world as the page draws them. Planes of moving clamps are left out: they would hide the body. */
export class Scenery {
  readonly soups: Soup[];
  private readonly colliders: Collider[];

  constructor(
    private readonly world: World,
    private readonly middle: readonly number[],
    reach: number,
  ) {
    this.colliders = world.colliders.filter(({ except }) => except === undefined);
    this.soups = this.colliders.map((collider) => shapeOf(collider, reach));
  }

  /** Position and rotation of each: seven numbers; undefined for one that is gone. */
  poses(): (number[] | undefined)[] {
    const present = new Set(this.world.colliders);
    return this.colliders.map((collider) => (present.has(collider) ? this.poseOf(collider) : undefined));
  }

  private poseOf({ type, position, rotation, direction }: Collider): number[] {
    const turns = type === 'box' || type === 'mesh' || type === 'sphere';
    const whole = turns ? rotation : product(rotation, fromY(direction));
    const [x, y, z, w] = whole;
    const axis = [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)];
    const along = this.middle.reduce((sum, value, a) => sum + (value - position[a]) * axis[a], 0);
    // A plane is drawn below the bodies, a cylinder beside them.
    const at =
      type === 'plane'
        ? this.middle.map((value, a) => value - along * axis[a])
        : type === 'cylinder'
          ? position.map((value, a) => value + along * axis[a])
          : [...position];
    return [...at, ...whole];
  }
}
