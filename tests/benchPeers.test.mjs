import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { EDGE, MASS, makeCube, SIZES } from '../bench/peers/cube.mjs';
import { drop, iterationsFor, PHASES, STEPS } from '../bench/peers/drop.mjs';
import { loadPliant } from '../bench/peers/pliant.mjs';
import { checkSame, summary } from '../bench/peers/summary.mjs';
import { latestPeers, peersSection, printedRows, sectionIn, withSection } from '../bench/peers/tables.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

describe('the cube that engines drop', () => {
  const [n] = SIZES;
  const cube = makeCube(n);
  const at = (i) => cube.positions.subarray(3 * i, 3 * i + 3);
  const minus = (a, b) => [0, 1, 2].map((k) => a[k] - b[k]);
  const cross = ([a, b, c], [d, e, f]) => [b * f - c * e, c * d - a * f, a * e - b * d];
  const dot = (a, b) => a.reduce((sum, x, k) => sum + x * b[k], 0);
  const total = (values) => values.reduce((sum, x) => sum + x, 0);

  it('has the vertices of the sizes that are compared, and an edge of 1 m', () => {
    expect(SIZES.map((size) => size ** 3)).toEqual([1331, 4913, 19683]);
    expect(cube.positions.length).toBe(3 * cube.count);
    expect([Math.min(...cube.positions), Math.max(...cube.positions)]).toEqual([-EDGE / 2, EDGE / 2]);
  });

  it('is filled by tetrahedra that all turn the same way', () => {
    const volumes = cube.tetrahedra.map(([p, q, r, s]) => {
      const [u, v, w] = [q, r, s].map((i) => minus(at(i), at(p)));
      return dot(cross(u, v), w) / 6;
    });
    expect(Math.min(...volumes)).toBeGreaterThan(0);
    expect(total(volumes)).toBeCloseTo(EDGE ** 3, 9);
  });

  it('has each edge once', () => {
    const cells = n - 1;
    expect(cube.axisEdges.length).toBe(3 * cells * n * n);
    // Along the axes, across the faces of cells (one diagonal each), and through the cells.
    expect(cube.edges.length).toBe(3 * cells * n * n + 3 * cells * cells * n + cells ** 3);
    expect(new Set(cube.edges.map(String)).size).toBe(cube.edges.length);
    const known = new Set(cube.edges.map(String));
    expect(cube.axisEdges.filter((edge) => !known.has(String(edge)))).toEqual([]);
  });

  it('has a closed surface that faces outwards and fits its tetrahedra', () => {
    const normals = cube.triangles.map(([a, b, c]) => cross(minus(at(b), at(a)), minus(at(c), at(a))));
    expect(total(normals.map((normal) => Math.hypot(...normal) / 2))).toBeCloseTo(6 * EDGE ** 2, 9);
    expect(total(cube.triangles.map(([a], k) => dot(at(a), normals[k]) / 6))).toBeCloseTo(EDGE ** 3, 9);
    const known = new Set(cube.edges.map(String));
    const sides = cube.triangles.flatMap(([a, b, c]) => [[a, b], [b, c], [c, a]]); // biome-ignore format: three sides
    expect(sides.filter(([a, b]) => !known.has(`${Math.min(a, b)},${Math.max(a, b)}`))).toEqual([]);
  });

  it('refuses a count that makes no cube', () => {
    expect(() => makeCube(1)).toThrow('n is 1; expected a whole number of at least 2');
  });

  it('is as many particles and kilograms in Pliant', async () => {
    const pliant = await loadPliant();
    await pliant.prepare();
    const result = drop(pliant, { n: 5 }, 20);
    checkSame('Pliant', result, 5 ** 3, MASS);
    expect(result.times.length).toBe(20);
    // It has reached the plane and is being pressed.
    expect(result.least).toBeGreaterThan(0.5);
    expect(result.least).toBeLessThan(0.99);
  });

  it('of another count or mass is refused', () => {
    expect(() => checkSame('X', { count: 8, mass: 1000 }, 27, 1000)).toThrow('X dropped 8 vertices; expected 27');
    expect(() => checkSame('X', { count: 27, mass: 27 }, 27, 1000)).toThrow('X dropped 27 kg; expected 1000');
    expect(() => checkSame('X', { count: 27, mass: Number.NaN }, 27, 1000)).toThrow('NaN');
  });
});

describe('iterations as stiff as Pliant', () => {
  const find = (needed, most = 100) => iterationsFor(0.8, 5, most, (iterations) => (iterations < needed ? 0.7 : 0.75));

  it('are the fewest that keep 90 % of the height', () => {
    for (const needed of [6, 7, 42, 99, 100]) expect(find(needed)).toBe(needed);
  });

  it('are the default where that is stiff enough, and unknown where the most are not', () => {
    expect(find(1)).toBe(5);
    expect(find(101)).toBeUndefined();
  });
});

describe('tables of other engines', () => {
  const times = (ms) => Array.from({ length: STEPS }, (_, k) => (k < PHASES.flight[1] ? ms : 2 * ms));
  const dropOf = (ms, least) => ({
    build: 1,
    times: times(ms),
    least,
    last: 1,
    speed: 0,
    count: 1331,
    mass: 1000,
    parts: { edges: 7 }, // biome-ignore format: one drop
  });
  const row = (engine, variant, ms, least, more = {}) => ({
    engine,
    variant,
    ...summary([dropOf(ms, least), dropOf(3 * ms, least), dropOf(2 * ms, least)]),
    ...more,
  });
  const rows = [
    row('Pliant', 'E = 100 kPa', 1, 0.8),
    row('Jolt', 'default iterations', 4, 0.95, { iterations: 5 }),
    { engine: 'Jolt', variant: 'as stiff as Pliant', iterations: 5, isReached: true, isDefault: true },
    row('ammo.js', 'as stiff as Pliant', 20, 0.75, { iterations: 12, isReached: true }),
    row('ammo.js', 'as stiff as Pliant', 100, 0.3, { iterations: 100, isReached: false }),
    row('X', 'defaults', 1, Number.NaN),
  ];
  const engines = [
    { name: 'Pliant', version: '1', stackDistance: 0.9 },
    { name: 'Jolt', version: '2', stackDistance: 0 },
  ];
  const measured = { date: '2026-01-02', commit: 'abc', young: 1e5, engines, sizes: [{ particles: 1331, rows }] };
  const section = peersSection({ machine: 'M', peers: measured });

  it('take medians over drops, of means over the steps of a phase', () => {
    const { flight, impact, rest, all, drops } = rows[0];
    expect(drops).toBe(3);
    expect(flight).toEqual({ median: 2, least: 1, most: 3 });
    expect(impact).toEqual({ median: 4, least: 2, most: 6 });
    expect(rest.median).toBe(4);
    expect(all.median).toBeCloseTo((2 * PHASES.flight[1] + 4 * (STEPS - PHASES.flight[1])) / STEPS, 2);
  });

  it('print how many times the others take', () => {
    expect(printedRows(rows).map((printed) => printed['times Pliant'])).toEqual([
      '1.0',
      '4.0',
      '',
      '20.0',
      '100.0',
      '1.0',
    ]);
  });

  it('say in the README how stiff each is and with how many iterations', () => {
    const lines = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| |'));
    expect(lines).toEqual([
      '| Pliant, E = 100 kPa | **3.8** (2.0 / 4.0 / 4.0) | 0.80 |',
      '| Jolt, default iterations | **15** (8.0 / 16 / 16) | 0.95 |',
      '| Jolt, as stiff as Pliant | its default is stiffer | 0.95 |',
      '| ammo.js, as stiff as Pliant | **75** (40 / 80 / 80); 12 iterations | 0.75 |',
      '| ammo.js, as stiff as Pliant | **377** (200 / 400 / 400); not by 100 iterations | 0.30 |',
      '| X, defaults | **3.8** (2.0 / 4.0 / 4.0) | not finite |',
    ]);
    expect(section).toContain('1 331 particles');
    expect(section).toContain('pass through each other in Jolt.');
  });

  it('stand between the marks of the README', () => {
    const readme = readFileSync(`${root}README.md`, 'utf8');
    const changed = withSection(readme, section);
    expect(sectionIn(changed)).toBe(section);
    expect(withSection(changed, sectionIn(readme))).toBe(readme);
    expect(() => sectionIn('no marks')).toThrow('README.md has no section');
  });

  it('are, in the README, those of the latest saved measurement', () => {
    expect(latestPeers([{ machine: 'A' }])).toBeUndefined();
    const dated = (date) => ({ peers: { date } });
    expect(latestPeers([dated('2026-02-01'), dated('2026-03-01'), {}])).toEqual(dated('2026-03-01'));
    const files = readdirSync(`${root}bench/results`);
    const latest = latestPeers(files.map((name) => JSON.parse(readFileSync(`${root}bench/results/${name}`, 'utf8'))));
    const expected = latest
      ? peersSection(latest)
      : 'Rapier, Jolt and other engines that games use are not measured yet.';
    expect(sectionIn(readFileSync(`${root}README.md`, 'utf8'))).toBe(expected);
  });
});
