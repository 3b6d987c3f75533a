/** Meshes and clouds of points as plain data: whole ones, and such as people bring along. */

export function makeMesh(random) {
  const kind = random.weighted({
    box: 4,
    ball: 3,
    tetrahedron: 1,
    openBox: 1.5,
    twoBoxes: 1,
    flipped: 1,
    sheet: 1,
    soup: 0.7,
    crossing: 1,
    repeated: 1,
  });
  const size = () => random.number(0.2, 1);
  const box = () => boxMesh(size(), size(), size());
  switch (kind) {
    case 'box':
      return box();
    case 'ball':
      return ballMesh(random.number(0.2, 0.6), random.integer(3, 8));
    case 'tetrahedron':
      return { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], indices: [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2] };
    case 'openBox':
      return dropTriangles(box(), random.integer(1, 4));
    case 'twoBoxes':
      return joined(box(), moved(box(), random.number(-0.5, 2)));
    case 'flipped': {
      const mesh = box();
      const k = 3 * random.integer(0, 11);
      [mesh.indices[k], mesh.indices[k + 1]] = [mesh.indices[k + 1], mesh.indices[k]];
      return mesh;
    }
    case 'sheet':
      return { positions: [0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1], indices: [0, 1, 2, 0, 2, 3] };
    case 'soup':
      return {
        positions: Array.from({ length: 30 }, () => random.number(-0.5, 0.5)),
        indices: Array.from({ length: 3 * random.integer(1, 20) }, () => random.integer(0, 9)),
      };
    case 'crossing': {
      const mesh = box();
      mesh.positions[random.integer(0, 23)] *= -random.number(0.5, 3);
      return mesh;
    }
    default: {
      const mesh = box();
      return { positions: mesh.positions, indices: [...mesh.indices, ...mesh.indices.slice(0, 3), 0, 0, 1] };
    }
  }
}

function boxMesh(a, b, c) {
  const positions = [];
  for (let k = 0; k < 8; k++)
    positions.push(((k & 1) - 0.5) * a, (((k >> 1) & 1) - 0.5) * b, (((k >> 2) & 1) - 0.5) * c);
  const faces = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];
  const indices = [];
  for (let f = 0; f < 24; f += 4)
    indices.push(faces[f], faces[f + 1], faces[f + 2], faces[f], faces[f + 2], faces[f + 3]);
  return { positions, indices };
}

function ballMesh(radius, rings) {
  const around = 2 * rings;
  const positions = [0, radius, 0, 0, -radius, 0];
  const indices = [];
  const at = (ring, k) => 2 + ring * around + (k % around);
  for (let ring = 0; ring < rings - 1; ring++)
    for (let k = 0; k < around; k++) {
      const [theta, phi] = [((ring + 1) * Math.PI) / rings, (2 * k * Math.PI) / around];
      positions.push(
        ...[Math.sin(theta) * Math.cos(phi), Math.cos(theta), Math.sin(theta) * Math.sin(phi)].map((x) =>
          Number((radius * x).toFixed(4)),
        ),
      );
      if (ring === 0) indices.push(0, at(0, k + 1), at(0, k));
      else
        indices.push(
          at(ring - 1, k),
          at(ring - 1, k + 1),
          at(ring, k),
          at(ring - 1, k + 1),
          at(ring, k + 1),
          at(ring, k),
        );
      if (ring === rings - 2) indices.push(1, at(ring, k), at(ring, k + 1));
    }
  return { positions, indices };
}

const dropTriangles = ({ positions, indices }, n) => ({ positions, indices: indices.slice(3 * n) });
const moved = ({ positions, indices }, by) => ({
  positions: positions.map((x, k) => (k % 3 === 0 ? x + by : x)),
  indices,
});
const joined = (a, b) => ({
  positions: [...a.positions, ...b.positions],
  indices: [...a.indices, ...b.indices.map((i) => i + a.positions.length / 3)],
});

/** x, y, z, x, y, z, … */
export function makePoints(random) {
  const kind = random.weighted({
    cloud: 4,
    grid: 3,
    line: 1,
    plane: 1,
    one: 0.5,
    two: 0.5,
    same: 0.7,
    apart: 0.7,
    far: 0.7,
  });
  const number = () => random.number(-0.5, 0.5);
  const count = random.integer(3, 60);
  const cloud = Array.from({ length: 3 * count }, number);
  switch (kind) {
    case 'cloud':
      return cloud;
    case 'grid': {
      const [n, s] = [random.integer(2, 4), random.number(0.05, 0.3)];
      return Array.from({ length: n ** 3 }, (_, i) =>
        [i % n, Math.floor(i / n) % n, Math.floor(i / n / n)].map((k) => Number((k * s).toFixed(3))),
      ).flat();
    }
    case 'line':
      return cloud.map((_, k) => (k % 3 === 1 ? Number((0.1 * Math.floor(k / 3)).toFixed(2)) : 0));
    case 'plane':
      return cloud.map((x, k) => (k % 3 === 1 ? 0 : x));
    case 'one':
      return cloud.slice(0, 3);
    case 'two':
      return cloud.slice(0, 6);
    case 'same':
      return cloud.slice(0, 30).map((_, k) => cloud[k % 3]);
    case 'apart':
      return cloud.map((x, k) => (k < 3 * (count >> 1) ? x : x + 5));
    default:
      return cloud.map((x) => x + random.pick([100, 1e4, 1e6]));
  }
}
