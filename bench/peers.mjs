// The same falling cube through Pliant and through other engines with soft bodies, one thread each, in one process, whole drops in turns.
import { execFileSync } from 'node:child_process';
import { install } from '../scripts/install.mjs';
import { MASS, SIZES } from './peers/cube.mjs';
import { drop, iterationsFor, PHASES, STEPS, stack } from './peers/drop.mjs';
import { checkSame, summary } from './peers/summary.mjs';
import { printedRows } from './peers/tables.mjs';
import { table } from './statistics.mjs';

/** Drops of each cube. */
const ROUNDS = 5;
/** An engine whose drops of one cube have taken this long (s) is not dropped again. */
const BUDGET = 60;
const MOST_ITERATIONS = 100;
/** Fewest iterations: the default of each engine whose stiffness depends on them. */
const DEFAULT_ITERATIONS = { Jolt: 5, 'ammo.js': 1 };
/** Iterations with which neither engine's cubes are squashed flat when one falls onto another. */
const STACK_ITERATIONS = 20;

/** The ways in which a cube of n³ vertices is dropped; those "as stiff" have as many iterations as Pliant's height in its first impact (`least`) asks for. */
async function variantsOf({ pliant, jolt, rapier, ammo, young }, n) {
  await pliant.prepare();
  const { least } = drop(pliant, { n }, PHASES.impact[1]);
  const variants = [{ engine: pliant, variant: `E = ${young / 1000} kPa` }];
  for (const engine of [jolt, ammo]) {
    const fewest = DEFAULT_ITERATIONS[engine.name];
    variants.push({ engine, variant: 'default iterations', options: { iterations: fewest } });
    const leastWith = (iterations) => drop(engine, { n, iterations }, PHASES.impact[1]).least;
    const found = iterationsFor(least, fewest, MOST_ITERATIONS, leastWith);
    variants.push({
      engine,
      variant: 'as stiff as Pliant',
      options: { iterations: found ?? MOST_ITERATIONS },
      isReached: found !== undefined,
      isDefault: found === fewest,
    });
  }
  variants.push({ engine: rapier, variant: 'defaults' });
  variants.push({ engine: rapier, variant: `E = ${young / 1000} kPa`, options: { young } });
  return variants;
}

/** Drops of every variant in turns. */
async function measure(variants, n, rounds, steps) {
  const drops = variants.map(() => []);
  const spent = variants.map(() => 0);
  for (let round = 0; round < rounds; round++)
    for (const [k, { engine, options, isDefault }] of variants.entries()) {
      if (isDefault || spent[k] > BUDGET) continue;
      const start = performance.now();
      await engine.prepare?.();
      const result = drop(engine, { n, ...options }, steps);
      checkSame(engine.name, result, n ** 3, MASS);
      drops[k].push(result);
      spent[k] += (performance.now() - start) / 1000;
    }
  return variants.map(({ engine, options, variant, isReached, isDefault }, k) => ({
    engine: engine.name,
    variant,
    iterations: options?.iterations,
    isReached,
    ...(isDefault ? { isDefault } : summary(drops[k])),
  }));
}

export async function peers({ smoke = false } = {}) {
  install('bench/peers');
  const [{ loadPliant, YOUNG }, { loadJolt }, { loadRapier }, { loadAmmo }] = await Promise.all([
    import('./peers/pliant.mjs'),
    import('./peers/jolt.mjs'),
    import('./peers/rapier.mjs'),
    import('./peers/ammo.mjs'),
  ]);
  const [pliant, jolt, rapier, ammo] = [await loadPliant(), await loadJolt(), await loadRapier(), await loadAmmo()];

  const engines = [];
  for (const engine of [pliant, jolt, rapier, ammo]) {
    await engine.prepare?.();
    const distance = stack(engine, { n: 7, iterations: STACK_ITERATIONS, young: YOUNG });
    const { name, version, made } = engine;
    engines.push({ name, version, made, stackDistance: Number(distance.toFixed(3)) });
  }
  const sizes = [];
  for (const n of smoke ? [7] : SIZES) {
    const variants = await variantsOf({ pliant, jolt, rapier, ammo, young: YOUNG }, n);
    const rows = await measure(variants, n, smoke ? 1 : ROUNDS, smoke ? 5 : STEPS);
    sizes.push({ particles: n ** 3, rows });
    console.log(`## A falling cube of ${n ** 3} particles\n\n${table(printedRows(rows))}\n`);
  }
  for (const { name, version, made, stackDistance } of engines)
    console.log(`${name} ${version}: ${made}. Two cubes, one above the other, end ${stackDistance} m apart.`);
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const at = new Date().toISOString();
  return { date: at.slice(0, 10), at, commit, young: YOUNG, phases: PHASES, engines, sizes };
}
