// One scene in a process of its own, whose code is not compiled yet: prints the milliseconds of every update of the first body's skin that did a share of a break, as
// JSON. `rehearsed`: after a break that nobody sees, as in the studio's worker.
import { readFile } from 'node:fs/promises';
import { buildWorld, loadScene } from '@pliant/scene';

const [name, rehearsed, steps] = process.argv.slice(2);
const REHEARSED_STEPS = 50;
/** Pause (ms) between steps, in which other threads compile as in a page. */
const PAUSE = 8;

async function worldOf(path) {
  const scene = await loadScene(path, (file) => readFile(new URL(file)));
  return (await buildWorld(scene, { threads: 1 })).world;
}

if (rehearsed === 'rehearsed') {
  const world = await worldOf(new URL('../../packages/studio/src/worker/rehearsal.json', import.meta.url).href);
  const skin = world.bodies[0].getSkin();
  skin.spread = true;
  for (let n = 0; n < REHEARSED_STEPS; n++) {
    world.step();
    world.drainEvents();
    skin.update();
  }
  world.dispose();
}
const world = await worldOf(new URL(`../../scenes/${name}.json`, import.meta.url).href);
const [body] = world.bodies;
const skin = body.getSkin();
skin.spread = true;
skin.update();
const updates = [];
const late = [];
const waiting = [];
for (let n = 0; n < Number(steps); n++) {
  const { topologyVersion } = body;
  world.step();
  world.drainEvents();
  if (body.topologyVersion !== topologyVersion) waiting.push({ topology: body.topologyVersion, n });
  const before = performance.now();
  skin.update();
  const took = performance.now() - before;
  skin.took(took);
  if (skin.spent.parts > 0) updates.push(took);
  while (waiting[0]?.topology <= skin.boundTopology) late.push(n - waiting.shift().n);
  await new Promise((resolve) => setTimeout(resolve, PAUSE));
}
console.log(JSON.stringify({ updates, late, triangles: skin.restMesh.indices.length / 3 }));
