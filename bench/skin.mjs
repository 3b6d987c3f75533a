// Cost of a break for the render mesh, in one thread: processor time of `skin.update()` after steps in which a body broke, the least of a few runs of each; of one
// that found everything anew; and of one that spreads its work, in all updates that did a share of it. The line that must hold: at most LINE ms for
// 5000 triangles in 95 % of the updates.
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { buildWorld, loadScene } from '@pliant/scene';
import { median, quantile, table } from './statistics.mjs';

const LINE = 10;
const SCENES = ['plate-weak', 'hollow-ball', 'broken-heart'];

async function worldOf(name) {
  const path = fileURLToPath(new URL(`../scenes/${name}.json`, import.meta.url));
  const scene = await loadScene(path, (file) => readFile(file));
  return (await buildWorld(scene, { threads: 1 })).world;
}

/** Milliseconds of processor time, so that other programs disturb less. */
function timed(act) {
  const before = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/**
 * Times of the breaks of a scene, the least of `rounds` runs of each: of the skin as it is, of one that forgets at each break what it kept, and of one whose work
 * is spread. `late`: of the latter, how many updates after a break the mesh that has it was shown.
 */
async function breaks(name, steps, rounds) {
  const [kept, anew, spread, late] = [[], [], [], []];
  const lists = [kept, anew, spread];
  let size;
  for (let round = 0; round < rounds; round++) {
    const worlds = [await worldOf(name), await worldOf(name), await worldOf(name)];
    worlds[2].bodies[0].getSkin().spread = true;
    for (const world of worlds) world.bodies[0].getSkin().update();
    const waiting = [];
    for (let n = 0; n < steps; n++)
      for (const k of [n % 3, (n + 1) % 3, (n + 2) % 3]) {
        const [body] = worlds[k].bodies;
        const skin = body.getSkin();
        const { topologyVersion } = body;
        worlds[k].step();
        worlds[k].drainEvents();
        const broke = body.topologyVersion !== topologyVersion;
        if (k === 1 && broke) skin.forgetTorn();
        const wasBehind = k === 2 && skin.boundTopology !== body.topologyVersion;
        if (k === 2 && broke) waiting.push({ topology: body.topologyVersion, n });
        const ms = timed(() => skin.update());
        if (k === 2) while (waiting[0]?.topology <= skin.boundTopology) late.push(n - waiting.shift().n);
        if (k === 2 ? wasBehind : broke) lists[k][n] = Math.min(lists[k][n] ?? ms, ms);
        size = { triangles: skin.restMesh.indices.length / 3, shown: skin.indices.length / 3 };
      }
    for (const world of worlds) world.dispose();
  }
  return { ...size, kept: Object.values(kept), anew: Object.values(anew), spread: Object.values(spread), late };
}

export async function skin({ quick } = {}) {
  const rows = [];
  for (const name of SCENES) {
    const { triangles, shown, kept, anew, spread, late } = await breaks(name, 100, quick ? 2 : 5);
    const per = 5000 / triangles;
    rows.push({
      scene: name,
      triangles,
      'with inner faces': shown,
      breaks: kept.length,
      'first (ms)': kept[0].toFixed(1),
      'median (ms)': median(kept).toFixed(1),
      'p95 (ms)': quantile(kept, 0.95).toFixed(1),
      'median for 5000 (ms)': (per * median(kept)).toFixed(1),
      'p95 for 5000 (ms)': (per * quantile(kept, 0.95)).toFixed(1),
      'spread, median for 5000 (ms)': (per * median(spread)).toFixed(1),
      'spread, p95 for 5000 (ms)': (per * quantile(spread, 0.95)).toFixed(1),
      'shown late by updates': `${median(late)} (${quantile(late, 0.95)})`,
      holds: `${per * quantile(kept, 0.95) <= LINE ? 'yes' : 'no'}, spread ${per * quantile(spread, 0.95) <= LINE ? 'yes' : 'no'}`,
      'all anew, median (ms)': median(anew).toFixed(1),
      ratio: (median(anew) / median(kept)).toFixed(2),
    });
  }
  console.log(
    `\nRender meshes of bodies that break: processor time of an update after a break. The line is ${LINE} ms for 5000 triangles in 95 % of them.\n`,
  );
  console.log(table(rows));
  const fresh = SCENES.flatMap((name) => ['rehearsed', 'cold'].map((how) => freshly(name, how, quick ? 2 : 5)));
  console.log(
    '\nThe same in fresh processes, spread, with shares by the time that they took: by the clock, all updates of all processes. "rehearsed": after a break that nobody sees, as in the studio.\n',
  );
  console.log(table(fresh));
  return { rows, fresh };
}

/** Updates of a skin in fresh processes. */
function freshly(scene, how, processes) {
  const file = fileURLToPath(new URL('./skin/fresh.mjs', import.meta.url));
  const [updates, late, first] = [[], [], []];
  let per = 1;
  for (let k = 0; k < processes; k++) {
    const run = JSON.parse(execFileSync(process.execPath, [file, scene, how, '100'], { encoding: 'utf8' }));
    per = 5000 / run.triangles;
    updates.push(...run.updates);
    late.push(...run.late);
    first.push(run.updates[0]);
  }
  return {
    scene,
    process: how,
    updates: updates.length,
    'first for 5000 (ms)': (per * median(first)).toFixed(1),
    'median for 5000 (ms)': (per * median(updates)).toFixed(1),
    'p95 for 5000 (ms)': (per * quantile(updates, 0.95)).toFixed(1),
    'shown late by updates': `${median(late)} (${quantile(late, 0.95)})`,
    holds: per * quantile(updates, 0.95) <= LINE ? 'yes' : 'no',
  };
}
