import { describe, expect, it } from 'vitest';
import { random } from '../math/random.js';
import { boxMesh, icosphere, randomPoint, type TestMesh } from '../mesh/testing/meshes.js';
import { testSeed } from '../testing/seed.js';
import { Class } from './classify.js';
import { detectSurfaces } from './collideSurfaces.js';
import { findCrossings } from './crossings.js';
import { fillHash, meetingBox, newTriangleHash } from './hash.js';
import { castRay, newHit } from './raycast.js';
import { addBoundMesh, emptyWorld, gridBox } from './testing/bodies.js';
import { refitContactMesh } from './update.js';

async function bindMeshes(...meshes: TestMesh[]) {
  const world = await emptyWorld();
  return meshes.map((mesh) => addBoundMesh(world, mesh).mesh);
}

/** A tetrahedron with a tip at the origin that opens upwards. */
const TIP: TestMesh = {
  positions: [0, 0, 0, 1, 1, 0, -0.5, 1, 0.8, -0.5, 1, -0.8],
  indices: [0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2],
};
const moved = (mesh: TestMesh, by: number[]): TestMesh => ({
  positions: mesh.positions.map((x, k) => x + by[k % 3]),
  indices: mesh.indices,
});

describe('classification', () => {
  it('finds the tip that pokes into a box, its direction and depth', async () => {
    const [tip, box] = await bindMeshes(moved(TIP, [0.1, -0.2, 0.1]), boxMesh([4, 1, 4], [0, -0.5, 0]));
    const contacts = detectSurfaces(tip, box);
    expect(contacts.count).toBe(1);
    expect([...tip.classes.of]).toEqual([Class.BORDER, Class.OUTSIDE, Class.OUTSIDE, Class.OUTSIDE]);
    expect(contacts.vertices[0]).toBe(0);
    [0, 1, 0, 0.2].forEach((x, k) => {
      expect(contacts.normals[k]).toBeCloseTo(x, 6);
    });
    // The reaction acts where the ray leaves: straight above the tip.
    const at = [0, 1, 2].map((a) =>
      [0, 1, 2].reduce((sum, k) => sum + contacts.barycentric[k] * box.positions[3 * contacts.vertices[1 + k] + a], 0),
    );
    [0.1, 0, 0.1].forEach((x, a) => {
      expect(at[a]).toBeCloseTo(x, 6);
    });
  });

  it('weights the edges of a border point by 1/distance²', async () => {
    // In the corner of a box: two crossed edges, 0.1 and 0.3 long inside, through two faces across each other.
    const corner: TestMesh = {
      positions: [-0.1, -0.3, 0, 1, -0.3, 0, -0.1, 1, 0, -0.1, -0.3, -0.5],
      indices: [0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2],
    };
    const [mesh, box] = await bindMeshes(corner, boxMesh([4, 4, 4], [-2, -2, 0]));
    detectSurfaces(mesh, box, Number.POSITIVE_INFINITY);
    const [a, b] = [1 / 0.1 ** 2, 1 / 0.3 ** 2];
    const length = Math.hypot(a, b);
    const { directions } = mesh.classes;
    expect(directions[0]).toBeCloseTo(a / length, 5);
    expect(directions[1]).toBeCloseTo(b / length, 5);
    expect(directions[3]).toBeCloseTo((a * 0.1 + b * 0.3) / (a + b), 5);
  });

  it('takes each end of an edge by its own nearest triangle: through a plate and out again, both are outside', async () => {
    const [tip, plate] = await bindMeshes(moved(TIP, [0, -0.5, 0]), boxMesh([4, 0.1, 4]));
    expect(detectSurfaces(tip, plate).count).toBe(0);
    expect([...tip.classes.of]).toEqual([Class.OUTSIDE, Class.OUTSIDE, Class.OUTSIDE, Class.OUTSIDE]);
  });

  it('floods the points between the border points, and nothing else', async () => {
    const [ball, box] = await bindMeshes(icosphere(3, 1, [0, 0.5, 0]), gridBox([6, 2, 6], 6, [0, -1, 0]));
    detectSurfaces(ball, box);
    const inside = (v: number) => ball.positions[3 * v + 1] < 0;
    let inner = 0;
    for (let v = 0; v < ball.vertexCount; v++) {
      const kind = ball.classes.of[v];
      expect(kind === Class.BORDER || kind === Class.INNER).toBe(inside(v));
      if (kind === Class.INNER) inner++;
    }
    expect(inner).toBeGreaterThan(50);
    expect(ball.classes.componentCount).toBe(1);
  });

  it('keeps patches apart: two feet of one body', async () => {
    const feet = icosphere(2, 0.5, [-1, 0.2, 0]);
    const other = icosphere(2, 0.5, [1, 0.2, 0]);
    const both = {
      positions: [...feet.positions, ...other.positions],
      indices: [...feet.indices, ...other.indices.map((v) => v + feet.positions.length / 3)],
    };
    const [mesh, box] = await bindMeshes(both, gridBox([6, 2, 6], 6, [0, -1, 0]));
    detectSurfaces(mesh, box);
    expect(mesh.classes.componentCount).toBe(2);
  });

  it('gives the same crossings through the hash as every edge against every triangle', async () => {
    const next = random(testSeed('findCrossings'));
    for (let n = 0; n < 20; n++) {
      const [a, b] = await bindMeshes(
        icosphere(2, 0.7, randomPoint(next, 0.4)),
        gridBox([1, 1, 1], 3, randomPoint(next, 0.4)),
      );
      const hash = newTriangleHash();
      if (!meetingBox(hash.box, a, b)) continue;
      fillHash(hash, b);
      const crossed = findCrossings(a, b, hash);
      // One cube that holds everything.
      hash.box.set([-10, -10, -10, 10, 10, 10]);
      fillHash(hash, b);
      hash.cell = 1e3;
      for (const k of ['votes', 'sums', 'of'] as const) a.classes[k].fill(0);
      a.classes.touchedCount = 0;
      hash.start.fill(0).fill(b.indices.length / 3, 1);
      hash.entries = Uint32Array.from({ length: b.indices.length / 3 }, (_, t) => t);
      expect(findCrossings(a, b, hash)).toBe(crossed);
    }
  });
});

describe('depth', () => {
  it('is the analytic one for a ball in a flat floor, border and inner points alike', async () => {
    const [ball, box] = await bindMeshes(icosphere(3, 1, [0.1, 0.6, 0.2]), gridBox([6, 2, 6], 3, [0, -1, 0]));
    const { count, vertices, normals, meshes: numbers } = detectSurfaces(ball, box);
    let checked = 0;
    for (let n = 0; n < count; n++) {
      if (numbers[2 * n]) continue;
      expect(normals[4 * n + 1]).toBeCloseTo(1, 5);
      expect(normals[4 * n + 3]).toBeCloseTo(-ball.positions[3 * vertices[4 * n] + 1], 5);
      checked++;
    }
    expect(checked).toBeGreaterThan(60);
  });

  it('is near the analytic one for two balls: within 20 % of the overlap, directions within 25°', async () => {
    const overlap = 0.3;
    const [a, b] = await bindMeshes(icosphere(3, 1), icosphere(3, 1, [2 - overlap, 0, 0]));
    const { count, vertices, normals, meshes: numbers } = detectSurfaces(a, b);
    expect(count).toBeGreaterThan(80);
    let deepest = 0;
    for (let n = 0; n < count; n++) {
      const [mesh, centre] = numbers[2 * n] ? [b, 0] : [a, 2 - overlap];
      const v = 3 * vertices[4 * n];
      const away = [mesh.positions[v] - centre, mesh.positions[v + 1], mesh.positions[v + 2]];
      const radius = Math.hypot(...away);
      // The polyhedron lies up to 1 % within the ball.
      expect(Math.abs(normals[4 * n + 3] - (1 - radius))).toBeLessThan(0.2 * overlap);
      const cosine = away.reduce((sum, x, k) => sum + (x / radius) * normals[4 * n + k], 0);
      expect(cosine).toBeGreaterThan(Math.cos((25 * Math.PI) / 180));
      deepest = Math.max(deepest, normals[4 * n + 3]);
    }
    expect(deepest).toBeGreaterThan(0.9 * overlap);
    expect(deepest).toBeLessThan(1.05 * overlap);
  });

  it('is the overlap for two boxes face to face, on both sides', async () => {
    const [a, b] = await bindMeshes(gridBox([1, 1, 1], 4), gridBox([3, 1, 3], 5, [0.03, 0.95, 0.02]));
    const { count, normals, meshes: numbers } = detectSurfaces(a, b);
    const sides = [0, 0];
    for (let n = 0; n < count; n++) {
      sides[numbers[2 * n]]++;
      expect(normals[4 * n + 1]).toBeCloseTo(numbers[2 * n] ? 1 : -1, 5);
      expect(normals[4 * n + 3]).toBeCloseTo(0.05, 5);
    }
    // All 25 vertices of the small one's face, and those of the large one's under it.
    expect(sides[0]).toBe(25);
    expect(sides[1]).toBeGreaterThan(0);
  });

  it('without the test for detours takes the way through the sides, as the paper does', async () => {
    const [a, b] = await bindMeshes(gridBox([1, 1, 1], 4), gridBox([3, 1, 3], 5, [0.03, 0.95, 0.02]));
    const { count, normals, meshes: numbers } = detectSurfaces(a, b, Number.POSITIVE_INFINITY);
    let sideways = 0;
    for (let n = 0; n < count; n++) if (numbers[2 * n] && Math.abs(normals[4 * n + 1]) < 0.5) sideways++;
    expect(sideways).toBeGreaterThan(0);
  });
});

describe('what has no answer', () => {
  it('a body wholly within another: no edge crosses, nothing is found (a limit of the method)', async () => {
    const [a, b] = await bindMeshes(icosphere(2, 0.3), icosphere(2, 1));
    expect(detectSurfaces(a, b).count).toBe(0);
  });

  it('two wedges that cross edge on edge: no vertex is inside (a limit of the method)', async () => {
    const along = boxMesh([4, 1, 1]);
    const turned = (mesh: TestMesh, cos: number, sin: number, [i, j]: number[], by: number[]): TestMesh => ({
      positions: mesh.positions.map((x, k) => {
        const p = mesh.positions.slice(k - (k % 3), k - (k % 3) + 3);
        return (k % 3 === i ? cos * p[i] - sin * p[j] : k % 3 === j ? sin * p[i] + cos * p[j] : x) + by[k % 3];
      }),
      indices: mesh.indices,
    });
    const h = Math.SQRT1_2;
    const [a, b] = await bindMeshes(
      turned(along, h, h, [1, 2], [0, 0, 0]),
      turned(boxMesh([1, 1, 4]), h, h, [0, 1], [0, 1.3, 0]),
    );
    expect(detectSurfaces(a, b).count).toBe(0);
    expect([...a.classes.of]).toContain(Class.OUTSIDE);
  });

  it.each([
    ['coincident', gridBox([1, 1, 1], 2), gridBox([1, 1, 1], 2)],
    ['face on face', gridBox([1, 1, 1], 2), gridBox([1, 1, 1], 2, [0, 1, 0])],
    ['edges in the other one’s plane', gridBox([1, 1, 1], 2), gridBox([1, 1, 1], 3, [0.5, 0.5, 0])],
    ['vertex in vertex', gridBox([1, 1, 1], 1), gridBox([1, 1, 1], 1, [1, 1, 1])],
    ['half a cell apart', gridBox([1, 1, 1], 2), gridBox([1, 1, 1], 2, [0.25, 0.25, 0.25])],
    ['coincident spheres', icosphere(2), icosphere(2)],
  ])('stays finite: %s', async (_, first, second) => {
    const [a, b] = await bindMeshes(first, second);
    const { count, normals, barycentric } = detectSurfaces(a, b);
    for (let n = 0; n < count; n++) {
      expect(Math.hypot(...normals.subarray(4 * n, 4 * n + 3))).toBeCloseTo(1, 6);
      expect(normals[4 * n + 3]).toBeGreaterThan(0);
      expect(normals[4 * n + 3]).toBeLessThan(3);
      expect(barycentric[3 * n] + barycentric[3 * n + 1] + barycentric[3 * n + 2]).toBeCloseTo(1, 6);
    }
  });

  it('stays finite where triangles have lost their area', async () => {
    const [a, b] = await bindMeshes(gridBox([1, 1, 1], 3), icosphere(2, 0.5, [0.6, 0.1, 0.05]));
    for (const squeezed of [
      [1, 0, 1],
      [1, 0, 0],
      [0, 0, 0],
    ]) {
      for (let k = 0; k < a.positions.length; k++) a.positions[k] *= squeezed[k % 3];
      for (let k = 0; k < 6; k++) a.bounds[k] *= squeezed[k % 3];
      a.updates++;
      const { count, normals } = detectSurfaces(a, b);
      expect([...normals.subarray(0, 4 * count)].every(Number.isFinite)).toBe(true);
    }
  });
});

describe('castRay', () => {
  it('finds the way out of a ball from any point, in any direction', async () => {
    const [ball] = await bindMeshes(icosphere(4));
    refitContactMesh(ball);
    const next = random(testSeed('castRay'));
    const hit = newHit();
    for (let n = 0; n < 200; n++) {
      const [x, d] = [randomPoint(next, 0.5), randomPoint(next, 1)];
      const length = Math.hypot(...d);
      const r = d.map((k) => k / length);
      castRay(hit, ball.bvh, x, 0, r, 0, ball.indices);
      const along = r.reduce((sum, k, a) => sum + k * x[a], 0);
      const exact = -along + Math.sqrt(along * along + 1 - x.reduce((sum, k) => sum + k * k, 0));
      expect(hit.leaving).toBe(true);
      expect(Math.abs(hit.distance - exact)).toBeLessThan(0.01);
      expect(hit.u + hit.v + hit.w).toBeCloseTo(1, 9);
    }
    // From outside it enters; the other way there is nothing.
    expect(castRay(hit, ball.bvh, [3, 0, 0], 0, [-1, 0, 0], 0, ball.indices).leaving).toBe(false);
    expect(castRay(hit, ball.bvh, [3, 0, 0], 0, [1, 0, 0], 0, ball.indices).triangle).toBe(-1);
  });
});
