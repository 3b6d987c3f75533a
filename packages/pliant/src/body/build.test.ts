import { describe, expect, it } from 'vitest';
import { boxMesh } from '../mesh/testing/meshes.js';
import { refusal } from '../testing/refusal.js';
import { buildBody } from './build.js';
import type { BodyOptions } from './options.js';
import { posed } from './posed.js';

const POINTS = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1];
const BOX = { type: 'box', size: [1, 1, 1] } as const;
const GRID = { method: 'grid', spacing: 0.25 } as const;
const MESH = boxMesh([1, 1, 1]);
const sum = (values: Iterable<number>) => [...values].reduce((a, b) => a + b, 0);

describe('a body is refused, with the option, its value and what was expected, for', () => {
  const meshWith = (change: (mesh: typeof MESH) => void) => {
    const mesh = { positions: MESH.positions.slice(), indices: MESH.indices.slice() };
    change(mesh);
    return { mesh, sampling: GRID };
  };
  const cases: [string, unknown, string][] = [
    ['α = 2', { points: POINTS, material: { raw: { stiffness: 2 } } }, 'body.material.raw.stiffness is 2; expected a finite number in [0, 2).'],
    ['α = −0.1', { points: POINTS, material: { raw: { stiffness: -0.1 } } }, 'body.material.raw.stiffness is -0.1; expected a finite number in [0, 2).'],
    ['α = NaN', { points: POINTS, material: { raw: { stiffness: Number.NaN } } }, 'body.material.raw.stiffness is NaN; expected a finite number in [0, 2).'],
    ['α as a word', { points: POINTS, material: { raw: { stiffness: 'hard' } } }, 'body.material.raw.stiffness is "hard"; expected a number, a function, a list with one value per particle, or { vertices }.'],
    ['α(x) out of range', { points: POINTS, material: { raw: { stiffness: (x: number) => 2 * x } } }, 'body.material.raw.stiffness at particle 1 is 2; expected a finite number in [0, 2).'],
    ['too short a list of α', { points: POINTS, material: { raw: { stiffness: [1, 1] } } }, 'body.material.raw.stiffness has 2 values; expected one per particle, 5.'],
    ['a NaN in a list of α', { points: POINTS, material: { raw: { stiffness: [1, 1, Number.NaN, 1, 1] } } }, 'body.material.raw.stiffness at particle 2 is NaN; expected a finite number in [0, 2).'],
    ['vertex values without a mesh', { points: POINTS, material: { raw: { stiffness: { vertices: [1] } } } }, 'body.material.raw.stiffness.vertices is [1]; expected a body made from a mesh, which this one is not.'],
    ['k_d = 1.1', { points: POINTS, material: { raw: { damping: 1.1 } } }, 'body.material.raw.damping is 1.1; expected a finite number in [0, 1].'],
    ['an unknown damping', { points: POINTS, material: { raw: { dampingMode: 'none' } } }, 'body.material.raw.dampingMode is "none"; expected one of "rigid", "linear".'],
    ['an unknown rotation', { points: POINTS, material: { raw: { rotation: 'svd' } } }, 'body.material.raw.rotation is "svd"; expected one of "deformation", "covariance".'],
    ['an unknown limit', { points: POINTS, material: { raw: { limit: { mode: 'hard' } } } }, 'body.material.raw.limit.mode is "hard"; expected one of "conserving", "paper".'],
    ['a negative γ', { points: POINTS, material: { raw: { limit: { gamma: -1 } } } }, 'body.material.raw.limit.gamma is -1; expected a finite number of at least 0.'],
    ['half a sweep', { points: POINTS, material: { raw: { limit: { iterations: 0.5 } } } }, 'body.material.raw.limit.iterations is 0.5; expected an integer in [0, 1000].'],
    ['a misspelt limit', { points: POINTS, material: { raw: { limit: { gama: 1 } } } }, 'body.material.raw.limit.gama is not an option; expected one of mode, gamma, omega, iterations.'],
    ['negative mass', { points: POINTS, material: { mass: -1 } }, 'body.material.mass is -1; expected a finite number above 0.'],
    ['negative particle mass', { points: POINTS, material: { particleMass: -1 } }, 'body.material.particleMass is -1; expected a finite number above 0.'],
    ['negative density', { shape: BOX, sampling: GRID, material: { density: -1 } }, 'body.material.density is -1; expected a finite number above 0.'],
    ['density of points', { points: POINTS, material: { density: 5 } }, 'body.material.density is 5; expected mass or particleMass for a body given as points, whose volume is unknown.'],
    ['mass and density', { points: POINTS, material: { density: 5, mass: 1 } }, 'body.material gives density and mass; expected one of density, mass, particleMass.'],
    ['mass that f32 cannot hold', { points: POINTS, material: { mass: 1e300 } }, 'body.material: mass of particle 0 is 2e+299; expected 1e-12 to 1000000000000 kg.'],
    ['NaN in points', { points: [0, 0, 0, 1, Number.NaN, 0] }, 'body.points[4] is NaN; expected a finite coordinate.'],
    ['half a point', { points: [0, 0, 0, 1] }, 'body.points has 4 numbers; expected a multiple of 3.'],
    ['no points', { points: [] }, 'body.points is []; expected at least one point.'],
    ['points that f32 cannot hold', { points: [0, 0, 0, 0, 1e39, 0] }, 'body.points[4] is 1e+39; expected a coordinate within ±1e9 m.'],
    ['NaN in a mesh', meshWith((m) => (m.positions[7] = Number.NaN)), 'body.mesh.positions[7] is NaN; expected a finite coordinate.'],
    ['an empty mesh', { mesh: { positions: [], indices: [] }, sampling: GRID }, 'body.mesh.positions is []; expected at least one point.'],
    ['a mesh without triangles', meshWith((m) => (m.indices = [])), 'body.mesh.indices is []; expected at least one triangle.'],
    ['a mesh with a vertex it does not have', meshWith((m) => (m.indices[4] = 8)), 'body.mesh.indices[4] is 8 (triangle 1); expected a vertex number from 0 to 7.'],
    ['no sampling', { mesh: MESH }, 'body.sampling is undefined; expected { spacing } or { count } for a mesh or shape.'],
    ['sampling of points', { points: POINTS, sampling: GRID }, 'body.sampling is an object with method, spacing; expected nothing for a body given as points: they are the particles.'],
    ['no geometry', {}, 'body gives no geometry; expected one of mesh, shape, points.'],
    ['two geometries', { mesh: MESH, points: POINTS, sampling: GRID }, 'body gives mesh and points; expected one of mesh, shape, points.'],
    ['an unknown shape', { shape: { type: 'cone' }, sampling: GRID }, 'body.shape.type is "cone"; expected one of "box", "sphere", "ellipsoid", "cylinder", "capsule", "torus", "sheet", "cord", "implicit", "union", "difference", "intersection".'],
    ['an unknown kernel', { points: POINTS, clustering: { kernel: 'gauss' } }, 'body.clustering.kernel is "gauss"; expected one of "box", "poly6", "blend", "invsq", "fcm".'],
    ['clusters and clustering', { points: POINTS, clusters: [{ members: [0, 1, 2, 3, 4] }], clustering: { count: 1 } }, 'body gives clusters and clustering; expected one of the two.'],
    ['clusters that leave a particle out', { points: POINTS, clusters: [{ members: [0, 1, 2, 3] }] }, 'body.clusters hold no particle 4; expected every particle in a cluster.'],
    ['a negative scale', { points: POINTS, scale: [1, -1, 1] }, 'body.scale is [1, -1, 1]; expected positive factors.'],
    ['a rotation of no length', { points: POINTS, rotation: [0, 0, 0, 0] }, 'body.rotation is [0, 0, 0, 0]; expected a quaternion x, y, z, w of non-zero length.'],
    ['a broken velocity', { points: POINTS, velocity: [1, 2] }, 'body.velocity is [1, 2]; expected three finite numbers.'],
    ['a broken stretch', { points: POINTS, stretch: 2 }, 'body.stretch is 2; expected three finite numbers.'],
    ['nothing at all', undefined, 'body is undefined; expected an object.'],
  ]; // biome-ignore format: one case a line

  it.each(cases)('%s', (_, options, message) => {
    expect(refusal(() => buildBody(options as BodyOptions))).toBe(message);
  });

  it('a misspelt option, of the body or of its material', () => {
    expect(refusal(() => buildBody({ points: POINTS, veloctiy: [0, 0, 0] } as BodyOptions))).toMatch(
      /^body\.veloctiy is not an option; expected one of name, mesh, shape, .*velocity/,
    );
    expect(refusal(() => buildBody({ points: POINTS, material: { yuong: 1 } as never }))).toMatch(
      /^body\.material\.yuong is not an option; expected one of .*young/,
    );
  });

  it('a radius that cannot connect the body', () => {
    const message = refusal(() =>
      buildBody({ shape: BOX, sampling: GRID, clustering: { count: 2, radius: 0.1, maxRadius: 0.1, maxCount: 2 } }),
    );
    expect(message).toMatch(/^body\.clustering\.radius is 0\.1; expected a radius that (covers|connects) the body/);
    expect(message).toContain('at most 2 clusters');
  });
});

describe('a built body', () => {
  it('has the mass of its density and volume, however it is scaled', () => {
    const { data } = buildBody({ shape: BOX, sampling: GRID, material: { density: 500 }, scale: [2, 1, 0.5] });
    expect(sum(data.masses)).toBeCloseTo(500, 9);
    const grown = buildBody({ shape: BOX, sampling: GRID, material: { density: 500 }, scale: 2 });
    expect(sum(grown.data.masses)).toBeCloseTo(4000, 8);
    expect(grown.spacing).toBeCloseTo(0.5, 12);
  });

  it('has the mass it is given, spread evenly, or that of each particle', () => {
    expect(buildBody({ shape: BOX, sampling: GRID, material: { mass: 7 } }).data.masses).toEqual(
      new Float64Array(64).fill(7 / 64),
    );
    expect(buildBody({ points: POINTS, material: { particleMass: 3 } }).data.masses).toEqual(
      new Float64Array(5).fill(3),
    );
    expect(buildBody({ points: POINTS }).data.masses).toEqual(new Float64Array(5).fill(0.1));
  });

  it('is heavier where its density is higher (C6)', () => {
    const density = (x: number) => (x > 0 ? 3000 : 1000);
    const { data } = buildBody({ shape: BOX, sampling: GRID, material: { density } });
    for (const [i, m] of data.masses.entries())
      expect(m).toBeCloseTo((data.positions[3 * i] > 0 ? 3000 : 1000) / 64, 9);
    expect(sum(data.masses)).toBeCloseTo(2000, 8);
  });

  it('evaluates functions at the rest position in the world, after placing', () => {
    const { data } = buildBody({
      points: POINTS,
      position: [10, 0, 0],
      scale: 2,
      material: { raw: { stiffness: (x) => (x - 10) / 4 } },
    });
    expect(Array.from(data.stiffness)).toEqual([0, 0.5, 0, 0, 0.5]);
  });

  it('takes values painted on the vertices of its mesh, wherever it is placed (C6)', () => {
    const vertices = Array.from({ length: 8 }, (_, n) => 0.5 + MESH.positions[3 * n]);
    const { data } = buildBody({
      mesh: MESH,
      sampling: GRID,
      material: { raw: { stiffness: { vertices } } },
      position: [5, 0, 0],
      scale: 3,
    });
    // Painted 0 at the left face and 1 at the right one: values follow x, as far as the nearest surface tells.
    const mean = (side: (x: number) => boolean) => {
      const picked = Array.from(data.stiffness).filter((_, i) => side(data.positions[3 * i]));
      return sum(picked) / picked.length;
    };
    expect(mean((x) => x < -0.9)).toBeLessThan(0.25);
    expect(mean((x) => x > 0.9)).toBeGreaterThan(0.75);
    expect(
      refusal(() => buildBody({ mesh: MESH, sampling: GRID, material: { toughness: { vertices: [1, 2] } } })),
    ).toMatch(/^body\.material\.toughness\.vertices .*8/);
  });

  it('is placed by scale, then rotation, then position', () => {
    // A quarter turn about z takes (2, 0, 0) to (0, 2, 0).
    const built = buildBody({
      points: [1, 0, 0, 0, 1, 0, 0, 0, 1],
      scale: [2, 3, 4],
      rotation: [0, 0, 5, 5],
      position: [10, 20, 30],
    });
    expect(Array.from(built.data.positions)).toEqual([2, 0, 0, 0, 3, 0, 0, 0, 4]);
    const { data } = posed(built, built);
    for (const [k, c] of [10, 22, 30, 7, 20, 30, 10, 20, 34].entries()) expect(data.positions[k]).toBeCloseTo(c, 12);
  });

  it('passes on what its mesh and its clusters have to say', () => {
    const open = { positions: MESH.positions, indices: MESH.indices.slice(6) };
    const crowded = { radius: 'auto', count: 10, overlap: 2 } as const;
    expect(
      buildBody({
        shape: { type: 'box', size: [1, 1, 1] },
        sampling: { spacing: 0.1, method: 'grid' },
        clustering: crowded,
      }).warnings,
    ).toEqual([expect.stringMatching(/clustering: overlap 2 was not reached, 1 is used: at radius 0\.7\d+ /)]);
    expect(buildBody({ mesh: open, sampling: GRID }).warnings.join()).toContain('open');
    expect(
      buildBody({ points: POINTS, clusters: [{ members: [0, 1, 2, 3, 4] }, { members: [0, 1] }] }).warnings,
    ).toEqual(['body.clusters[1] has 2 members; fewer than 4 cannot tell how they are turned and stretched.']);
  });
});
